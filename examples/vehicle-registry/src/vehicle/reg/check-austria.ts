import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkAustria: VehicleHandlers["reg"]["checkAustria"] = ({ NatCode, username }) =>
  lookUpVehicle({ operation: "CheckAustria", country: "AT", number: String(NatCode), username });
