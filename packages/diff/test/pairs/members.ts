import { mixedContent, mixedMembers } from "../proof/special-calls.js";
import { element, type Pair, sequence, shareSources, twice, typePair } from "./pair.js";

const key = element("key");
const attribute = (name: string, attributes = "") =>
  `<complexType name="T"><sequence>${key}</sequence><attribute name="${name}" type="string" ${attributes}/></complexType>`;
const choice = (...names: readonly string[]) => `<choice>${names.map((name) => element(name)).join("")}</choice>`;
const optionalGroup = (...names: readonly string[]) =>
  `<sequence minOccurs="0">${names.map((name) => element(name)).join("")}</sequence>`;

/** A group that requires only a member that may be nil. */
const nillableGroup = (attributes: string) =>
  `<sequence${attributes}>${element("a", 'nillable="true"')}${element("b?")}</sequence>`;
const outerGroup = (group: string) => sequence(key, `<sequence minOccurs="0">${element("c")}${group}</sequence>`);

const optional = (group: string) => group.replace(">", ' minOccurs="0">');
const repeated = (least: string, ...names: readonly string[]) =>
  choice(...names).replace(">", ` minOccurs="${least}" maxOccurs="unbounded">`);
const branches = (first: string, ...others: readonly string[]) =>
  `<choice>${element(first)}<sequence>${others.map((name) => element(name)).join("")}</sequence></choice>`;
const upTo = (most: number) => choice("a", "b").replace(">", ` maxOccurs="${most}">`);
const keyed = (constraint: string) =>
  sequence(
    `<element name="list"><complexType><sequence><element name="a" maxOccurs="unbounded"><complexType><attribute name="id" type="string"/></complexType></element></sequence></complexType>${constraint}</element>`,
  );
const absent = { values: { old: [{ key: "k" }], new: [{ key: "k" }] } };

const otherShape = "the shape in code differs; content-language.test.ts compares which calls are refused";

const furtherElement = '<any namespace="##other" processContents="lax" minOccurs="0"/>';
const furtherElements = '<any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>';
/** A `T` with `count` elements for a wildcard. */
const further = (count: number) => {
  const elements = Array.from({ length: count }, (_, index) => ({ name: `{urn:other}e${index}` }));
  return { key: "k", any: count === 1 ? elements[0] : elements };
};

/** A repeated group that may have no elements. */
const emptiable = (bounds: string) =>
  `<sequence ${bounds} maxOccurs="unbounded">${element("a?")}${element("b?")}</sequence>`;
const groupNames = { old: { sequence: "" }, new: { sequence: "" } };

/** `T` with text between its members. */
const mixed = (...members: readonly string[]) => sequence(...members).replace('name="T"', 'name="T" mixed="true"');

/** `T` with two members of complex types, which have these members and a fixed one. */
const withParts = (first: readonly string[], second: readonly string[]) =>
  [
    ...[first, second].map(
      (members, index) =>
        `<complexType name="${index === 0 ? "First" : "Second"}"><sequence>${["fixed", ...members].map((member) => element(member)).join("")}</sequence></complexType>`,
    ),
    sequence(key, element("first:t:First"), element("second:t:Second")),
  ].join("");

/** Groups that a message may contain without the given member. */
const inGroups: readonly (readonly [title: string, group: (member: string) => string])[] = [
  ["in a choice", (member) => `<choice>${member}${element("other")}</choice>`],
  ["in an optional choice", (member) => `<choice minOccurs="0">${member}${element("other")}</choice>`],
  ["in an optional group", (member) => `<sequence minOccurs="0">${member}${element("other")}</sequence>`],
  ["in an optional group that repeats", (member) => repeatedGroup("sequence", 0, member)],
  ["in a group that repeats", (member) => repeatedGroup("sequence", 1, member)],
  ["in an optional choice that repeats", (member) => repeatedGroup("choice", 0, member)],
  ["in a choice that repeats", (member) => repeatedGroup("choice", 1, member)],
  [
    "in a group of a choice",
    (member) => `<choice><sequence>${member}${element("other")}</sequence>${element("third")}</choice>`,
  ],
];

const repeatedGroup = (kind: string, min: number, member: string) =>
  `<${kind} minOccurs="${min}" maxOccurs="unbounded">${member}${element("other")}</${kind}>`;

/** `T` with members that substitute an abstract element. */
const substitutions = (...names: readonly string[]) =>
  `<element name="head" type="string" abstract="true"/>${[...names, "size"]
    .map((name) => `<element name="${name}" type="string" substitutionGroup="t:head"/>`)
    .join("")}${sequence(key, '<element ref="t:head" minOccurs="0" maxOccurs="unbounded"/>')}`;

export const memberPairs = shareSources([
  ...twice(
    "member-added-optional",
    "member-removed-optional",
    [sequence(element("a"), element("b")), sequence(element("a"), element("b"), element("a?"))],
    { title: "with the name of another element, which readers refuse if it occurs again" },
  ),
  ...twice(
    "member-added-optional",
    "member-removed-optional",
    [
      sequence(element("a"), element("b")),
      sequence(
        element("a"),
        element("b"),
        `<sequence minOccurs="0" maxOccurs="unbounded">${element("a")}${element("c")}</sequence>`,
      ),
    ],
    { title: "that is a group with the name of another element" },
  ),
  ...twice("member-added-required", "member-removed-required", [sequence(key), sequence(key, element("added"))]),
  ...twice("member-added-optional", "member-removed-optional", [sequence(key), sequence(key, element("added?"))]),
  ...twice("member-added-optional", "member-removed-optional", [sequence(key), attribute("added")]),
  ...twice("member-added-required", "member-removed-required", [sequence(key), attribute("added", 'use="required"')]),
  ...(
    [
      ["required", element("a")],
      ["optional", element("a?")],
      ["nillable", element("a", 'nillable="true"')],
    ] as const
  ).flatMap(([presence, member]) =>
    twice(`member-added-${presence}`, `member-removed-${presence}`, [sequence(), sequence(member)], {
      title: "as the only member",
    }).map((pair): Pair => (pair.rule.includes("removed") ? { ...pair, failsLate: true } : pair)),
  ),
  ...twice("member-added-nillable", "member-removed-nillable", [
    sequence(key),
    sequence(key, element("added", 'nillable="true"')),
  ]),
  ...twice("member-became-required", "member-became-optional", [
    sequence(key, element("a?")),
    sequence(key, element("a")),
  ]),
  ...twice("member-became-required", "member-became-optional", [attribute("a"), attribute("a", 'use="required"')]),
  ...twice(
    "member-became-required",
    "member-became-optional",
    [sequence(key, element("a?:int")), sequence(key, element("a:int", 'nillable="true"'))],
    { title: "that may be nil instead" },
  ).map(
    (pair, index): Pair => ({ ...pair, also: [index === 0 ? "member-became-nillable" : "member-became-not-nillable"] }),
  ),
  ...twice("member-became-nillable", "member-became-not-nillable", [
    sequence(element("a:int")),
    sequence(element("a:int", 'nillable="true"')),
  ]),
  ...twice(
    "member-became-nillable",
    "member-became-not-nillable",
    [sequence(element("a")), sequence(element("a", 'nillable="true"'))],
    { title: "of text" },
  ),
  ...twice(
    "member-became-nillable",
    "member-became-not-nillable",
    [sequence(key, element("a?:int")), sequence(key, element("a?:int", 'nillable="true"'))],
    { title: "of an optional member" },
  ),
  ...twice(
    "member-became-nillable",
    "member-became-not-nillable",
    [sequence(element("a*:int")), sequence(element("a*:int", 'nillable="true"'))],
    { title: "of a list" },
  ),
  ...twice("member-became-repeated", "member-became-single", [sequence(element("a")), sequence(element("a+"))]),
  ...["string", "int"].flatMap((item) =>
    twice(
      "member-became-repeated",
      "member-became-single",
      [
        sequence(key, `<element name="a" minOccurs="0"><simpleType><list itemType="${item}"/></simpleType></element>`),
        sequence(key, element(`a*:${item}`)),
      ],
      { title: `that was a list of ${item}` },
    ),
  ),
  ...twice("member-occurs-narrowed", "member-occurs-widened", [
    sequence(element("a", 'maxOccurs="5"')),
    sequence(element("a", 'maxOccurs="2"')),
  ]),
  ...twice(
    "member-occurs-narrowed",
    "member-occurs-widened",
    [sequence(element("a", 'maxOccurs="5"')), sequence(element("a", 'minOccurs="2" maxOccurs="5"'))],
    { title: "the least number" },
  ),
  ...twice("member-occurs-narrowed", "member-occurs-widened", [sequence(upTo(5)), sequence(upTo(2))], {
    title: "a group",
  }),
  ...twice(
    "member-occurs-narrowed",
    "member-occurs-widened",
    [sequence(key, repeated("0", "a", "b")), sequence(key, optional(choice("a", "b")))],
    { title: "an optional choice that no longer repeats", names: { old: { choice: "" }, new: {} } },
  ),
  ...twice(
    "member-occurs-narrowed",
    "member-occurs-widened",
    [sequence(key, repeated("1", "a", "b")), sequence(key, choice("a", "b"))],
    { title: "a choice that no longer repeats", names: { old: { choice: "" }, new: {} } },
  ),
  ...twice(
    "member-occurs-narrowed",
    "member-occurs-widened",
    [
      sequence(key, optionalGroup("a", "b").replace(">", ' maxOccurs="unbounded">')),
      sequence(key, optionalGroup("a", "b")),
    ],
    { title: "a sequence that no longer repeats", names: { old: { sequence: "" }, new: {} } },
  ),
  ...twice(
    "member-occurs-narrowed",
    "member-occurs-widened",
    [sequence(key, repeated("0", "a", "b:int")), sequence(key, optional(choice("a", "b:string")))],
    { title: "a choice with another type that no longer repeats", names: { old: { choice: "" }, new: {} } },
  ).map((pair, index): Pair => ({ ...pair, also: [index === 0 ? "type-widened" : "type-narrowed"] })),
  ...twice(
    "member-added-required",
    "member-removed-required",
    [sequence(key, optionalGroup("a", "b")), sequence(key, optionalGroup("a", "b", "c"))],
    { title: "in an optional group" },
  ).map((pair, index): Pair => ({ ...pair, failsLate: index === 0 })),
  ...twice(
    "member-added-required",
    "member-removed-required",
    [sequence(key, branches("a", "b", "c")), sequence(key, branches("a", "b", "c", "d"))],
    { title: "in a branch" },
  ),
  ...twice("member-added-required", "member-removed-required", [sequence(key), sequence(key, choice("a", "b"))], {
    title: "in a new choice",
  }),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [
      sequence(choice("c", "d")),
      sequence(choice("c", "d").replace("</", `<sequence>${choice("a", "b")}${choice("e", "f")}</sequence></`)),
    ],
    { title: "with two choices" },
  ),
  typePair("member-renamed", sequence(key, element("color")), sequence(key, element("colour"))),
  typePair("member-renamed", sequence(key, element("color?")), sequence(key, element("colour?")), {
    title: "optional",
  }),
  typePair("member-renamed", sequence(key, element("color?")), sequence(key, element("colour")), {
    title: "and required now",
  }),
  typePair("member-renamed", sequence(key, element("color")), sequence(key, element("colour?")), {
    title: "and no longer required",
  }),
  ...inGroups.map(([title, group]) =>
    typePair("member-renamed", sequence(key, group(element("color"))), sequence(key, group(element("colour"))), {
      title,
    }),
  ),
  typePair("member-renamed", substitutions("color"), substitutions("colour"), { title: "of a substitution group" }),
  ...["x?", "x"].map((member) =>
    typePair("member-moved", withParts([member], []), withParts([], [member]), { title: `with the member ${member}` }),
  ),
  typePair("member-moved", withParts(["x?"], []), withParts([], ["x"]), { title: "and required now" }),
  typePair("member-moved", withParts(["x"], []), withParts([], ["x?"]), { title: "and no longer required" }),
  typePair("member-moved", withParts(["x?:t:First"], []), withParts([], ["x?:t:First"]), {
    title: "of a complex type",
  }),
  ...twice("member-removed-optional", "member-added-optional", [withParts(["x?"], []), withParts([], ["x?:int"])], {
    title: "beside a new member of another type elsewhere",
  }).map(
    (pair, index): Pair => ({ ...pair, also: [index === 0 ? "member-added-optional" : "member-removed-optional"] }),
  ),
  ...twice(
    "member-removed-optional",
    "member-added-optional",
    [sequence(key, element("code?")), sequence(key, element("hue"))],
    { title: "with another presence than a new member in its place" },
  ).map(
    (pair, index): Pair => ({ ...pair, also: [index === 0 ? "member-added-required" : "member-removed-required"] }),
  ),
  typePair(
    "member-namespace-changed",
    sequence(key, element("a?")),
    sequence(key, element("a", 'form="unqualified"')),
    { title: "and required now", also: ["member-became-required"] },
  ),
  typePair("member-namespace-changed", sequence(key, element("a")), sequence(key, element("a", 'form="unqualified"'))),
  typePair(
    "member-namespace-changed",
    sequence(key, element("a?")),
    sequence(key, element("a?", 'form="unqualified"')),
    { title: "optional" },
  ),
  ...inGroups.map(([title, group]) =>
    typePair(
      "member-namespace-changed",
      sequence(key, group(element("a"))),
      sequence(key, group(element("a", 'form="unqualified"'))),
      { title },
    ),
  ),
  ...twice("member-element-to-attribute", "member-attribute-to-element", [
    sequence(key, element("a")),
    attribute("a", 'use="required"'),
  ]),
  ...twice(
    "member-element-to-attribute",
    "member-attribute-to-element",
    [sequence(key, element("a?")), attribute("a")],
    {
      title: "optional",
    },
  ),
  typePair(
    "member-key-changed",
    `<complexType name="T"><sequence>${key}${element("a?")}</sequence><attribute name="a" type="string"/></complexType>`,
    attribute("a"),
    {
      also: ["member-removed-optional"],
      title: "the element had the name",
      names: { old: { a2: "a", a: "element a" }, new: {} },
    },
  ),
  typePair(
    "member-key-changed",
    sequence(key, repeated("0", "a", "b"), repeated("0", "c", "d")),
    sequence(key, repeated("0", "c", "d"), repeated("0", "a", "b")),
    {
      also: ["sequence-order-changed"],
      title: "of a group",
      names: { old: {}, new: { choice: "choice2", choice2: "choice" } },
    },
  ),
  ...twice("default-added", "default-removed", [attribute("a"), attribute("a", 'default="x"')], absent),
  typePair("default-changed", attribute("a", 'default="x"'), attribute("a", 'default="y"'), absent),
  ...twice("fixed-added", "fixed-removed", [sequence(element("a")), sequence(element("a", 'fixed="x"'))]),
  ...twice("fixed-added", "fixed-removed", [attribute("a"), attribute("a", 'fixed="x"')], {
    title: "of an optional attribute",
    values: { old: [{ key: "k", a: "y" }], new: [{ key: "k" }] },
  }),
  typePair("fixed-changed", sequence(element("a", 'fixed="x"')), sequence(element("a", 'fixed="y"'))),
  typePair("fixed-changed", sequence(element("a?", 'fixed="x"')), sequence(element("a?", 'fixed="y"')), {
    title: "of an optional element",
  }),
  typePair("fixed-changed", attribute("a", 'fixed="x" use="required"'), attribute("a", 'fixed="y" use="required"'), {
    title: "of a required attribute",
  }),
  typePair("identity-changed", keyed(""), keyed('<key name="k"><selector xpath="t:a"/><field xpath="@id"/></key>'), {
    values: { old: [{ list: { a: [{ id: "x" }, { id: "x" }] } }], new: [] },
  }),
  typePair("sequence-order-changed", sequence(element("a"), element("b")), sequence(element("b"), element("a"))),
  typePair(
    "sequence-order-changed",
    sequence(element("a"), element("b"), repeated("0", "c", "d")),
    sequence(element("b"), element("a"), repeated("0", "c", "d")),
    { title: "of required elements beside a group that repeats" },
  ),
  typePair(
    "sequence-order-changed",
    sequence(element("a"), repeated("0", "c", "d")),
    sequence(repeated("0", "c", "d"), element("a")),
    { title: "of a group that repeats" },
  ),
  ...twice(
    "member-occurs-narrowed",
    "member-occurs-widened",
    [
      sequence(element("a", 'maxOccurs="5"'), repeated("0", "c", "d")),
      sequence(element("a", 'maxOccurs="2"'), repeated("0", "c", "d")),
    ],
    { title: "beside a group that repeats" },
  ),
  ...twice("sequence-to-all", "all-to-sequence", [
    sequence(element("a"), element("b")),
    `<complexType name="T"><all>${element("a")}${element("b")}</all></complexType>`,
  ]),
  ...twice("sequence-to-choice", "choice-to-sequence", [
    sequence(element("a"), element("b")),
    sequence(choice("a", "b")),
  ]),
  ...twice(
    "sequence-to-choice",
    "choice-to-sequence",
    [sequence(key, element("a"), element("b")), sequence(key, choice("a", "b"))],
    { title: "inside another sequence" },
  ),
  ...twice(
    "sequence-to-choice",
    "choice-to-sequence",
    [sequence(element("a"), element("b?")), sequence(`<choice>${element("a")}${element("b?")}</choice>`)],
    { title: "with one required member", values: { new: [{ a: "a" }, { b: "b" }] } },
  ),
  ...twice(
    "sequence-to-choice",
    "choice-to-sequence",
    [
      sequence(element("a"), optionalGroup("b", "c")),
      sequence(`<choice>${element("a")}${optionalGroup("b", "c")}</choice>`),
    ],
    {
      title: "with one required member and an optional group",
      values: { old: [{ a: "a" }, { a: "a", b: "b", c: "c" }], new: [{ a: "a" }, { b: "b", c: "c" }] },
    },
  ),
  ...twice(
    "sequence-to-choice",
    "choice-to-sequence",
    [sequence(key, optionalGroup("a", "b")), sequence(key, optional(choice("a", "b")))],
    { title: "that may be absent" },
  ),
  ...twice(
    "sequence-to-choice",
    "choice-to-sequence",
    [sequence(element("a?"), element("b?")), sequence(`<choice>${element("a?")}${element("b?")}</choice>`)],
    { title: "of optional members", notShown: "random values of the choice are seldom found" },
  ),
  ...twice(
    "sequence-to-choice",
    "choice-to-sequence",
    [sequence(key, element("a?"), element("b?")), sequence(key, optional(choice("a", "b")))],
    { title: "of optional members, which may be absent" },
  ),
  ...twice(
    "choice-branch-removed",
    "choice-branch-added",
    [
      sequence(choice("a", "b")),
      `<complexType name="T">${choice("a")}<attribute name="b" type="string" use="required"/></complexType>`,
    ],
    { title: "that became an attribute", notShown: "the attribute is the stronger change" },
  ).map(
    (pair, index): Pair => ({ ...pair, also: [index === 0 ? "member-added-required" : "member-removed-required"] }),
  ),
  ...twice("choice-branch-added", "choice-branch-removed", [
    sequence(choice("a", "b")),
    sequence(choice("a", "b", "c")),
  ]),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [sequence(key, optional(choice("a", "b"))), sequence(key, optional(choice("a", "b", "c")))],
    { title: "to a choice that may be absent" },
  ),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [
      sequence(key, `<choice>${element("a")}${element("b?")}</choice>`),
      sequence(key, `<choice>${element("a")}${element("b?")}${element("c")}</choice>`),
    ],
    { title: "to a choice with an optional branch" },
  ),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [sequence(key, element("a?")), sequence(key, optional(choice("a", "b")))],
    { title: "beside an optional member" },
  ),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [sequence(key, repeated("0", "a", "b")), sequence(key, repeated("0", "a", "b", "c"))],
    { title: "to a choice that repeats and may be absent" },
  ),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [sequence(key, repeated("1", "a", "b")), sequence(key, repeated("1", "a", "b", "c"))],
    { title: "to a choice that repeats" },
  ),
  ...twice(
    "choice-branch-added",
    "choice-branch-removed",
    [sequence(element("a?")), sequence(`<choice minOccurs="0">${element("a?")}${element("b?")}</choice>`)],
    { title: "of optional branches" },
  ),
  ...twice("group-became-optional", "group-became-required", [
    sequence(choice("a", "b")),
    sequence(optional(choice("a", "b"))),
  ]),
  ...twice(
    "group-became-required",
    "group-became-optional",
    [sequence(key, optionalGroup("a", "b")), sequence(key, element("a"), element("b"))],
    { title: "and is part of the sequence around it" },
  ),
  ...twice(
    "group-became-required",
    "group-became-optional",
    [sequence(key, nillableGroup(' minOccurs="0"')), sequence(key, nillableGroup(""))],
    { title: "whose required member may be nil" },
  ),
  ...twice(
    "group-became-required",
    "group-became-optional",
    [outerGroup(nillableGroup(' minOccurs="0"')), outerGroup(nillableGroup(""))],
    { title: "whose required member may be nil, in an optional group" },
  ),
  typePair(
    "content-model-changed",
    sequence(choice("a", "b"), choice("c", "d")),
    sequence(choice("a", "c"), choice("b", "d")),
  ),
  typePair("content-model-changed", sequence(repeated("1", "a", "b")), sequence(element("a"), element("b")), {
    title: "a choice that repeats and became a sequence",
    notShown: otherShape,
  }),
  typePair("content-model-changed", sequence(repeated("0", "a", "b")), sequence(element("a*"), element("b*")), {
    title: "a choice that repeats and became lists",
    notShown: otherShape,
  }),
  typePair(
    "content-model-changed",
    sequence(key, repeated("1", "a", "b")),
    sequence(key, optionalGroup("a", "b").replace(">", ' maxOccurs="unbounded">').replace('minOccurs="0"', "")),
    {
      title: "a choice that repeats and became a sequence that repeats",
      also: ["member-key-changed", "name-in-code-changed"],
      notShown: otherShape,
    },
  ),
  ...twice(
    "wildcard-opened",
    "wildcard-closed",
    [sequence(key), sequence(key, '<any namespace="##other" processContents="lax" minOccurs="0"/>')],
    { title: "elements" },
  ),
  ...twice(
    "member-became-repeated",
    "member-became-single",
    [sequence(key, furtherElement), sequence(key, furtherElements)],
    { title: "a wildcard", values: { old: [further(1)], new: [further(2)] } },
  ),
  ...twice(
    "member-became-required",
    "member-became-optional",
    [sequence(key, furtherElement), sequence(key, furtherElement.replace(' minOccurs="0"', ""))],
    { title: "a wildcard", values: { old: [further(1)] } },
  ),
  ...twice(
    "member-occurs-widened",
    "member-occurs-narrowed",
    [sequence(key, furtherElements.replace("unbounded", "2")), sequence(key, furtherElements)],
    { title: "a wildcard", values: { new: [further(3)] } },
  ),
  ...twice(
    "member-became-required",
    "member-became-optional",
    [sequence(key, emptiable('minOccurs="0"')), sequence(key, emptiable(""))],
    { title: "a repeated group that may have no elements", names: groupNames },
  ),
  ...twice("member-added-required", "member-removed-required", [sequence(key), sequence(key, emptiable(""))], {
    title: "a repeated group that may have no elements",
    names: groupNames,
  }),
  ...twice(
    "member-occurs-widened",
    "member-occurs-narrowed",
    [sequence(key, emptiable('minOccurs="3"')), sequence(key, emptiable('minOccurs="2"'))],
    { title: "a repeated group that may have no elements" },
  ),
  ...twice("wildcard-widened", "wildcard-narrowed", [
    sequence(key, '<any namespace="urn:a" processContents="lax"/>'),
    sequence(key, '<any namespace="urn:a urn:b" processContents="lax"/>'),
  ]),
  typePair(
    "wildcard-changed",
    sequence(key, '<any namespace="urn:a" processContents="lax" minOccurs="0"/>'),
    sequence(key, '<any namespace="urn:b" processContents="lax" minOccurs="0"/>'),
  ),
  typePair(
    "mixed-changed",
    sequence(element("a?")),
    `<complexType name="T" mixed="true"><sequence>${element("a?")}</sequence></complexType>`,
    { proof: mixedContent },
  ),
  typePair(
    "mixed-changed",
    sequence(element("a?"), furtherElements),
    sequence(element("a?"), furtherElements).replace('name="T"', 'name="T" mixed="true"'),
    { title: "with a wildcard", proof: mixedContent },
  ),
  typePair(
    "mixed-changed",
    sequence(element("a?:int")),
    `<complexType name="T" mixed="true"><sequence>${element("a?:string")}</sequence></complexType>`,
    { title: "with another type of a member", also: ["type-widened"], notShown: "the type is the stronger change" },
  ),
  typePair("mixed-changed", sequence(element("a")), mixed(element("a")), {
    title: "with a required member",
    proof: mixedMembers,
  }),
  typePair("mixed-changed", mixed(element("a")), sequence(element("a")), {
    title: "with a required member",
    proof: mixedMembers,
  }),
  typePair("member-renamed", mixed(element("a")), mixed(element("b")), {
    title: "in mixed content",
    proof: mixedMembers,
  }),
  typePair("member-namespace-changed", mixed(element("a")), mixed(element("a", 'form="unqualified"')), {
    title: "in mixed content",
    proof: mixedMembers,
  }),
  ...twice("choice-branch-added", "choice-branch-removed", [mixed(element("a")), mixed(element("a"), element("b"))], {
    title: "in mixed content",
    proof: mixedMembers,
  }),
  typePair("member-removed-optional", mixed(element("a")), mixed('<any processContents="lax"/>'), {
    title: "in mixed content",
    also: ["member-added-optional"],
    proof: mixedMembers,
  }),
]);
