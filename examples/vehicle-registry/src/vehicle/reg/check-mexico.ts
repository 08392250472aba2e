import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkMexico: VehicleHandlers["reg"]["checkMexico"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckMexico", country: "MX", number: RegistrationNumber, username });
