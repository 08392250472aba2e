import type { Sources } from "../proof/contracts.js";
import { element, type Pair, sequence, shareSources } from "./pair.js";

const encodingStyle = "http://schemas.xmlsoap.org/soap/encoding/";
const listOf = (type: string) =>
  `<complexType name="List"><complexContent><restriction base="enc:Array"><attribute ref="enc:arrayType" w:arrayType="${type}[]"/></restriction></complexContent></complexType>${sequence(element("list?:y:List"))}`;
const code = (name: string) =>
  `<simpleType name="${name}"><restriction base="string"><enumeration value="a"/><enumeration value="b"/></restriction></simpleType>`;
const item = (name: string) => `<complexType name="${name}"><sequence>${element("a")}</sequence></complexType>`;

const numbers = ["Number", "Count"]
  .map((name) => `<simpleType name="${name}"><restriction base="int"/></simpleType>`)
  .join("");

/** A WSDL of rpc style. The request of `Put` and the answer of `Get` contain a `T`. */
export function encodedOf(
  types: string,
  { namespace = "urn:y", use = "encoded" }: { readonly namespace?: string; readonly use?: "encoded" | "literal" } = {},
): Sources {
  const body = `<soap:body use="${use}" namespace="urn:b"${use === "encoded" ? ` encodingStyle="${encodingStyle}"` : ""}/>`;
  const messages = ["PutIn", "GetOut"].map(
    (name) => `<message name="${name}"><part name="value" type="y:T"/></message>`,
  );
  return {
    "t.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:t" xmlns:y="${namespace}" targetNamespace="urn:t">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:enc="${encodingStyle}" xmlns:w="http://schemas.xmlsoap.org/wsdl/" targetNamespace="${namespace}">
    <import namespace="${encodingStyle}"/>
    ${types}
  </schema></types>
  ${messages.join("")}<message name="PutOut"/><message name="GetIn"/>
  <portType name="P">${["Put", "Get"].map((name) => `<operation name="${name}"><input message="t:${name}In"/><output message="t:${name}Out"/></operation>`).join("")}</portType>
  <binding name="B" type="t:P"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>${["Put", "Get"].map((name) => `<operation name="${name}"><soap:operation soapAction="urn:a/${name}"/><input>${body}</input><output>${body}</output></operation>`).join("")}</binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://t.example/s"/></port></service>
</definitions>`,
  };
}

/** Pairs whose encoded messages contain other names of types. */
export const encodedPairs = shareSources([
  {
    rule: "type-renamed",
    title: "in encoded messages",
    old: encodedOf(`${item("A")}${sequence(element("a:y:A"))}`),
    new: encodedOf(`${item("B")}${sequence(element("a:y:B"))}`),
  },
  {
    rule: "type-renamed",
    title: "of the items of an encoded array",
    values: { old: [{ list: [{ a: "b" }] }], new: [{ list: [{ a: "b" }] }] },
    old: encodedOf(`${item("A")}${listOf("y:A")}`),
    new: encodedOf(`${item("B")}${listOf("y:B")}`),
  },
  {
    rule: "type-renamed",
    title: "of encoded texts",
    old: encodedOf(`${code("A")}${sequence(element("a:y:A"))}`),
    new: encodedOf(`${code("B")}${sequence(element("a:y:B"))}`),
  },
  {
    rule: "type-renamed",
    title: "to a name that is the same in code, in encoded messages",
    old: encodedOf(`${item("ItemOf")}${sequence(element("a:y:ItemOf"))}`),
    new: encodedOf(`${item("item_of")}${sequence(element("a:y:item_of"))}`),
  },
  {
    rule: "type-renamed",
    title: "of a member that has another type of encoded messages",
    old: encodedOf(`${item("A")}${item("B")}${sequence(element("a:y:A"), element("b:y:A"), element("c:y:B"))}`),
    new: encodedOf(`${item("A")}${item("B")}${sequence(element("a:y:B"), element("b:y:A"), element("c:y:B"))}`),
  },
  ...[
    ["a built-in type", element("a:int"), "a type without facets", element("a:y:Number")],
    ["a named type", element("a:y:Number"), "another one without other facets", element("a:y:Count")],
  ].map(
    ([from, before = "", to, after = ""]): Pair => ({
      rule: "type-renamed",
      title: `of encoded values: ${from} that was replaced with ${to}`,
      old: encodedOf(`${numbers}${sequence(before, element("b:y:Number"), element("c:y:Count"))}`),
      new: encodedOf(`${numbers}${sequence(after, element("b:y:Number"), element("c:y:Count"))}`),
    }),
  ),
  {
    rule: "type-renamed",
    title: "of encoded items: a type that was replaced with one without facets",
    values: { old: [{ list: [1] }], new: [{ list: [1] }] },
    old: encodedOf(`${numbers}${listOf("int")}`),
    new: encodedOf(`${numbers}${listOf("y:Number")}`),
  },
  ...[
    ["an object", element("item*")],
    ["an object of another shape", element("item*") + element("other?")],
  ].map(
    ([title, members = ""]): Pair => ({
      rule: "type-changed",
      title: `a SOAP array and ${title}`,
      old: encodedOf(listOf("string")),
      new: encodedOf(
        `<complexType name="List"><sequence>${members}</sequence></complexType>${sequence(element("list?:y:List"))}`,
      ),
      notShown: "the shape in code differs; soap-arrays.test.ts compares which calls are refused",
    }),
  ),
  {
    rule: "declaration-moved",
    title: "a type of encoded messages",
    old: encodedOf(sequence(element("a")), { namespace: "urn:y1" }),
    new: encodedOf(sequence(element("a")), { namespace: "urn:y2" }),
  },
  {
    rule: "namespace-changed",
    title: "of several types of encoded messages",
    old: encodedOf(`${item("A")}${code("C")}${sequence(element("a:y:A"), element("c:y:C"))}`, { namespace: "urn:y1" }),
    new: encodedOf(`${item("A")}${code("C")}${sequence(element("a:y:A"), element("c:y:C"))}`, { namespace: "urn:y2" }),
  },
]);
