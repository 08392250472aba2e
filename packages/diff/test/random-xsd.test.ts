import { Random } from "@bothends/dynamic/random";
import { describe, expect, test } from "vitest";
import { type Change, diffContracts, levels, rules, type Side } from "../src/index.js";
import { meaningOf, randomType, typeEdits, typeText } from "./edits/random-xsd.js";
import { wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { agrees, observedText } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

/**
 * The number of random types for each edit, and the number of them for which calls are made. `DIFF_SEEDS` sets both,
 * for longer runs.
 */
const seeds = Number(process.env["DIFF_SEEDS"] ?? 4);
const calledSeeds = Number(process.env["DIFF_SEEDS"] ?? 1);

function sideWith(text: string): Side {
  return sideOf(wsdlOf(text));
}

function changesOf(oldSide: Side, newSide: Side): readonly Change[] {
  return diffContracts(oldSide, newSide).changes;
}

/** The rules of changes with their directions, in a fixed order. */
function rulesOf(changes: readonly Change[], idOf = (id: string) => id): readonly string[] {
  return changes.map(({ rule, direction }) => `${idOf(rule)} ${direction}`).sort();
}

function mirrorOf(id: string): string {
  return rules.find((rule) => rule.id === id)?.oppositeRule ?? id;
}

/** The old and the new type of a seed, as text, and whether they have the same meaning. */
function editedPair(title: string, seed: number) {
  const random = new Random(seed * 7919);
  const before = randomType(random);
  const after = typeEdits[title]?.(before, random) ?? before;
  const isSame = meaningOf(before) === meaningOf(after);
  return { old: typeText(before), new: typeText(after), rewritten: typeText(after, true), isSame };
}

const seedList = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each(Object.keys(typeEdits))("an edit of random types: %s", (title) => {
  test("is reported if it changes the meaning, and in reverse as the opposite", () => {
    for (const seed of seedList(seeds)) {
      const pair = editedPair(title, seed);
      const [oldSide, newSide, rewritten] = [sideWith(pair.old), sideWith(pair.new), sideWith(pair.rewritten)];
      const changes = changesOf(oldSide, newSide);
      const texts = [pair.old, pair.new];
      expect([...texts, changes.length === 0]).toEqual([...texts, pair.isSame]);
      expect([...texts, ...changes.flatMap(findContradictions)]).toEqual(texts);
      expect([...texts, rulesOf(changesOf(newSide, oldSide))]).toEqual([...texts, rulesOf(changes, mirrorOf)]);
      expect([...texts, rulesOf(changesOf(newSide, rewritten))]).toEqual([...texts, []]);
    }
  });

  test("has the consequences that calls show", async () => {
    for (const seed of seedList(calledSeeds)) {
      const pair = editedPair(title, seed);
      const [oldSide, newSide] = [sideWith(pair.old), sideWith(pair.new)];
      const changes = changesOf(oldSide, newSide);
      const problems = [
        ...(await callProblems("oldClients", [oldSide, newSide], changes)),
        ...(await callProblems("newClients", [newSide, oldSide], changes)),
      ];
      expect([pair.old, pair.new, problems]).toEqual([pair.old, pair.new, []]);
    }
  });
});

/** Compares the consequences for clients with calls of both operations. */
async function callProblems(
  party: "oldClients" | "newClients",
  [client, server]: readonly [Side, Side],
  changes: readonly Change[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const operation of ["Put", "Get"]) {
    const found = changes.filter(({ operations }) => operations.includes(operation));
    const claim =
      levels[Math.max(0, ...found.map(({ consequences }) => levels.indexOf(consequences[party])))] ?? "none";
    const isClaimed = found.filter(({ consequences }) => consequences[party] === claim);
    // Random values may miss the values that would show a difference, and generated peers may be too tolerant to show
    // it.
    const mayPass =
      claim === "some" || isClaimed.some(({ strictPeers, undecided }) => (strictPeers ?? undecided) !== undefined);
    const observed = await callSoap(client.contract, server.contract, { operation, samples: 10 });
    // A change of one member breaks the calls that contain the member.
    const isShown =
      (claim === "some" && observed.errors === observed.total) || (claim === "breaks" && observed.errors > 0);
    if (!isShown && !agrees(claim, observed, mayPass)) {
      problems.push(`${operation}, ${party}: ${claim}, but ${observedText(observed)}`);
    }
  }
  return problems;
}
