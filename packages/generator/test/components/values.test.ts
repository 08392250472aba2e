import { expect, test } from "vitest";
import { kinds, resolveText } from "./resolve-schemas.js";

// XML Schema 1.0 Part 2, second edition: the generator checks values as generated code does.

interface Case {
  readonly fact: string;
  readonly base: string;
  readonly facets?: string;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const cases: readonly Case[] = [
  {
    fact: "§3.2.7: -0001 is 1 BCE, a leap year",
    base: "x:date",
    good: ["-0001-02-29", "-0005-02-29"],
    bad: ["-0004-02-29"],
  },
  {
    fact: "§3.2.3: the limit on digits, 4,096, is also the runtime's",
    base: "x:decimal",
    good: ["1".repeat(4096)],
    bad: ["1".repeat(5001)],
  },
  { fact: "§3.2.17: a percent sign begins an escape", base: "x:anyURI", good: ["%20"], bad: ["%zz"] },
  {
    fact: "§3.2.7.4: seconds are compared with all of their decimals",
    base: "x:dateTime",
    facets: '<x:minExclusive value="2026-01-01T00:00:00.00000001Z"/>',
    good: ["2026-01-01T00:00:00.00000002Z"],
    bad: ["2026-01-01T00:00:00.00000001Z", "2026-01-01T00:00:00Z"],
  },
  {
    fact: "§3.2.8.2: 24:00:00 is midnight, 00:00:00",
    base: "x:time",
    facets: '<x:enumeration value="00:00:00"/>',
    good: ["24:00:00"],
    bad: ["23:59:59"],
  },
  {
    fact: "§3.2.4: NaN is incomparable with every other value, so that bounds exclude it",
    base: "x:double",
    facets: '<x:minInclusive value="0"/>',
    good: ["INF"],
    bad: ["NaN"],
  },
  {
    fact: "§3.2.4: NaN equals itself",
    base: "x:double",
    facets: '<x:minInclusive value="NaN"/>',
    good: ["NaN"],
    bad: ["INF"],
  },
  {
    fact: "§3.2.4: there is only one zero",
    base: "x:float",
    facets: '<x:enumeration value="0"/>',
    good: ["-0", "0E5"],
    bad: ["1"],
  },
];

test.each(cases)("default values by XML Schema Part 2: $fact", ({ base, facets = "", good, bad }) => {
  const type = `<x:simpleType name="T"><x:restriction base="${base}">${facets}</x:restriction></x:simpleType>`;
  const problems = (value: string) => kinds(resolveText(`${type}<x:element name="e" type="t:T" default="${value}"/>`));
  expect(good.filter((text) => problems(text).length > 0)).toEqual([]);
  expect(bad.filter((text) => problems(text).join() !== "error xsd.value")).toEqual([]);
});

test("enumerated QNames are compared by namespace, whatever their prefixes", () => {
  const type =
    '<x:simpleType name="T"><x:restriction base="x:QName"><x:enumeration value="t:a"/></x:restriction></x:simpleType>';
  const problems = (value: string) =>
    kinds(resolveText(`${type}<x:element name="e" type="t:T" default="${value}" xmlns:u="urn:a" xmlns:v="urn:v"/>`));
  expect(problems("u:a")).toEqual([]);
  expect(problems("v:a")).toEqual(["error xsd.value"]);
  expect(problems("w:a")).toEqual(["error xsd.value"]);
});

test("an exclusive bound may equal the exclusive bound of the base, although the base does not contain that value (§4.3.8.4)", () => {
  const step = (name: string, base: string) =>
    `<x:simpleType name="${name}"><x:restriction base="${base}"><x:maxExclusive value="9"/></x:restriction></x:simpleType>`;
  expect(
    kinds(
      resolveText(
        `${step("A", "x:decimal")}${step("T", "t:A")}<x:element name="e" type="t:T" default="8.9"/>`,
        "strict",
      ),
    ),
  ).toEqual([]);
});

test("a restriction may write the fixed value of its base in another way (Part 1 §3.4.6, §3.9.6)", () => {
  const type = (name: string, content: string, element: string, attribute: string) =>
    `<x:complexType name="${name}">${content}<x:sequence><x:element name="e" type="x:int" fixed="${element}"/></x:sequence>` +
    `<x:attribute name="a" type="x:boolean" fixed="${attribute}"/>`;
  const base = `${type("B", "", "1", "true")}</x:complexType>`;
  const restricted = (element: string, attribute: string) =>
    type("R", '<x:complexContent><x:restriction base="t:B">', element, attribute) +
    "</x:restriction></x:complexContent></x:complexType>";
  const problems = (element: string, attribute: string) =>
    kinds(resolveText(`${base}${restricted(element, attribute)}`, "strict"));
  expect(problems("01", "1")).toEqual([]);
  expect(problems("2", "1")).toEqual(["error xsd.restriction"]);
  expect(problems("01", "0")).toEqual(["error xsd.restriction"]);
});
