import { createHash } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ClientRequest, Hooks } from "../../src/client/index.js";
import { createMessageId } from "../../src/protocol/soap/addressing.js";
import { writeEnvelope } from "../../src/protocol/soap/envelope.js";
import { readEnvelope } from "../../src/protocol/soap/read-envelope.js";
import { addressing, usernameToken } from "../../src/ws/index.js";

const security = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
const clock = () => new Date("2024-02-29T12:00:00Z");
const nonce = () => new Uint8Array([1, 2, 250]);

function request(version: "soap11" | "soap12", more: Partial<ClientRequest> = {}): ClientRequest {
  return {
    operation: "Ask",
    method: "POST",
    url: "http://service.example/soap",
    headers: { SOAPAction: '"urn:ask"' },
    body: writeEnvelope(version, { body: '<Ask xmlns="urn:a">é</Ask>' }),
    ...more,
  };
}

async function sent(hooks: Hooks, request: ClientRequest): Promise<string> {
  const { body } = (await hooks.before?.(request)) ?? request;
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function blocks(xml: string): readonly { readonly name: string; readonly mustUnderstand: boolean }[] {
  return readEnvelope(xml).headers.map(({ name, mustUnderstand }) => ({ name, mustUnderstand }));
}

test("a token in text has the name and the password as they are", async () => {
  const xml = await sent(usernameToken({ username: "a<b", password: "p&q" }), request("soap11"));
  expect(blocks(xml)).toEqual([{ name: `{${security}}Security`, mustUnderstand: true }]);
  expect(xml).toContain("<Username>a&lt;b</Username>");
  expect(xml).toMatch(/<Password [^>]*Type="[^"]*username-token-profile-1\.0#PasswordText">p&amp;q<\/Password>/);
  expect(xml).not.toContain("Created");
  expect(xml).toContain('<soap:Body><Ask xmlns="urn:a">é</Ask></soap:Body>');
});

test("a digest is over nonce, time and password", async () => {
  const xml = await sent(
    usernameToken({ username: "a", password: "é", type: "digest", nonce, clock }),
    request("soap12"),
  );
  const created = "2024-02-29T12:00:00.000Z";
  const digest = createHash("sha1").update(nonce()).update(created).update("é").digest("base64");
  expect(xml).toMatch(new RegExp(`<Password [^>]*#PasswordDigest">${digest.replaceAll("+", "\\+")}</Password>`));
  expect(xml).toMatch(/<Nonce [^>]*EncodingType="[^"]*#Base64Binary">AQL6<\/Nonce>/);
  expect(xml).toMatch(new RegExp(`<Created [^>]*>${created}</Created>`));
  expect(xml).not.toContain(">é</Password>");
  expect(xml).toContain('mustUnderstand="true"');
});

test("each message has a new nonce and a new time", async () => {
  const hooks = usernameToken({ username: "a", password: "b", type: "digest" });
  const nonces = await Promise.all(
    [1, 2].map(async () => /<Nonce [^>]*>([^<]{24})</.exec(await sent(hooks, request("soap11")))?.[1]),
  );
  expect(new Set(nonces).size).toBe(2);
  expect(nonces).not.toContain(undefined);
});

test("a lifetime adds a timestamp; without a password only the name is sent", async () => {
  const xml = await sent(usernameToken({ username: "a", lifetime: 60, clock }), request("soap11"));
  expect(xml).toMatch(
    /<Timestamp [^>]*><Created>2024-02-29T12:00:00.000Z<\/Created><Expires>2024-02-29T12:01:00.000Z</,
  );
  expect(xml).not.toContain("Password");
});

const wsa = "http://www.w3.org/2005/08/addressing";

test("addressing sends the action, an id, the destination and the reply address", async () => {
  const xml = await sent(addressing({ messageId: () => "urn:uuid:1" }), request("soap11"));
  expect(blocks(xml)).toEqual([
    { name: `{${wsa}}Action`, mustUnderstand: true },
    { name: `{${wsa}}MessageID`, mustUnderstand: false },
    { name: `{${wsa}}ReplyTo`, mustUnderstand: false },
    { name: `{${wsa}}To`, mustUnderstand: true },
  ]);
  expect(xml.replace(/ (?:xmlns(?::\w+)?|q1:mustUnderstand)="[^"]*"/g, "")).toContain(
    "<soap:Header><Action>urn:ask</Action><MessageID>urn:uuid:1</MessageID>" +
      `<ReplyTo><Address>${wsa}/anonymous</Address></ReplyTo><To>http://service.example/soap</To></soap:Header>`,
  );
});

test.each([
  { options: {}, headers: { "Content-Type": 'application/soap+xml; charset=utf-8; action="a\\"b"' }, want: 'a"b' },
  { options: { action: "urn:x" }, headers: {}, want: "urn:x" },
  { options: { action: (operation: string) => `urn:${operation}` }, headers: {}, want: "urn:Ask" },
])("the action is $want", async ({ options, headers, want }) => {
  expect(await sent(addressing(options), request("soap12", { headers }))).toMatch(
    new RegExp(`<Action [^>]*>${want}</Action>`),
  );
});

test("the submission of 2004 has other names", async () => {
  const xml = await sent(addressing({ version: "2004/08", to: "urn:to", replyTo: "urn:back" }), request("soap11"));
  expect(xml).toMatch(/<To [^>]*xmlns="http:\/\/schemas.xmlsoap.org\/ws\/2004\/08\/addressing"/);
  expect(xml).toContain(">urn:back</Address>");
  expect(xml).toMatch(/<MessageID [^>]*>urn:uuid:[0-9a-f-]{36}<\/MessageID>/);
});

test("blocks are added after the existing ones, in text and in bytes", async () => {
  const body = writeEnvelope("soap11", { body: "<a />", headers: ["<own>é</own>"] });
  const both = request("soap11", { body: new TextEncoder().encode(`--part\r\n\r\n${body}\r\n--part--`) });
  for (const message of [request("soap11", { body }), both]) {
    const xml = await sent(usernameToken({ username: "ü" }), message);
    expect(xml).toMatch(/<soap:Header><own>é<\/own><Security .*ü.*<\/Security><\/soap:Header><soap:Body>/);
  }
});

test.each([
  {
    name: "a request that is no message",
    hooks: usernameToken({ username: "a" }),
    body: "a=b",
    says: "is not called over SOAP",
  },
  { name: "a request without a body", hooks: addressing(), body: undefined, says: "is not called over SOAP" },
])("$name is refused", async ({ hooks, body, says }) => {
  await expect(async () => sent(hooks, request("soap11", { body }))).rejects.toThrow(says);
});

test("addressing without an action is refused", async () => {
  const unsigned = request("soap11", { headers: { SOAPAction: '""' } });
  await expect(async () => sent(addressing(), unsigned)).rejects.toThrow('Set the option "action"');
});

test("a page without HTTPS, where browsers have no randomUUID, gets ids of messages too", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const ids = Array.from({ length: 100 }, createMessageId);
  const uuid = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(100);
});
