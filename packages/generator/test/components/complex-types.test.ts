import { expect, test } from "vitest";
import { kinds, reports, resolveText } from "./resolve-schemas.js";
import { elementOf, nameOf, particleText, typeText } from "./show.js";

const base =
  '<x:complexType name="B"><x:sequence><x:element name="a"/></x:sequence><x:attribute name="p" use="required"/>' +
  '<x:attribute name="q"/></x:complexType>';
const derive = (how: string, inside: string, mixed = "") =>
  `${base}<x:complexType name="T"${mixed}><x:complexContent><x:${how} base="t:B">${inside}</x:${how}></x:complexContent></x:complexType>`;
const sequence = (inside: string) => `<x:sequence>${inside}</x:sequence>`;
const type = (inside: string, attributes = "") => `<x:complexType name="T"${attributes}>${inside}</x:complexType>`;

const contents = [
  { given: type(""), want: "empty" },
  { given: type(sequence("")), want: "empty" },
  {
    given: type(sequence('<x:element name="a" maxOccurs="unbounded"/><x:element name="b" minOccurs="0"/>')),
    want: "(a+, b?)",
  },
  {
    given: type('<x:choice maxOccurs="5"><x:element name="a"/><x:any namespace="##other"/></x:choice>'),
    want: "(a | any{not urn:a}){1,5}",
  },
  { given: type('<x:all><x:element name="a"/><x:element name="b" minOccurs="0"/></x:all>'), want: "(a & b?)" },
  { given: type(sequence('<x:any namespace="##targetNamespace ##local urn:b"/>')), want: "(any{urn:a absent urn:b})" },
  { given: type(sequence('<x:element name="a" minOccurs="0" maxOccurs="0"/><x:element name="b"/>')), want: "(b)" },
  { given: type("", ' mixed="true"'), want: "mixed ()" },
  { given: type(sequence('<x:element name="a" maxOccurs="999999999"/>')), want: "(a{1,999999999})" },
  {
    given: type('<x:simpleContent><x:extension base="x:int"><x:attribute name="p"/></x:extension></x:simpleContent>'),
    want: "int @p?",
  },
  { given: derive("extension", sequence('<x:element name="b"/>')), want: "((a), (b)) @p @q?" },
  { given: derive("extension", '<x:attribute name="r"/>'), want: "(a) @p @q? @r?" },
  { given: derive("extension", ""), want: "(a) @p @q?" },
  {
    given: derive("restriction", `${sequence('<x:element name="a"/>')}<x:attribute name="q" use="prohibited"/>`),
    want: "(a) @p",
  },
  {
    given: derive(
      "restriction",
      `${sequence('<x:element name="a"/>')}<x:attribute name="q" type="x:int" use="required"/>`,
    ),
    want: "(a) @p @q",
  },
];

test.each(contents)("$given has the content $want", ({ given, want }) => {
  const resolved = resolveText(given);
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe(want);
});

test("an extension has the added particle, and shares inherited attributes with its base", () => {
  const { schema } = resolveText(derive("extension", `${sequence('<x:element name="b"/>')}<x:attribute name="r"/>`));
  const [b, t] = ["{urn:a}B", "{urn:a}T"].map((key) => schema.types.get(key));
  if (b?.kind !== "complexType" || t?.kind !== "complexType") {
    throw new Error("no complex types");
  }
  expect(t.extension && particleText(t.extension)).toBe("(b)");
  expect(t.attributeUses.slice(0, 2)).toEqual(b.attributeUses);
  expect(t.attributeUses[0]).toBe(b.attributeUses[0]);
  expect(b.derivedTypes).toEqual([t]);
  expect(b.extension).toBeUndefined();
});

test("derived types are listed in the order of the schema", () => {
  const child = (name: string) =>
    `<x:complexType name="${name}"><x:complexContent><x:extension base="t:B"/></x:complexContent></x:complexType>`;
  const { schema } = resolveText(`${child("Z")}${base}${child("A")}`);
  expect(schema.types.get("{urn:a}B")?.derivedTypes.map(nameOf)).toEqual(["Z", "A"]);
});

test("facets in simple content define a type", () => {
  const resolved = resolveText(
    '<x:complexType name="B"><x:simpleContent><x:extension base="x:string"/></x:simpleContent></x:complexType>' +
      '<x:complexType name="T"><x:simpleContent><x:restriction base="t:B"><x:maxLength value="3"/></x:restriction></x:simpleContent></x:complexType>',
  );
  expect(reports(resolved)).toEqual([]);
  const t = resolved.schema.types.get("{urn:a}T");
  if (t?.kind !== "complexType" || t.content.kind !== "simple") {
    throw new Error("no simple content");
  }
  expect(t.content.type.facets).toMatchObject([{ facet: "maxLength", value: 3 }]);
  expect(t.content.type.baseType.builtin).toBe("string");
  expect(t.content.type.context).toEqual({
    owner: "type",
    name: { namespace: "urn:a", local: "T" },
    steps: ["content"],
  });
});

test("an anonymous type has the path from the global component that contains it", () => {
  const { schema } = resolveText(
    '<x:element name="Order"><x:complexType><x:sequence><x:element name="lines"><x:complexType/></x:element></x:sequence></x:complexType></x:element>',
  );
  const { type } = elementOf(schema, "Order");
  expect(nameOf(type)).toBe("Order/");
  if (type.kind !== "complexType" || type.content.kind !== "elements") {
    throw new Error("no elements");
  }
  expect(particleText(type.content.particle)).toBe("(lines)");
  const [lines] = type.content.particle.term.kind === "modelGroup" ? type.content.particle.term.particles : [];
  expect(lines?.term.kind === "element" && nameOf(lines.term.type)).toBe("Order/lines");
});

test("a type that contains itself is allowed", () => {
  const resolved = resolveText(
    type(sequence('<x:element name="a" type="t:T" minOccurs="0"/><x:element ref="t:e"/>')) +
      '<x:element name="e" type="t:T"/>',
  );
  expect(reports(resolved)).toEqual([]);
});

test("form and elementFormDefault determine whether local elements are qualified", () => {
  const { schema } = resolveText(
    type(
      sequence('<x:element name="a"/><x:element name="b" form="unqualified"/>') +
        '<x:attribute name="c"/><x:attribute name="d" form="qualified"/>',
    ),
  );
  const t = schema.types.get("{urn:a}T");
  if (t?.kind !== "complexType" || t.content.kind !== "elements" || t.content.particle.term.kind !== "modelGroup") {
    throw new Error("no elements");
  }
  const names = t.content.particle.term.particles.map(({ term }) =>
    term.kind === "element" ? term.name.namespace : "?",
  );
  expect(names).toEqual(["urn:a", ""]);
  expect(t.attributeUses.map((use) => use.declaration.name.namespace)).toEqual(["", "urn:a"]);
});

const problems = [
  {
    fact: "an extension of a simple type by elements",
    given: type(`<x:complexContent><x:extension base="x:int">${sequence("")}</x:extension></x:complexContent>`),
    want: ["error xsd.base"],
  },
  {
    fact: "simple content from a type without",
    given: `${base}${type('<x:simpleContent><x:extension base="t:B"/></x:simpleContent>')}`,
    want: ["error xsd.base"],
  },
  {
    fact: "a mixed extension of elements",
    given: derive("extension", sequence('<x:element name="b"/>'), ' mixed="true"'),
    want: ["warning xsd.base"],
  },
  {
    fact: "an attribute that is declared twice",
    given: type('<x:attribute name="p"/><x:attribute name="p"/>'),
    want: ["error xsd.duplicate-attribute"],
  },
  {
    fact: "an inherited attribute that is declared again",
    given: derive("extension", '<x:attribute name="p"/>'),
    want: ["error xsd.duplicate-attribute"],
  },
  {
    fact: "a restriction without a required element",
    given: derive("restriction", '<x:attribute name="q"/>'),
    want: ["warning xsd.restriction"],
  },
  {
    fact: "a restriction that adds an element",
    given: derive("restriction", sequence('<x:element name="a"/><x:element name="b"/>')),
    want: ["warning xsd.restriction"],
  },
  {
    fact: "a restriction that repeats an element",
    given: derive("restriction", sequence('<x:element name="a" maxOccurs="2"/>')),
    want: ["warning xsd.restriction"],
  },
  {
    fact: "a restriction that prohibits a required attribute",
    given: derive("restriction", `${sequence('<x:element name="a"/>')}<x:attribute name="p" use="prohibited"/>`),
    want: ["warning xsd.restriction"],
  },
  {
    fact: "two attributes of type ID",
    given: type('<x:attribute name="p" type="x:ID"/><x:attribute name="q" type="x:ID"/>'),
    want: ["error xsd.several-ids"],
  },
  {
    fact: "a derivation from a final type",
    given:
      '<x:complexType name="F" final="#all"/><x:complexType name="T"><x:complexContent><x:extension base="t:F"/></x:complexContent></x:complexType>',
    want: ["error xsd.final"],
  },
  {
    fact: "an extension of itself",
    given: type('<x:complexContent><x:extension base="t:T"/></x:complexContent>'),
    want: ["error xsd.circular"],
  },
  {
    fact: "two elements with one name and two types",
    given: type(
      sequence('<x:element name="a" type="x:int"/><x:element name="b"/><x:element name="a" type="x:string"/>'),
    ),
    want: ["warning xsd.inconsistent-elements"],
  },
  {
    fact: "content that two particles match",
    given: type(sequence('<x:element name="a" minOccurs="0"/><x:element name="a"/>')),
    want: ["warning xsd.ambiguous"],
  },
  {
    fact: "a group that follows another occurrence of it",
    given: `<x:group name="g">${sequence('<x:element name="a"/><x:element name="b" minOccurs="0"/>')}</x:group>${type(
      sequence('<x:group ref="t:g" minOccurs="0"/><x:group ref="t:g"/>'),
    )}`,
    want: ["warning xsd.ambiguous"],
  },
  {
    fact: "an element whose substitute is the element after it",
    given: `<x:element name="head" type="x:string"/><x:element name="other" type="x:string" substitutionGroup="t:head"/>${type(
      sequence('<x:element ref="t:head" minOccurs="0"/><x:element ref="t:other"/>'),
    )}`,
    want: ["warning xsd.ambiguous"],
  },
  {
    fact: "a wildcard that matches the element after it",
    given: type(sequence('<x:any minOccurs="0"/><x:element name="a"/>')),
    want: ["warning xsd.ambiguous"],
  },
  {
    fact: "a default that is not a value of the type",
    given: '<x:element name="e" type="x:int" default="one"/>',
    want: ["error xsd.value"],
  },
  {
    fact: "a default on an element without text",
    given: `<x:element name="e" default="1"><x:complexType>${sequence('<x:element name="a"/>')}</x:complexType></x:element>`,
    want: ["error xsd.value"],
  },
  {
    fact: "a reference with another fixed value than the attribute",
    given: `<x:attribute name="g" fixed="1"/>${type('<x:attribute ref="t:g" fixed="2"/>')}`,
    want: ["error xsd.value"],
  },
];

test.each(problems)("$fact is reported", ({ given, want }) => {
  expect(kinds(resolveText(given))).toEqual(want);
});

test("a chain of too many types is reported, but not the content of the types at its end", () => {
  const types = Array.from({ length: 70 }, (_, index) => {
    const elements = sequence(`<x:element name="e${index}"/>`);
    const content =
      index === 0
        ? elements
        : `<x:complexContent><x:extension base="t:T${index - 1}">${elements}</x:extension></x:complexContent>`;
    return `<x:complexType name="T${index}">${content}</x:complexType>`;
  });
  expect(kinds(resolveText(types.join("")))).toEqual(["error limit.inheritance"]);
});

const unambiguous = [
  type(sequence('<x:element name="a" minOccurs="2" maxOccurs="2"/><x:element name="a"/>')),
  type(sequence('<x:any namespace="##other" minOccurs="0"/><x:element name="a"/>')),
  type('<x:choice maxOccurs="unbounded"><x:element name="a"/><x:element name="b"/></x:choice>'),
];

test.each(unambiguous)("%s is not ambiguous", (text) => {
  expect(reports(resolveText(text, "strict"))).toEqual([]);
});
