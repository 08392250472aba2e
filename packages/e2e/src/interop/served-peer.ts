import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";
import { exactVehicle } from "../sample/exact.js";
import { type Lookup, lookups } from "../sample/lookups.js";
import { knownFault, throwKnownFault } from "./faults.js";

const faultLookup: Pick<Lookup, "service" | "operation" | "input"> = { service: "reg", ...knownFault };

/**
 * Serves both vehicle services on a free port of the loopback address. Only the lookups are answered, each with exactly its
 * arguments, and one more call throws the known fault.
 */
export function servePeer(): Promise<RunningServer> {
  const { reg, bespokeapi } = exactVehicle([...lookups, faultLookup]);
  const handlers: VehicleHandlers = {
    bespokeapi,
    reg: {
      ...reg,
      checkMexico: async (input, context) => {
        const answer = await reg.checkMexico(input, context);
        return input.RegistrationNumber === knownFault.input.RegistrationNumber ? throwKnownFault() : answer;
      },
    },
  };
  return listen([vehicleRoutes(handlers)], { port: 0, host: "127.0.0.1" });
}
