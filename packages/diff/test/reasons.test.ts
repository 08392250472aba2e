import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { keywordPairs } from "./pairs/keywords.js";
import { movedPairs } from "./pairs/moved.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";

// The tests of the other pairs, of edits and of random edits also look for contradictions.

test("no sentence about a keyword or a moved declaration contradicts the consequences", () => {
  const found = [...keywordPairs, ...movedPairs].flatMap((pair) => {
    const [oldSide, newSide] = [sideOf(pair.old), sideOf(pair.new)];
    return [...diffContracts(oldSide, newSide).changes, ...diffContracts(newSide, oldSide).changes];
  });
  expect(found.length).toBeGreaterThan(0);
  expect([...new Set(found.flatMap(findContradictions))]).toEqual([]);
});

test("a required member that may be nil is read as nil if it is absent", () => {
  const typeWith = (attributes: string) => wsdlOf(sequence(element("a:string", `nillable="true" ${attributes}`)));
  const { changes } = diffContracts(sideOf(typeWith('minOccurs="0"')), sideOf(typeWith("")));
  expect(new Set(changes.map(({ rule, reason }) => `${rule}: ${reason}`))).toEqual(
    new Set(["member-became-required: The new reader reads an absent member as nil."]),
  );
});

test("no entry about an added attribute mentions the order of elements", () => {
  const typeWith = (more: string) =>
    wsdlOf(`<complexType name="T"><sequence>${element("a:string")}</sequence>${more}</complexType>`);
  const { changes } = diffContracts(sideOf(typeWith("")), sideOf(typeWith('<attribute name="b" type="string"/>')));
  expect(changes.map(({ rule }) => rule)).toContain("member-added-optional");
  expect(changes.map(({ strictPeers }) => strictPeers).join()).not.toContain("order");
});
