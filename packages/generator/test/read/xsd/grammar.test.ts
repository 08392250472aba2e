import { expect, test } from "vitest";
import { inSchema, kinds, reports, resolve, resolveText } from "../../components/resolve-schemas.js";

const misplaced = [
  { given: '<x:elemnt name="a"/>', want: ["error xsd.misplaced-element"] },
  { given: '<x:element name="a"><x:sequence/></x:element>', want: ["warning xsd.misplaced-element"] },
  { given: '<x:element name="a"><x:attribute name="b"/></x:element>', want: ["error xsd.misplaced-element"] },
  {
    given: '<x:complexType name="T"><x:extension base="x:anyType"><x:sequence/></x:extension></x:complexType>',
    want: ["warning xsd.misplaced-element"],
  },
  {
    given: '<x:complexType name="T"><x:extension base="x:anyType"/><x:sequence/></x:complexType>',
    want: ["warning xsd.misplaced-element", "error xsd.misplaced-element"],
  },
  {
    given: '<x:complexType name="T"><x:attribute name="a"/><x:sequence/></x:complexType>',
    want: ["warning xsd.misplaced-element"],
  },
  { given: '<x:complexType name="T"><x:sequence/><x:choice/></x:complexType>', want: ["error xsd.misplaced-element"] },
  {
    given:
      '<x:complexType name="T"><x:simpleContent><x:extension base="x:int"/></x:simpleContent><x:attribute name="a"/></x:complexType>',
    want: ["error xsd.misplaced-element"],
  },
  { given: '<x:element name="a"/><x:import namespace="urn:b"/>', want: ["warning xsd.misplaced-element"] },
  { given: '<o:hint xmlns:o="urn:other"/>', want: ["warning xsd.misplaced-element"] },
  { given: '<o:element name="a" xmlns:o="urn:other"/>', want: ["error xsd.misplaced-element"] },
  { given: '<x:complexType name="T"><x:complexContent/></x:complexType>', want: ["error xsd.missing-element"] },
  { given: '<x:element name="a" typ="x:int"/>', want: ["error xsd.misplaced-attribute"] },
  { given: '<x:element name="a" x:type="x:int"/>', want: ["warning xsd.misplaced-attribute"] },
  { given: '<x:element name="a" minOccurs="0"/>', want: ["warning xsd.misplaced-attribute"] },
  { given: '<x:element type="x:int"/>', want: ["error xsd.missing-attribute"] },
  {
    given: '<x:complexType name="T"><x:sequence><x:element/></x:sequence></x:complexType>',
    want: ["error xsd.missing-attribute"],
  },
  { given: '<x:simpleType name="T"><x:list/></x:simpleType>', want: ["error xsd.missing-attribute"] },
  { given: '<x:element name="a:b"/>', want: ["error xsd.invalid-value"] },
  { given: '<x:element name="a" nillable="yes"/>', want: ["error xsd.invalid-value"] },
  { given: '<x:element name="a" block="all"/>', want: ["error xsd.invalid-value"] },
  { given: '<x:complexType name="T"><x:sequence maxOccurs="-1"/></x:complexType>', want: ["error xsd.invalid-value"] },
  {
    given: '<x:complexType name="T"><x:sequence maxOccurs="1e30"/></x:complexType>',
    want: ["error xsd.invalid-value"],
  },
  {
    given: '<x:complexType name="T"><x:all><x:element name="a" maxOccurs="2"/></x:all></x:complexType>',
    want: ["error xsd.invalid-value"],
  },
  { given: '<x:complexType name="T"><x:sequence minOccurs="2"/></x:complexType>', want: ["error xsd.occurs"] },
  {
    given: '<x:complexType name="T"><x:anyAttribute namespace="##any urn:b"/></x:complexType>',
    want: ["error xsd.invalid-value"],
  },
  { given: "text", want: ["warning xsd.text"] },
  { given: '<x:element name="a" id="i"/><x:element name="b" id="i"/>', want: ["warning xsd.duplicate-id"] },
  {
    given: '<x:element name="a" type="x:int"><x:simpleType><x:restriction base="x:int"/></x:simpleType></x:element>',
    want: ["error xsd.conflict"],
  },
  { given: '<x:element name="a" default="1" fixed="1"/>', want: ["error xsd.conflict"] },
  {
    given:
      '<x:complexType name="T"><x:sequence><x:element ref="t:e" type="x:int"/></x:sequence></x:complexType><x:element name="e"/>',
    want: ["error xsd.conflict"],
  },
  {
    given: '<x:complexType name="T"><x:attribute name="a" use="required" default="1"/></x:complexType>',
    want: ["error xsd.conflict"],
  },
  { given: '<x:attribute name="xmlns"/>', want: ["error xsd.reserved-attribute"] },
  {
    given:
      '<x:element name="e"><x:complexType/><x:key name="k"><x:selector xpath="//a"/><x:field xpath="@b"/></x:key></x:element>',
    want: ["info xsd.not-enforced", "error xsd.invalid-value"],
  },
  {
    given:
      '<x:element name="e"><x:complexType/><x:key name="k"><x:selector xpath="u:a"/><x:field xpath="@b"/></x:key></x:element>',
    want: ["info xsd.not-enforced", "error xsd.undeclared-prefix"],
  },
];

test.each(misplaced)("$given is reported: $want", ({ given, want }) => {
  expect(kinds(resolveText(given))).toEqual(want);
});

const harmless = [
  '<x:annotation><x:appinfo><anything xmlns="urn:b"><x:element/></anything></x:appinfo></x:annotation>',
  '<x:element name="a" o:note="kept out" xmlns:o="urn:other"/>',
  '<x:element name="a" xml:lang="en"/>',
  "<!-- a comment --><?pi?>",
  '<x:element name="a" type=" x:int " nillable=" true "/>',
];

test.each(harmless)("%s is accepted without a diagnostic", (schema) => {
  expect(reports(resolveText(schema, "strict"))).toEqual([]);
});

test("an unknown attribute is reported at its position with a similar name", () => {
  const text = inSchema('<x:element name="a" nilable="true"/>');
  const found = resolve({ "a.xsd": text });
  expect(reports(found)).toEqual([
    `a.xsd:1:${text.indexOf("nilable") + 1} error xsd.misplaced-attribute: The attribute "nilable" is not allowed on this <x:element>.`,
  ]);
  expect(found.diagnostics.all[0]?.help).toBe("Did you mean nillable? With --lenient, the attribute is ignored.");
});

test("documentation is read from all its elements, without indentation", () => {
  const found = resolveText(
    '<x:element name="a"><x:annotation><x:documentation>\n   One\n     two.\n  </x:documentation><x:appinfo>not this</x:appinfo>' +
      "<x:documentation><b>Three</b></x:documentation></x:annotation></x:element>",
  );
  expect(found.schema.elements.get("{urn:a}a")?.documentation).toBe("One\ntwo.\n\nThree");
});

test("block and final of an element default to those of the schema", () => {
  const found = resolve({
    "a.xsd": inSchema(
      '<x:element name="a"/><x:element name="b" block="" final="extension"/>',
      'blockDefault="#all" finalDefault="restriction list"',
    ),
  });
  const sets = ["a", "b"].map((name) => {
    const element = found.schema.elements.get(`{urn:a}${name}`);
    return [[...(element?.block ?? [])].join(" "), [...(element?.final ?? [])].join(" ")];
  });
  expect(sets).toEqual([
    ["extension restriction substitution", "restriction"],
    ["", "extension"],
  ]);
});
