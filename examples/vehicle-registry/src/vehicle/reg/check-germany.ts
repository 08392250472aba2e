import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkGermany: VehicleHandlers["reg"]["checkGermany"] = ({ KBANumber, username }) =>
  lookUpVehicle({ operation: "CheckGermany", country: "DE", number: KBANumber, username });
