import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkUSADynamic: VehicleHandlers["bespokeapi"]["checkUSADynamic"] = ({ regNumber, state, username }) =>
  lookUpVehicle({ operation: "CheckUSADynamic", country: "US", number: regNumber, region: state, username });
