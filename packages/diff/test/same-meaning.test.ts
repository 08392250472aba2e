import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { movedIntoInclude, rewritings } from "./edits/same-meaning.js";
import { type ProjectName, projects } from "./edits/sources.js";
import { indexOf } from "./pairs/index-document.js";
import { element, restricted, sequence, wsdlOf } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";

function changes(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after)).changes.map(({ rule, message }) => `${rule} ${message}`);
}

const names = Object.keys(projects) as ProjectName[];

/** Changed names in generated code that follow from the order, by project and rewriting. */
const namesByOrder: ReadonlyMap<string, RegExp> = new Map([
  // Overloads are named in the order of the port type.
  ["sums operations of port types in another order", /^name-in-code-changed /],
  // Enumerations of an index share a name if their values have the same order.
  [
    "wordpress values, contexts and alternatives in another order",
    /^name-in-code-changed (Comment|Ping)Status: A name in generated code changed \(was Attachment\1Status\)\.$/,
  ],
]);

describe.each(rewritings)("$title", ({ title, rewrite }) => {
  test.each(names)("changes nothing in %s", (name) => {
    const before = projects[name];
    const after = rewrite(before);
    const isAffected = title !== "the same text" && JSON.stringify(after) !== JSON.stringify(before);
    const allowed = namesByOrder.get(`${name} ${title}`) ?? /^$/;
    expect(changes(before, after).filter((each) => !allowed.test(each))).toEqual([]);
    expect(changes(after, before).filter((each) => !allowed.test(each))).toEqual([]);
    affected.add(isAffected ? title : "");
  });
});

const affected = new Set<string>();

test("every rewriting changes the text of a project", () => {
  expect(rewritings.map(({ title }) => title).filter((title) => !affected.has(title))).toEqual(["the same text"]);
});

test.each([
  ["parcels", "parcels.wsdl"],
  ["posted", "addressing.wsdl"],
] as const)("the types of %s move into an included file", (name, file) => {
  const text = Object.entries(projects[name]).find(([path]) => path.endsWith(file))?.[1] ?? "";
  expect(changes({ "s.wsdl": text }, movedIntoInclude("s.wsdl", text))).toEqual([]);
});

test("routes in another order change nothing, whichever route a shared type of answers is named after", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    title: "thing",
    type: "object",
    properties: { id: { type: "integer" } },
  };
  const routes = ["/shop/v1/things", "/shop/v1/things/(?P<id>[\\d]+)", "/shop/v1/parts/(?P<id>[\\d]+)"];
  const index = (order: readonly string[]) =>
    indexOf(
      Object.fromEntries(order.map((route) => [route, { methods: [route.includes("id") ? "DELETE" : "GET"] }])),
      Object.fromEntries(order.map((route) => [route, schema])),
    );
  expect(changes(index(routes), index([...routes].reverse()))).toEqual([]);
});

const base = (...members: readonly string[]) =>
  `<complexType name="Base"><sequence>${members.map((name) => element(name)).join("")}</sequence></complexType>`;
const derived = (...members: readonly string[]) =>
  `<complexType name="T"><complexContent><extension base="t:Base"><sequence>${members.map((name) => element(name)).join("")}</sequence></extension></complexContent></complexType>`;

const listedMember = (...values: readonly string[]) =>
  `<simpleType name="E"><restriction base="string">${values.map((value) => `<enumeration value="${value}"/>`).join("")}</restriction></simpleType>${sequence('<element name="a"><simpleType><union memberTypes="int t:E"/></simpleType></element>')}`;

test.each([
  {
    what: "a group, and its members",
    types: [
      `<group name="G"><sequence>${element("a")}</sequence></group>${sequence('<group ref="t:G"/>', element("b"))}`,
      sequence(element("a"), element("b")),
    ],
  },
  {
    what: "an attribute group, and its attributes",
    types: [
      `<attributeGroup name="G"><attribute name="x" type="int"/></attributeGroup><complexType name="T"><attributeGroup ref="t:G"/></complexType>`,
      '<complexType name="T"><attribute name="x" type="int"/></complexType>',
    ],
  },
  {
    what: "a referenced element, and a local one",
    types: [`${element("a")}${sequence('<element ref="t:a"/>')}`, sequence(element("a"))],
  },
  {
    what: "a named and an anonymous simple type",
    types: [
      `<simpleType name="N"><restriction base="string"><maxLength value="5"/></restriction></simpleType>${sequence(element("a:t:N"))}`,
      restricted("string", "maxLength=5"),
    ],
  },
  {
    what: "nested sequences, and one",
    types: [
      sequence(`<sequence>${element("a")}</sequence>`, `<choice>${element("b")}</choice>`),
      sequence(element("a"), element("b")),
    ],
  },
  {
    what: "a bound that a type has itself, and none",
    types: [sequence(element("a:positiveInteger")), restricted("positiveInteger", "minInclusive=1")],
  },
  {
    what: "a type of integers, and a wider one with its bounds",
    types: [sequence(element("a:unsignedByte")), restricted("short", "minInclusive=0", "maxInclusive=255")],
  },
  {
    what: "a number of digits of an integer, and a range",
    types: [restricted("integer", "totalDigits=2"), restricted("integer", "minInclusive=-99", "maxInclusive=99")],
  },
  {
    what: "a type of large integers, and a wider one with its bound",
    types: [sequence(element("a:nonNegativeInteger")), restricted("integer", "minExclusive=-1")],
  },
  {
    what: "two notations of an enumerated number",
    types: [restricted("int", "enumeration=1", "enumeration=2"), restricted("int", "enumeration=02", "enumeration=01")],
  },
  ...[
    ["dates and times", "date dateTime", "dateTime date"],
    ["numbers that are equal in code", "int short", "short int"],
    ["members after one that accepts any text", "string int boolean", "string boolean int"],
  ].map(([what, old = "", now = ""]) => ({
    what: `a union, and its members in another order: ${what}`,
    types: [old, now].map((members) =>
      sequence(`<element name="a"><simpleType><union memberTypes="${members}"/></simpleType></element>`),
    ),
  })),
  {
    what: "an exclusive and an inclusive bound of integers",
    types: [
      restricted("int", "minExclusive=0", "maxExclusive=10"),
      restricted("int", "minInclusive=1", "maxInclusive=9"),
    ],
  },
  ...(["min", "max"] as const).map((side) => ({
    what: `the inclusive ${side} bound of a type, and that of a type derived from one with an exclusive bound`,
    types: [
      `<simpleType name="N"><restriction base="int"><${side}Exclusive value="0"/></restriction></simpleType>${restricted("t:N", `${side}Inclusive=${side === "min" ? 10 : -10}`)}`,
      restricted("int", `${side}Inclusive=${side === "min" ? 10 : -10}`),
    ],
  })),
  {
    what: "the exclusive bound of a type, and that of a type derived from one with an inclusive bound",
    types: [
      `<simpleType name="N"><restriction base="decimal"><minInclusive value="0"/></restriction></simpleType>${restricted("t:N", "minExclusive=0")}`,
      restricted("decimal", "minExclusive=0"),
    ],
  },
  {
    what: "the values of a member of a union, and the same values in another order",
    types: [listedMember("a", "b"), listedMember("b", "a")],
  },
  {
    what: "a length, and equal bounds of the length",
    types: [restricted("string", "length=5"), restricted("string", "minLength=5", "maxLength=5")],
  },
  {
    what: "two notations of a bound",
    types: [restricted("decimal", "maxInclusive=1.0"), restricted("decimal", "maxInclusive=1.00")],
  },
  {
    what: "a member of a base type, and of the type itself",
    types: [`${base("a", "b")}${derived("c")}`, `${base("a")}${derived("b", "c")}`],
  },
  {
    what: "an abstract base that no member has as its type, and a concrete one",
    types: [base("a").replace('name="Base"', 'name="Base" abstract="true"'), base("a")].map(
      (text) => `${text}${derived("b")}`,
    ),
  },
  {
    what: "a choice with an optional branch, and the same choice that may be absent",
    types: ["", ' minOccurs="0"'].map((bounds) =>
      sequence(element("key"), `<choice${bounds}>${element("a")}${element("b?")}</choice>`),
    ),
  },
] as const)("$what are the same", ({ types: [before, after] }) => {
  // Generated code has a name for each named type.
  const listVanished = (text = "", otherText = "") =>
    text.includes('name="N"') && !otherText.includes('name="N"')
      ? ["name-in-code-changed N: A name is no longer in generated code."]
      : [];
  expect(changes(wsdlOf(before), wsdlOf(after))).toEqual(listVanished(before, after));
  expect(changes(wsdlOf(after), wsdlOf(before))).toEqual(listVanished(after, before));
});

test("a bound of integers is the same if it is exclusive", () => {
  const index = (definition: object) =>
    indexOf({ "/shop/v1/things": { args: { q: { type: "integer", ...definition } } } });
  const inclusive = index({ minimum: 1, maximum: 9 });
  const exclusive = index({ minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true });
  expect(changes(inclusive, exclusive)).toEqual([]);
});

test("a fixed value replaces an equal default, which it includes", () => {
  const attribute = (attributes: string) =>
    `<complexType name="T"><attribute name="a" type="string" ${attributes}/></complexType>`;
  const found = changes(wsdlOf(attribute('default="x"')), wsdlOf(attribute('fixed="x"')));
  expect(new Set(found.map((each) => each.split(" ")[0]))).toEqual(new Set(["fixed-added"]));
});

test.each([
  ["[\\d]+", "\\d+"],
  ["[0-9]+", "[\\d]+"],
])("the patterns %s and %s of a route are the same", (left, right) => {
  const index = (pattern: string) => indexOf({ [`/shop/v1/things/(?P<id>${pattern})`]: {} });
  expect(changes(index(left), index(right))).toEqual([]);
});

test("the documentation of a member moves with its schema to a type with a name", () => {
  const path = "schemas/content/objects.json";
  const text = projects.vehicle[path] ?? "";
  const objects = JSON.parse(text);
  const { context, ...title } = objects.$defs.media.properties.title;
  expect(title.description).toBeTypeOf("string");
  objects.$defs.title = title;
  objects.$defs.media.properties.title = { $ref: "#/$defs/title", context };
  const moved = { ...projects.vehicle, [path]: JSON.stringify(objects, null, 2) };
  // A type with a name has the members of all contexts, so the type of the member changes, but not its documentation.
  const message = "answer-contexts-changed media.title: The type of a member has";
  expect(changes(projects.vehicle, moved)).toEqual([`${message} a name now, and in code the members of all contexts.`]);
  expect(changes(moved, projects.vehicle)).toEqual([
    `${message} no name any more, and in code only the members of its context.`,
  ]);
});
