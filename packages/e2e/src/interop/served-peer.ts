import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { vehicleSample } from "../sample/vehicle.js";
import { knownFault, throwKnownFault } from "./faults.js";

/** The sample's lookups on a free port of the loopback address, one of which throws the known fault. */
export function servePeer(): Promise<RunningServer> {
  const { reg, bespokeapi } = vehicleSample;
  const handlers: typeof vehicleSample = {
    bespokeapi,
    reg: {
      ...reg,
      checkMexico: (input, context) =>
        input.RegistrationNumber === knownFault.input.RegistrationNumber
          ? throwKnownFault()
          : reg.checkMexico(input, context),
    },
  };
  return listen([vehicleRoutes(handlers)], { port: 0, host: "127.0.0.1" });
}
