import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// A message names the old and the new value, also if the end of its subject is equal to the value.

const messageOf = (before: Sources, after: Sources, rule: string) =>
  diffContracts(sideOf(before), sideOf(after)).changes.find((change) => change.rule === rule)?.message;

const words = (...values: readonly string[]) =>
  wsdlOf(
    sequence(
      `<element name="state"><simpleType><restriction base="string">${values
        .map((value) => `<enumeration value="${value}"/>`)
        .join("")}</restriction></simpleType></element>`,
    ),
  );

test.each(["state", "ate", "e", "T"])("a value of an enumeration that is like the subject is named: %s", (value) => {
  const [before, after] = [words("open"), words("open", value)];
  expect(messageOf(before, after, "enum-value-added")).toBe(`T.state: An enumeration has more values (${value}).`);
  expect(messageOf(after, before, "enum-value-removed")).toBe(`T.state: An enumeration has fewer values (${value}).`);
});

test("a default that is like the subject is named", () => {
  const attribute = (text: string) =>
    wsdlOf(`<complexType name="T"><attribute name="late" type="string" ${text}/></complexType>`);
  expect(messageOf(attribute(""), attribute('default="late"'), "default-added")).toBe(
    "T.late: A default value was added (late).",
  );
});

test("a SOAPAction that is the name of the operation is named", () => {
  const { "s.wsdl": wsdl = "" } = serviceOf();
  const withAction = (action: string): Sources => ({
    "s.wsdl": wsdl.replace('soapAction="urn:action/Ask"', `soapAction="${action}"`),
  });
  const [before, after] = [withAction(""), withAction("Ask")];
  expect(messageOf(before, after, "soap-action-changed")).toBe("Ask: The SOAPAction changed (none → Ask).");
  expect(messageOf(after, before, "soap-action-changed")).toBe("Ask: The SOAPAction changed (Ask → none).");
});

test("an answer whose contexts changed names only contexts that calls can request", () => {
  const context = (values: readonly string[]) => ({ type: "string", enum: values, default: values[0] });
  const id = { type: "integer" };
  const item = "/shop/v1/things/(?P<id>[\\d]+)";
  const title = { title: "thing", $schema: "http://json-schema.org/draft-04/schema#" };
  const name = { type: "string", context: ["view", "edit"] };
  const secret = { type: "string", context: ["edit", "embed"] };
  const stateOf = (values: readonly string[]) =>
    indexOf(
      {
        [item]: { args: { id, context: context(values) } },
        "/shop/v1/things": { args: { context: context(["view", "embed", "edit"]) } },
      },
      Object.fromEntries(
        [item, "/shop/v1/things"].map((path) => [path, { ...title, type: "object", properties: { id, name, secret } }]),
      ),
    );
  expect(messageOf(stateOf(["view", "embed", "edit"]), stateOf(["edit", "view"]), "answer-contexts-changed")).toBe(
    `GET ${item} (answer): The values of \`context\` that determine the type of an answer in code changed (view, edit, embed → edit, view).`,
  );
});

test("an added or removed operation with the name of another one is named with its method", () => {
  const { "s.wsdl": wsdl = "" } = serviceOf({ operations: [{ name: "Ask" }, { name: "Tell" }] });
  const inPortType = '<operation name="Tell"><input message="t:TellIn"/>';
  const inBinding = '<operation name="Tell"><soap:operation soapAction="urn:action/Tell"/><input>';
  const overloaded = wsdl
    .replace(inPortType, inPortType.replace('"Tell"', '"Ask"').replace("<input", '<input name="Again"'))
    .replace(inBinding, inBinding.replace('"Tell"', '"Ask"').replace("<input", '<input name="Again"'));
  const [before, after] = [serviceOf(), { "s.wsdl": overloaded }];
  expect(messageOf(before, after, "operation-added")).toBe("Ask (method ask2): An operation was added.");
  expect(messageOf(after, before, "operation-removed")).toBe("Ask (method ask2): An operation was removed.");
});

test("text between elements is said to be allowed or not", () => {
  const mixed = (text: string) =>
    wsdlOf(`<complexType name="T" ${text}><sequence>${element("a?")}</sequence></complexType>`);
  expect(messageOf(mixed(""), mixed('mixed="true"'), "mixed-changed")).toBe("T: Text between elements is now allowed.");
  expect(messageOf(mixed('mixed="true"'), mixed(""), "mixed-changed")).toBe(
    "T: Text between elements is no longer allowed.",
  );
});

test("an answer whose type is declared names the type", () => {
  const item = "/shop/v1/things/(?P<id>[\\d]+)";
  const routes = { [item]: { args: { id: { type: "integer" } } } };
  const schema = { title: "thing", type: "object", properties: { name: { type: "string" } } };
  const [before, after] = [indexOf(routes), indexOf(routes, { [item]: schema })];
  expect(messageOf(before, after, "answer-declared")).toBe(
    `GET ${item}: The type of an answer is now declared (any → Thing).`,
  );
  expect(messageOf(after, before, "answer-undeclared")).toBe(
    `GET ${item}: The type of an answer is no longer declared (Thing → any).`,
  );
});
