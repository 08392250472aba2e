import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkUSA: VehicleHandlers["reg"]["checkUSA"] = ({ RegistrationNumber, State, username }) =>
  lookUpVehicle({ operation: "CheckUSA", country: "US", number: RegistrationNumber, region: State, username });
