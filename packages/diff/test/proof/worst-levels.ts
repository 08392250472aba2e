import { diffContracts, type Level, levels, type Side } from "../../src/index.js";
import type { Observed } from "./observed.js";
import { callSoap } from "./soap-calls.js";
import { sendContents } from "./special-calls.js";

/** The operations of the pairs about types, the direction in which they send `T`, and the clients. */
export const parties = [
  ["Put", "input", "oldClients"],
  ["Put", "input", "newClients"],
  ["Get", "output", "oldClients"],
  ["Get", "output", "newClients"],
] as const;

/** Values of `T` for writers of the old and of the new version. */
interface Values {
  readonly old: readonly object[];
  readonly new: readonly object[];
}

/**
 * Compares the worst consequences for clients of the operations `Put` and `Get` with calls between the versions: with
 * the given values, or random ones. Only refusals count, because generated code may represent the same messages in
 * another way; a server that loses a part of a list may be said to refuse it. Returns the levels that calls contradict.
 */
export async function findWrongLevels(
  [before, after]: readonly [Side, Side],
  values?: Values,
): Promise<readonly string[]> {
  const { changes } = diffContracts(before, after);
  const problems = parties.map(async ([operation, direction, party]) => {
    const ofDirection = changes.filter((change) => (change.direction ?? direction) === direction);
    const claimed = ofDirection.map(({ consequences }) => levels.indexOf(consequences[party]));
    const claim = levels[Math.max(0, ...claimed)] ?? "none";
    const [client, server] = party === "oldClients" ? [before, after] : [after, before];
    const writer = operation === "Put" ? client : server;
    const written = values?.[writer === before ? "old" : "new"] ?? [];
    const observed =
      values === undefined
        ? await callSoap(client.contract, server.contract, { operation, samples: 60 })
        : await sendContents((side) => (side === writer ? written : []))(client, server);
    const { errors, losses, total, error = "" } = observed;
    return isConfirmed(claim, operation, observed)
      ? []
      : [`${operation} ${party} ${claim}: ${errors} errors and ${losses} losses in ${total} calls ${error}`];
  });
  return (await Promise.all(problems)).flat();
}

function isConfirmed(claim: Level, operation: string, { errors, losses, total }: Observed): boolean {
  switch (claim) {
    case "none":
    case "tolerated":
      return errors === 0;
    case "some":
      return (errors > 0 && errors < total) || (operation === "Put" && errors < total && losses > 0);
    case "breaks":
      return errors === total;
  }
}
