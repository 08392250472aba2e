import { describe, expect, test } from "vitest";

import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { findWrongLevels } from "./proof/worst-levels.js";

const group = (kind: "choice" | "sequence", bounds: string, ...members: readonly string[]) =>
  `<${kind} ${bounds}>${members.map((each) => (each.startsWith("<") ? each : element(each))).join("")}</${kind}>`;
const many = 'maxOccurs="unbounded"';
const optional = 'minOccurs="0" maxOccurs="unbounded"';
const choice = (...members: readonly string[]) => group("choice", "", ...members);
const three = `<element name="a" minOccurs="0" maxOccurs="3" type="string"/>`;

/** Pairs of contents in which messages are valid without the elements of a group, or only of one version's group. */
const pairs: readonly (readonly [before: string, after: string])[] = [
  // A group becomes repeated.
  [choice(three, "b"), group("choice", many, three, "b")],
  [group("sequence", "", three, "b?"), group("sequence", many, three, "b?")],
  [element("x?") + choice(three, "b"), element("x?") + group("choice", many, three, "b")],
  [element("x") + choice("a?", "b"), element("x") + group("choice", many, "a?", "b")],
  [choice("a", "b"), group("choice", many, "a", "b")],
  [group("choice", 'minOccurs="0"', "a", "b"), group("choice", optional, "a", "b")],
  [group("choice", 'minOccurs="0"', "a", "b"), group("choice", many, "a", "b")],
  [choice("a?", "b"), group("choice", optional, "a?", "b")],
  // A repeated group becomes required.
  ...[
    ["a?", "b?"],
    ["a", "b?"],
  ].map((members) => [group("sequence", optional, ...members), group("sequence", many, ...members)] as const),
  [group("choice", optional, "a?", "b"), group("choice", many, "a?", "b")],
  [group("choice", optional, "a", "b"), group("choice", many, "a", "b")],
  [
    group("choice", optional, "a", group("sequence", many, "b?", "c?")),
    group("choice", many, "a", group("sequence", many, "b?", "c?")),
  ],
  // The number of its occurrences changes.
  [group("sequence", many, "a?", "b?"), group("sequence", `minOccurs="3" ${many}`, "a?", "b?")],
  [group("sequence", many, "a", "b?"), group("sequence", `minOccurs="2" ${many}`, "a", "b?")],
  [group("choice", many, "a?", "b"), group("choice", `minOccurs="2" ${many}`, "a?", "b")],
  // Its items may no longer be empty.
  [group("sequence", many, "a?", "b?"), group("sequence", many, "a", "b?")],
  [group("sequence", many, "a?", "b?"), group("sequence", optional, "a", "b?")],
  // It is added.
  [element("x"), element("x") + group("sequence", many, "a?", "b?")],
  [element("x"), element("x") + group("sequence", many, "a", "b?")],
  [element("x"), element("x") + group("sequence", optional, "a", "b?")],
  [element("x"), element("x") + group("choice", many, "a?", "b")],
  [
    group("sequence", 'minOccurs="0"', "x", "y?"),
    group("sequence", 'minOccurs="0"', "x", "y?", group("sequence", many, "a?", "b?")),
  ],
  [choice("x", "y"), choice("x", "y", group("sequence", many, "a?", "b?"))],
  [choice("x", "y"), choice("x", "y", group("sequence", many, "a", "b?"))],
  // Another branch may be nil.
  [element("b", 'nillable="true"'), choice(element("b", 'nillable="true"'), "a")],
  [element("b", 'nillable="true"'), choice(element("b", 'nillable="true"'), "a?")],
  [element("x") + element("b", 'nillable="true"'), element("x") + choice(element("b", 'nillable="true"'), "a")],
  [choice(element("b", 'nillable="true"'), "c"), choice(element("b", 'nillable="true"'), "c", "a")],
  [
    choice("a", element("b", 'nillable="true"')),
    group("choice", 'minOccurs="0"', "a", element("b", 'nillable="true"')),
  ],
  [
    choice("a", element("b", 'nillable="true"')),
    group("sequence", "", "a?", element("b", 'nillable="true" minOccurs="0"')),
  ],
  // A member enters a group that may be absent.
  [
    group("sequence", 'minOccurs="0"', "a", "b") + element("d*") + element("e"),
    group("sequence", 'minOccurs="0"', "a", "d*", "b") + element("e"),
  ],
  [
    element("a", 'nillable="true"') + group("sequence", 'minOccurs="0"', "b", "c"),
    group("sequence", 'minOccurs="0"', "b", "c", element("a", 'nillable="true"')),
  ],
  [element("a") + group("sequence", 'minOccurs="0"', "b", "c"), group("sequence", 'minOccurs="0"', "b", "c", "a")],
  // A branch is added.
  ...[
    (...added: readonly string[]) => choice("a", choice("b?", group("choice", 'maxOccurs="2"', "c", "d", ...added))),
    (...added: readonly string[]) => choice("a", choice("b", group("choice", 'maxOccurs="2"', "c", "d", ...added))),
    (...added: readonly string[]) => group("choice", optional, "c", "d", ...added),
    (...added: readonly string[]) => group("choice", many, "c", "d", ...added),
    (...added: readonly string[]) => group("choice", many, "c?", "d", ...added),
    (...added: readonly string[]) => group("sequence", optional, "x", choice("c", "d", ...added)),
    (...added: readonly string[]) => group("sequence", optional, "x?", choice("c", "d", ...added)),
    (...added: readonly string[]) => group("sequence", many, "x?", choice("c?", "d", ...added)),
    (...added: readonly string[]) =>
      group("choice", optional, "x", group("choice", 'maxOccurs="2"', "c", "d", ...added)),
    (...added: readonly string[]) => group("choice", many, "x", group("choice", 'maxOccurs="2"', "c", "d", ...added)),
    (...added: readonly string[]) =>
      group("sequence", optional, "x", group("choice", 'maxOccurs="2"', "c", "d", ...added)),
    (...added: readonly string[]) => group("sequence", optional, "x?", group("choice", optional, "c", "d", ...added)),
    (...added: readonly string[]) => element("x") + choice("y?", group("choice", 'maxOccurs="2"', "c", "d", ...added)),
  ].map((content) => [content(), content("n")] as const),
];

const sideWith = (content: string) => sideOf(wsdlOf(sequence(content)));

test("the items of a group may no longer be empty, which random values do not show", async () => {
  const [before, after] = [group("choice", many, "a?", "b"), group("choice", many, "a", "b")].map(sideWith);
  if (before === undefined || after === undefined) {
    throw new Error("There are no sides.");
  }
  const [old, written] = [[{ choice: [{}] }, { choice: [{ b: "x" }] }], [{ choice: [{ b: "x" }] }]];
  expect(await findWrongLevels([before, after], { old, new: written })).toEqual([]);
  expect(await findWrongLevels([after, before], { old: written, new: old })).toEqual([]);
});

describe.each(pairs)("%s and %s", (before, after) => {
  test("affect clients as calls show", async () => {
    expect(await findWrongLevels([sideWith(before), sideWith(after)])).toEqual([]);
  });

  test("affect clients in reverse as calls show", async () => {
    expect(await findWrongLevels([sideWith(after), sideWith(before)])).toEqual([]);
  });
});
