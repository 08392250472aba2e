import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkCzechRepublic: VehicleHandlers["reg"]["checkCzechRepublic"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckCzechRepublic", country: "CZ", number: RegistrationNumber, username });
