import { lineLogger } from "@bothends/runtime/observe";
import { listen } from "@bothends/runtime/server/node";
import { usernameToken } from "@bothends/runtime/ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("attachments");
const { AttachmentsClient, Gone, EncodeError, ProtocolError, DecodeError } = await service.load("client");
const { attachmentsRoutes, Gone: ServedGone } = await service.load("server");

/** Bytes of every value, which include line breaks and the beginning of a boundary. */
const photo = Uint8Array.from({ length: 600 }, (_, index) => index % 256);
const notes = new TextEncoder().encode("\r\n--part-\r\n--\r\n");

interface Added {
  readonly title: string;
  readonly photo: Uint8Array;
  readonly notes: Uint8Array;
}
const added: unknown[] = [];
const handlers = {
  add(input: Added, { soapHeaders }: { readonly soapHeaders: unknown }) {
    added.push({ ...input, soapHeaders });
    return input.photo.length + input.notes.length;
  },
  show({ number }: { readonly number: number }) {
    if (number < 0) {
      throw new ServedGone({ reason: "gone", detail: { number } });
    }
    return { title: `photo ${number}`, photo };
  },
  label({ Session, photo }: { readonly Session: string; readonly photo: Uint8Array }) {
    return { Session: `${Session} ${photo.length}`, photo };
  },
};

let server: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  server = await served(attachmentsRoutes(handlers));
});
afterAll(async () => {
  await server.close();
  service.remove();
});

test.each(["soap11", "soap12"])("%s: bytes are sent outside the envelope in both directions", async (protocol) => {
  const client = new AttachmentsClient({ ...server.options, protocol });
  added.length = 0;
  expect(await client.add({ title: "t", photo, notes }, { soapHeaders: { Session: "s" } })).toBe(615);
  expect(added).toEqual([{ title: "t", photo, notes, soapHeaders: { Session: "s" } }]);
  expect(server.wire.request).toMatch(/^--part-[^\r]*\r\nContent-Type: (text|application\/soap\+)/);
  expect(server.wire.request).toMatch(/\r\nContent-Type: image\/png\r\n[^<]*\r\nContent-ID: <photo=/);
  expect(server.wire.request).toMatch(/\r\nContent-Type: application\/octet-stream\r\n[^<]*\r\nContent-ID: <notes=/);
  expect(server.wire.request).toContain('<Add xmlns="urn:album"><title xmlns="">t</title></Add>');
  expect(await client.show({ number: 1 })).toEqual({ title: "photo 1", photo });
});

test.each(["soap11", "soap12"])("%s: a text in the body is a member beside the bytes", async (protocol) => {
  const client = new AttachmentsClient({ ...server.options, protocol });
  expect(await client.label({ Session: "<s>", photo })).toEqual({ Session: "<s> 600", photo });
  expect(server.wire.request).toContain('<soap:Body><Session xmlns="urn:album">&lt;s&gt;</Session></soap:Body>');
});

test("a declared fault comes without attachments", async () => {
  const client = new AttachmentsClient(server.options);
  const error = await client.show({ number: -1 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Gone);
  expect(error.detail).toEqual({ number: -1 });
});

test("an attachment must be a Uint8Array", async () => {
  const client = new AttachmentsClient(server.options);
  const error = await client.add({ title: "t", photo: "text", notes }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EncodeError);
  expect(error.message).toContain("/photo: The attachment must be a Uint8Array, not a string.");
});

test("a hook finds the header of a message with attachments", async () => {
  const { before } = server.options.hooks;
  const client = new AttachmentsClient({
    ...server.options,
    hooks: [usernameToken({ username: "ü" }), { before }],
  });
  await client.add({ title: "t", photo, notes }).catch(() => undefined);
  expect(server.wire.request).toMatch(/<soap:Header><Security .*<\/soap:Header><soap:Body>/);
});

const add =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><n:Add xmlns:n="urn:album"><title>t</title></n:Add></e:Body></e:Envelope>';

async function post(body: string, type: string, action = "add"): Promise<{ status: number; text: string }> {
  const headers = { "Content-Type": type, SOAPAction: `"urn:album#${action}"` };
  const answer = await fetch(`${server.url}/soap`, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

const part = (headers: string, content: string) => `\r\n--b\r\n${headers}\r\n\r\n${content}`;
const related = 'multipart/related; type="text/xml"; boundary=b';

test("the parts of third-party messages are read in order, also in Base64", async () => {
  added.length = 0;
  const body =
    "preamble" +
    part("content-type: text/xml; charset=utf-8", add) +
    part("Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <1>", "YWJj\r\nZGU=") +
    part("Content-Type: text/plain", "n") +
    "\r\n--b--\r\nepilogue";
  expect((await post(body, related)).status).toBe(200);
  expect(added).toMatchObject([{ title: "t", photo: new TextEncoder().encode("abcde"), notes: Uint8Array.of(110) }]);
});

test("the root part is the one that the parameter start names", async () => {
  added.length = 0;
  const body = `${part("Content-ID: <notes=1@x>", "n")}${part("Content-ID: <r>\r\nContent-Type: text/xml", add)}${part("Content-ID: <2>", "p")}\r\n--b--`;
  expect((await post(body, `${related}; start="<r>"`)).status).toBe(200);
  expect(added).toMatchObject([{ photo: Uint8Array.of(112), notes: Uint8Array.of(110) }]);
});

const whole = part("Content-Type: text/xml", add) + part("", "p") + part("", "n");
test.each([
  { name: "no boundary", body: `${whole}\r\n--b--`, type: 'multipart/related; type="text/xml"', status: 415 },
  { name: "no end", body: whole, type: related, status: 415 },
  { name: "no parts", body: "--b--", type: related, status: 415 },
  { name: "no root", body: `${whole}\r\n--b--`, type: `${related}; start="<x>"`, status: 415 },
  { name: "XOP", body: `${part("Content-Type: application/xop+xml", add)}\r\n--b--`, type: related, status: 415 },
  { name: "too many parts", body: `${whole}${part("", "").repeat(300)}\r\n--b--`, type: related, status: 415 },
  {
    name: "a missing attachment",
    body: `${part("Content-Type: text/xml", add)}${part("", "p")}\r\n--b--`,
    type: related,
    status: 500,
  },
  { name: "no attachments at all", body: add, type: "text/xml", status: 500 },
])("a message with $name is refused", async ({ body, type, status }) => {
  added.length = 0;
  expect((await post(body, type)).status).toBe(status);
  expect(added).toEqual([]);
});

const shown =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><ShowResponse xmlns="urn:album"><title>t</title></ShowResponse></e:Body></e:Envelope>';
test.each([
  {
    name: "XOP",
    type: related,
    body: `${part("Content-Type: application/xop+xml", shown)}\r\n--b--`,
    error: ProtocolError,
    says: "XOP (MTOM)",
  },
  {
    name: "half a package",
    type: related,
    body: part("Content-Type: text/xml", shown),
    error: ProtocolError,
    says: "not complete",
  },
  {
    name: "no attachment",
    type: "text/xml",
    body: shown,
    error: DecodeError,
    says: 'The attachment "photo" is missing.',
  },
])("an answer with $name is refused by name", async ({ type, body, error, says }) => {
  const after = (answer: object) => ({
    ...answer,
    headers: new Map([["content-type", type]]),
    body: new TextEncoder().encode(body),
  });
  const client = new AttachmentsClient({ ...server.options, hooks: { after } });
  const thrown = await client.show({ number: 1 }).catch((caught: unknown) => caught);
  expect(thrown).toBeInstanceOf(error);
  expect(thrown.message).toContain(says);
});

const rootPart = (encoding = "binary") =>
  `--b\r\nContent-Type: text/xml\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-ID: <root>\r\n\r\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Add xmlns="urn:album"><title xmlns="">t</title></Add></s:Body></s:Envelope>`;
const end = "\r\n--b--\r\n";
const xml = 'type="text/xml"';

test.each([
  ["does not name its type", "boundary=b", rootPart() + end, 'The parameter "type" of multipart/related must be'],
  ["has no boundary", xml, rootPart() + end, "The boundary of the multipart message is missing"],
  [
    "names another boundary",
    `${xml}; boundary=c`,
    rootPart() + end,
    "does not contain the boundary that its Content-Type names",
  ],
  ["is cut off", `${xml}; boundary=b`, rootPart(), "bytes, before its last boundary"],
  ["has no parts", `${xml}; boundary=b`, "--b--", "The multipart message has no parts."],
  [
    "names another root",
    `${xml}; boundary=b; start="<x>"`,
    rootPart() + end,
    "no part with the Content-ID that the parameter",
  ],
  [
    "is quoted-printable",
    `${xml}; boundary=b`,
    rootPart("quoted-printable") + end,
    "other than binary, 8bit, 7bit and base64",
  ],
  ["lacks an attachment", `${xml}; boundary=b`, rootPart() + end, 'The attachment "photo" is missing.'],
])("when a message %s, one line of the server's log names the cause", async (_, parameters, body, cause) => {
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => lines.push(line) });
  const logging = await listen([attachmentsRoutes(handlers)], { host: "127.0.0.1", onError });
  const headers = { "Content-Type": `multipart/related; ${parameters}`, SOAPAction: '"urn:album#add"' };
  const answer = await fetch(`${logging.url}/soap`, { method: "POST", headers, body });
  await logging.close();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(lines).toEqual([expect.stringContaining(cause)]);
  expect(lines[0]).toContain("operation=Add");
});

const damagedBase64 = [
  { content: "!!!!", cause: "it contains characters other than" },
  { content: "SEVM!!!TE8=", cause: "it contains characters other than" },
  { content: "SGVsbG8gV29ybGQ=trailing text", cause: 'other characters follow its padding ("=")' },
  { content: "SGVsbG8=SGVsbG8=", cause: 'other characters follow its padding ("=")' },
  { content: "SGVsbG8", cause: "its length is not a multiple of 4" },
  { content: "S===", cause: 'its padding ("=") is too long' },
  { content: "====", cause: 'its padding ("=") is too long' },
  { content: "SGVsbG9=", cause: "the unused bits of its last character are not 0" },
  { content: "Zm9v<script>", cause: "it contains characters other than" },
];
const inBase64 = (content: string, header = "Content-Transfer-Encoding: base64") =>
  `${part("Content-Type: text/xml", add)}${part("", "p")}${part(`Content-ID: <notes=1@x>\r\n${header}`, content)}\r\n--b--`;

test.each(damagedBase64)("an attachment with the Base64 $content is refused", async ({ content, cause }) => {
  added.length = 0;
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => lines.push(line) });
  const logging = await listen([attachmentsRoutes(handlers)], { host: "127.0.0.1", onError });
  const headers = { "Content-Type": related, SOAPAction: '"urn:album#add"' };
  const answer = await fetch(`${logging.url}/soap`, { method: "POST", headers, body: inBase64(content) });
  await logging.close();
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain("Client</faultcode>");
  expect(added).toEqual([]);
  expect(lines).toEqual([expect.stringContaining(`The attachment "notes" is not valid Base64: ${cause}`)]);
  expect(lines[0]).toContain("path=/notes");
});

test.each(["", "YWJj\r\nZGU=", " YWI= \r\n", "YQ==", "YWJj"])(
  "an attachment with the Base64 %j is read",
  async (content) => {
    added.length = 0;
    expect((await post(inBase64(content), related)).status).toBe(200);
    expect(added).toMatchObject([{ notes: new Uint8Array(Buffer.from(content, "base64")) }]);
  },
);

test("a damaged attachment that the WSDL does not declare is ignored", async () => {
  added.length = 0;
  const other = part("Content-Transfer-Encoding: base64", "!!!");
  const body = `${part("Content-Type: text/xml", add)}${part("", "p")}${part("", "n")}${other}\r\n--b--`;
  expect((await post(body, related)).status).toBe(200);
  expect(added).toHaveLength(1);
});

test.each(["Content-Transfer-Encoding: base64", "content-id: <x>", "Content-Type: text/plain"])(
  "a part with the header %s twice is refused",
  async (header) => {
    added.length = 0;
    const other = header.startsWith("Content-T") ? "Content-Transfer-Encoding: 7bit\r\nContent-Type: a/b\r\n" : "";
    expect((await post(inBase64("YWJj", `${other}${header}`), related)).status).toBe(415);
    expect(added).toEqual([]);
  },
);

test("a client refuses an answer whose attachment is not valid Base64", async () => {
  const after = (answer: object) => ({
    ...answer,
    headers: new Map([["content-type", related]]),
    body: new TextEncoder().encode(
      `${part("Content-Type: text/xml", shown)}${part("Content-Transfer-Encoding: base64", "SGVsbG8")}\r\n--b--`,
    ),
  });
  const client = new AttachmentsClient({ ...server.options, hooks: { after } });
  const thrown = await client.show({ number: 1 }).catch((caught: unknown) => caught);
  expect(thrown).toBeInstanceOf(DecodeError);
  expect(thrown.path).toBe("/photo");
  expect(thrown.message).toContain('The attachment "photo" is not valid Base64: its length is not a multiple of 4');
});

test("a message whose root is not valid Base64 is refused", async () => {
  const body = `${part("Content-Type: text/xml\r\nContent-Transfer-Encoding: base64", "PGE-")}\r\n--b--`;
  expect((await post(body, related)).status).toBe(415);
});
