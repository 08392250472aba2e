import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkIreland: VehicleHandlers["reg"]["checkIreland"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckIreland", country: "IE", number: RegistrationNumber, username });
