import { compilePattern } from "@bothends/datatypes/pattern";
import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level } from "../src/index.js";
import { restricted, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { observedText } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

const pattern = (text: string, base = "string", ...facets: readonly string[]) =>
  restricted(base, `pattern=${text}`, ...facets);
const unionWith = (text: string) =>
  sequence(
    `<element name="a"><simpleType><union memberTypes="int"><simpleType><restriction base="string"><pattern value="${text}"/></restriction></simpleType></union></simpleType></element>`,
  );

function inputChanges(before: string, after: string): readonly Change[] {
  return diffContracts(sideOf(wsdlOf(before)), sideOf(wsdlOf(after))).changes.filter(
    ({ direction }) => direction === "input",
  );
}

const cases: readonly { title: string; old: string; new: string; want: readonly string[] }[] = [
  {
    title: "a character less",
    old: pattern("[a-z]+"),
    new: pattern("[a-y]+"),
    want: ['some none: T.a: A pattern changed (pattern [a-z]+ → pattern [a-y]+). Only the old version accepts "z".'],
  },
  {
    title: "another alternative",
    old: pattern("[a-z]+"),
    new: pattern("[a-z]+|X"),
    want: ['none some: T.a: A pattern changed (pattern [a-z]+ → pattern [a-z]+|X). Only the new version accepts "X".'],
  },
  {
    title: "texts of which the other version accepts none",
    old: pattern("[a-z]+"),
    new: pattern("[0-9]+"),
    want: [
      'breaks breaks: T.a: A pattern changed (pattern [a-z]+ → pattern [0-9]+). Only the old version accepts "a", and only the new version accepts "0".',
    ],
  },
  { title: "another order of alternatives", old: pattern("(a|b)+"), new: pattern("(b|a)+"), want: [] },
  { title: "a pattern that matches every token", old: restricted("token"), new: pattern(".*", "token"), want: [] },
  {
    title: "a length that excludes the other texts",
    old: pattern("[a-z]+", "string", "maxLength=3"),
    new: pattern("[a-z]{1,3}", "string", "maxLength=3"),
    want: [],
  },
  {
    title: "numbers that only third-party writers send",
    old: pattern("[0-9]+", "int"),
    new: pattern("[1-9][0-9]*|0", "int"),
    want: [
      'tolerated none: T.a: A pattern changed (pattern [0-9]+ → pattern [1-9][0-9]*|0). Only the old version accepts "00".',
    ],
  },
  {
    title: "patterns that are too complex to compare",
    old: pattern("[ab]*a[ab]{12}"),
    new: pattern("[ab]*b[ab]{12}"),
    want: [
      'some some, undecided: T.a: A pattern changed (pattern [ab]*a[ab]{12} → pattern [ab]*b[ab]{12}). Only the old version accepts "aaabababababab", and only the new version accepts "ababababababab".',
    ],
  },
  {
    title: "a text that another member type of the union accepts",
    old: unionWith("[a-z]+"),
    new: unionWith("[a-z0-9]+"),
    want: ["none some: T.a: A pattern changed (pattern [a-z]+ → pattern [a-z0-9]+)."],
  },
];

test.each(cases)("a pattern with $title", ({ old, new: new_, want }) => {
  const shown = inputChanges(old, new_).map(
    ({ message, undecided, consequences: { oldClients, newClients } }) =>
      `${oldClients} ${newClients}${undecided === undefined ? "" : ", undecided"}: ${message}`,
  );
  expect(shown).toEqual(want);
});

const seeds = Number(process.env["DIFF_PATTERNS"] ?? 12);
const bases = ["string", "token", "int", "NMTOKEN"];
const parts = ["a", "b", "1", "2", "[ab]", "[a-c1]", "[0-9]", "."];

function drawPattern(random: Random): string {
  const part = () => `${random.pick(parts)}${random.pick(["", "", "?", "{1,2}", "*", "+"])}`;
  const branch = () => Array.from({ length: 1 + random.drawIntegerBelow(3) }, part).join("");
  return Array.from({ length: 1 + random.drawIntegerBelow(2) }, branch).join("|");
}

/** All texts of up to three characters. */
const texts = [0, 1, 2].reduce(
  (all) => ["", ...all.flatMap((text) => ["a", "b", "1", "2", "0", " "].map((character) => text + character))],
  [""],
);

/** The texts that generated writers send, as values of code. */
function valuesOf(base: string, pattern: string): readonly (string | number)[] {
  const compiled = compilePattern(pattern);
  const found = texts.filter((text) => compiled.test(text));
  switch (base) {
    case "int":
      return found.filter((text) => /^(?:0|[1-9]\d*)$/.test(text)).map(Number);
    case "NMTOKEN":
      return found.filter((text) => /^[a-z0-9]+$/.test(text));
    case "token":
      return found.filter((text) => !/^ | $| {2}/.test(text));
    default:
      return found;
  }
}

function agrees(claim: Level, errors: number, total: number): boolean {
  switch (claim) {
    case "breaks":
      return errors === total;
    case "some":
      // The values that the other version refuses may be longer than those of the test.
      return true;
    default:
      return errors === 0;
  }
}

test("the consequences of random patterns are those that calls show", async () => {
  const claims = new Set<string>();
  let samples = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = new Random(seed * 104_729);
    const base = random.pick(bases) ?? "string";
    const [before, after] = [drawPattern(random), drawPattern(random)];
    const states = [before, after].map((text) => sideOf(wsdlOf(pattern(text, base))));
    const [oldSide, newSide] = states;
    if (oldSide === undefined || newSide === undefined) {
      throw new Error("There are no sides.");
    }
    const [change] = diffContracts(oldSide, newSide).changes.filter(({ direction }) => direction === "input");
    for (const [party, client, server, sent] of [
      ["oldClients", oldSide, newSide, before],
      ["newClients", newSide, oldSide, after],
    ] as const) {
      const claim = change?.consequences[party] ?? "none";
      claims.add(claim);
      const version = party === "oldClients" ? "old" : "new";
      const [, sample] = new RegExp(`the ${version} version accepts "([^"\\\\]*)"`).exec(change?.message ?? "") ?? [];
      const call = (values: readonly (string | number)[]) =>
        callSoap(client.contract, server.contract, {
          operation: "Put",
          samples: 0,
          inputs: values.map((a) => ({ value: { a } })),
        });
      const values = valuesOf(base, sent);
      try {
        const observed = values.length === 0 ? undefined : await call(values);
        const agreed = observed === undefined || agrees(claim, observed.errors, observed.total);
        const shown = [base, before, after, party, claim];
        expect([...shown, agreed ? "" : observed && observedText(observed)]).toEqual([...shown, ""]);
        if (sample !== undefined && claim !== "tolerated") {
          const { errors } = await call([base === "int" ? Number(sample) : sample]);
          expect([...shown, sample, errors]).toEqual([...shown, sample, 1]);
          samples += 1;
        }
      } catch (error) {
        // A call also needs random values, which do not cover every pattern.
        expect(String(error)).toMatch(/No value was found/);
      }
    }
  }
  expect(samples).toBeGreaterThan(seeds / 4);
  expect([...claims].sort()).toEqual(expect.arrayContaining(["breaks", "none", "some"]));
});
