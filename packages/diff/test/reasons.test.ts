import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { keywordPairs } from "./pairs/keywords.js";
import { movedPairs } from "./pairs/moved.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { serviceOf } from "./pairs/service.js";
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

test("handlers of the only service need no code for a second one", () => {
  const { "s.wsdl": text = "" } = serviceOf();
  const second =
    '<service name="Other"><port name="other" binding="t:soap11"><soap:address location="http://o.example/o"/></port></service>';
  const after = { "s.wsdl": text.replace("</definitions>", `${second}</definitions>`) };
  const { changes } = diffContracts(sideOf(serviceOf()), sideOf(after));
  expect(changes.map(({ rule, consequences }) => `${rule} ${consequences.handlers}`)).toContain("service-added none");
  expect(changes.flatMap(findContradictions)).toEqual([]);
});

test("a group whose kind changed is not said to have a name in messages", () => {
  const typeOf = (kind: string) =>
    wsdlOf(
      `<complexType name="T"><${kind} minOccurs="0" maxOccurs="unbounded">${element("a:string")}${element("b:int")}</${kind}></complexType>`,
    );
  const { changes } = diffContracts(sideOf(typeOf("choice")), sideOf(typeOf("sequence")));
  const reasons = changes.filter(({ rule }) => rule === "member-key-changed").map(({ reason }) => reason);
  expect(reasons.join()).toContain("that of a group of elements on the kind of the group");
  expect(reasons.join()).not.toMatch(/name in messages is unchanged|was added or removed/);
});
