import { expect, test } from "vitest";
import { inSchema, kinds, reports, resolve, resolveText } from "./resolve-schemas.js";
import { elementOf } from "./show.js";

test("every unknown name is reported at its position, with a suggestion", () => {
  const text = inSchema(
    '<x:element name="a" type="t:Vehicel"/><x:complexType name="Vehicle"/><x:element name="b" type="x:strng"/>',
  );
  const resolved = resolve({ "a.xsd": text });
  const column = (name: string) => text.indexOf(name) + 1;
  expect(reports(resolved)).toEqual([
    `a.xsd:1:${column("t:Vehicel")} error xsd.unknown-type: The type "t:Vehicel" does not exist: no schema of the namespace urn:a declares "Vehicel".`,
    `a.xsd:1:${column("x:strng")} error xsd.unknown-type: The type "x:strng" does not exist: XML Schema has no "strng".`,
  ]);
  expect(resolved.diagnostics.all.map(({ help }) => help)).toEqual([
    `Did you mean t:Vehicle (a.xsd:1:${text.indexOf("<x:complexType") + 1})? With --lenient, the type is read as anyType.`,
    "Did you mean x:string? With --lenient, the type is read as anyType.",
  ]);
});

test("a name of a namespace that was not read is reported with the import that is missing", () => {
  const text = inSchema('<x:element name="a" type="u:Vehicle" xmlns:u="urn:unread"/><x:element name="b" type="n"/>');
  const resolved = resolve({ "a.xsd": text });
  expect(resolved.diagnostics.all.map(({ message, help }) => [message, help])).toEqual([
    [
      'The type "u:Vehicle" does not exist: no schema of its namespace, urn:unread, was read.',
      'Import the schema: <import namespace="urn:unread" schemaLocation="…"/>. With --lenient, the type is read as anyType.',
    ],
    [
      'The type "n" does not exist: it has no namespace, and no schema without a target namespace was read.',
      expect.any(String),
    ],
  ]);
});

const unknown = [
  { given: '<x:element name="a" type="t:T"/>', want: "error xsd.unknown-type" },
  {
    given: '<x:complexType name="T"><x:sequence><x:element ref="t:e"/></x:sequence></x:complexType>',
    want: "error xsd.unknown-element",
  },
  { given: '<x:complexType name="T"><x:attribute ref="t:b"/></x:complexType>', want: "error xsd.unknown-attribute" },
  { given: '<x:complexType name="T"><x:group ref="t:g"/></x:complexType>', want: "error xsd.unknown-group" },
  {
    given: '<x:complexType name="T"><x:attributeGroup ref="t:g"/></x:complexType>',
    want: "error xsd.unknown-attribute-group",
  },
  { given: '<x:element name="a" substitutionGroup="t:h"/>', want: "error xsd.unknown-element" },
  { given: '<x:element name="a" type="u:T"/>', want: "error xsd.undeclared-prefix" },
  {
    given:
      '<x:simpleType name="N"><x:restriction base="x:NOTATION"><x:enumeration value="t:n"/></x:restriction></x:simpleType>',
    want: "error xsd.unknown-notation",
  },
];

test.each(unknown)("$given is refused: $want", ({ given, want }) => {
  expect(kinds(resolveText(given))).toEqual([want]);
});

test("when lenient, unknown names are warnings", () => {
  const resolved = resolveText('<x:element name="a" type="t:T"/>', "lenient");
  expect(kinds(resolved)).toEqual(["warning xsd.unknown-type"]);
  expect(elementOf(resolved.schema, "a").type.builtin).toBe("anyType");
});

const unprefixed = [
  { given: '<x:element name="a" type="T"/><x:complexType name="T"/>', means: "{urn:a}T" },
  { given: '<x:element name="a" type="int"/>', means: "{http://www.w3.org/2001/XMLSchema}int" },
];

test.each(unprefixed)(
  "a name without prefix or default namespace is read as $means, with a warning",
  ({ given, means }) => {
    const resolved = resolveText(given);
    expect(kinds(resolved)).toEqual(["warning xsd.unprefixed"]);
    const { type } = elementOf(resolved.schema, "a");
    expect(`{${type.name?.namespace}}${type.name?.local}`).toBe(means);
  },
);

test("the working drafts' namespace is read as XSD", () => {
  const draft = "http://www.w3.org/2000/10/XMLSchema";
  const resolved = resolve({
    "a.xsd": `<schema xmlns="${draft}" targetNamespace="urn:a"><element name="a" type="string"/></schema>`,
  });
  expect(reports(resolved)).toEqual([]);
  expect(elementOf(resolved.schema, "a").type.builtin).toBe("string");
});
