import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkRussia: VehicleHandlers["reg"]["checkRussia"] = ({ RegistrationNumber, username }) =>
  lookUpVehicle({ operation: "CheckRussia", country: "RU", number: RegistrationNumber, username });
