import { expect, test } from "vitest";
import { inSchema, kinds, reports, resolve, resolveText } from "./resolve-schemas.js";
import { elementOf, typeText } from "./show.js";

test("a particle that refers to a group contains the group and its model group", () => {
  const resolved = resolveText(
    '<x:group name="G"><x:sequence><x:element name="a"/></x:sequence></x:group>' +
      '<x:complexType name="T"><x:sequence><x:group ref="t:G" minOccurs="0"/><x:element name="b"/></x:sequence></x:complexType>',
  );
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe("((a)?, b)");
  const type = resolved.schema.types.get("{urn:a}T");
  if (
    type?.kind !== "complexType" ||
    type.content.kind !== "elements" ||
    type.content.particle.term.kind !== "modelGroup"
  ) {
    throw new Error("no elements");
  }
  const group = resolved.schema.groups.get("{urn:a}G");
  expect(type.content.particle.term.particles[0]?.group).toBe(group);
  expect(type.content.particle.term.particles[0]?.term).toBe(group?.modelGroup);
});

const wildcards = [
  { declared: "##any", group: "##other", want: "empty @*{not urn:a}" },
  { declared: "##other", group: "##other", want: "empty @*{not urn:a}" },
  { declared: "urn:b urn:c", group: "##other", want: "empty @*{urn:b urn:c}" },
  { declared: "urn:b ##local", group: "##other", want: "empty @*{urn:b}" },
];

test.each(wildcards)(
  "attribute wildcards $declared and, in a group, $group allow what both allow",
  ({ declared, group, want }) => {
    const resolved = resolveText(
      `<x:attributeGroup name="G"><x:anyAttribute namespace="${group}"/></x:attributeGroup>` +
        `<x:complexType name="T"><x:attributeGroup ref="t:G"/><x:anyAttribute namespace="${declared}"/></x:complexType>`,
    );
    expect(reports(resolved)).toEqual([]);
    expect(typeText(resolved.schema, "T")).toBe(want);
  },
);

const group = '<x:attributeGroup name="G"><x:attribute name="p"/></x:attributeGroup>';
const otherGroup = '<x:attributeGroup name="H"><x:attributeGroup ref="t:G"/></x:attributeGroup>';
const base = '<x:complexType name="B"><x:attributeGroup ref="t:G"/></x:complexType>';
const reference = '<x:attributeGroup ref="t:G"/>';

// The attribute uses of a type are a set, so the same use cannot be in it twice (Part 1 §3.4.2). Two uses with the same
// name are XSD046.
test.each([
  { what: "referenced twice", given: `${reference}${reference}` },
  { what: "also part of another group", given: `${reference}<x:attributeGroup ref="t:H"/>` },
  {
    what: "also part of the base",
    given: `<x:complexContent><x:extension base="t:B">${reference}</x:extension></x:complexContent>`,
  },
])("the attributes of a group that is $what are declared once", ({ given }) => {
  const resolved = resolveText(`${group}${otherGroup}${base}<x:complexType name="T">${given}</x:complexType>`);
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe("empty @p?");
});

const unions = [
  { base: "##other", declared: "##any", want: "empty @*" },
  { base: "urn:b", declared: "urn:c", want: "empty @*{urn:c urn:b}" },
  { base: "##other", declared: "##targetNamespace", want: "empty @*{not absent}" },
  { base: "##other", declared: "##targetNamespace ##local", want: "empty @*" },
];

test.each(unions)(
  "an extension by the wildcard $declared of $base allows what either allows",
  ({ base, declared, want }) => {
    const resolved = resolveText(
      `<x:complexType name="B"><x:anyAttribute namespace="${base}"/></x:complexType>` +
        `<x:complexType name="T"><x:complexContent><x:extension base="t:B"><x:anyAttribute namespace="${declared}"/></x:extension></x:complexContent></x:complexType>`,
    );
    expect(reports(resolved)).toEqual([]);
    expect(typeText(resolved.schema, "T")).toBe(want);
  },
);

test("the substitutes of a head include indirect members, but not abstract or blocked ones", () => {
  const extended =
    '<x:complexType name="E"><x:complexContent><x:extension base="t:B"/></x:complexContent></x:complexType><x:complexType name="B"/>';
  const { schema, diagnostics } = resolveText(
    `${extended}<x:element name="h" type="t:B"/><x:element name="m" abstract="true" substitutionGroup="t:h"/>` +
      '<x:element name="n" type="t:E" substitutionGroup="t:m"/><x:element name="o" substitutionGroup="t:h"/>' +
      '<x:element name="blocked" type="t:B" block="extension"/><x:element name="p" type="t:E" substitutionGroup="t:blocked"/>',
  );
  expect(diagnostics.all).toEqual([]);
  const names = (head: string) => elementOf(schema, head).substitutes.map(({ name }) => name.local);
  expect(names("h")).toEqual(["n", "o"]);
  expect(names("m")).toEqual(["n"]);
  expect(names("blocked")).toEqual([]);
  expect(elementOf(schema, "o").type).toBe(schema.types.get("{urn:a}B"));
});

const problems = [
  {
    fact: "a group in itself",
    given: '<x:group name="G"><x:sequence><x:group ref="t:G"/></x:sequence></x:group>',
    want: ["error xsd.circular"],
  },
  {
    fact: "a group in itself by another",
    given:
      '<x:group name="G"><x:sequence><x:group ref="t:H"/></x:sequence></x:group><x:group name="H"><x:choice><x:group ref="t:G"/></x:choice></x:group>',
    want: ["error xsd.circular"],
  },
  {
    fact: "an attribute group in itself",
    given: '<x:attributeGroup name="G"><x:attributeGroup ref="t:G"/></x:attributeGroup>',
    want: ["error xsd.circular"],
  },
  {
    fact: "a head in its own substitution group",
    given: '<x:element name="a" substitutionGroup="t:b"/><x:element name="b" substitutionGroup="t:a"/>',
    want: ["error xsd.circular"],
  },
  {
    fact: "a member of another type than its head",
    given: '<x:element name="h" type="x:int"/><x:element name="m" type="x:date" substitutionGroup="t:h"/>',
    want: ["error xsd.substitution"],
  },
  {
    fact: "an all in a sequence",
    given:
      '<x:group name="G"><x:all><x:element name="a"/></x:all></x:group><x:complexType name="T"><x:sequence><x:group ref="t:G"/></x:sequence></x:complexType>',
    want: ["error xsd.all"],
  },
  {
    fact: "an extension of an all",
    given:
      '<x:complexType name="B"><x:all><x:element name="a"/></x:all></x:complexType><x:complexType name="T"><x:complexContent>' +
      '<x:extension base="t:B"><x:sequence><x:element name="b"/></x:sequence></x:extension></x:complexContent></x:complexType>',
    want: ["warning xsd.all"],
  },
];

test.each(problems)("$fact is reported, and the schema is complete", ({ given, want }) => {
  expect(kinds(resolveText(given))).toEqual(want);
});

const chains = [
  {
    fact: "types",
    limited: true,
    item: (index: number) =>
      `<x:complexType name="T${index}"><x:complexContent><x:extension base="t:T${index + 1}"/></x:complexContent></x:complexType>`,
    last: '<x:complexType name="T5000"/>',
  },
  {
    fact: "simple types",
    limited: true,
    item: (index: number) => `<x:simpleType name="T${index}"><x:restriction base="t:T${index + 1}"/></x:simpleType>`,
    last: '<x:simpleType name="T5000"><x:restriction base="x:int"/></x:simpleType>',
  },
  {
    fact: "groups",
    limited: true,
    item: (index: number) =>
      `<x:group name="T${index}"><x:sequence><x:group ref="t:T${index + 1}"/></x:sequence></x:group>`,
    last: '<x:group name="T5000"><x:sequence/></x:group>',
  },
  {
    fact: "attribute groups",
    limited: false,
    item: (index: number) =>
      `<x:attributeGroup name="T${index}"><x:attributeGroup ref="t:T${index + 1}"/></x:attributeGroup>`,
    last: '<x:attributeGroup name="T5000"/>',
  },
  {
    fact: "elements",
    limited: true,
    item: (index: number) => `<x:element name="T${index}" substitutionGroup="t:T${index + 1}"/>`,
    last: '<x:element name="T5000"/>',
  },
];

test.each(chains)("a chain of 5,000 $fact ends without recursion", ({ item, last, limited }) => {
  const text = Array.from({ length: 5_000 }, (_, index) => item(index)).join("") + last;
  const resolved = resolve({ "a.xsd": inSchema(text) });
  expect([...new Set(kinds(resolved))]).toEqual(limited ? ["error limit.inheritance"] : []);
});

test("groups that are nested too deep are refused", () => {
  const nested = (inner: string) => `${"<x:sequence>".repeat(200)}${inner}${"</x:sequence>".repeat(200)}`;
  const groups = Array.from({ length: 4 }, (_, index) => {
    const inner = index === 0 ? '<x:element name="a"/>' : `<x:group ref="t:G${index - 1}"/>`;
    return `<x:group name="G${index}">${nested(inner)}</x:group>`;
  });
  expect(kinds(resolveText(groups.join("")))).toEqual(["error limit.particles"]);
});
