import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkFrance: VehicleHandlers["reg"]["checkFrance"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckFrance", country: "FR", number: RegistrationNumber, username });
