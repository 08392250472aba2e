import { expect, test } from "vitest";
import { kinds, reports, resolveText } from "./resolve-schemas.js";
import { nameOf, typeText } from "./show.js";

const simple = (inside: string) => `<x:simpleType name="T">${inside}</x:simpleType>`;
const restriction = (base: string, facets: string) => simple(`<x:restriction base="${base}">${facets}</x:restriction>`);

const types = [
  { given: restriction("x:int", '<x:maxInclusive value="9"/>'), want: "decimal maxInclusive=9" },
  {
    given: restriction("x:token", '<x:enumeration value=" red "/><x:enumeration value="dark  blue"/>'),
    want: "string enumeration=red enumeration=dark blue",
  },
  {
    given: restriction("x:string", '<x:pattern value="[A-Z]+"/><x:pattern value="\\d"/>'),
    want: "string pattern=[A-Z]+ pattern=\\d",
  },
  { given: restriction("x:string", '<x:whiteSpace value="collapse"/>'), want: "string whiteSpace=collapse" },
  { given: simple('<x:list itemType="x:int"/>'), want: "list of int" },
  {
    given: simple(
      '<x:union memberTypes="x:int x:date"><x:simpleType><x:restriction base="x:string"/></x:simpleType></x:union>',
    ),
    want: "int | date | T/member3",
  },
  {
    given: simple(
      '<x:restriction><x:simpleType><x:list itemType="x:int"/></x:simpleType><x:length value="2"/></x:restriction>',
    ),
    want: "list of int length=2",
  },
  { given: restriction("x:QName", '<x:enumeration value="t:a"/>'), want: "QName enumeration=t:a" },
  {
    given: restriction("x:duration", '<x:minInclusive value="P1D"/><x:maxExclusive value="P1M"/>'),
    want: "duration minInclusive=P1D maxExclusive=P1M",
  },
];

test.each(types)("$given is read as $want", ({ given, want }) => {
  const resolved = resolveText(given, "strict");
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe(want);
});

test("a restriction of a list is a list", () => {
  const { schema } = resolveText(
    '<x:simpleType name="L"><x:list itemType="x:int"/></x:simpleType><x:simpleType name="T"><x:restriction base="t:L"><x:maxLength value="2"/></x:restriction></x:simpleType>',
  );
  const type = schema.types.get("{urn:a}T");
  expect(type?.kind === "simpleType" && [type.variety, type.itemType?.builtin, nameOf(type.baseType)]).toEqual([
    "list",
    "int",
    "L",
  ]);
});

test("the names in an enumeration of QNames are expanded", () => {
  const { schema } = resolveText(restriction("x:QName", '<x:enumeration value="t:a"/>'));
  const type = schema.types.get("{urn:a}T");
  const [facet] = type?.kind === "simpleType" ? type.facets : [];
  expect(facet?.facet === "enumeration" && facet.name).toEqual({ namespace: "urn:a", local: "a" });
});

const refused = [
  { given: restriction("x:int", '<x:maxInclusive value="x"/>'), want: ["error xsd.facet-value"] },
  { given: restriction("x:int", '<x:minInclusive value="5"/><x:maxInclusive value="3"/>'), want: ["error xsd.facet"] },
  { given: restriction("x:int", '<x:minInclusive value="5"/><x:minExclusive value="3"/>'), want: ["error xsd.facet"] },
  { given: restriction("x:byte", '<x:maxInclusive value="200"/>'), want: ["error xsd.facet-value"] },
  { given: restriction("x:string", '<x:minLength value="5"/><x:maxLength value="3"/>'), want: ["error xsd.facet"] },
  { given: restriction("x:string", '<x:maxLength value="-1"/>'), want: ["error xsd.invalid-value"] },
  { given: restriction("x:string", '<x:minInclusive value="a"/>'), want: ["warning xsd.facet"] },
  { given: restriction("x:string", '<x:pattern value="(a"/>'), want: ["error xsd.pattern"] },
  {
    given: restriction("x:int", '<x:enumeration value="1"/><x:enumeration value="one"/>'),
    want: ["error xsd.facet-value"],
  },
  { given: restriction("x:date", '<x:enumeration value="2026-02-30"/>'), want: ["error xsd.facet-value"] },
  {
    given: restriction("x:decimal", '<x:totalDigits value="2"/><x:fractionDigits value="3"/>'),
    want: ["error xsd.facet"],
  },
  { given: restriction("x:token", '<x:whiteSpace value="preserve"/>'), want: ["error xsd.facet"] },
  { given: restriction("t:T", ""), want: ["error xsd.circular"] },
  { given: simple('<x:union memberTypes="x:int t:T"/>'), want: ["error xsd.circular"] },
  { given: simple('<x:list itemType="x:NMTOKENS"/>'), want: ["error xsd.base"] },
  { given: `<x:complexType name="C"/>${restriction("t:C", "")}`, want: ["error xsd.base"] },
  {
    given:
      '<x:simpleType name="F" final="list"><x:restriction base="x:int"/></x:simpleType><x:simpleType name="T"><x:list itemType="t:F"/></x:simpleType>',
    want: ["error xsd.final"],
  },
];

test.each(refused)("$given is refused: $want", ({ given, want }) => {
  expect(kinds(resolveText(given))).toEqual(want);
});

test("a report about a pattern has the position of the mistake", () => {
  expect(reports(resolveText(restriction("x:string", '<x:pattern value="ab(c"/>')))[0]).toMatch(
    /^a\.xsd:1:\d+ error xsd\.pattern: /,
  );
});

const values = [
  { type: "x:dateTime", good: "2026-11-20T19:00:00Z", bad: "2026-11-20" },
  { type: "x:time", good: "24:00:00", bad: "24:00:01" },
  { type: "x:gMonthDay", good: "--02-29", bad: "--02-30" },
  { type: "x:date", good: "2024-02-29", bad: "2023-02-29" },
  { type: "x:gYear", good: "-0044", bad: "0000" },
  { type: "x:duration", good: "-P1Y2M3DT4H5M6.7S", bad: "P1YT" },
  { type: "x:decimal", good: " +007.50 ", bad: "1e3" },
  { type: "x:integer", good: "007", bad: "7.0" },
  { type: "x:unsignedByte", good: "255", bad: "256" },
  { type: "x:double", good: "-INF", bad: "inf" },
  { type: "x:boolean", good: "1", bad: "True" },
  { type: "x:hexBinary", good: "0fB7", bad: "0fB" },
  { type: "x:base64Binary", good: "aGk=", bad: "aGk" },
  { type: "x:NMTOKENS", good: "a b", bad: "a b!" },
  { type: "x:language", good: "pt-PT", bad: "portuguese" },
  { type: "x:anyURI", good: "a b", bad: "%zz" },
];

test.each(values)("$good is a default of $type, and $bad is not", ({ type, good, bad }) => {
  const problems = (value: string) => kinds(resolveText(`<x:element name="e" type="${type}" default="${value}"/>`));
  expect(problems(good)).toEqual([]);
  expect(problems(bad)).toEqual(["error xsd.value"]);
});

test("more enumeration values than the limit are refused", () => {
  const many = Array.from({ length: 20_001 }, (_, index) => `<x:enumeration value="v${index}"/>`).join("");
  expect(kinds(resolveText(restriction("x:string", many)))).toEqual(["error limit.enumValues"]);
});

test("the facets of a type with an unknown base are not checked", () => {
  const unknown =
    '<x:simpleType name="U"><x:restriction base="t:No"><x:maxLength value="2"/></x:restriction></x:simpleType>';
  const derived =
    '<x:simpleType name="T"><x:restriction base="t:U"><x:pattern value="a"/></x:restriction></x:simpleType>';
  const content =
    '<x:complexType name="C"><x:simpleContent><x:extension base="t:No"/></x:simpleContent></x:complexType>';
  expect(kinds(resolveText(unknown + derived + content))).toEqual(["error xsd.unknown-type", "error xsd.unknown-type"]);
});
