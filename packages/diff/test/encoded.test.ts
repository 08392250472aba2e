import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { encodedOf } from "./pairs/encoded.js";
import { element, sequence } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";

const item = (name: string) =>
  `<complexType name="${name}"><sequence>${element("a")}</sequence></complexType>${sequence(element(`a:y:${name}`))}`;

function changesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after)).changes.map(
    ({ rule, subject, consequences, operations }) =>
      `${rule} ${subject}: ${Object.values(consequences).join(" ")}; ${operations.join(", ")}`,
  );
}

test("a renamed type is tolerated by clients of encoded messages", () => {
  expect(changesOf(encodedOf(item("A")), encodedOf(item("B")))).toEqual([
    "type-renamed B: tolerated tolerated breaks breaks; Put, Get",
  ]);
});

test("a renamed type is one change if only some operations have encoded messages", () => {
  const stateOf = (name: string): Sources => {
    const { "t.wsdl": text = "" } = encodedOf(item(name));
    return { "t.wsdl": text.replace(/(?<=urn:a\/Get.*)use="encoded"( namespace="\S+") \S+"/g, 'use="literal"$1') };
  };
  expect(changesOf(stateOf("A"), stateOf("B"))).toEqual([
    "type-renamed B: tolerated tolerated breaks breaks; Put, Get",
  ]);
});

test("the namespace of types is not in literal messages without qualified names", () => {
  const stateOf = (namespace: string, use: "encoded" | "literal") => encodedOf(item("A"), { namespace, use });
  expect(changesOf(stateOf("urn:y1", "literal"), stateOf("urn:y2", "literal"))).toEqual([]);
  expect(changesOf(stateOf("urn:y1", "encoded"), stateOf("urn:y2", "encoded"))).toEqual([
    "namespace-changed urn:y2: tolerated tolerated none none; Put, Get",
  ]);
});
