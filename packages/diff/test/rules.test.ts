import { describe, expect, test } from "vitest";
import { type Change, diffContracts, rules } from "../src/index.js";
import { memberPairs } from "./pairs/members.js";
import type { Pair } from "./pairs/pair.js";
import { typePairs } from "./pairs/types.js";
import { sideOf } from "./proof/contracts.js";
import { agrees, observedText } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

const pairs = [...memberPairs, ...typePairs];
const titled = pairs.map((pair) => [`${pair.rule}${pair.title === undefined ? "" : `, ${pair.title}`}`, pair] as const);

function changesOf({ old, new: new_ }: Pick<Pair, "old" | "new">): readonly Change[] {
  return diffContracts(sideOf(old), sideOf(new_)).changes;
}

function idsOf(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ rule }) => rule))].sort();
}

function mirrorOf(id: string): string {
  return rules.find((rule) => rule.id === id)?.mirror ?? id;
}

describe.each(titled)("%s", (_title, pair) => {
  test("only the rules of the pair apply", () => {
    expect(idsOf(changesOf(pair))).toEqual([pair.rule, ...(pair.also ?? [])].sort());
  });

  test("the swapped pair gives the mirror", () => {
    const mirrored = idsOf(changesOf({ old: pair.new, new: pair.old }));
    expect(mirrored).toEqual([pair.rule, ...(pair.also ?? [])].map(mirrorOf).sort());
  });

  test("neither side differs from itself", () => {
    expect(changesOf({ old: pair.old, new: pair.old })).toEqual([]);
    expect(changesOf({ old: pair.new, new: pair.new })).toEqual([]);
  });
});

const shownByCalls = titled.filter(([, pair]) => pair.notShown === undefined);

describe.each(shownByCalls)("%s", (_title, pair) => {
  test("calls between the old and the new end confirm the consequences", async () => {
    const [old, new_] = [sideOf(pair.old), sideOf(pair.new)];
    const changes = diffContracts(old, new_).changes;
    const problems: string[] = [];
    for (const operation of ["Put", "Get"]) {
      const found = changes.filter(({ operations }) => operations.includes(operation));
      const check = async (party: "oldClients" | "newClients", [client, server]: readonly [typeof old, typeof old]) => {
        const written = pair.values?.[(operation === "Put") === (client === old) ? "old" : "new"] ?? [];
        const facts = operation === "Put" ? { inputs: written.map((value) => ({ value })) } : { outputs: written };
        const observed = await callSoap(client.contract, server.contract, { operation, ...facts });
        const claim = worstOf(found, party);
        const mayPass = found.some(
          (each) => each.consequences[party] === claim && (each.strict ?? each.undecided) !== undefined,
        );
        if (!agrees(claim, observed, mayPass)) {
          problems.push(`${operation}, ${party}: ${claim}, but ${observedText(observed)}`);
        }
      };
      await check("oldClients", [old, new_]);
      await check("newClients", [new_, old]);
    }
    expect(problems).toEqual([]);
  });
});

function worstOf(changes: readonly Change[], party: "oldClients" | "newClients") {
  const levels = ["none", "tolerated", "some", "breaks"] as const;
  return levels[Math.max(0, ...changes.map(({ consequences }) => levels.indexOf(consequences[party])))] ?? "none";
}
