import { emptyContext, findProblem, readLiteralValue, type SimpleType } from "@bothends/datatypes";
import { createTextValue, Random } from "@bothends/dynamic/random";
import { resolveRecord, resolveType } from "@bothends/runtime/codec";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, type Side } from "../src/index.js";
import { drawVersions, type RandomRestriction } from "./edits/random-facets.js";
import { restricted, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { dynamicContractOf, sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { shown } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

// Facets may be replaced with a pattern, and a pattern with other facets: the effects follow from the texts that both
// versions allow.

type Effects = readonly [oldClients: Level, newClients: Level];
type Case = readonly [before: string, after: string, want: Effects, swapped: Effects];

/** Each type as its base and its facets, separated by semicolons. */
const cases: readonly Case[] = [
  ["string;pattern=[A-Z]{2}", "string;length=2", ["none", "some"], ["some", "none"]],
  ["string;pattern=[A-Z]{2}", "string;maxLength=1", ["breaks", "breaks"], ["breaks", "breaks"]],
  ["string;pattern=[A-Z]{2}", "string;minLength=1;maxLength=3", ["none", "some"], ["some", "none"]],
  ["token;pattern=[A-Z]{2}", "token;length=2", ["none", "some"], ["some", "none"]],
  ["string;pattern=[a-z]+;maxLength=3", "string;pattern=[a-z]{1,3}", ["none", "none"], ["none", "none"]],
  ["string;pattern=\\S+", "string;minLength=1", ["none", "some"], ["some", "none"]],
  ["token;pattern=.+", "token;minLength=1", ["none", "none"], ["none", "none"]],
  ["string;length=3", "string;pattern=[\\s\\S]{3}", ["none", "none"], ["none", "none"]],
  ["integer;pattern=\\d{5}", "integer;totalDigits=5", ["none", "some"], ["some", "none"]],
  ["int;pattern=[0-9]{1,3}", "int;minInclusive=0;maxInclusive=999", ["none", "tolerated"], ["tolerated", "none"]],
  ["int;pattern=[1-9][0-9]?|0", "int;minInclusive=0;maxInclusive=99", ["none", "tolerated"], ["tolerated", "none"]],
  ["decimal;pattern=\\d+\\.\\d{2}", "decimal;fractionDigits=2", ["none", "some"], ["some", "none"]],
  ["string;pattern=[0-9]{5}", "integer;totalDigits=5", ["tolerated", "some"], ["some", "tolerated"]],
  ["string;pattern=true|false", "boolean", ["none", "tolerated"], ["tolerated", "none"]],
  ["NMTOKEN;pattern=[a-z]+", "string;pattern=[a-z]+", ["none", "none"], ["none", "none"]],
  [
    "string;pattern=DE|FR|GB",
    "string;enumeration=DE;enumeration=FR;enumeration=GB",
    ["none", "none"],
    ["none", "none"],
  ],
  ["string;pattern=DE|FR", "string;enumeration=DE;enumeration=FR;enumeration=GB", ["none", "some"], ["some", "none"]],
  ["int;pattern=[12]", "int;enumeration=1;enumeration=2", ["none", "none"], ["none", "none"]],
  // Readers of a version that collapses white space accept more texts, which generated writers do not send.
  [
    "string;enumeration=red",
    "string;whiteSpace=collapse;enumeration=red",
    ["none", "tolerated"],
    ["tolerated", "none"],
  ],
  ["string;pattern=[a-z]+", "token;pattern=[a-z]+", ["none", "tolerated"], ["tolerated", "none"]],
  ["string;pattern=\\s*[a-z]+\\s*", "token;pattern=[a-z]+", ["tolerated", "tolerated"], ["tolerated", "tolerated"]],
  ["string;pattern=[a-z ]+", "token;pattern=[a-z ]+", ["some", "tolerated"], ["tolerated", "some"]],
  ["string;minLength=1", "token;minLength=1", ["some", "tolerated"], ["tolerated", "some"]],
  ["string;length=3", "string;whiteSpace=collapse;length=3", ["some", "tolerated"], ["tolerated", "some"]],
  [
    "string;maxLength=3",
    "string;whiteSpace=collapse;maxLength=3",
    ["tolerated", "tolerated"],
    ["tolerated", "tolerated"],
  ],
];

function changesOf(before: string, after: string): readonly Change[] {
  const [oldSide, newSide] = [before, after].map((text) => {
    const [base = "", ...facets] = text.split(";");
    return sideOf(wsdlOf(restricted(base, ...facets)));
  });
  return oldSide && newSide ? inputChanges(oldSide, newSide) : [];
}

function inputChanges(before: Side, after: Side): readonly Change[] {
  return diffContracts(before, after).changes.filter(({ direction }) => direction === "input");
}

test.each(cases)("the effects of %s → %s", (before, after, want, swapped) => {
  for (const [changes, wanted] of [
    [changesOf(before, after), want],
    [changesOf(after, before), swapped],
  ] as const) {
    expect([worstOf(changes, "oldClients"), worstOf(changes, "newClients")]).toEqual(wanted);
  }
});

test("facets that allow the same texts are not reported", () => {
  for (const [before, after] of [
    ["string;pattern=[a-z]+;maxLength=3", "string;pattern=[a-z]{1,3}"],
    ["token;pattern=.+", "token;minLength=1"],
    ["string;length=3", "string;pattern=[\\s\\S]{3}"],
    ["token", "string;whiteSpace=collapse"],
    ["normalizedString;maxLength=3", "string;whiteSpace=replace;maxLength=3"],
  ] as const) {
    expect([...changesOf(before, after), ...changesOf(after, before)]).toEqual([]);
  }
});

/** All texts of up to four characters, and some longer ones. */
const texts = [
  ...[0, 1, 2, 3].reduce((all) => ["", ...all.flatMap((text) => ["a", "1", " "].map((each) => text + each))], [""]),
  ...["b", "z", "0", "00", "01", "9", "10", "99", "100", "1000", "-1", "-2", "-11", "1.5", "0.25", "1.0", "10.5"],
  ...[
    "aaaaa",
    "11111",
    "a a a",
    "111111",
    "aaaaaaa",
    "a1a1a1",
    ".1",
    ".01",
    ".11",
    "\t",
    "a\t",
    "a\na",
    "\u0660",
    "-",
    "a-",
    "bb",
    "cc",
  ],
  ...["a!", "a1!", "aa!", "aaa!", "11!", "aa1!", "bbb!", "ab!"],
  ...Array.from({ length: 120 }, (_, index) => String(index - 3)),
];

function typeOf({ contract }: Side): SimpleType<unknown> {
  const [soap] = dynamicContractOf(contract).interfaces;
  const [described] = contract.interfaces;
  const record =
    described?.kind === "soap"
      ? described.types.find((type) => type.kind === "record" && type.fields.some(({ key }) => key === "a"))
      : undefined;
  if (soap?.kind !== "soap" || record === undefined) {
    throw new Error("There is no type T.");
  }
  const { a } = resolveRecord(soap.type({ kind: "named", id: record.id }) as never).fields;
  const type = a === undefined || !("type" in a) ? undefined : resolveType(a.type as never);
  if (type?.kind !== "simple") {
    throw new Error("The member has no simple type.");
  }
  return type;
}

interface Counts {
  readonly total: number;
  readonly refused: number;
  readonly lost: number;
  readonly example: string | undefined;
}

/** Reads the texts that writers of one type send as readers of the other type do. */
function readTexts([writer, reader]: readonly [SimpleType<unknown>, SimpleType<unknown>]): Counts {
  const sent = new Set(
    texts
      .filter((text) => findProblem(writer, text) === undefined)
      .map((text) => writer.write(readLiteralValue(writer, text), emptyContext)),
  );
  const refused = [...sent].filter((text) => findProblem(reader, text) !== undefined);
  const lost = [...sent].filter(
    (text) =>
      !refused.includes(text) && String(readLiteralValue(writer, text)) !== String(readLiteralValue(reader, text)),
  );
  return { total: sent.size, refused: refused.length, lost: lost.length, example: refused[0] ?? lost[0] };
}

/**
 * Whether counts show a level. Texts that the test does not have may show another one, and third-party writers send
 * numbers in other forms, which readers may accept.
 */
function agrees(claim: Level, { total, refused, lost }: Counts, changes: readonly Change[], party: Party): boolean {
  const isProven = changes.some(
    ({ message, consequences, undecided }) =>
      consequences[party] === claim &&
      (undecided !== undefined || message.includes(`Only the ${versions[party]} version`)),
  );
  switch (claim) {
    case "breaks":
      return refused === total;
    case "some":
      return refused > 0 || isProven || total < 3;
    case "tolerated":
      return refused === 0;
    case "none":
      return refused === 0 && lost === 0;
  }
}

type Party = "oldClients" | "newClients";
const versions = { oldClients: "old", newClients: "new" } as const;

const textOf = ({ base, facets }: RandomRestriction) =>
  restricted(base, ...facets.map(([name, value]) => `${name}=${value}`));

function readSide(restriction: RandomRestriction): Side | undefined {
  try {
    return sideOf(wsdlOf(textOf(restriction)));
  } catch {
    // The values of the enumeration do not match, or a facet is not valid for the base.
    return undefined;
  }
}

const [firstSeed, seedCount] = (process.env["DIFF_FACETS"] ?? "1,150").split(",").map(Number) as [number, number];
/** The number of seeds whose consequences are also compared with calls. */
const calledCount = 8;

test("the consequences of random facets that replace others are those that readers and calls show", async () => {
  const problems: string[] = [];
  let checked = 0;
  for (let seed = firstSeed; seed < firstSeed + seedCount; seed += 1) {
    const drawn = drawVersions(new Random(seed * 7919));
    const [oldSide, newSide] = drawn.map(readSide);
    if (oldSide === undefined || newSide === undefined) {
      continue;
    }
    checked += 1;
    const { changes } = diffContracts(oldSide, newSide);
    const found = changes.filter(({ operations }) => operations.includes("Put"));
    const types = [typeOf(oldSide), typeOf(newSide)] as const;
    for (const [party, direction, sides] of [
      ["oldClients", types, [oldSide, newSide]],
      ["newClients", [types[1], types[0]], [newSide, oldSide]],
    ] as const) {
      const claim = worstOf(found, party);
      const counts = readTexts(direction);
      const isRight = counts.total === 0 || agrees(claim, counts, found, party);
      problems.push(
        ...(isRight ? [] : [formatProblem(seed, drawn, found, `${party}: ${claim}, but ${JSON.stringify(counts)}`)]),
      );
      if (checked <= calledCount && counts.total > 0) {
        const called = await callWith(sides[0], sides[1], direction[0]);
        problems.push(
          ...(called === undefined || called === `${counts.refused} ${counts.lost}`
            ? []
            : [formatProblem(seed, drawn, found, `${party}: calls show ${called}, not ${JSON.stringify(counts)}`)]),
        );
      }
    }
    problems.push(...found.flatMap(findContradictions).map((each) => formatProblem(seed, drawn, found, each)));
  }
  expect(problems.join("\n")).toBe("");
  expect(checked).toBeGreaterThan(seedCount / 2);
}, 300_000);

/** Sends each text that a client of a type sends once, and counts refused and changed values. */
async function callWith(client: Side, server: Side, type: SimpleType<unknown>): Promise<string | undefined> {
  const sent = new Map(
    texts
      .filter((text) => findProblem(type, text) === undefined)
      .map((text) => [type.write(readLiteralValue(type, text), emptyContext), createTextValue(type, text)]),
  );
  try {
    const inputs = [...sent.values()].map((a) => ({ value: { a } }));
    const { errors, losses } = await callSoap(client.contract, server.contract, {
      operation: "Put",
      samples: 0,
      inputs,
    });
    return `${errors} ${losses}`;
  } catch (error) {
    // A call also needs random values, which do not cover every pattern.
    expect(String(error)).toMatch(/No value was found/);
    return undefined;
  }
}

function formatProblem(seed: number, drawn: readonly RandomRestriction[], changes: readonly Change[], problem: string) {
  const formatted = changes.map(
    ({ message, direction, consequences: { oldClients, newClients } }) =>
      `    ${direction} ${message} [${oldClients} ${newClients}]`,
  );
  return [`${seed}`, ...drawn.map((each) => `  ${shown(each)}`), ...formatted, `  ! ${problem}`].join("\n");
}
