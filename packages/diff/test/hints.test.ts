import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { wsdlOf } from "./pairs/pair.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

/** Returns the messages of the changes in answers and calls. */
function messagesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.filter(({ direction }) => direction !== "input")
    .map(({ message }) => message);
}

describe("members that moved into a new member", () => {
  const members =
    '<element name="a" type="string"/><element name="b" type="int" minOccurs="0"/><element name="c" type="date"/>';
  const typeOf = (content: string) =>
    `<complexType name="T"><sequence><element name="id" type="string"/>${content}</sequence></complexType>`;
  const flat = wsdlOf(typeOf(members));
  const nested = wsdlOf(
    `${typeOf('<element name="w" type="t:W"/>')}<complexType name="W"><sequence>${members}</sequence></complexType>`,
  );

  test("are named where the new member is reported, and in the opposite edit", () => {
    expect(messagesOf(flat, nested)).toContain(
      "T.w: A required member was added. It contains a, b and c, which were removed: moved?",
    );
    expect(messagesOf(nested, flat)).toContain(
      "T.w: A required member was removed. It contained a, b and c, which were added: moved?",
    );
  });

  test("are not named if the type of the new member has mostly other members", () => {
    const other = '<element name="x" type="string"/><element name="y" type="string"/><element name="z" type="string"/>';
    const customer = wsdlOf(
      `${typeOf('<element name="w" type="t:W"/>')}<complexType name="W"><sequence><element name="a" type="string"/>${other}</sequence></complexType>`,
    );
    expect(messagesOf(flat, customer).filter((message) => message.includes("moved?"))).toEqual([]);
  });

  test("are named in the schema of an answer", () => {
    const route = "/shop/v1/orders/(?P<id>[\\d]+)";
    const properties = { street: { type: "string" }, town: { type: "string" } };
    const schemaOf = (content: object) => {
      const members = { id: { type: "integer" }, ...content };
      const $schema = "http://json-schema.org/draft-04/schema#";
      return indexOf({ [route]: {} }, { [route]: { $schema, title: "order", type: "object", properties: members } });
    };
    const address = { address: { type: "object", properties } };
    expect(messagesOf(schemaOf(properties), schemaOf(address))).toContain(
      "order.address: An optional member was added. It contains street and town, which were removed: moved?",
    );
    expect(messagesOf(schemaOf(address), schemaOf(properties))).toContain(
      "order.address: An optional member was removed. It contained street and town, which were added: moved?",
    );
  });
});

test("the header that contained the element of the body is named as the cause of another style", () => {
  const { "s.wsdl": text = "" } = serviceOf({ operations: [{ name: "Ask" }, { name: "Tell" }] });
  const body = '<input><soap:body use="literal"/>';
  const header = '<soap:header message="t:AskIn" part="p" use="literal"/>';
  const before = { "s.wsdl": text.replace(body, `${body}${header}`) };
  const [removed, added] = [messagesOf(before, { "s.wsdl": text }), messagesOf({ "s.wsdl": text }, before)];
  expect(removed).toContain(
    "Ask (style): The style of an operation changed (document without a single element → document). The element {urn:s}Ask moved from a header to the body.",
  );
  expect(added).toContain(
    "Ask (style): The style of an operation changed (document → document without a single element). The element {urn:s}Ask moved from the body to a header.",
  );
});

test("a binding whose port was removed is reported as a service", () => {
  const both = serviceOf({ protocols: ["soap11", "soap12"] });
  const { "s.wsdl": text = "" } = both;
  const without = { "s.wsdl": text.replace(/<port name="soap12".*?<\/port>/, "") };
  expect(messagesOf(both, without)).toContain("soap12: A binding without a port became a service without an address.");
  expect(messagesOf(without, both)).toContain("soap12: A service that was a binding without a port was removed.");
});

test("a service without its only port is reported as a binding", () => {
  const service = serviceOf();
  const without = { "s.wsdl": (service["s.wsdl"] ?? "").replace(/<port name="soap11".*?<\/port>/, "") };
  expect(messagesOf(service, without)).toContain(
    "soap11: A port was removed, so its binding became a service without an address (http://s.example/s).",
  );
  expect(messagesOf(without, service)).toContain(
    "S: A binding without a port now has a port with an address (http://s.example/s).",
  );
});
