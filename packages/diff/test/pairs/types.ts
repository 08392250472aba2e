import { mixedOrNumber, mixedOrText } from "../proof/special-calls.js";
import { movedPairs } from "./moved.js";
import { element, type Pair, restricted, sequence, shareSources, twice, typePair, wsdlOf } from "./pair.js";

const record = (name: string, ...members: readonly string[]) =>
  `<complexType name="${name}"><sequence>${members.map((member) => element(member)).join("")}</sequence></complexType>`;
/** `T` with a member of one of three types, all of which other members also have. */
const withItem = (type: string, occurs = "") =>
  [
    record("Person", "name", "age:int"),
    record("Student", "name", "age:int", "school"),
    record("Company", "title", "age:int"),
    sequence(
      element(`item${occurs}:t:${type}`),
      ...["Person", "Student", "Company"].map((other) => element(`other${other}?:t:${other}`)),
    ),
  ].join("");
const values = (...texts: readonly string[]) => restricted("string", ...texts.map((text) => `enumeration=${text}`));
const derived = (name: string, abstract = false) => `
  <complexType name="Base" abstract="${abstract}"><sequence>${element("a")}</sequence></complexType>
  <complexType name="First"><complexContent><extension base="t:Base"><sequence>${element("b")}</sequence></extension></complexContent></complexType>
  ${name === "" ? "" : `<complexType name="${name}"><complexContent><extension base="t:Base"><sequence>${element("c")}</sequence></extension></complexContent></complexType>`}
  ${sequence(element("of:t:Base"))}`;
/** `T` with a member of the type `Base`, or of a type derived from it. */
const derivedMember = (type: string, abstract = false, name = "") =>
  derived(name, abstract).replace('type="t:Base"', `type="t:${type}"`);
/** A base type that was replaced with its derived type, and the reverse. Code may compile, but fail when it runs. */
const replaced = (
  [base, derivedType]: readonly [string, string],
  { failsLate, ...init }: Partial<Pair>,
): readonly Pair[] => [
  typePair("type-narrowed", base, derivedType, init),
  typePair("type-widened", derivedType, base, { ...init, failsLate: failsLate === true }),
];
const withoutTags = { old: { $type: "" }, new: { $type: "" } };
/** `derivedMember` with optional members in the derived type. */
const derivedOptional = (type: string, abstract: boolean) =>
  derivedMember(type, abstract).replace(element("b"), element("b?"));
/** `derivedMember` with another type derived from the derived type. */
const derivedTwice = (type: string, abstract: boolean) =>
  derivedMember(type, abstract, "Second").replace(/base="t:Base"(?=(?:(?!base=).)*name="c")/s, 'base="t:First"');
/** Types derived from `Base` in another namespace, each with an element `c` of a type. */
const derivedElsewhere = (types: Readonly<Record<string, string>>, local = "") => ({
  ...wsdlOf(`<import namespace="urn:o" schemaLocation="o.xsd"/>${derived(local)}`),
  "o.xsd": `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:o" elementFormDefault="qualified"><import namespace="urn:t"/>${Object.entries(
    types,
  )
    .map(
      ([name, type]) =>
        `<complexType name="${name}"><complexContent><extension base="t:Base"><sequence>${element(`c:${type}`)}</sequence></extension></complexContent></complexType>`,
    )
    .join("")}</schema>`,
});
/**
 * `T` with a member of the type `Base`, which has a derived type. Both types are in another namespace; their members
 * have no namespace.
 */
const derivedIn = (namespace: string) => ({
  ...wsdlOf(
    `<import namespace="${namespace}" schemaLocation="o.xsd"/>${sequence(element("of:o:Base", `xmlns:o="${namespace}"`))}`,
  ),
  "o.xsd": `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:o="${namespace}" targetNamespace="${namespace}"><complexType name="Base"><sequence>${element("a")}</sequence></complexType><complexType name="First"><complexContent><extension base="o:Base"><sequence>${element("b")}</sequence></extension></complexContent></complexType></schema>`,
});
const alone = (abstract: boolean) =>
  `<complexType name="Base" abstract="${abstract}"><sequence>${element("a")}</sequence></complexType>${sequence(element("of:t:Base"))}`;
const union = (...types: readonly string[]) =>
  sequence(`<element name="a"><simpleType><union memberTypes="${types.join(" ")}"/></simpleType></element>`);

const listedUnion = (...texts: readonly string[]) =>
  `<simpleType name="U"><union memberTypes="int string"/></simpleType>${restricted("t:U", ...texts.map((text) => `enumeration=${text}`))}`;
const unionOf = (facet: string, value: string) =>
  sequence(
    `<element name="a"><simpleType><union memberTypes="boolean"><simpleType><restriction base="string"><${facet} value="${value}"/></restriction></simpleType></union></simpleType></element>`,
  );
const listOfTokens = sequence('<element name="a"><simpleType><list itemType="NMTOKEN"/></simpleType></element>');
const listOfValues = (...texts: readonly string[]) =>
  `<simpleType name="E"><restriction base="string">${texts.map((text) => `<enumeration value="${text}"/>`).join("")}</restriction></simpleType>${sequence('<element name="a"><simpleType><list itemType="t:E"/></simpleType></element>')}`;
const listedText = "the text of several items is the same in messages, but not in code";
/** More values than are combined with others. */
const many = Array.from({ length: 120 }, (_, index) => `v${index}`);
const listOfValuesOrInt = (...texts: readonly string[]) =>
  listOfValues(...texts).replace(
    '<list itemType="t:E"/>',
    '<list><simpleType><union memberTypes="t:E int"/></simpleType></list>',
  );

const listOfText = sequence('<element name="a"><simpleType><list itemType="string"/></simpleType></element>');
const listOfInt = sequence('<element name="a"><simpleType><list itemType="int"/></simpleType></element>');
/** A union of `boolean` and lists. */
const listsIn = (...items: readonly string[]) =>
  sequence(
    `<element name="a"><simpleType><union memberTypes="boolean">${items.map((item) => `<simpleType><list itemType="${item}"/></simpleType>`).join("")}</union></simpleType></element>`,
  );
const words = (maxLength: number) =>
  `<simpleType name="Word"><restriction base="string"><maxLength value="${maxLength}"/></restriction></simpleType><simpleType name="Words"><list itemType="t:Word"/></simpleType>`;

const optionalMembers = sequence(
  `<element name="a"><complexType><sequence>${element("x?")}</sequence></complexType></element>`,
);
const nillableMembers = sequence(
  `<element name="a"><complexType><sequence>${element("x", 'nillable="true"')}${element("y?")}</sequence></complexType></element>`,
);
const withoutElements = (attributes: string) =>
  sequence(`<element name="a"><complexType>${attributes}</complexType></element>`);
const mixedMember = sequence(
  `<element name="a"><complexType mixed="true"><sequence>${element("x?")}</sequence></complexType></element>`,
);

export const typePairs = shareSources([
  ...twice("type-widened", "type-narrowed", [sequence(element("a:byte")), sequence(element("a:int"))], {
    title: "the same TypeScript type",
    values: { new: [{ a: 1000 }] },
  }),
  ...twice("type-widened", "type-narrowed", [sequence(element("a:int")), sequence(element("a:string"))], {
    values: { new: [{ a: "12" }] },
  }),
  ...twice(
    "type-widened",
    "type-narrowed",
    [sequence(element("a:unsignedByte")), sequence(element("a:unsignedLong"))],
    {
      title: "number to bigint",
      values: { new: [{ a: 1000n }] },
    },
  ),
  ...twice("type-narrowed", "type-widened", [sequence(element("a")), sequence(element("a:NMTOKENS"))], {
    title: "of text that became a list",
    values: { old: [{ a: "a b" }, { a: "<>" }, { a: "" }] },
  }),
  ...twice("type-narrowed", "type-widened", [sequence(element("a")), listOfText], {
    title: "of text that became a list of text",
    notShown: listedText,
  }),
  ...twice("type-narrowed", "type-widened", [sequence(element("a")), listOfInt], {
    title: "of text that became a list of numbers",
    notShown: listedText,
  }),
  typePair("type-overlaps", sequence(element("a:gYear")), sequence(element("a:int")), {
    values: { old: [{ a: "2026Z" }], new: [{ a: 2026 }] },
  }),
  typePair("type-overlaps", sequence(element("a:boolean")), sequence(element("a:int")), {
    title: "of a boolean and a number",
    values: { old: [{ a: true }], new: [{ a: 1 }] },
  }),
  typePair("type-overlaps", sequence(element("a:double")), sequence(element("a:boolean")), {
    title: "of a number and a boolean",
    values: { old: [{ a: 1 }], new: [{ a: true }] },
  }),
  typePair("type-overlaps", sequence(element("a:decimal")), sequence(element("a:double")), {
    title: "with digits that are rounded",
    values: { old: [{ a: "0.12345678901234567890123" }], new: [{ a: 1e300 }] },
  }),
  typePair("type-overlaps", sequence(element("a:QName")), sequence(element("a")), {
    title: "of names whose prefix is replaced by a namespace",
    notShown: "a prefix depends on the writer",
  }),
  typePair("type-changed", sequence(element("a:dateTime")), sequence(element("a:int"))),
  typePair("type-changed", sequence(element("a:dateTime")), sequence(element("a:date")), {
    title: "both are text in code",
  }),
  ...(["string", "int"] as const).flatMap((type) =>
    twice("type-changed", "type-changed", [sequence(element(`a:${type}`)), optionalMembers], {
      title: `elements that are all optional, and the type ${type}`,
      values: { new: [{ a: {} }, { a: { x: "x" } }] },
    }),
  ),
  ...(["string", "token", "int"] as const).flatMap((type) =>
    ["", '<attribute name="x" type="string"/>'].flatMap((attributes) =>
      twice("type-changed", "type-changed", [sequence(element(`a:${type}`)), withoutElements(attributes)], {
        title: `a type ${attributes === "" ? "without members" : "with only an attribute"}, and the type ${type}`,
        values: {
          old: [{ a: type === "int" ? 7 : "text" }],
          new: [{ a: {} }, ...(attributes === "" ? [] : [{ a: { x: "x" } }])],
        },
      }).map((pair) => ({ ...pair, failsLate: pair.new["t.wsdl"]?.includes(withoutElements("")) === true })),
    ),
  ),
  ...(["string", "int"] as const).flatMap((type) =>
    twice("type-changed", "type-changed", [sequence(element(`a:${type}`)), nillableMembers], {
      title: `elements that are optional or nillable, and the type ${type}`,
      values: { new: [{ a: { x: null } }, { a: { x: "x", y: "y" } }] },
    }),
  ),
  ...(["string", "int"] as const).flatMap((type) =>
    twice("type-widened", "type-narrowed", [sequence(element(`a:${type}`)), mixedMember], {
      title: `mixed content, and the type ${type}`,
      proof: type === "int" ? mixedOrNumber : mixedOrText,
    }),
  ),
  ...twice("enum-value-added", "enum-value-removed", [values("red", "blue"), values("red", "blue", "green")]),
  typePair("enum-value-added", values("red", "blue"), values("green"), {
    title: "in place of all others",
    also: ["enum-value-removed"],
  }),
  ...twice("enum-opened", "enum-closed", [values("red", "blue"), sequence(element("a"))], {
    values: { new: [{ a: "red" }] },
  }),
  ...twice("enum-closed", "enum-opened", [restricted("string", "maxLength=3"), values("red", "tan")], {
    title: "of values that the length allowed",
    values: { old: [{ a: "tan" }] },
  }),
  ...twice("type-overlaps", "type-overlaps", [restricted("string", "maxLength=3"), values("red", "blue")], {
    title: "with values of which the length allowed some",
    values: { old: [{ a: "red" }, { a: "tan" }], new: [{ a: "red" }, { a: "blue" }] },
  }),
  ...twice("type-changed", "type-changed", [restricted("string", "pattern=[a-d]*"), values("red", "tan")], {
    title: "with values that the pattern did not allow",
  }),
  ...twice("type-changed", "type-changed", [restricted("string", "maxLength=2"), values("red", "blue")], {
    title: "with values that the length did not allow",
  }),
  typePair("type-overlaps", restricted("int", "maxInclusive=1"), values("1", "2"), {
    title: "a list of which some values are in the range of the other type",
    values: { old: [{ a: 0 }, { a: 1 }], new: [{ a: "1" }, { a: "2" }] },
  }),
  ...twice("type-narrowed", "type-widened", [sequence(element("a:byte")), values("1", "2")], {
    title: "a list of values of another TypeScript type",
    values: { old: [{ a: 1 }] },
  }),
  typePair("type-overlaps", sequence(element("a:boolean")), values("true", "maybe"), {
    title: "a list of which some are values of the other type",
    values: { old: [{ a: true }], new: [{ a: "maybe" }] },
  }),
  ...twice("range-tightened", "range-loosened", [
    restricted("int", "minInclusive=0", "maxInclusive=9"),
    restricted("int", "minInclusive=0", "maxInclusive=4"),
  ]),
  ...twice("range-tightened", "range-loosened", [
    restricted("int", "minInclusive=0", "maxInclusive=9"),
    restricted("int", "minExclusive=0", "maxInclusive=9"),
  ]),
  typePair(
    "range-changed",
    restricted("date", "minInclusive=2020-01-01"),
    restricted("date", "minInclusive=2020-01-01Z"),
    { values: { old: [{ a: "2020-01-01" }, { a: "2026-01-01" }], new: [{ a: "2020-01-01Z" }, { a: "2026-01-01" }] } },
  ),
  ...twice("length-tightened", "length-loosened", [
    restricted("string", "maxLength=8"),
    restricted("string", "maxLength=3"),
  ]),
  ...twice(
    "digits-tightened",
    "digits-loosened",
    [restricted("decimal", "totalDigits=6"), restricted("decimal", "totalDigits=3")],
    { values: { old: [{ a: "12" }] } },
  ),
  ...twice("pattern-added", "pattern-removed", [restricted("token"), restricted("token", "pattern=[a-m].*")]),
  typePair("pattern-changed", restricted("token", "pattern=[a-m][a-z]*"), restricted("token", "pattern=[a-z][a-m]*")),
  typePair(
    "whitespace-changed",
    restricted("string", "whiteSpace=preserve"),
    restricted("string", "whiteSpace=collapse"),
    {
      values: { old: [{ a: " b " }] },
    },
  ),
  ...twice("union-member-added", "union-member-removed", [union("int", "boolean"), union("int", "boolean", "date")]),
  ...twice("length-tightened", "length-loosened", [unionOf("maxLength", "8"), unionOf("maxLength", "3")], {
    title: "of a member of a union",
  }),
  typePair("pattern-changed", unionOf("pattern", "[A-Z]+"), unionOf("pattern", "[A-Z]{3}"), {
    title: "of a member of a union",
  }),
  ...twice("type-widened", "type-narrowed", [sequence(element("a:int")), listOfInt], {
    title: "to a list of the same type",
    values: { new: [{ a: [1, 2] }] },
  }),
  ...twice("type-widened", "type-narrowed", [sequence(element("a:NMTOKEN")), listOfTokens], {
    title: "to a list of the same names",
    values: { new: [{ a: ["x", "y"] }] },
  }),
  ...twice("type-widened", "type-narrowed", [sequence(element("a")), sequence(element("a:anyType"))], {
    title: "of a text to any type",
    values: { old: [{ a: "x" }], new: [{ a: { content: [{ name: "{urn:t}b", content: [] }] } }] },
  }),
  ...twice("type-widened", "type-narrowed", [sequence(element("a")), union("int", "string")], {
    title: "of every text to a union with it",
    values: { old: [{ a: "007" }], new: [{ a: 5 }] },
  }),
  ...twice("enum-value-added", "enum-value-removed", [listOfValues(...many), listOfValues(...many, "last")], {
    title: "of a list of many values",
    values: { new: [{ a: ["last"] }] },
  }),
  ...twice("type-widened", "type-narrowed", [listOfValues(...many), listOfValuesOrInt(...many)], {
    title: "of a list of many values",
    values: { new: [{ a: [5] }, { a: [1, 2] }] },
  }),
  ...twice("type-widened", "type-narrowed", [values("red", "tan"), listOfValues("red", "tan")], {
    title: "to a list of the same values",
    values: { new: [{ a: ["red", "tan"] }] },
  }),
  typePair("type-changed", restricted("int", "enumeration=200", "enumeration=300"), sequence(element("a:byte")), {
    title: "an enumeration whose values are all too large for the new type",
  }),
  typePair("union-order-changed", union("hexBinary", "base64Binary"), union("base64Binary", "hexBinary")),
  typePair("union-order-changed", union("int", "boolean"), union("boolean", "int"), {
    title: "of a number and a boolean",
    values: { old: [{ a: 1 }], new: [{ a: true }] },
    notShown: "generated writers send `true`, which only the boolean accepts",
  }),
  typePair("type-overlaps", sequence(element("a:hexBinary")), sequence(element("a:base64Binary")), {
    title: "of bytes in another encoding",
    values: { old: [{ a: Uint8Array.of(1, 2, 3) }], new: [{ a: Uint8Array.of(0xd3, 0x5d, 0x34) }] },
  }),
  ...twice(
    "type-narrowed",
    "type-widened",
    [restricted("decimal", "fractionDigits=0"), sequence(element("a:integer"))],
    {
      title: "a decimal without fraction digits",
      values: { old: [{ a: "1.0" }] },
    },
  ),
  ...twice("enum-value-added", "enum-value-removed", [listedUnion("1", "a"), listedUnion("1", "a", "b")], {
    title: "of a union",
    values: { old: [{ a: 1 }, { a: "a" }], new: [{ a: "a" }, { a: "b" }] },
  }),
  typePair(
    "length-tightened",
    `${words(8)}${sequence(element("a*:t:Word"))}`,
    `${words(3)}${sequence(element("a:t:Words"))}`,
    {
      title: "of items that became a list",
      also: ["member-became-required", "member-became-single"],
      notShown: "another pair shows the length",
    },
  ),
  ...twice("union-member-added", "union-member-removed", [listsIn("int"), listsIn("int", "date")], {
    title: "that is a list",
  }),
  typePair(
    "type-in-code-changed",
    '<simpleType name="T"><restriction base="int"/></simpleType>',
    '<complexType name="T"><simpleContent><extension base="int"><attribute name="unit" type="string"/></extension></simpleContent></complexType>',
    {
      title: "a text with attributes",
      also: ["member-added-optional"],
      notShown: "the value has another shape in code",
    },
  ),
  typePair(
    "type-renamed",
    `<complexType name="Vehicle"><sequence>${element("a")}</sequence></complexType>${sequence(element("v:t:Vehicle"))}`,
    `<complexType name="Car"><sequence>${element("a")}</sequence></complexType>${sequence(element("v:t:Car"))}`,
  ),
  typePair("type-replaced", withItem("Person"), withItem("Company")),
  typePair("type-replaced", withItem("Person", "+"), withItem("Company", "+"), { title: "of a repeated member" }),
  typePair("type-replaced", withItem("Person"), withItem("Student"), { title: "of which one type has more members" }),
  ...twice("derived-type-added", "derived-type-removed", [derived(""), derived("Second")]),
  ...twice("derived-type-added", "derived-type-removed", [derived("", true), derived("Second", true)], {
    title: "abstract",
  }),
  ...twice("type-became-abstract", "type-became-concrete", [derived(""), derived("", true)]),
  ...twice("type-became-abstract", "type-became-concrete", [alone(false), alone(true)], {
    title: "without derived types",
  }),
  {
    rule: "derived-type-added",
    title: "with the name of another type in another namespace",
    old: derivedElsewhere({}),
    new: derivedElsewhere({ First: "int" }),
    also: ["name-in-code-changed"],
    notShown: "the type that was there has another name in code",
  },
  {
    rule: "derived-type-removed",
    title: "with the name of another type in another namespace",
    old: derivedElsewhere({ First: "int" }),
    new: derivedElsewhere({}),
    also: ["name-in-code-changed"],
    notShown: "the type that was there has another name in code",
  },
  {
    rule: "type-widened",
    title: "in a derived type with the name of another",
    old: derivedElsewhere({ First: "int" }),
    new: derivedElsewhere({ First: "string" }),
    notShown: "random values of the type differ",
  },
  {
    rule: "declaration-moved",
    title: "a derived type",
    old: derivedElsewhere({}, "Second"),
    new: derivedElsewhere({ Second: "string" }),
  },
  {
    rule: "declaration-moved",
    title: "a derived type whose member changed",
    old: derivedElsewhere({}, "Second"),
    new: derivedElsewhere({ Second: "int" }),
    also: ["type-narrowed"],
  },
  {
    rule: "declaration-moved",
    title: "a derived type without elements that have a namespace",
    old: derivedIn("urn:o"),
    new: derivedIn("urn:p"),
  },
  ...movedPairs,
  ...[false, true].flatMap((abstract) => {
    const [base, failsLate] = [abstract ? "an abstract" : "a", !abstract];
    const getStates = (create: (type: string) => string) => [create("Base"), create("First")] as const;
    return [
      ...replaced(
        getStates((type) => derivedMember(type, abstract)),
        { title: `${base} type and its derived type`, names: withoutTags, failsLate },
      ),
      ...replaced(
        getStates((type) => derivedMember(type, abstract, "Second")),
        { title: `${base} type and one of its derived types`, failsLate },
      ),
      ...replaced(
        getStates((type) => derivedOptional(type, abstract)),
        { title: `${base} type and a derived type with optional members`, names: withoutTags, failsLate },
      ),
      ...replaced(
        getStates((type) => derivedTwice(type, abstract)),
        { title: `${base} type and a derived type with a derived type`, names: withoutTags, failsLate },
      ),
    ];
  }),
]);
