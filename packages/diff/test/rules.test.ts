import { describe, expect, test } from "vitest";
import { type Change, rules } from "../src/index.js";
import { encodedPairs } from "./pairs/encoded.js";
import { headerFaultPairs } from "./pairs/header-faults.js";
import { memberPairs } from "./pairs/members.js";
import { operationPairs } from "./pairs/operations.js";
import { element, type Pair, restricted, sequence, typePair } from "./pairs/pair.js";
import { restPairs } from "./pairs/rest.js";
import { typePairs } from "./pairs/types.js";
import { diffOf, type Sources, sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { agrees, observedText } from "./proof/observed.js";
import { callRest } from "./proof/rest-calls.js";
import { callSoap } from "./proof/soap-calls.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

const pairs = [...memberPairs, ...typePairs, ...encodedPairs, ...operationPairs, ...headerFaultPairs, ...restPairs];
const titled = pairs.map((pair) => [`${pair.rule}${pair.title === undefined ? "" : `, ${pair.title}`}`, pair] as const);

function changesOf({ old, new: newSources }: Pick<Pair, "old" | "new">): readonly Change[] {
  return diffOf(old, newSources).changes;
}

const copies = new WeakMap<Sources, Sources>();

/** Returns equal sources, which are read again: `diffContracts` does not compare an object with itself. */
function copyOf(sources: Sources): Sources {
  const copy = copies.get(sources) ?? { ...sources };
  copies.set(sources, copy);
  return copy;
}

function idsOf(changes: readonly Change[]): readonly string[] {
  return [...new Set(withoutVanishedNames(changes).map(({ rule }) => rule))].sort();
}

function mirrorOf(id: string): string {
  return rules.find((rule) => rule.id === id)?.oppositeRule ?? id;
}

describe.each(titled)("the rule %s", (_title, pair) => {
  test("only the rules of the pair apply", () => {
    const changes = changesOf(pair);
    expect(idsOf(changes)).toEqual([pair.rule, ...(pair.also ?? [])].sort());
    expect(changes.flatMap(findContradictions)).toEqual([]);
  });

  test("the swapped pair gives the opposite rule", () => {
    const changes = changesOf({ old: pair.new, new: pair.old });
    expect(changes.flatMap(findContradictions)).toEqual([]);
    expect(idsOf(changes)).toEqual([pair.rule, ...(pair.also ?? [])].map(mirrorOf).sort());
  });

  test("comparing a side with itself finds no changes", () => {
    expect(changesOf({ old: pair.old, new: copyOf(pair.old) })).toEqual([]);
    expect(changesOf({ old: pair.new, new: copyOf(pair.new) })).toEqual([]);
  });
});

test("listed names with a namespace are values of QName", () => {
  const pair = typePair("enum-closed", sequence(element("a:QName")), restricted("QName", "enumeration=t:red"));
  expect(idsOf(changesOf(pair))).toEqual(["enum-closed"]);
});

const shownByProof = titled.filter(([, pair]) => pair.proof !== undefined);
const shownByRandomCalls = titled.filter(([, pair]) => pair.notShown === undefined && pair.proof === undefined);
const shownByCalls = shownByRandomCalls.filter(([, pair]) => !restPairs.includes(pair));
const shownByRestCalls = shownByRandomCalls.filter(([, pair]) => restPairs.includes(pair));

describe.each(shownByProof)("the rule %s", (_title, pair) => {
  test("calls between the old and the new end confirm the consequences", async () => {
    const [oldSide, newSide] = [sideOf(pair.old), sideOf(pair.new)];
    const changes = changesOf(pair);
    for (const [party, client, server] of [
      ["oldClients", oldSide, newSide],
      ["newClients", newSide, oldSide],
    ] as const) {
      const observed = await pair.proof?.(client, server);
      const claim = worstOf(changes, party);
      const agreed = observed !== undefined && agrees(claim, observed, false);
      expect(agreed ? [] : [`${party}: ${claim}, but ${observed && observedText(observed)}`]).toEqual([]);
    }
  });
});

describe.each(shownByCalls)("the rule %s", (_title, pair) => {
  test("calls between the old and the new end confirm the consequences", async () => {
    const [oldSide, newSide] = [sideOf(pair.old), sideOf(pair.new)];
    const changes = changesOf(pair);
    const problems: string[] = [];
    let called = 0;
    for (const { old: before, new: after, protocol } of callsOf(pair)) {
      const found = changes.filter(
        ({ operations }) => operations.length === 0 || [before, after].some((name) => operations.includes(name)),
      );
      const check = async (
        party: "oldClients" | "newClients",
        [client, server]: readonly [typeof oldSide, typeof oldSide],
      ) => {
        const operation = client === oldSide ? before : after;
        const written = pair.values?.[(operation === "Put") === (client === oldSide) ? "old" : "new"] ?? [];
        const values = operation === "Put" ? { inputs: written.map((value) => ({ value })) } : { outputs: written };
        const names = namesOf(pair, client === oldSide);
        const { failsBetweenEqualEnds } = pair;
        const init = { operation, protocol, ...values, names, failsBetweenEqualEnds };
        const observed = await callSoap(client.contract, server.contract, init);
        called += 1;
        const claim = worstOf(found, party);
        const mayPass = found.some(
          (each) => each.consequences[party] === claim && (each.strictPeers ?? each.undecided) !== undefined,
        );
        const isAlways = pair.always === true && claim === "some" && observed.errors === observed.total;
        if (!isAlways && !agrees(claim, observed, mayPass)) {
          problems.push(`${operation}, ${party}: ${claim}, but ${observedText(observed)}`);
        }
      };
      if (callable(pair, "old", before)) {
        await check("oldClients", [oldSide, newSide]);
      }
      if (callable(pair, "new", after)) {
        await check("newClients", [newSide, oldSide]);
      }
    }
    expect(problems).toEqual([]);
    expect(called).toBeGreaterThan(0);
  });
});

describe.each(shownByRestCalls)("the rule %s", (_title, pair) => {
  test("requests between the old and the new end confirm the consequences", async () => {
    const [oldSide, newSide] = [sideOf(pair.old), sideOf(pair.new)];
    const changes = changesOf(pair);
    const check = async (
      party: "oldClients" | "newClients",
      [client, server]: readonly [typeof oldSide, typeof oldSide],
    ) => {
      const names = namesOf(pair, client === oldSide);
      const calls = await callRest(client.contract, server.contract, { names });
      const outcomes = calls.map(({ observed }) => observed);
      const claim = worstOf(changes, party);
      const isFailure = ({ errors, total }: (typeof outcomes)[number]) => errors === total;
      // Clients do not check answers.
      const mayPass = changes.some(
        ({ undecided, strictPeers, direction }) =>
          undecided !== undefined || (direction === "output" && strictPeers !== undefined),
      );
      const agreed =
        // A change that breaks every use of an optional argument does not affect calls without the argument.
        (claim === "breaks" && calls.some(({ doArgumentsFail }) => doArgumentsFail)) ||
        (pair.always === true && claim !== "none" && claim !== "tolerated" && outcomes.some(isFailure)) ||
        outcomes.some((observed) => agrees(claim, observed, mayPass));
      return agreed ? [] : [`${party}: ${claim}, but ${outcomes.map(observedText).join("; ")}`];
    };
    expect([
      ...(await check("oldClients", [oldSide, newSide])),
      ...(await check("newClients", [newSide, oldSide])),
    ]).toEqual([]);
  });
});

function worstOf(changes: readonly Change[], party: "oldClients" | "newClients") {
  const levels = ["none", "tolerated", "some", "breaks"] as const;
  return levels[Math.max(0, ...changes.map(({ consequences }) => levels.indexOf(consequences[party])))] ?? "none";
}

function namesOf({ names }: Pair, isOldClient: boolean) {
  return names && { client: names[isOldClient ? "old" : "new"], server: names[isOldClient ? "new" : "old"] };
}

/** The operations to call, by their names in both versions. */
function callsOf({ call }: Pair): readonly NonNullable<Pair["call"]>[] {
  return call === undefined ? ["Put", "Get"].map((name) => ({ old: name, new: name })) : [call];
}

/** Whether a state has an operation, and the protocol of the call. */
function callable(pair: Pair, state: "old" | "new", operation: string): boolean {
  const protocol = pair.call?.protocol;
  return sideOf(pair[state]).contract.interfaces.some(
    (each) =>
      each.kind === "soap" &&
      each.services.some(({ operations }) =>
        operations.some(({ name, bindings }) => name === operation && (protocol === undefined || protocol in bindings)),
      ),
  );
}

test("every rule has a pair whose verdict calls show", () => {
  const covered = new Set<string>(pairs.filter(({ notShown }) => notShown === undefined).map(({ rule }) => rule));
  expect(rules.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});
