import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkPeru: VehicleHandlers["reg"]["checkPeru"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckPeru", country: "PE", number: RegistrationNumber, username });
