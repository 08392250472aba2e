import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("document-bare");
const { DocumentBareClient, Closed, SoapFault } = await service.load("client");
const { documentBareRoutes, Closed: ServedClosed, SoapFault: ServedFault } = await service.load("server");

interface Context {
  readonly soapHeaders: { readonly Session?: { readonly token: string }; readonly Language?: string };
  sendSoapHeaders(blocks: object): void;
}
const touched: (string | null)[] = [];
const handlers = {
  open(ticket: { id: number; subject: string; due?: string }, context: Context) {
    const { Session, Language } = context.soapHeaders;
    context.sendSoapHeaders({ Quota: Language === "pt" ? 7 : 3 });
    if (ticket.subject === "closed") {
      throw new ServedClosed({ reason: "closed", detail: { since: "2020-01-01" } });
    }
    if (Session?.token === "old") {
      throw new ServedFault({
        code: "Client",
        reason: "session",
        soapHeaders: { SessionProblem: { expired: "2020-01-01T00:00:00Z" } },
      });
    }
    return ticket.id + 1;
  },
  annotate: ({ Number: number, Note }: { Number: number; Note: string }) => ({ Number: number, Note: `${Note}!` }),
  touch(note: string | null) {
    touched.push(note);
  },
};

let server: Awaited<ReturnType<typeof served>>;
let client: InstanceType<typeof DocumentBareClient>;
let folder: string;
beforeAll(async () => {
  server = await served(documentBareRoutes(handlers));
  client = new DocumentBareClient(server.options);
  folder = mkdtempSync(join(tmpdir(), "blocks-"));
});
afterAll(async () => {
  await server.close();
  service.remove();
  rmSync(folder, { recursive: true });
});

test("an element is the message", async () => {
  expect(await client.open({ id: 1, subject: "s", due: "2024-02-29" })).toBe(2);
  expect(server.wire.request).toContain(
    '<Ticket id="1" xmlns="urn:desk"><subject>s</subject><due>2024-02-29</due></Ticket>',
  );
});

test("several parts are written side by side", async () => {
  expect(await client.annotate({ Number: 1, Note: "n", Author: "a" })).toEqual({ Number: 1, Note: "n!" });
  expect(server.wire.request).toContain(
    '<Number xmlns="urn:desk">1</Number><Note xmlns="urn:desk">n</Note><Author xmlns="urn:desk">a</Author>',
  );
});

test("a one-way operation has no answer", async () => {
  expect(await client.touch("n")).toBe(undefined);
  expect(await client.touch(null)).toBe(undefined);
  expect(server.wire.request).toContain('<Note xsi:nil="true" xmlns="urn:desk" />');
  expect(touched).toEqual(["n", null]);
});

test("header blocks are sent and received", async () => {
  const answers: unknown[] = [];
  const onAnswer = ({ soapHeaders }: { soapHeaders: unknown }) => void answers.push(soapHeaders);
  await client.open({ id: 1, subject: "s" }, { soapHeaders: { Session: { token: "t" }, Language: "pt" }, onAnswer });
  await client.open({ id: 1, subject: "s" }, { onAnswer });
  expect(answers).toEqual([{ Quota: 7 }, { Quota: 3 }]);
});

test("a header fault comes in the header of a fault, typed", async () => {
  const answers: unknown[] = [];
  const error = await client
    .open(
      { id: 1, subject: "s" },
      {
        soapHeaders: { Session: { token: "old" } },
        onAnswer: ({ status, soapHeaders }: { status: number; soapHeaders: unknown }) =>
          void answers.push(status, soapHeaders),
      },
    )
    .catch((thrown: unknown) => thrown);
  const soapHeaders = { SessionProblem: { expired: "2020-01-01T00:00:00Z" }, Quota: 3 };
  expect(error).toBeInstanceOf(SoapFault);
  expect(error).not.toBeInstanceOf(Closed);
  expect(error.soapHeaders).toEqual(soapHeaders);
  expect(answers).toEqual([500, soapHeaders]);
});

test("a declared fault is an instance of its class", async () => {
  const error = await client.open({ id: 1, subject: "closed" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Closed);
  expect(error.detail).toEqual({ since: "2020-01-01" });
  expect(error.soapHeaders).toEqual({ Quota: 3 });
});

const missing = spawnSync("xmllint", ["--version"]).error !== undefined;
if (missing) {
  console.warn("xmllint is not installed: messages are not validated against their schema here");
}

/** Returns the children of bodies, headers and details in an envelope, as stand-alone documents. */
function blocksOf(envelope: string): readonly string[] {
  const inside = [...envelope.matchAll(/<(soap:Header|soap:Body|detail)>(.*?)<\/\1>/g)].map(
    ([, , inner]) => inner ?? "",
  );
  return inside.flatMap((xml) =>
    [...xml.matchAll(/<(\w+)[^>]* xmlns="urn:desk"[^>]*>.*?<\/\1>/g)].map(([block]) => block),
  );
}

test.skipIf(missing)("every header block is valid by the schema", async () => {
  const wsdl = readFileSync(new URL("document-bare.wsdl", import.meta.url), "utf8");
  const schema = join(folder, "desk.xsd");
  const declared = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:desk"';
  writeFileSync(schema, (/<xs:schema[\s\S]*<\/xs:schema>/.exec(wsdl)?.[0] ?? "").replace("<xs:schema", declared));
  const documents: string[] = [];
  const call = async (token: string, subject: string): Promise<void> => {
    const soapHeaders = { Session: { token }, Language: "pt" };
    await client.open({ id: 1, subject, due: "2024-02-29" }, { soapHeaders }).catch(() => undefined);
    documents.push(...blocksOf(server.wire.request), ...blocksOf(server.wire.answer));
  };
  await call("t", "s");
  await call("old", "s");
  await call("t", "closed");
  const names = new Set(documents.map((xml) => /^<(\w+)/.exec(xml)?.[1]));
  expect([...names].sort()).toEqual(["Closed", "Language", "Number", "Quota", "Session", "SessionProblem", "Ticket"]);
  const paths = documents.map((xml, index) => {
    const path = join(folder, `${index}.xml`);
    writeFileSync(path, xml);
    return path;
  });
  execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, ...paths], { stdio: "pipe" });
});
