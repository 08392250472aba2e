import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkMalta: VehicleHandlers["reg"]["checkMalta"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckMalta", country: "MT", number: RegistrationNumber, username });
