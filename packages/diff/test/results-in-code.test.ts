import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom } from "./proof/packages.js";

const attributes = [
  'name="other" minOccurs="0"',
  'name="r" minOccurs="0"',
  'name="r" minOccurs="0" nillable="true"',
  'name="r"',
  'name="r" nillable="true"',
  'name="r" maxOccurs="9"',
  'name="r" minOccurs="0" maxOccurs="9"',
  'name="r" maxOccurs="9" nillable="true"',
];

const versions = attributes.map((text) =>
  serviceOf({ operations: [{ name: "Ask", answer: `<element ${text} type="int"/>` }] }),
);

/** The type of the result in the generated client. */
function findResultType(sources: Sources): string {
  const files = [...generatedFrom(sources)].filter(([path]) => /^client\/src\/.*\.ts$/.test(path));
  const [, type] =
    files.map(([, text]) => /OutcomeOf<(.*), AsResult>/.exec(text)).find((found) => found !== null) ?? [];
  if (type === undefined) {
    throw new Error("No client was generated.");
  }
  return type;
}

const resultTypes = versions.map(findResultType);
const [renamed = 0, ...others] = versions.keys();
const pairs = [
  { old: renamed, now: 1 },
  { old: 1, now: renamed },
  ...others.flatMap((old) => others.flatMap((now) => (old === now ? [] : [{ old, now }]))),
];

test("the types of results show whether they may be null", () => {
  expect(resultTypes).toEqual([
    "number | null",
    "number | null",
    "number | null",
    "number",
    "number | null",
    "readonly number[]",
    "readonly number[]",
    "readonly (number | null)[]",
  ]);
});

test.each(pairs)("a result that changes from $old to $now affects code whose types change", ({ old, now }) => {
  const [before = "", after = ""] = [resultTypes[old], resultTypes[now]];
  const { changes } = diffContracts(sideOf(versions[old] ?? {}), sideOf(versions[now] ?? {}));
  const isAffected = (party: "callers" | "handlers") =>
    changes.some(({ consequences }) => consequences[party] !== "none");
  const isAssignable = (source: string, target: string) =>
    [target, target.replace(/ \| null$/, ""), target.replace("(number | null)", "number")].includes(source);
  expect([isAffected("callers"), isAffected("handlers")]).toEqual([
    !isAssignable(after, before),
    !isAssignable(before, after),
  ]);
});
