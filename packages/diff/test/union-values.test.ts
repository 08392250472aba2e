import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";

// A union is compared as a whole: values may move from one of its member types to another.

const enumeration = (name: string, base: string, ...values: readonly string[]) =>
  `<simpleType name="${name}"><restriction base="${base}">${values.map((value) => `<enumeration value="${value}"/>`).join("")}</restriction></simpleType>`;
const words = (name: string, ...values: readonly string[]) => enumeration(name, "string", ...values);
const union = (name: string, members: string) =>
  `<simpleType name="${name}"><union memberTypes="${members}"/></simpleType>`;
const range = (name: string, least: number, greatest: number) =>
  `<simpleType name="${name}"><restriction base="int"><minInclusive value="${least}"/><maxInclusive value="${greatest}"/></restriction></simpleType>`;
const element = sequence('<element name="a" type="t:U"/>');
const attribute = '<complexType name="T"><attribute name="a" type="t:U" use="required"/></complexType>';

interface UnionCase {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** The changes in requests, each with the consequences for old and new clients, callers and handlers. */
  readonly want: readonly string[];
}

const cases: readonly UnionCase[] = [
  {
    title: "a value moves to another member type",
    before: union("U", "t:E1 t:E2") + words("E1", "a", "b") + words("E2", "c"),
    after: union("U", "t:E1 t:E2") + words("E1", "a") + words("E2", "c", "b"),
    want: [
      "E1: An enumeration has fewer values (b). none none some some",
      "E2: An enumeration has more values (b). none none some some",
    ],
  },
  {
    title: "a value of two member types remains in one of them",
    before: union("U", "t:E1 t:E2") + words("E1", "a", "b") + words("E2", "b", "c"),
    after: union("U", "t:E1 t:E2") + words("E1", "a") + words("E2", "b", "c"),
    want: ["E1: An enumeration has fewer values (b). none none some some"],
  },
  {
    title: "one value moves and another one is new",
    before: union("U", "t:E1 t:E2") + words("E1", "a", "b") + words("E2", "c"),
    after: union("U", "t:E1 t:E2") + words("E1", "a") + words("E2", "c", "b", "d"),
    want: [
      "E1: An enumeration has fewer values (b). none none some some",
      "E2: An enumeration has more values (b | d). none none some some",
      "U: An enumeration has more values (d). none some some some",
    ],
  },
  {
    title: "a value moves into a nested union",
    before:
      union("U", "t:V t:E3") + union("V", "t:E1 t:E2") + words("E1", "a") + words("E2", "c") + words("E3", "b", "x"),
    after:
      union("U", "t:V t:E3") + union("V", "t:E1 t:E2") + words("E1", "a", "b") + words("E2", "c") + words("E3", "x"),
    want: [
      "E1: An enumeration has more values (b). none none some some",
      "E3: An enumeration has fewer values (b). none none some some",
    ],
  },
  {
    title: "ranges that overlap accept the same numbers",
    before: union("U", "t:R1 t:R2") + range("R1", 0, 9) + range("R2", 5, 20),
    after: union("U", "t:R1 t:R2") + range("R1", 0, 4) + range("R2", 5, 20),
    want: [],
  },
  {
    title: "a value moves to a member type that reads it as a number",
    before: union("U", "t:E1 t:E2") + words("E1", "a", "1") + enumeration("E2", "int", "2"),
    after: union("U", "t:E1 t:E2") + words("E1", "a") + enumeration("E2", "int", "2", "1"),
    want: [
      "U: An enumeration has fewer values (1). tolerated none breaks some",
      "U: An enumeration has more values (1). none tolerated some some",
    ],
  },
];

const inputsOf = (types: string, text: string) => sideOf(wsdlOf(types + text));

describe.each([
  ["element", element],
  ["attribute", attribute],
])("in an %s", (_kind, member) => {
  test.each(cases)("$title", ({ before, after, want }) => {
    for (const [direction, order] of [
      ["input", [0, 1, 2, 3]],
      ["output", [1, 0, 3, 2]],
    ] as const) {
      const { changes } = diffContracts(inputsOf(before, member), inputsOf(after, member));
      const found = changes
        .filter((change) => change.direction === direction)
        .map(({ message, consequences: { oldClients, newClients, callers, handlers } }) => {
          const levels = [oldClients, newClients, callers, handlers];
          return [message, ...order.map((index) => levels[index])].join(" ");
        });
      expect(found.sort()).toEqual(want);
    }
  });
});
