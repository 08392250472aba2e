import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";

const types = `<simpleType name="Word"><restriction base="string"><enumeration value="5"/><enumeration value="x"/></restriction></simpleType>
  <simpleType name="Place"><restriction base="string"><enumeration value="x"/><enumeration value="y"/></restriction></simpleType>`;
const sideOfUnion = (members: string) =>
  sideOf(
    wsdlOf(
      `${types}<simpleType name="U"><union memberTypes="${members}"/></simpleType>${sequence('<element name="a" type="t:U"/>')}`,
    ),
  );

/** Returns the messages about the order of a union, with the consequences for old and new clients in requests. */
function effectsOf(before: string, after: string) {
  return diffContracts(sideOfUnion(before), sideOfUnion(after))
    .changes.filter(({ rule, direction }) => rule === "union-order-changed" && direction === "input")
    .map(({ message, consequences: { oldClients, newClients } }) => `${message} ${oldClients} ${newClients}`);
}

test("a text that becomes a number because of the order of a union is a loss for readers", () => {
  expect(effectsOf("t:Word int", "int t:Word")).toEqual([
    "U: The order of a union's member types changed (5 | x, int → int, 5 | x). tolerated tolerated",
  ]);
  expect(effectsOf("int t:Word", "t:Word int")).toEqual([
    "U: The order of a union's member types changed (int, 5 | x → 5 | x, int). tolerated tolerated",
  ]);
});

test("the order of member types that share no text is not reported", () => {
  expect(effectsOf("t:Place int", "int t:Place")).toEqual([]);
});
