import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import type { ItemScanner } from "../../src/client/streams/byte-window.js";
import { JsonItems } from "../../src/client/streams/json-items.js";
import { XmlItems } from "../../src/client/streams/xml-items.js";

const gigabyte = 1_073_741_824;
const runtime = (file: string) => pathToFileURL(join(import.meta.dirname, "../../dist", file)).href;
let server: Server;
let url: string;

beforeAll(async () => {
  const text = "x".repeat(900);
  const kinds = {
    "/soap": {
      type: "text/xml; charset=utf-8",
      start: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><ListResponse xmlns="urn:t"><ListResult>`,
      item: (index: number) => `<Row><Id>${index}</Id><Name>${text}</Name><Note>a &amp; b</Note></Row>\n`,
      end: "</ListResult></ListResponse></s:Body></s:Envelope>",
    },
    "/wp-json/v1/rows": {
      type: "application/json",
      start: "[null",
      item: (index: number) => `,{"id":${index},"name":"${text}","note":{"raw":"a & b"}}\n`,
      end: "]",
    },
  };
  server = createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    const { type, start, item, end } = kinds[path === "/soap" ? "/soap" : "/wp-json/v1/rows"];
    const isCompressed = request.url?.endsWith("?gzip") === true;
    response.writeHead(200, { "Content-Type": type, ...(isCompressed && { "Content-Encoding": "gzip" }) });
    const out = isCompressed ? createGzip({ level: 1 }) : response;
    if (out !== response) {
      out.pipe(response);
    }
    // The pieces are equal, because writing a gigabyte of different ones would take much of the time of the test.
    const piece = Buffer.from(Array.from({ length: 64 }, (_, index) => item(index)).join(""));
    let written = start.length;
    out.write(start);
    const more = () => {
      while (written < gigabyte) {
        written += piece.length;
        if (!out.write(piece)) {
          out.once("drain", more);
          return;
        }
      }
      out.end(end);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Runs a program in another process. It prints the number of items and its maximum memory in MB. */
async function measured(program: string): Promise<{ items: number; idle: number; most: number }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve) => child.on("close", resolve));
  return JSON.parse(output);
}

const loop = `
  const rss = () => process.memoryUsage().rss / 1_048_576;
  const idle = rss();
  let items = 0;
  let most = 0;
  for await (const item of stream) {
    items += 1;
    if (items % 1000 === 0) most = Math.max(most, rss());
  }
  console.log(JSON.stringify({ items, idle, most }));
`;

const soapProgram = (query = "") => `
  import { ServiceClient } from ${JSON.stringify(runtime("client/index.js"))};
  import { streamOf } from ${JSON.stringify(runtime("client/streams/stream-of.js"))};
  import * as xs from ${JSON.stringify(runtime("xs.js"))};
  const record = (name, fields) => () => ({ kind: "record", name: "{urn:t}" + name, namespace: "urn:t", fields });
  const row = record("Row", { Id: { type: xs.int }, Name: { type: xs.string }, Note: { type: xs.string } });
  const rows = record("Rows", { Row: { type: row, min: 0, max: "unbounded" } });
  const service = { descriptorFormat: 2, name: "S", namespace: "urn:t", ports: { soap11: { name: "S", address: "${url}/soap${query}" } } };
  const list = {
    kind: "operation", service, name: "List",
    input: { body: { element: "{urn:t}List", type: record("List", {}) } },
    output: { body: { element: "{urn:t}ListResponse", type: record("ListResponse", { ListResult: { type: rows } }) }, result: "ListResult" },
    bindings: { soap11: { action: "List" } },
  };
  const client = new ServiceClient(service, {});
  const stream = streamOf((options) => client.call(list, {}, options), { items: "Row" });
  ${loop}
`;

const restProgram = () => `
  import { RestClient } from ${JSON.stringify(runtime("client/rest/rest-client.js"))};
  import { streamOf } from ${JSON.stringify(runtime("client/streams/stream-of.js"))};
  const site = { descriptorFormat: 2, name: "site", base: "/wp-json" };
  const rows = { name: "rows", route: "/v1/rows", path: ["/v1/rows"], methods: ["GET"], args: {} };
  const client = new RestClient(site, { siteUrl: "${url}" });
  const stream = streamOf((options) => client.call(rows, {}, options));
  ${loop}
`;

// They run at the same time, because memory does not depend on the load of the machine.
test.concurrent.each([
  ["SOAP", soapProgram],
  ["SOAP with gzip", () => soapProgram("?gzip")],
  ["REST", restProgram],
])(
  "an answer of 1 GB over %s is read in 60 MB",
  async (_, program) => {
    const { items, idle, most } = await measured(program());
    console.log(`${items} items, ${Math.round(most)} MB, ${Math.round(most - idle)} more than before`);
    expect(items).toBeGreaterThan(1_000_000);
    expect(most - idle).toBeLessThan(60);
  },
  300_000,
);

describe("a hostile answer costs less than 1 s of processor time", () => {
  const limit = 16_777_216;
  const outerLimit = 65_536;
  const xmlItems = () => new XmlItems({ names: [undefined, "Rows", "Row"], keptItemCount: 0, limit, outerLimit });
  const jsonItems = () => new JsonItems({ names: [], limit });

  function readItems(scanner: ItemScanner, bytes: Uint8Array): void {
    const documents = scanner.push(bytes);
    while (documents.next().value !== undefined) {}
  }

  function pushBytes(scanner: ItemScanner, text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (let offset = 0; offset < bytes.length; offset += 1) {
      readItems(scanner, bytes.subarray(offset, offset + 1));
    }
  }

  test("with a long name in a tag around the items", () => {
    const document = new TextEncoder().encode(`<E ${"a".repeat(200_000)}><Rows><Row/><Row/></Rows></E>`);
    expect(processorTimeOf(() => readItems(xmlItems(), document))).toBeLessThan(1_000);
  });

  const long = "a".repeat(200_000);

  test.each([
    { what: "a tag", text: `<E a="${long}">`, items: xmlItems },
    { what: "a comment", text: `<E><!--${long}-->`, items: xmlItems },
    { what: "a text", text: `<E>${long}`, items: xmlItems },
    { what: "a string", text: `["${long}"`, items: jsonItems },
  ])("with chunks of one byte in $what", ({ text, items }) => {
    expect(processorTimeOf(() => pushBytes(items(), text))).toBeLessThan(1_000);
  });

  test.each([
    { kind: "XML", start: "<E><Rows><Row>", text: "b", items: xmlItems },
    { kind: "JSON", start: "[", text: '"b"'.repeat(2), items: jsonItems },
  ])("with chunks of one byte in a large item of $kind", ({ start, text, items }) => {
    const scanner = items();
    readItems(scanner, new TextEncoder().encode(start + "1".repeat(8_000_000)));
    expect(processorTimeOf(() => pushBytes(scanner, text.repeat(20_000)))).toBeLessThan(1_000);
  });
});
