import type { VehicleHandlers } from "@bothends/server/vehicle";
import { lookUpVehicle } from "../lookup.js";

export const checkPakistan: VehicleHandlers["reg"]["checkPakistan"] = ({
  RegistrationNumber,
  state,
  district,
  username,
}) =>
  lookUpVehicle({
    operation: "CheckPakistan",
    country: "PK",
    number: RegistrationNumber,
    region: `${state}/${district}`,
    username,
  });
