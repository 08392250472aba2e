import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";
import { createMinimalRecord } from "../record.js";

export const checkUSAMinimal: VehicleHandlers["bespokeapi"]["checkUSAMinimal"] = ({ regNumber, state, username }) =>
  lookUpVehicle(
    { operation: "CheckUSAMinimal", country: "US", number: regNumber, region: state, username },
    createMinimalRecord,
  );
