import { describe, expect, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import type { AnyAttribute, AnyElement, AnyValue, OperationDescriptor, RecordDescriptor } from "../../src/index.js";
import * as xs from "../../src/xs.js";
import { collected, failureOf, pieceServer } from "./local-server.js";
import { envelope, lookup, ns } from "./lookup.js";

// Each name that the program receives contains its namespace, and V8 shares these characters only until the program
// writes the name or searches for it. Without the limit, an answer of 274 KB with a namespace of 65,000 characters and
// 20,000 names took 1.3 GB.

interface Names {
  attributes?: readonly AnyAttribute[] | undefined;
  qname?: readonly string[] | undefined;
  type?: readonly (AnyValue | null)[] | undefined;
  any?: readonly AnyElement[] | undefined;
}

const unbounded = { min: 0, max: "unbounded" } as const;
const names: RecordDescriptor<Names> = {
  kind: "record",
  name: `{${ns}}Names`,
  namespace: ns,
  fields: {
    attributes: { kind: "anyAttribute", by: xs.anyAttribute, namespaces: "any", process: "skip" },
    qname: { type: xs.QName, ...unbounded },
    type: { type: xs.anyType, ...unbounded },
    any: { kind: "any", by: xs.any, namespaces: { not: ns }, process: "lax", ...unbounded },
  },
};
/** Contains only elements of simple types, so that the quick decoder reads it. */
const onlyQNames: RecordDescriptor<Pick<Names, "qname">> = {
  ...names,
  fields: { qname: { type: xs.QName, ...unbounded } },
};
const empty: RecordDescriptor<object> = { kind: "record", name: `{${ns}}Ask`, namespace: ns, fields: {} };

function operationFor<Answer>(answer: RecordDescriptor<Answer>): OperationDescriptor<object, Answer> {
  return {
    kind: "operation",
    service: lookup,
    name: "Ask",
    input: { body: { element: `{${ns}}Ask`, type: () => empty } },
    output: { body: { element: `{${ns}}Names`, type: () => answer } },
    bindings: { soap11: { action: `${ns}/Ask` } },
  };
}

function answerXml(namespace: string, content: string, attributes = ""): string {
  return envelope(`<Names xmlns="${ns}" xmlns:p="${namespace}" ${attributes}>${content}</Names>`);
}

function createClient(text: string, options = {}): ServiceClient {
  const headers = new Map([["content-type", "text/xml"]]);
  const transport = { send: async () => ({ status: 200, headers, body: new TextEncoder().encode(text) }) };
  return new ServiceClient(lookup, { baseUrl: "http://lookup.example", transport, ...options });
}

const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const cases = [
  { name: "elements of a wildcard", content: "<p:a/>", member: "any", value: [{ name: "NAME" }] },
  {
    name: "attributes of a wildcard element",
    content: '<b xmlns="urn:b" p:a=""/>',
    member: "any",
    value: [{ name: "{urn:b}b", attributes: [{ name: "NAME", value: "" }] }],
  },
  {
    name: "attributes of a wildcard",
    content: "",
    attributes: 'p:a=""',
    member: "attributes",
    value: [{ name: "NAME", value: "" }],
  },
  { name: "QNames", content: "<qname>p:a</qname>", member: "qname", value: ["NAME"] },
  { name: "types", content: `<type ${xsi} xsi:type="p:a"/>`, member: "type", value: [{ type: "NAME" }] },
];

describe.each(cases)("names of $name in an answer", ({ content, attributes, member, value }) => {
  const valueWith = (namespace: string): unknown =>
    JSON.parse(JSON.stringify(value).replace("NAME", `{${namespace}}a`));

  test("are read with a namespace of 1,024 characters", async () => {
    const namespace = "u".repeat(1_024);
    const answer = await createClient(answerXml(namespace, content, attributes)).call(operationFor(names), {});
    expect(answer[member as keyof Names]).toEqual(valueWith(namespace));
  });

  test("are refused with a longer namespace, unless the limit is increased", async () => {
    const namespace = "u".repeat(1_025);
    const text = answerXml(namespace, content, attributes);
    expect(await failureOf(createClient(text).call(operationFor(names), {}))).toMatchObject({
      name: "ProtocolError",
      message: expect.stringMatching(
        /the limit namespaceChars = 1024\. To accept it, increase the option "limits\.namespaceChars"\. .* at line 1, column \d{3}\./,
      ),
    });
    const limits = { namespaceChars: 1_025 };
    const answer = await createClient(text, { limits }).call(operationFor(names), {});
    expect(answer[member as keyof Names]).toEqual(valueWith(namespace));
  });
});

test("QNames that the quick decoder reads have the same limit", async () => {
  const text = answerXml("u".repeat(1_025), "<qname>p:a</qname>");
  const error = await failureOf(createClient(text).call(operationFor(onlyQNames), {}));
  expect(error).toMatchObject({ message: expect.stringContaining("the limit namespaceChars = 1024") });
  const answer = await createClient(answerXml("u", "<qname>p:a</qname>")).call(operationFor(onlyQNames), {});
  expect(answer).toEqual({ qname: ["{u}a"] });
});

test("items of a stream have the same limit for namespaces that are declared outside the items", async () => {
  const server = await pieceServer([answerXml("u".repeat(1_025), "<qname>p:a</qname>")]);
  const client = new ServiceClient(lookup, { baseUrl: server.url });
  const items = streamOf((call) => client.call(operationFor(onlyQNames), {}, call), { items: "qname" });
  expect(await failureOf(collected(items))).toMatchObject({
    message: expect.stringContaining("the limit namespaceChars = 1024"),
  });
});
