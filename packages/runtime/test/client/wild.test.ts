import { describe, expect, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { protocols } from "../../src/descriptor.js";
import type { Protocol, ProtocolError } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, itemXml, lookup, ns } from "./lookup.js";

const input = { Key: "A", Count: 1, user: "u" };
const soap: readonly Protocol[] = ["soap11", "soap12"];
const record = `<Item xmlns="${ns}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${itemXml}</Item>`;
/** A successful answer of a protocol, with the media type of its version. */
const typeOf = { soap11: "text/xml", soap12: "application/soap+xml", httpGet: "text/xml", httpPost: "text/xml" };
const goodOf = (protocol: Protocol, inside = itemXml): string =>
  protocol === "soap11" || protocol === "soap12" ? envelope(found(inside), protocol) : record.replace(itemXml, inside);

const fault11 = envelope("<s:Fault><faultcode>s:Server</faultcode><faultstring>broken</faultstring></s:Fault>");
const fault12 = envelope(
  '<s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">broken</s:Text></s:Reason></s:Fault>',
  "soap12",
);
const html = "<!DOCTYPE html><html><body>Sign in<br></body></html>";
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

interface Case {
  readonly what: string;
  readonly protocols: readonly Protocol[];
  readonly status?: number;
  readonly type?: string;
  readonly body: (protocol: Protocol) => string | Buffer;
  readonly name: string;
  readonly more?: object;
}

/** Answers of real servers that no contract describes. */
const cases: readonly Case[] = [
  ...[200, 400, 500].flatMap((status): Case[] => [
    {
      what: `a fault of 1.1 with ${status}`,
      protocols: soap,
      status,
      type: "text/xml",
      body: () => fault11,
      name: "SoapFault",
      more: { code: "Server", reason: "broken" },
    },
    {
      what: `a fault of 1.2 with ${status}`,
      protocols: soap,
      status,
      type: "application/soap+xml",
      body: () => fault12,
      name: "SoapFault",
      more: { code: "Server", reason: "broken" },
    },
  ]),
  {
    what: "a page with 200",
    protocols,
    type: "text/html",
    body: () => html,
    name: "ProtocolError",
    more: { body: html },
  },
  {
    what: "a page with 500",
    protocols,
    status: 500,
    type: "text/html",
    body: () => html,
    name: "HttpStatusError",
    more: { body: html },
  },
  {
    what: "a page that calls itself XML",
    protocols,
    body: () => html,
    name: "DecodeError",
    more: { body: html },
  },
  {
    what: "a page that calls itself XML, with 503",
    protocols,
    status: 503,
    body: () => html,
    name: "HttpStatusError",
    more: { body: html },
  },
  {
    what: "a document cut short",
    protocols,
    body: (protocol) => goodOf(protocol).slice(0, -20),
    name: "DecodeError",
  },
  { what: "nothing", protocols, body: () => "", name: "ProtocolError", more: { body: "" } },
  {
    what: "bytes of another charset",
    protocols,
    type: "text/xml; charset=utf-8",
    body: (protocol) => latin1(goodOf(protocol, itemXml.replace("Ł", "é"))),
    name: "DecodeError",
  },
  {
    what: "a charset that nobody knows",
    protocols,
    type: "text/xml; charset=klingon",
    body: (protocol) => goodOf(protocol),
    name: "DecodeError",
  },
  {
    what: "a character that XML forbids",
    protocols,
    body: (protocol) => goodOf(protocol, itemXml.replace("x", "\u0008")),
    name: "DecodeError",
  },
  {
    what: "a reference to one",
    protocols,
    body: (protocol) => goodOf(protocol, itemXml.replace("x", "&#x8;")),
    name: "DecodeError",
  },
  {
    what: "an entity that nobody declared",
    protocols,
    body: (protocol) => goodOf(protocol, itemXml.replace("x", "&nbsp;")),
    name: "DecodeError",
  },
  {
    what: "half a record",
    protocols,
    body: (protocol) => goodOf(protocol, "<Name>a</Name>"),
    name: "DecodeError",
  },
  {
    what: "another document",
    protocols,
    body: () => "<Other/>",
    name: "DecodeError",
    more: { body: "<Other/>" },
  },
  {
    what: "JSON",
    protocols,
    type: "application/json",
    body: () => "{}",
    name: "ProtocolError",
    more: { body: "{}" },
  },
];

describe.each(cases)("$what", ({ protocols, status = 200, type, body, name, more }) => {
  test.each(protocols)("over %s", async (protocol) => {
    const sent = body(protocol);
    const server = await localServer(always(status, type ?? `${typeOf[protocol]}; charset=utf-8`, sent));
    const client = new ServiceClient(lookup, { baseUrl: server.url });
    const error = await failureOf(client.call(find, input, { protocol }));
    const address = expect.stringContaining(`${server.url}/api/lookup.asmx`);
    expect(error).toMatchObject({ name, status, operation: "Find", address, ...more });
    if (name !== "SoapFault") {
      expect(error).toHaveProperty("body", Buffer.from(sent).toString("utf8"));
    }
  });
});

test.each(protocols)("a redirect is reported and not followed, over %s", async (protocol) => {
  const server = await localServer(always(302, "text/html", html, { Location: "http://elsewhere.example/" }));
  const client = new ServiceClient(lookup, { baseUrl: server.url });
  const error = await failureOf(client.call(find, input, { protocol }));
  expect(error).toMatchObject({ name: "ProtocolError", status: 302, operation: "Find" });
  expect((error as ProtocolError).headers.get("location")).toBe("http://elsewhere.example/");
  expect(server.received).toHaveLength(1);
});

test.each(protocols)("an answer that ends before its length is reported, over %s", async (protocol) => {
  const server = await localServer((_, response) => {
    response.writeHead(200, { "Content-Type": typeOf[protocol], "Content-Length": 10_000 });
    response.write(goodOf(protocol), () => response.socket?.destroy());
  });
  const client = new ServiceClient(lookup, { baseUrl: server.url });
  const error = await failureOf(client.call(find, input, { protocol }));
  expect(error).toMatchObject({ name: "TransportError", code: "ECONNRESET", operation: "Find" });
});

test.each(protocols)("good answers in other charsets are read, over %s", async (protocol) => {
  const text = goodOf(protocol);
  const accented = goodOf(protocol, itemXml.replace("Ł", "é"));
  for (const [type, body, want] of [
    ["utf-8", Buffer.from(`\uFEFF${text}`), "Ł & x"],
    ["utf-16", Buffer.from(text.replace(/^<\?xml[^>]*>/, ""), "utf16le"), "Ł & x"],
    ["utf-16le", Buffer.from(`\uFEFF${text}`, "utf16le"), "Ł & x"],
    ["iso-8859-1", latin1(accented), "é & x"],
    ['"Windows-1252"', latin1(accented), "é & x"],
    ["windows-1250", latin1(goodOf(protocol, itemXml.replace("Ł", "\u00a3"))), "Ł & x"],
    ["shift_jis", latin1(goodOf(protocol, itemXml.replace("Ł", "\u0083\u0041"))), "ア & x"],
    ["gb18030", latin1(goodOf(protocol, itemXml.replace("Ł", "\u00d6\u00d0"))), "中 & x"],
  ] as const) {
    const server = await localServer(always(200, `${typeOf[protocol]}; charset=${type}`, body));
    const client = new ServiceClient(lookup, { baseUrl: server.url });
    expect(await client.call(find, input, { protocol }), type).toEqual({ ...item, Name: want });
  }
});

test.each(soap)("characters that XML cannot contain are refused, or replaced on request, over %s", async (protocol) => {
  const server = await localServer(always(200, typeOf[protocol], goodOf(protocol)));
  const dirty = { ...input, Key: "a\u0008b\ud800" };
  const refusing = new ServiceClient(lookup, { baseUrl: server.url });
  expect(await failureOf(refusing.call(find, dirty, { protocol }))).toMatchObject({
    name: "EncodeError",
    path: "/Find/Key",
  });
  const replacing = new ServiceClient(lookup, { baseUrl: server.url, illegalCharacters: "replace" });
  expect(await replacing.call(find, dirty, { protocol })).toEqual(item);
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.body).toContain("<Key>a\uFFFDb\uFFFD</Key>");
});
