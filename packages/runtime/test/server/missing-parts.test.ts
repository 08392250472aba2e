import { expect, test } from "vitest";
import { Encoder } from "../../src/codec/encoder.js";
import type { OperationDescriptor, RecordDescriptor } from "../../src/index.js";
import { type ServerIncident, soapRoutes } from "../../src/server/index.js";
import * as xs from "../../src/xs.js";
import { envelopes, message, namespace, posted, requestOf, service } from "./fixture.js";

// Messages that lack a required element or attribute: the line names what they contain in its place.

interface Person {
  readonly mrn: string;
  readonly note?: string;
  readonly name: string;
}
const person: RecordDescriptor<Person> = {
  kind: "record",
  name: `{${namespace}}Person`,
  namespace,
  fields: {
    mrn: { kind: "attribute", by: xs.attribute, type: xs.string, required: true },
    note: { kind: "attribute", by: xs.attribute, type: xs.string },
    name: { type: xs.string },
  },
};
const list: RecordDescriptor<{ readonly who: readonly Person[] }> = {
  kind: "record",
  name: `{${namespace}}List`,
  namespace,
  fields: { who: { type: () => person, max: "unbounded" } },
};
const element = `{${namespace}}List`;
const operation: OperationDescriptor<{ readonly who: readonly Person[] }, void> = {
  kind: "operation",
  service,
  name: "List",
  input: { body: { element, type: () => list } },
  http: { body: { element, type: () => list }, answer: { kind: "none" } },
  bindings: { soap11: { action: "urn:list" }, soap12: { action: "urn:list" }, httpPost: { location: "/List" } },
};

/** Sends the same element over SOAP 1.1, SOAP 1.2 and HTTP POST, and returns the incidents. */
async function report(body: string): Promise<readonly ServerIncident[]> {
  const incidents: ServerIncident[] = [];
  const routes = soapRoutes(
    { service, operations: { list: operation }, handlers: { list: () => undefined } },
    { onError: (incident) => incidents.push(incident) },
  );
  await routes.answer(requestOf(message("soap11", body, { headers: [["Content-Type", "text/xml"]] })));
  await routes.answer(requestOf(message("soap12", body)));
  const headers = [
    ["Host", "h"],
    ["Content-Type", "text/xml"],
  ] as const;
  const target = "/api/things.asmx/List";
  await routes.answer(requestOf({ target, headers, body: new TextEncoder().encode(body) }));
  expect(incidents.map(({ protocol }) => protocol)).toEqual(["soap11", "soap12", "httpPost"]);
  return incidents;
}

const listOf = (content: string) => `<List xmlns="${namespace}">${content}</List>`;
const element1 = "The element is required.";
const attribute1 = "The attribute is required.";
const asText =
  "The message has text instead of elements here: the client may have escaped its elements, or put them into a CDATA section.";

test.each([
  [
    "in another case",
    'MRN="1"',
    "<name>a</name>",
    " The message has other elements or attributes, which the WSDL does not declare: @MRN.",
  ],
  [
    "under another name",
    'id="1" x="2"',
    "<name>a</name>",
    " The message has other elements or attributes, which the WSDL does not declare: @id, @x.",
  ],
  [
    "with a prefix",
    'xmlns:t="urn:t" t:mrn="1"',
    "<name>a</name>",
    " The message has an attribute mrn here, but in another namespace",
  ],
  [
    "as an element",
    "",
    "<mrn>1</mrn><name>a</name>",
    " The message has an element mrn here, but it must be an attribute",
  ],
  ["in a comment", "", "<!-- <mrn>1</mrn> mrn='1' --><name>a</name>", undefined],
  ["not at all", 'note="a"', "<name>a</name>", undefined],
])("an attribute that is sent %s is explained", async (_, attributes, content, cause) => {
  for (const incident of await report(listOf(`<who ${attributes}>${content}</who>`))) {
    expect(incident.path).toBe("/List/who[1]/@mrn");
    if (cause === undefined) {
      expect(incident.message).toBe(attribute1);
    } else {
      expect(incident.message).toContain(attribute1 + cause);
    }
  }
});

test.each([
  [
    "under another name",
    "<nom>a</nom>",
    " The message has other elements or attributes, which the WSDL does not declare: nom.",
  ],
  [
    "in another namespace",
    '<name xmlns="urn:b">a</name>',
    " The message has an element name here, but in another namespace",
  ],
  ["in a CDATA section", "<![CDATA[<name>a</name>]]>", ` ${asText}`],
  ["escaped", "&lt;name>a&lt;/name>", ` ${asText}`],
  ["in a comment", "<!-- <name>a</name> -->", undefined],
  ["in a processing instruction", "<?php <name>a</name> ?>", undefined],
  ["not at all", "\n ", undefined],
])("an element that is sent %s is explained", async (_, content, cause) => {
  for (const incident of await report(listOf(`<who mrn="1">${content}</who>`))) {
    expect(incident.path).toBe("/List/who[1]/name");
    if (cause === undefined) {
      expect(incident.message).toBe(element1);
    } else {
      expect(incident.message).toContain(element1 + cause);
    }
  }
});

test("an element that is sent as an attribute is explained", async () => {
  for (const incident of await report(listOf('<who mrn="1" name="a"/>'))) {
    expect(incident.message).toContain(`${element1} The message has an attribute name here, but it must be an element`);
  }
});

test.each([
  ["a required element", '<who mrn="1"></who>', element1, "/List/who[2]/name"],
  ["a required attribute", "<who><name>a</name></who>", attribute1, "/List/who[2]/@mrn"],
])("the other items of a list are not taken for %s of the second", async (_, second, reason, path) => {
  const item = '<who mrn="1"><name>a</name></who>';
  for (const incident of await report(listOf(`${item}${second}${item}`))) {
    expect(incident).toMatchObject({ message: reason, path });
  }
});

test("an element without a namespace in the second item of a list is explained", async () => {
  const item = '<who mrn="1"><name>a</name></who>';
  for (const incident of await report(listOf(`${item}<who mrn="1"><name xmlns="">a</name></who>${item}`))) {
    expect(incident.message).toContain("The message has an element name here, but without a namespace");
  }
});

test("text elsewhere in the message is not mentioned", async () => {
  for (const incident of await report(listOf('text<who mrn="1"><other>text</other></who>text'))) {
    expect(incident.message).toContain("which the WSDL does not declare: other.");
  }
});

test("undeclared attributes are ignored if no attribute is missing", async () => {
  const incidents: ServerIncident[] = [];
  const routes = soapRoutes(
    { service, operations: { list: operation }, handlers: { list: () => undefined } },
    { onError: (incident) => incidents.push(incident) },
  );
  const body = listOf('<who mrn="1" x="1"><name>a</name></who>');
  expect((await routes.answer(requestOf(message("soap12", body))))?.status).toBe(202);
  expect(incidents).toEqual([]);
});

test.each([
  ["MRN", 'There is no member "MRN". Did you mean "mrn"?'],
  ["@mrn", 'There is no member "@mrn". Did you mean "mrn"?'],
  ["id", 'There is no member "id".'],
])("an attribute in a value that is named %s is explained", (name, advice) => {
  const encode = () => new Encoder().encode(element, () => list, { who: [{ [name]: "1", name: "a" } as never] });
  expect(encode).toThrow(`/List/who/0/mrn: ${attribute1} ${advice}`);
  expect(encode).toThrow(expect.objectContaining({ reason: attribute1 }));
});

const secondBody = "The message has a second body, which is not read";
const envelope = (bodies: string) =>
  posted("soap12", `<s:Envelope xmlns:s="${envelopes.soap12}">${bodies}</s:Envelope>`);

test.each([
  ["an empty body", "<s:Body/><s:Body><a/></s:Body>", true],
  ["a body with text", "<s:Body>a</s:Body><s:Body><a/></s:Body>", true],
  ["only an empty body", "<s:Body/>", false],
  ["an empty body before another element", '<s:Body/><Body xmlns="urn:a"/>', false],
  ["an empty body before a comment", "<s:Body/><!-- <s:Body/> -->", false],
])("a second body is mentioned after %s: %s", async (_, bodies, isMentioned) => {
  const incidents: ServerIncident[] = [];
  const routes = soapRoutes(
    { service, operations: { list: operation }, handlers: { list: () => undefined } },
    { onError: (incident) => incidents.push(incident) },
  );
  await routes.answer(requestOf(envelope(bodies)));
  expect(incidents.map(({ message }) => message.includes(secondBody))).toEqual([isMentioned]);
});

test("a document of HTTP POST in another namespace is explained", async () => {
  const [, , incident] = await report(`<List xmlns="urn:other"><who mrn="1"/></List>`);
  expect(incident?.message).toContain("another namespace");
});
