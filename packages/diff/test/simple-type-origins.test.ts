import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, restricted, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";

const enumeration = (name: string, ...values: readonly string[]) =>
  `<simpleType name="${name}"><restriction base="string">${values.map((value) => `<enumeration value="${value}"/>`).join("")}</restriction></simpleType>`;
const union = (...types: readonly string[]) =>
  `<simpleType name="U"><union memberTypes="${types.join(" ")}"/></simpleType>`;
const list = '<simpleType name="States"><list itemType="t:State"/></simpleType>';
const limited = (most: number) =>
  `<simpleType name="Limit"><restriction base="int"><maxInclusive value="${most}"/></restriction></simpleType><simpleType name="Positive"><restriction base="t:Limit"><minInclusive value="1"/></restriction></simpleType>`;
const inUnion = (...values: readonly string[]) =>
  `${enumeration("Code", ...values)}${union("int", "t:Code")}${sequence(element("a:t:U"))}`;
const inTextUnion = (...values: readonly string[]) =>
  `${enumeration("Code", ...values)}${union("int", "string", "t:Code")}${sequence(element("a:t:U"))}`;
const inList = (...values: readonly string[]) =>
  `${enumeration("State", ...values)}${list}${sequence(element("a:t:State"), element("b:t:States"))}`;
const inAnonymous = (...values: readonly string[]) =>
  `${enumeration("State", ...values)}${sequence(`<element name="a"><simpleType><list><simpleType><union memberTypes="int t:State"/></simpleType></list></simpleType></element>`)}`;

test.each([
  {
    title: "a value of an enumeration in a union",
    before: inUnion("SPRING", "FALL"),
    after: inUnion("SPRING", "FALL", "WINTER"),
    added: ["enum-value-added Code none some some some"],
    removed: ["enum-value-removed Code some none breaks some"],
  },
  {
    title: "a value of an enumeration in a union of all texts",
    before: inTextUnion("SPRING", "FALL"),
    after: inTextUnion("SPRING", "FALL", "WINTER"),
    // The union reads the value as a text in both versions. Code that names the type Code may no longer compile.
    added: ["enum-value-added Code none none some some"],
    removed: ["enum-value-removed Code none none some some"],
  },
  {
    title: "a value of an enumeration that is also the item type of a list",
    before: inList("new", "paid"),
    after: inList("new", "paid", "lost"),
    added: ["enum-value-added State none some some some"],
    removed: ["enum-value-removed State some none breaks some"],
  },
  {
    title: "a value of an enumeration in an anonymous list",
    before: inAnonymous("new", "paid"),
    after: inAnonymous("new", "paid", "lost"),
    added: ["enum-value-added State none some some some"],
    removed: ["enum-value-removed State some none breaks some"],
  },
  {
    title: "a bound of a base type",
    before: `${limited(8)}${sequence(element("a:t:Limit"), element("b:t:Positive"))}`,
    after: `${limited(9)}${sequence(element("a:t:Limit"), element("b:t:Positive"))}`,
    added: ["range-loosened Limit none some none none"],
    removed: ["range-tightened Limit some none none none"],
  },
  {
    title: "an enumeration that a union of another enumeration gains",
    before: `${enumeration("A", "x")}${enumeration("B", "y")}${union("int", "t:A")}${sequence(element("a:t:U"))}`,
    after: `${enumeration("A", "x")}${enumeration("B", "y")}${union("int", "t:A", "t:B")}${sequence(element("a:t:U"))}`,
    added: ["union-member-added U none some none breaks"],
    // The name B is no longer exported.
    removed: ["union-member-removed U some none breaks breaks"],
  },
])("$title is one change, of the type that declares it", ({ before, after, added, removed }) => {
  const list = (oldText: string, newText: string) =>
    diffContracts(sideOf(wsdlOf(oldText)), sideOf(wsdlOf(newText)))
      .changes.filter(({ direction }) => direction === "input")
      .map(({ rule, subject, consequences }) => [rule, subject, ...Object.values(consequences)].join(" "));
  expect(list(before, after)).toEqual(added);
  expect(list(after, before)).toEqual(removed);
});

test("a renamed type in a union or a list is reported with the operations that use it", () => {
  const withName = (name: string) => sideOf(wsdlOf(inUnion("SPRING").replaceAll("Code", name)));
  const { changes } = diffContracts(withName("CouponCode"), withName("VoucherCode"));
  expect(changes.map(({ rule, before, after, operations }) => [rule, before, after, operations])).toEqual([
    ["type-renamed", "CouponCode", "VoucherCode", ["Put", "Get"]],
  ]);
});

test.each([
  [["length=16"], ["minLength=15", "maxLength=19"], ["length-loosened length 16 → minLength 15, maxLength 19"]],
  [["length=16"], [], ["length-loosened length 16 → length none"]],
  [["length=16"], ["maxLength=16"], ["length-loosened minLength 16 → minLength none"]],
  [["maxLength=20"], ["length=16"], ["length-tightened maxLength 20 → length 16"]],
  [
    ["minLength=3", "maxLength=5"],
    ["minLength=2", "maxLength=6"],
    ["length-loosened maxLength 5 → maxLength 6", "length-loosened minLength 3 → minLength 2"],
  ],
  [
    ["length=16"],
    ["length=17"],
    ["length-loosened maxLength 16 → maxLength 17", "length-tightened minLength 16 → minLength 17"],
  ],
])("an exact length is one limit: %s became %s", (before, after, want) => {
  const limited = (facets: readonly string[]) => sideOf(wsdlOf(restricted("string", ...facets)));
  const { changes } = diffContracts(limited(before), limited(after));
  const found = changes
    .filter(({ direction }) => direction === "input")
    .map((change) => `${change.rule} ${change.before} → ${change.after}`);
  expect(found.sort()).toEqual(want);
});
