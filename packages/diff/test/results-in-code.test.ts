import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom } from "./proof/packages.js";

const occurrences = [
  'minOccurs="0"',
  'minOccurs="0" nillable="true"',
  "",
  'nillable="true"',
  'maxOccurs="9"',
  'minOccurs="0" maxOccurs="9"',
  'maxOccurs="9" nillable="true"',
];
// The name of the result is not in code.
const attributes = ["r", "other"].flatMap((name) => occurrences.map((occurs) => `name="${name}" ${occurs}`));

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
const pairs = attributes.flatMap((_, old) =>
  attributes.flatMap((__, now) => (old === now ? [] : [{ old, now, from: attributes[old], to: attributes[now] }])),
);

test("the types of results show whether they may be null", () => {
  const types = [
    "number | null",
    "number | null",
    "number",
    "number | null",
    "readonly number[]",
    "readonly number[]",
    "readonly (number | null)[]",
  ];
  expect(resultTypes).toEqual([...types, ...types]);
});

test.each(pairs)("a result that changes from <$from> to <$to> affects code whose types change", ({ old, now }) => {
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
