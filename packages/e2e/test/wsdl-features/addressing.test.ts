import { addressing } from "@bothends/runtime/ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("addressing");
const { AddressingClient, Lost } = await service.load("client");
const { addressingRoutes, Lost: ServedLost } = await service.load("server");

const notes: unknown[] = [];
const handlers = {
  ask(text: string) {
    if (text === "lost") {
      throw new ServedLost({ reason: "lost", detail: { where: "here" } });
    }
    if (text === "broken") {
      throw new Error("broken");
    }
    return `${text}!`;
  },
  note(text: string, { extraSoapHeaders }: { readonly extraSoapHeaders: readonly { readonly name: string }[] }) {
    notes.push([text, extraSoapHeaders.map(({ name }) => name.replace(/.*\}/, ""))]);
  },
};

let server: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  server = await served(addressingRoutes(handlers));
});
afterAll(async () => {
  await server.close();
  service.remove();
});

const wsa = "http://www.w3.org/2005/08/addressing";
const header = (name: string, text: string) =>
  new RegExp(`<${name} [^>]*xmlns="${wsa}"[^>]*>${text.replace(/[.?]/g, "\\$&")}</${name}>`);

function messageId(): string {
  return /<MessageID [^>]*>(urn:uuid:[^<]*)</.exec(server.wire.request)?.[1] ?? "";
}

test("requests have the addressing headers that the WSDL requires, and the answer relates to the request", async () => {
  const client = new AddressingClient({ ...server.options, protocol: "soap11" });
  expect(await client.ask("a")).toBe("a!");
  expect(server.wire.request).toMatch(header("Action", "urn:posted:ask"));
  expect(server.wire.request).toMatch(header("To", `${server.url}/post`));
  expect(server.wire.answer).toMatch(header("Action", "urn:posted:Post:AskResponse"));
  expect(server.wire.answer).toMatch(header("RelatesTo", messageId()));
});

test("a hook adds addressing headers that are optional, and they are answered in the same way", async () => {
  const client = new AddressingClient({ ...server.options, protocol: "soap12" });
  await client.ask("a");
  expect(server.wire.request + server.wire.answer).not.toContain(wsa);
  const { before, after } = server.options.hooks;
  await client.ask("a", { hooks: [addressing({ action: "urn:posted:ask" }), { before, after }] });
  expect(server.wire.answer).toMatch(header("RelatesTo", messageId()));
});

test("a hook's addressing headers replace the client's", async () => {
  const { before, after } = server.options.hooks;
  const client = new AddressingClient({
    ...server.options,
    protocol: "soap11",
    hooks: [addressing({ messageId: () => "urn:uuid:1" }), { before, after }],
  });
  await client.ask("a");
  expect(server.wire.request.match(/<MessageID /g)).toHaveLength(1);
  expect(server.wire.answer).toMatch(header("RelatesTo", "urn:uuid:1"));
});

test.each([
  { text: "lost", action: "urn:posted:lost" },
  { text: "broken", action: `${wsa}/soap/fault` },
])("a fault has an action: $text", async ({ text, action }) => {
  const client = new AddressingClient({ ...server.options, protocol: "soap11" });
  const error = await client.ask(text).catch((thrown: unknown) => thrown);
  expect(error instanceof Lost).toBe(text === "lost");
  expect(server.wire.answer).toMatch(header("Action", action));
  expect(server.wire.answer).toMatch(header("RelatesTo", messageId()));
});

test("a handler sees the headers", async () => {
  const client = new AddressingClient({ ...server.options, protocol: "soap11" });
  await client.note("n");
  expect(notes).toEqual([["n", ["Action", "MessageID", "ReplyTo", "To"]]]);
  expect(server.wire.request).toMatch(header("Action", "urn:posted:Post:Note"));
});

test("an answer to another address is refused, and an answer to the none address is not sent", async () => {
  const client = new AddressingClient({ ...server.options, protocol: "soap12" });
  const { before, after } = server.options.hooks;
  const ask = (replyTo: string) =>
    client
      .ask("a", { hooks: [addressing({ action: "urn:posted:ask", replyTo }), { before, after }] })
      .catch((thrown: unknown) => thrown);
  const error = await ask("http://elsewhere.example/");
  expect(error).toMatchObject({
    subcodes: [`{${wsa}}InvalidAddressingHeader`, `{${wsa}}OnlyAnonymousAddressSupported`],
  });
  await ask(`${wsa}/none`);
  expect([server.wire.status, server.wire.answer]).toEqual([202, ""]);
});
