import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkItalyMotorbike: VehicleHandlers["bespokeapi"]["checkItalyMotorbike"] = ({ regNumber, username }) =>
  lookUpVehicle({ operation: "CheckItalyMotorbike", country: "IT", kind: "motorbike", number: regNumber, username });
