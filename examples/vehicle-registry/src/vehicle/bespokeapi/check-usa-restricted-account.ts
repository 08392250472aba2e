import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkUSARestrictedAccount: VehicleHandlers["bespokeapi"]["checkUSARestrictedAccount"] = ({
  RegistrationNumber,
  State,
  username,
}) =>
  lookUpVehicle({
    operation: "CheckUSARestrictedAccount",
    country: "US",
    number: RegistrationNumber,
    region: State,
    username,
    restricted: true,
  });
