import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { findWrongLevels } from "./proof/worst-levels.js";

// A change of a member or a choice has effects because of the members beside it. Messages show the effects.

const group = (kind: "sequence" | "choice", bounds: string, ...members: readonly string[]) =>
  `<${kind}${bounds}>${members.map((each) => (each.startsWith("<") ? each : element(each))).join("")}</${kind}>`;
const sequence = (...members: readonly string[]) => group("sequence", "", ...members);
const choice = (...members: readonly string[]) => group("choice", "", ...members);
const optional = (...members: readonly string[]) => group("sequence", ' minOccurs="0"', ...members);
const typeOf = (content: string) => wsdlOf(`<complexType name="T">${content}</complexType>`);

const [a, b, c, d] = [{ a: "1" }, { b: "1" }, { c: "1" }, { d: "1" }];
const cases: readonly {
  readonly before: string;
  readonly after: string;
  readonly old: readonly object[];
  readonly new: readonly object[];
  /** The rules of the changes in requests. */
  readonly rules: readonly string[];
}[] = [
  {
    before: optional("b", choice("a", "c")),
    after: optional("b", choice("a?", "c")),
    old: [{}, { ...b, ...a }, { ...b, ...c }],
    new: [{}, b, { ...b, ...a }, { ...b, ...c }],
    rules: ["content-model-changed"],
  },
  {
    before: optional("b", choice("a", "c")),
    after: optional("b", choice("a?", "c?")),
    old: [{}, { ...b, ...a }, { ...b, ...c }],
    new: [{}, b, { ...b, ...a }, { ...b, ...c }],
    rules: ["content-model-changed"],
  },
  {
    before: optional("b", optional("d", choice("a", "c"))),
    after: optional("b", optional("d", choice("a?", "c"))),
    old: [{}, b, { ...b, ...d, ...a }],
    new: [{}, b, { ...b, ...d }, { ...b, ...d, ...a }],
    rules: ["content-model-changed"],
  },
  {
    before: optional("b", choice("a", "c")),
    after: optional("b", choice("a", "c", "d")),
    old: [{}, { ...b, ...a }, { ...b, ...c }],
    new: [{}, { ...b, ...a }, { ...b, ...d }],
    rules: ["choice-branch-added"],
  },
  {
    before: optional("b", "a"),
    after: optional("b", choice("a", "c")),
    old: [{}, { ...b, ...a }],
    new: [{}, { ...b, ...a }, { ...b, ...c }],
    rules: ["choice-branch-added"],
  },
  {
    before: optional("b", sequence("c", "a")),
    after: optional("b", choice(sequence("c", "a"), "d")),
    old: [{}, { ...b, ...c, ...a }],
    new: [{}, { ...b, ...c, ...a }, { ...b, ...d }],
    rules: ["choice-branch-added"],
  },
  {
    before: sequence("d", optional("b", choice("a", "c"))),
    after: sequence("d", optional("b", choice("a", "c", "x"))),
    old: [d, { ...d, ...b, ...a }],
    new: [d, { ...d, ...b, ...a }, { ...d, ...b, x: "1" }],
    rules: ["choice-branch-added"],
  },
  {
    before: choice("c", "a"),
    after: choice("c", sequence("a", "c?")),
    old: [c, a],
    new: [c, a, { ...a, c2: "1" }],
    rules: ["member-added-optional"],
  },
  {
    before: choice("c+", "a"),
    after: choice("c+", sequence("a", "c?")),
    old: [{ c: ["1"] }, { c: ["1", "2"] }, a],
    new: [{ c: ["1"] }, a, { ...a, c2: "1" }],
    rules: ["member-added-optional"],
  },
];

test.each(cases)("messages show the effects of $before that became $after", async (each) => {
  const [before, after] = [sideOf(typeOf(each.before)), sideOf(typeOf(each.after))];
  const inRequests = diffContracts(before, after).changes.filter(({ direction }) => direction === "input");
  expect(inRequests.map(({ rule }) => rule)).toEqual(each.rules);
  expect(await findWrongLevels([before, after], { old: each.old, new: each.new })).toEqual([]);
  expect(await findWrongLevels([after, before], { old: each.new, new: each.old })).toEqual([]);
});

test.each([
  // The rest of the group may be absent together with the choice.
  [
    sequence("b", group("choice", ' minOccurs="0"', "a", "c")),
    sequence("b", group("choice", ' minOccurs="0"', "a", "c", "d")),
  ],
  [sequence("b", choice("a?", "c")), sequence("b", choice("a?", "c", "d"))],
  [choice("c", "a"), choice("c", sequence("a", "d?"))],
])("an added element that readers ignore is tolerated: %s, %s", (before, after) => {
  const { changes } = diffContracts(sideOf(typeOf(before)), sideOf(typeOf(after)));
  expect(changes.map(({ consequences: { oldClients, newClients } }) => [oldClients, newClients].sort())).toEqual([
    ["none", "tolerated"],
    ["none", "tolerated"],
  ]);
});
