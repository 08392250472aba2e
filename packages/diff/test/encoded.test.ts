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

test("a member with another type of the same structure is a change of encoded messages", () => {
  const stateOf = (type: string, use: "encoded" | "literal") => {
    const types = ["A", "B"].map(
      (name) => `<complexType name="${name}"><sequence>${element("a")}</sequence></complexType>`,
    );
    const members = [element(`a:y:${type}`), element("b:y:A"), element("c:y:B")];
    return encodedOf(`${types.join("")}${sequence(...members)}`, { use });
  };
  expect(changesOf(stateOf("A", "literal"), stateOf("B", "literal"))).toEqual([]);
  expect(changesOf(stateOf("A", "encoded"), stateOf("B", "encoded"))).toEqual([
    "type-renamed B: tolerated tolerated none none; Put, Get",
  ]);
});

test("the name of a simple type that replaced an equal one is a change of encoded elements", () => {
  const stateOf = (type: string, use: "encoded" | "literal", kind = "element") => {
    const named = '<simpleType name="Number"><restriction base="int"/></simpleType>';
    const member = kind === "element" ? element(`a:${type}`) : "";
    const attribute = kind === "attribute" ? `<attribute name="a" type="${type}"/>` : "";
    const other = element("b:y:Number");
    return encodedOf(`${named}<complexType name="T"><sequence>${member}${other}</sequence>${attribute}</complexType>`, {
      use,
    });
  };
  const change = "type-renamed T.a: tolerated tolerated none none; Put, Get";
  expect(changesOf(stateOf("int", "encoded"), stateOf("y:Number", "encoded"))).toEqual([change]);
  expect(changesOf(stateOf("y:Number", "encoded"), stateOf("int", "encoded"))).toEqual([change]);
  expect(changesOf(stateOf("int", "literal"), stateOf("y:Number", "literal"))).toEqual([]);
  // Attributes do not contain the name of their type.
  expect(changesOf(stateOf("int", "encoded", "attribute"), stateOf("y:Number", "encoded", "attribute"))).toEqual([]);
});

test("a type with the same name in code does not change the code of messages whose style changed", () => {
  const stateOf = (type: string, style: "rpc" | "document") => {
    const elements = [
      ["Put", "PutIn", element("value:y:T")],
      ["PutResponse", "PutOut", ""],
      ["Get", "GetIn", ""],
      ["GetResponse", "GetOut", element("value:y:T")],
    ] as const;
    const isDocument = style === "document";
    const declarations = elements.map(
      ([name, , members]) =>
        `<element name="${name}"><complexType><sequence>${members}</sequence></complexType></element>`,
    );
    const state = encodedOf(`${item(type)}${isDocument ? declarations.join("") : ""}`, { use: "literal" });
    const withElements = elements.reduce(
      (text, [name, message]) =>
        text.replace(
          new RegExp(`<message name="${message}"(?:/>|>.*?</message>)`),
          `<message name="${message}"><part name="p" element="y:${name}"/></message>`,
        ),
      (state["t.wsdl"] ?? "").replace('style="rpc"', 'style="document"'),
    );
    return isDocument ? { "t.wsdl": withElements } : state;
  };
  const changes = changesOf(stateOf("ItemOf", "rpc"), stateOf("ItemOf", "document"));
  expect(changes).toEqual(["style-changed style: breaks breaks none none; Put, Get"]);
  expect(changesOf(stateOf("ItemOf", "rpc"), stateOf("item_of", "document"))).toEqual(changes);
});
