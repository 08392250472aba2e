import { SoapFault } from "@bothends/client/vehicle";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";
import { createExactVehicle } from "../sample/exact.js";
import { type Lookup, lookups } from "../sample/lookups.js";

/** A fault that clients must receive. The server's operation throws it for the given `input`. */
export const knownFault = {
  operation: "CheckMexico",
  input: { RegistrationNumber: "FAULT", username: "demo" },
  code: "Client",
  reason: "Nieznana tablica – 日本 <&>",
  detail: { name: "{urn:peer}Plate", localName: "Plate", text: "Ł<&>" },
} as const;

export function throwKnownFault(): never {
  const { code, reason, detail } = knownFault;
  throw new SoapFault({ code, reason, detail: [{ name: detail.name, content: [detail.text] }] });
}

const faultLookup: Pick<Lookup, "service" | "operation" | "input"> = { service: "reg", ...knownFault };

/**
 * Serves both vehicle services on a free port of the loopback address. Answers only the calls in `lookups`, with
 * exactly their arguments; any other call throws the known fault.
 */
export function servePeer(): Promise<RunningServer> {
  const { reg, bespokeapi } = createExactVehicle([...lookups, faultLookup]);
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
