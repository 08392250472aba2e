import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { encodedOf } from "./pairs/encoded.js";
import { element, sequence } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { findWrongLevels } from "./proof/worst-levels.js";

/** A type `V`, and some of its values. */
interface Version {
  readonly type: string;
  readonly values: readonly unknown[];
}

const parts = `<complexType name="N"><sequence>${element("x")}</sequence></complexType>`;
const arrayOf = (type: string) =>
  `<complexType name="V"><complexContent><restriction base="enc:Array"><attribute ref="enc:arrayType" w:arrayType="${type}[]"/></restriction></complexContent></complexType>`;
const recordOf = (...members: readonly string[]) =>
  `<complexType name="V"><sequence>${members.join("")}</sequence></complexType>`;
const choiceOf = (...members: readonly string[]) =>
  `<complexType name="V"><choice>${members.join("")}</choice></complexType>`;

const arrays: readonly Version[] = [
  { type: arrayOf("string"), values: [[], ["x"], ["5", "6"]] },
  { type: arrayOf("int"), values: [[], [5], [5, 6]] },
  { type: arrayOf("y:N"), values: [[], [{ x: "t" }], [{ x: "t" }, { x: "u" }]] },
];
const others: readonly Version[] = [
  { type: recordOf(element("item*")), values: [{}, { item: ["x"] }, { item: ["5", "6"] }] },
  { type: recordOf(element("item+")), values: [{ item: ["x"] }, { item: ["5", "6"] }] },
  { type: recordOf(element("item?")), values: [{}, { item: "x" }, { item: "5" }] },
  { type: recordOf(element("item")), values: [{ item: "x" }, { item: "5" }] },
  { type: recordOf(element("item", 'nillable="true"')), values: [{ item: null }, { item: "x" }, { item: "5" }] },
  { type: recordOf(element("item*:int")), values: [{}, { item: [5] }, { item: [5, 6] }] },
  { type: recordOf(element("item*:y:N")), values: [{}, { item: [{ x: "t" }, { x: "u" }] }] },
  { type: recordOf(element("other*")), values: [{}, { other: ["x"] }, { other: ["5", "6"] }] },
  { type: recordOf(element("other")), values: [{ other: "x" }, { other: "5" }] },
  { type: recordOf(element("item*"), element("x?")), values: [{ item: ["5"], x: "x" }, { item: ["x"] }, { x: "5" }] },
  { type: recordOf(element("item*"), element("x:int")), values: [{ item: ["x"], x: 5 }, { x: 5 }] },
  { type: recordOf(element("item?"), element("x:y:N")), values: [{ item: "x", x: { x: "t" } }, { x: { x: "t" } }] },
  { type: recordOf(), values: [{}] },
  { type: choiceOf(element("item"), element("x")), values: [{ item: "x" }, { x: "5" }, { item: "5" }] },
  { type: choiceOf(element("item*"), element("x")), values: [{}, { item: ["x", "y"] }, { x: "5" }] },
  {
    type: `<complexType name="V"><sequence>${element("item*")}</sequence><attribute name="p" type="string"/></complexType>`,
    values: [{}, { item: ["x"], p: "q" }, { item: ["5"] }],
  },
  {
    type: `<complexType name="V"><sequence>${element("item*")}</sequence><attribute name="p" type="string" use="required"/></complexType>`,
    values: [{ p: "q" }, { item: ["x"], p: "q" }, { item: ["5"], p: "q" }],
  },
  { type: '<simpleType name="V"><restriction base="string"/></simpleType>', values: ["", "x", "5"] },
  { type: '<simpleType name="V"><restriction base="int"/></simpleType>', values: [5, 6] },
  {
    type: '<complexType name="V"><simpleContent><extension base="string"/></simpleContent></complexType>',
    values: [{ value: "" }, { value: "x" }],
  },
  {
    type: '<complexType name="V"><simpleContent><extension base="int"><attribute name="p" type="string"/></extension></simpleContent></complexType>',
    values: [{ value: 5 }, { value: 6, p: "q" }],
  },
];
const pairs = arrays.flatMap((array) => others.map((other) => [array, other] as const));

const sideWith = (type: string) => sideOf(encodedOf(parts + type + sequence(element("a:y:V"))));
const isObject = (value: unknown) => typeof value === "object" && value !== null;
const hasItem = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : !isObject(value) || (value as { item?: unknown }).item != null;

test.each(pairs)("arrays and other types affect clients as calls show: %#", async (array, other) => {
  const [left, right] = [sideWith(array.type), sideWith(other.type)];
  // A change of items breaks the calls that contain items.
  const breaksItems = diffContracts(left, right).changes.some(
    ({ subject, consequences }) =>
      subject.endsWith("(items)") && [consequences.oldClients, consequences.newClients].includes("breaks"),
  );
  const [ofArray, ofOther] = [array, other].map(({ values }) =>
    values.filter((value) => !breaksItems || hasItem(value)).map((a) => ({ a })),
  );
  const found = [
    ...(await findWrongLevels([left, right], { old: ofArray ?? [], new: ofOther ?? [] })),
    ...(await findWrongLevels([right, left], { old: ofOther ?? [], new: ofArray ?? [] })),
  ];
  expect([array.type, other.type, ...found]).toEqual([array.type, other.type]);
});

test("elements with the name of an array's items have the same messages", () => {
  const { changes } = diffContracts(sideWith(arrayOf("string")), sideWith(recordOf(element("item*"))));
  expect(changes.map(({ rule, direction, consequences }) => [rule, direction, ...Object.values(consequences)])).toEqual(
    [
      ["type-changed", "input", "none", "none", "breaks", "breaks"],
      ["type-changed", "output", "none", "none", "breaks", "breaks"],
    ],
  );
});
