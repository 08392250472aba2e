import { VehicleClient } from "@bothends/client/vehicle";
import type { Call } from "../demo/call.js";
import { lookups, protocols, username } from "./lookups.js";

/** Lists calls of every operation of both services over every protocol, each with the operation's first lookup. */
export function listVehicleCalls(baseUrl: string): readonly Call[] {
  const client = new VehicleClient({ baseUrl, username });
  const operations = new Set(lookups.map(({ operation }) => operation));
  const firstLookups = [...operations].flatMap(
    (operation) => lookups.find((lookup) => lookup.operation === operation) ?? [],
  );
  return firstLookups.flatMap(({ operation, answer, call }) =>
    protocols.map((protocol) => ({
      operation,
      protocol,
      run: () => call(client, { protocol }),
      expected: { equal: answer },
    })),
  );
}
