import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { findWrongLevels } from "./proof/worst-levels.js";

const unqualified = 'form="unqualified"';

/** Contents with an element whose namespace changes. */
const contents: readonly Content[] = [
  { content: (form) => element("a?", form) + element("c?"), plain: [{}, { c: "b" }, { a: "b" }] },
  { content: (form) => element("a", form) + element("c?"), plain: [{ a: "b" }, { a: "b", c: "b" }] },
  { content: (form) => element("a*", form) + element("c?"), plain: [{}, { a: ["b", "b"] }, { c: "b" }] },
  {
    content: (form) => `<choice>${element("a", form)}${element("c")}</choice>`,
    plain: [{ c: "b" }, { a: "b" }],
  },
  {
    content: (form) => `<choice maxOccurs="unbounded">${element("a", form)}${element("c")}</choice>`,
    plain: [{ choice: [{ a: "b" }] }, { choice: [{ a: "b" }, { c: "b" }] }],
  },
  {
    content: (form) => `<sequence minOccurs="0">${element("a", form)}${element("c")}</sequence>`,
    plain: [{}, { a: "b", c: "b" }],
  },
];

interface Content {
  readonly content: (form: string) => string;
  /** Values of the content without text. */
  readonly plain: readonly object[];
}

const versions = [
  { old: true, new: true },
  { old: true, new: false },
  { old: false, new: true },
] as const;

const cases = contents.flatMap(({ content, plain }) =>
  versions.flatMap((mixed) =>
    [
      ["", unqualified],
      [unqualified, ""],
    ].map(([before = "", after = ""]) => ({ before: content(before), after: content(after), mixed, plain })),
  ),
);

const typeOf = (content: string, isMixed: boolean) =>
  sideOf(wsdlOf(isMixed ? sequence(content).replace('name="T"', 'name="T" mixed="true"') : sequence(content)));

const mixedValues = [
  ["text"],
  [{ c: "b" }],
  [{ a: "b" }],
  [{ a: "b" }, "text", { c: "b" }],
  [{ a: "b" }, { a: "b" }],
].map((content) => ({ content }));

test.each(cases)("the namespace of an element in mixed content: $before, $after, $mixed", async (each) => {
  const sides = [typeOf(each.before, each.mixed.old), typeOf(each.after, each.mixed.new)] as const;
  const valuesOf = (isMixed: boolean) => (isMixed ? mixedValues : each.plain);
  expect(await findWrongLevels(sides, { old: valuesOf(each.mixed.old), new: valuesOf(each.mixed.new) })).toEqual([]);
});

test("mixed content drops an element of another namespace in answers, too", () => {
  const content = (form: string) => element("a?", form);
  const { changes } = diffContracts(typeOf(content(""), true), typeOf(content(unqualified), true));
  const answers = changes.filter(({ direction }) => direction === "output");
  expect(answers.map(({ rule, consequences }) => [rule, ...Object.values(consequences)])).toEqual([
    ["member-namespace-changed", "tolerated", "tolerated", "none", "none"],
  ]);
});
