import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { envelopes, findBody, namespace, served, type Version } from "./fixture.js";
import { listening, raw, statusOf } from "./sockets.js";

const action = `${namespace}/Find`;
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const utf8 = (text: string): string => latin1(Buffer.from(text, "utf8"));
const utf16 = (text: string): string => latin1(Buffer.from(text, "utf16le"));
const swapped = (text: string): string => latin1(Buffer.from(text, "utf16le").swap16());

function enveloped(version: Version, body = findBody, declaration = ""): string {
  return `${declaration}<s:Envelope xmlns:s="${envelopes[version]}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><s:Body>${body}</s:Body></s:Envelope>`;
}

/** A request as text, with one character for each byte. */
function request(line: string, headers: readonly string[], body = ""): string {
  return [line, "Host: h", ...headers, `Content-Length: ${body.length}`, "", body].join("\r\n");
}
const post = (headers: readonly string[], body: string) =>
  request("POST /api/things.asmx HTTP/1.1", ["Connection: close", ...headers], body);
const get = (query: string) => request(`GET /api/things.asmx/Find?${query} HTTP/1.1`, ["Connection: close"]);

const xml = "Content-Type: text/xml; charset=utf-8";
const soapAction = `SOAPAction: "${action}"`;
const accented = findBody.replace(">k<", ">Łé<");
const [given, givenAccented] = ["k", "Łé"];

/** Requests that real clients send. */
test.each([
  {
    what: "SOAP 1.2 with a SOAPAction",
    text: post(["Content-Type: application/soap+xml; charset=utf-8", soapAction], enveloped("soap12")),
  },
  {
    what: "SOAP 1.2 with an action alone",
    text: post([`Content-Type: application/soap+xml; charset=utf-8; action="${action}"`], enveloped("soap12")),
  },
  { what: "SOAP 1.2 with neither", text: post(["Content-Type: application/soap+xml"], enveloped("soap12")) },
  { what: "a SOAPAction without quotes", text: post([xml, `SOAPAction: ${action}`], enveloped("soap11")) },
  {
    what: "an upper-case media type",
    text: post(["content-type:TEXT/XML;charset=UTF-8", soapAction], enveloped("soap11")),
  },
  {
    what: "xsi:type on arguments",
    text: post(
      [xml, soapAction],
      enveloped(
        "soap11",
        findBody.replace("<Key>", '<Key xsi:type="xsd:string">').replace("<Count>", '<Count xsi:type="xsd:int">'),
      ),
    ),
  },
  {
    what: "arguments in another order",
    text: post(
      [xml, soapAction],
      enveloped("soap11", `<Find xmlns="${namespace}"><username>u</username><Count>1</Count><Key>k</Key></Find>`),
    ),
  },
  { what: "parameters in another order", text: get("username=u&Count=1&Key=k") },
  { what: "%uXXXX of .NET", text: get("Key=%u0141%u00e9&Count=1&username=u"), key: givenAccented },
  {
    what: "%uXXXX in a form",
    text: request(
      "POST /api/things.asmx/Find HTTP/1.1",
      ["Connection: close", "Content-Type: application/x-www-form-urlencoded"],
      "username=u&Count=1&Key=%u0141%u00E9",
    ),
    key: givenAccented,
  },
  { what: "UTF-8", text: post([xml, soapAction], utf8(enveloped("soap11", accented))), key: givenAccented },
  {
    what: "UTF-8 with a mark",
    text: post([xml, soapAction], utf8(`\uFEFF${enveloped("soap11", accented)}`)),
    key: givenAccented,
  },
  {
    what: "UTF-16 with a mark",
    text: post(["Content-Type: text/xml; charset=utf-16", soapAction], utf16(`\uFEFF${enveloped("soap11", accented)}`)),
    key: givenAccented,
  },
  {
    what: "UTF-16 without a mark",
    text: post(["Content-Type: text/xml; charset=utf-16", soapAction], utf16(enveloped("soap11", accented))),
    key: givenAccented,
  },
  {
    what: "UTF-16, the high byte first, with a mark alone",
    text: post(["Content-Type: text/xml", soapAction], swapped(`\uFEFF${enveloped("soap11", accented)}`)),
    key: givenAccented,
  },
  {
    what: "Latin-1 by its charset",
    text: post(
      ["Content-Type: text/xml; charset=iso-8859-1", soapAction],
      enveloped("soap11", findBody.replace(">k<", ">é<")),
    ),
    key: "é",
  },
  {
    what: "Latin-1 by its declaration",
    text: post(
      ["Content-Type: text/xml", soapAction],
      enveloped("soap11", findBody.replace(">k<", ">é<"), '<?xml version="1.0" encoding="ISO-8859-1"?>'),
    ),
    key: "é",
  },
])("$what reaches the handler", async ({ text, key = given }) => {
  const { routes, calls } = served();
  const connection = raw((await listening([routes])).port);
  connection.send(text);
  const answer = await connection.all;
  expect(statusOf(answer), answer).toBe(200);
  expect(calls).toMatchObject([{ input: { Key: key, Count: 1, username: "u" } }]);
});

test("a message in chunks, split in the middle of a character, reaches the handler", async () => {
  const { routes, calls } = served();
  const connection = raw((await listening([routes])).port);
  const bytes = utf8(enveloped("soap11", accented));
  const middle = bytes.indexOf(utf8("Ł")) + 1;
  const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`;
  connection.send(
    `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${xml}\r\n${soapAction}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(bytes.slice(0, middle))}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  connection.send(`${chunk(bytes.slice(middle))}0\r\n\r\n`);
  expect(statusOf(await connection.all)).toBe(200);
  expect(calls).toMatchObject([{ input: { Key: givenAccented } }]);
});

test("Expect: 100-continue is answered, then the message", async () => {
  const { routes, calls } = served();
  const connection = raw((await listening([routes])).port);
  const text = post([xml, soapAction, "Expect: 100-continue"], enveloped("soap11"));
  const body = text.indexOf("\r\n\r\n") + 4;
  connection.send(text.slice(0, body));
  await connection.until("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send(text.slice(body));
  expect(await connection.all).toContain("HTTP/1.1 200 OK");
  expect(calls).toHaveLength(1);
});

test("an answer is compressed on request", async () => {
  const { routes } = served({ find: () => ({ Name: "a long name ".repeat(500) }) });
  const connection = raw((await listening([routes])).port);
  connection.send(post([xml, soapAction, "Accept-Encoding: gzip, deflate"], enveloped("soap11")));
  const answer = await connection.all;
  const head = answer.slice(0, answer.indexOf("\r\n\r\n"));
  expect(head).toMatch(/content-encoding: gzip/i);
  const body = Buffer.from(answer.slice(head.length + 4), "latin1");
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  expect(length).toBe(body.length);
  expect(gunzipSync(body).toString()).toContain("<FindResult><Name>a long name a long name ");
});
