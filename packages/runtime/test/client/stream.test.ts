import { randomBytes } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import zlib, { brotliCompressSync, type Gunzip, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { RestClient } from "../../src/client/rest/rest-client.js";
import { results } from "../../src/client/results.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import { XmlItems } from "../../src/client/streams/xml-items.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import type { OperationDescriptor, RecordDescriptor } from "../../src/index.js";
import {
  AbortError,
  BothendsError,
  ConfigError,
  DecodeError,
  HttpStatusError,
  SoapFault,
  TimeoutError,
  TransportError,
} from "../../src/index.js";
import * as xs from "../../src/xs.js";
import { collected, failureOf, localServer, pieceServer } from "./local-server.js";
import { envelope, lookup, ns } from "./lookup.js";

interface Row {
  Name: string;
  Size: number;
}
interface Table {
  Title?: string | undefined;
  Rows: { Row?: readonly Row[] | undefined };
  Total: number;
}

const row: RecordDescriptor<Row> = {
  kind: "record",
  name: `{${ns}}Row`,
  namespace: ns,
  fields: { Name: { type: xs.string }, Size: { type: xs.int } },
};
const rows: RecordDescriptor<{ Row?: readonly Row[] | undefined }> = {
  kind: "record",
  name: `{${ns}}Rows`,
  namespace: ns,
  fields: { Row: { type: () => row, min: 0, max: "unbounded" } },
};
const table: RecordDescriptor<Table> = {
  kind: "record",
  name: `{${ns}}Table`,
  namespace: ns,
  fields: { Title: { type: xs.string, min: 0 }, Rows: { type: () => rows }, Total: { type: xs.int } },
};
const response: RecordDescriptor<{ ListResult?: Table | undefined }> = {
  kind: "record",
  name: `{${ns}}ListResponse`,
  namespace: ns,
  fields: { ListResult: { type: () => table, min: 0 } },
};
const request: RecordDescriptor<{ Key?: string | undefined }> = {
  kind: "record",
  name: `{${ns}}List`,
  namespace: ns,
  fields: { Key: { type: xs.string, min: 0 } },
};
const list: OperationDescriptor<{ Key?: string | undefined }, Table | null> = {
  kind: "operation",
  service: lookup,
  name: "List",
  input: { body: { element: `{${ns}}List`, type: () => request } },
  output: { body: { element: `{${ns}}ListResponse`, type: () => response }, result: "ListResult" },
  bindings: { soap11: { action: `${ns}/List` }, soap12: { action: `${ns}/List` } },
};

const rowXml = (index: number, name = `n${index}`) => `<Row><Name>${name}</Name><Size>${index}</Size></Row>`;
const tableXml = (content: string) =>
  envelope(
    `<ListResponse xmlns="${ns}"><ListResult><Title>t</Title><Rows>${content}</Rows><Total>3</Total></ListResult></ListResponse>`,
  );

/** A server whose body has no end. It stops when the connection is closed. */
async function endlessServer(piece: (index: number) => string, start: string) {
  let written = 0;
  let closed = false;
  const server = await localServer((_, out) => {
    out.on("close", () => {
      closed = true;
    });
    out.writeHead(200, { "Content-Type": "text/xml; charset=utf-8" });
    out.write(start);
    const more = () => {
      while (!closed) {
        written += 1;
        if (!out.write(piece(written).repeat(100))) {
          out.once("drain", more);
          return;
        }
      }
    };
    more();
  });
  return { ...server, written: () => written, closed: () => closed };
}

function streamed(url: string, options = {}, streamOptions = {}) {
  const client = new ServiceClient(lookup, { baseUrl: url, ...options });
  return streamOf((call) => client.call(list, {}, call), { items: "Rows.Row", ...streamOptions });
}

const three = [1, 2, 3].map((Size) => ({ Name: `n${Size}`, Size }));
const threeXml = tableXml([1, 2, 3].map((index) => rowXml(index)).join("\n  "));

test("the items of an answer are read, wherever the bytes are divided", async () => {
  const bytes = Buffer.from(
    threeXml.replace("n2", "<![CDATA[n</Row>]]>Ł<!-- </Row> > -->").replace("<Row>", "<Row \n a='>'\n>"),
  );
  for (let size = 1; size < 60; size += 7) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const server = await pieceServer(size < 8 ? [Buffer.concat(pieces.slice(0, 500)), ...pieces.slice(500)] : pieces);
    expect(await collected(streamed(server.url))).toEqual([three[0], { Name: "n</Row>Ł", Size: 2 }, three[2]]);
  }
});

test("the items of an answer are read byte by byte", async () => {
  const server = await localServer((_, out) => out.writeHead(200, { "Content-Type": "text/xml" }).end());
  expect(server.received).toEqual([]);
  const bytes = Buffer.from(threeXml);
  const transport = fetchTransport(
    async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of bytes) {
              controller.enqueue(Uint8Array.of(byte));
            }
            controller.close();
          },
        }),
        { headers: { "Content-Type": "text/xml" } },
      ),
  );
  expect(await collected(streamed("http://localhost", { transport }))).toEqual(three);
});

test.each(["soap11", "soap12"] as const)("an empty list has no items over %s", async (version) => {
  const body = tableXml("").replace(
    "http://schemas.xmlsoap.org/soap/envelope/",
    version === "soap11" ? "http://schemas.xmlsoap.org/soap/envelope/" : "http://www.w3.org/2003/05/soap-envelope",
  );
  const server = await pieceServer([body]);
  expect(await collected(streamed(server.url, { protocol: version }))).toEqual([]);
});

const listOverHttp: OperationDescriptor<{ Key?: string | undefined }, Table | null> = {
  ...list,
  http: {
    parameters: { Key: { type: xs.string, optional: true } },
    answer: { kind: "xml", element: `{${ns}}Table`, type: () => table, nillable: true },
  },
  bindings: { httpGet: { location: "/List" }, httpPost: { location: "/List" } },
};
const streamedOverHttp = (url: string, protocol: "httpGet" | "httpPost", items = "Rows.Row") =>
  streamOf((call) => new ServiceClient(lookup, { baseUrl: url, protocol }).call(listOverHttp, {}, call), {
    items: items as "Rows.Row",
  });
const documentXml = (content: string) =>
  `<?xml version="1.0"?>\n<Table xmlns="${ns}"><Title>t</Title><Rows>${content}</Rows><Total>3</Total></Table>`;

describe.each(["httpGet", "httpPost"] as const)("over %s", (protocol) => {
  test("the items of an answer are read, wherever the bytes are divided", async () => {
    const bytes = Buffer.from(documentXml([1, 2, 3].map((index) => rowXml(index)).join("\n")));
    for (const size of [5, 50, 500]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const server = await pieceServer(pieces);
      expect(await collected(streamedOverHttp(server.url, protocol))).toEqual(three);
    }
  });

  test("an item that does not match the schema has its index in the path of the error", async () => {
    const server = await pieceServer([documentXml(`${rowXml(1)}${rowXml(2).replace("<Size>2", "<Size>x")}`)]);
    const items = streamedOverHttp(server.url, protocol);
    expect((await items.next()).value).toEqual(three[0]);
    expect(await failureOf(items.next())).toMatchObject({ name: "DecodeError", path: "/Table/Rows/Row[2]/Size" });
  });

  test("the parts of the answer outside the items are checked, also its root", async () => {
    const cut = documentXml(rowXml(1)).replace("<Total>3</Total>", "");
    const other = documentXml(rowXml(1)).replaceAll("Table", "Other");
    for (const body of [cut, other, "<a/>", "no XML"]) {
      const server = await pieceServer([body]);
      const error = await failureOf(collected(streamedOverHttp(server.url, protocol)));
      expect(error).toBeInstanceOf(DecodeError);
    }
  });

  test("an answer whose items do not end is read in little memory", async () => {
    const server = await endlessServer(rowXml, `<Table xmlns="${ns}"><Rows>`);
    let count = 0;
    for await (const _ of streamedOverHttp(server.url, protocol)) {
      count += 1;
      if (count === 1_000) {
        break;
      }
    }
    await expect.poll(server.closed).toBe(true);
  });

  test("items that are not a list in the schema cause a ConfigError", async () => {
    const error = await failureOf(collected(streamedOverHttp("http://127.0.0.1:1", protocol, "Rows")));
    expect(error).toBeInstanceOf(ConfigError);
  });
});

test("prefixes that are declared outside the items are known inside them", async () => {
  const body = `<?xml version="1.0" encoding="ISO-8859-1"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><Row/></e:Header><e:Body xmlns:q="${ns}"><q:ListResponse><q:ListResult a="xmlns:q='no'"><q:Rows><q:Row><q:Name>\xe9</q:Name><q:Size>1</q:Size></q:Row></q:Rows><q:Total>3</q:Total></q:ListResult></q:ListResponse></e:Body></e:Envelope>`;
  const server = await pieceServer([Buffer.from(body, "latin1")], { type: "text/xml" });
  expect(await collected(streamed(server.url))).toEqual([{ Name: "é", Size: 1 }]);
});

describe("tags around the items", () => {
  const declarations = (size: number) =>
    Array.from({ length: size / 1_000 }, (_, index) => ` xmlns:p${index}="${"x".repeat(1_000)}"`).join("");
  const largeTags = (size: number, content: string) =>
    tableXml(content)
      .replace("<ListResult", `<ListResult${declarations(size)}`)
      .replace("<Rows", `<Rows${declarations(size)}`);

  test("are refused above the limit attributeChars in all, before an item is read", async () => {
    const server = await pieceServer([largeTags(40_000, rowXml(1))]);
    const stream = streamed(server.url);
    expect(await failureOf(stream.next())).toMatchObject({
      name: "ProtocolError",
      message: expect.stringContaining("the limit attributeChars = 65536"),
    });
    const larger = streamed(server.url, { limits: { attributeChars: 100_000 } });
    expect(await collected(larger)).toEqual([{ Name: "n1", Size: 1 }]);
  });

  test("are refused if only their names or the XML declaration is long", async () => {
    const long = "x".repeat(70_000);
    const bodies = [`<?xml version="1.0"${" ".repeat(70_000)}?>${threeXml}`, threeXml.replaceAll("ListResponse", long)];
    for (const body of bodies) {
      const server = await pieceServer([body]);
      expect(await failureOf(streamed(server.url).next())).toMatchObject({
        message: expect.stringContaining("the limit attributeChars = 65536"),
      });
    }
  });

  test("are counted without their other attributes, and without elements that have ended", async () => {
    const attribute = ` a="${"x".repeat(40_000)}"`;
    const content = rowXml(1) + `</Rows><Rows${declarations(40_000)}>`.repeat(3) + rowXml(2);
    const server = await pieceServer([tableXml(content).replace("<ListResult", `<ListResult${attribute}`)]);
    const stream = streamed(server.url);
    expect(await stream.next()).toEqual({ done: false, value: { Name: "n1", Size: 1 } });
    expect(await stream.next()).toEqual({ done: false, value: { Name: "n2", Size: 2 } });
  });

  test("are copied for one item at a time", () => {
    const scanner = new XmlItems({
      names: ["Rows", "Row"],
      keptItemCount: 0,
      limit: 1_000_000,
      outerLimit: 65_536,
    });
    const text = `<Rows${declarations(60_000)}>${"<Row/>".repeat(100)}`;
    const buffers = new Set([...scanner.push(new TextEncoder().encode(text))].map(({ buffer }) => buffer));
    expect([...buffers].map(({ byteLength }) => byteLength)).toEqual([65_536]);
  });
});

test("an item that does not fit has its index in the path, and the items before it are read", async () => {
  const server = await pieceServer([tableXml(`${rowXml(1)}${rowXml(2).replace("<Size>2", "<Size>x")}${rowXml(3)}`)]);
  const items = streamed(server.url);
  expect((await items.next()).value).toEqual(three[0]);
  const error = await failureOf(items.next());
  expect(error).toBeInstanceOf(DecodeError);
  expect(error).toMatchObject({
    path: "/Envelope/Body/ListResponse/ListResult/Rows/Row[2]/Size",
    message: expect.stringContaining("/Rows/Row[2]/Size: "),
    operation: "List",
  });
});

test("an item that is not well-formed has its index in the path", async () => {
  const server = await pieceServer([tableXml(`${rowXml(1)}<Row><Name>a</Nam></Row>`)]);
  expect(await failureOf(collected(streamed(server.url)))).toMatchObject({
    name: "DecodeError",
    path: expect.stringMatching(/\/Rows\/Row\[2\]$/),
  });
});

test.each([
  ["without its end", threeXml.slice(0, -30), /not closed|end tag/i],
  ["with an element too many", threeXml.replace("</Rows>", "</Rows><Rows/>"), /more than once/],
  ["without a required element after the items", threeXml.replace("<Total>3</Total>", ""), /Total/],
])("an answer %s is an error after its items", async (_, body, message) => {
  const server = await pieceServer([body]);
  const items = streamed(server.url);
  expect([(await items.next()).value, (await items.next()).value, (await items.next()).value]).toEqual(three);
  expect(String(await failureOf(items.next()))).toMatch(message);
});

test("an answer that ends too early is a transport error after its items", async () => {
  const server = await pieceServer([threeXml], { headers: { "Content-Length": "9999", Connection: "close" } });
  const items = streamed(server.url);
  expect((await items.next()).value).toEqual(three[0]);
  expect(await failureOf(collected(items))).toBeInstanceOf(TransportError);
});

test.each([500, 200])("a fault with status %i is an error", async (status) => {
  const fault = envelope("<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring></s:Fault>");
  const server = await pieceServer([fault], { status });
  expect(await failureOf(collected(streamed(server.url)))).toMatchObject({ name: SoapFault.name, reason: "no" });
});

test("another status is an error", async () => {
  const server = await pieceServer(["<p>gone</p>"], { status: 410, type: "text/html" });
  expect(await failureOf(collected(streamed(server.url)))).toBeInstanceOf(HttpStatusError);
});

test("the loop decides how fast the answer is read, and its end closes the connection", async () => {
  const server = await endlessServer((index) => rowXml(index), tableXml("").split("</Rows>")[0] ?? "");
  const items = streamed(server.url);
  for (let count = 0; count < 5; count += 1) {
    expect((await items.next()).value).toMatchObject({ Size: 1 });
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const written = server.written();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(server.written()).toBe(written);
  await items.return();
  await expect.poll(() => server.closed()).toBe(true);
});

test("an answer that stops causes a timeout, which does not count the time of the loop", async () => {
  const server = await localServer((_, out) => {
    out.writeHead(200, { "Content-Type": "text/xml" });
    out.write(threeXml.slice(0, threeXml.indexOf("</Rows>")));
  });
  const items = streamed(server.url, {}, { idleTimeout: 100 });
  await items.next();
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect((await items.next()).value).toEqual(three[1]);
  await items.next();
  const error = await failureOf(items.next());
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ milliseconds: 100, operation: "List" });
});

test("the caller's signal ends the stream", async () => {
  const server = await endlessServer((index) => rowXml(index), tableXml("").split("</Rows>")[0] ?? "");
  const controller = new AbortController();
  const client = new ServiceClient(lookup, { baseUrl: server.url });
  const items = streamOf((options) => client.call(list, {}, { ...options, signal: controller.signal }), {
    items: "Rows.Row",
  });
  await items.next();
  controller.abort();
  expect(await failureOf(collected(items))).toBeInstanceOf(AbortError);
  await expect.poll(() => server.closed()).toBe(true);
});

test.each([
  ["an item", tableXml(rowXml(1, "x".repeat(3000)))],
  ["an item without an end", `${tableXml("").split("</Rows>")[0]}<Row><Name>${"x".repeat(3000)}`],
  ["what is not an item", tableXml("").replace("<Title>t", `<Title>${"x".repeat(3000)}`)],
])("the limit bodyBytes applies to %s", async (_, body) => {
  const server = await pieceServer([body]);
  const error = await failureOf(collected(streamed(server.url, { limits: { bodyBytes: 2000 } })));
  expect(error).toMatchObject({ name: "ProtocolError", message: expect.stringContaining("limits.bodyBytes") });
});

test("the limit bodyBytes does not apply to the sum of all items", async () => {
  const many = Array.from({ length: 100 }, (_, index) => rowXml(index));
  const server = await pieceServer([tableXml(many.join("\n"))]);
  expect(await collected(streamed(server.url, { limits: { bodyBytes: 1000 } }))).toHaveLength(100);
});

test.each([
  ["Rows.Line", /no member "Line" among the members Row/],
  ["Rows", /Rows is not a list/],
  ["Total", /Total is not a list/],
  ["Rows.Row.Name", /Row is a list already/],
])("the path %s is refused before anything is sent", async (path, message) => {
  const server = await pieceServer([threeXml]);
  const error = await failureOf(collected(streamed(server.url, {}, { items: path })));
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toMatch(message);
  expect(server.received).toEqual([]);
});

test.each(["<!--", "<?a ", "<![CDATA["])(
  "%s without an end outside an item is refused at the limit bodyBytes",
  async (start) => {
    const server = await endlessServer(() => "x".repeat(1_000), `${tableXml("").split("</Rows>")[0]}${start}`);
    const items = streamed(server.url, { limits: { bodyBytes: 1_000_000 } }, { idleTimeout: 5_000 });
    const failure = failureOf(collected(items));
    await expect.poll(server.closed, { timeout: 3_000 }).toBe(true);
    expect(await failure).toMatchObject({
      name: "ProtocolError",
      message: expect.stringContaining("more bytes outside its items than the limit bodyBytes = 1000000"),
    });
  },
);

test("a stream that is aborted while its first request is prepared leaves no connection", async () => {
  for (let steps = 0; steps < 8; steps += 1) {
    const server = await localServer(() => {});
    const controller = new AbortController();
    const items = streamed(server.url, { maxSockets: 1, signal: controller.signal });
    const failure = failureOf(items.next());
    for (let step = 0; step < steps; step += 1) {
      await Promise.resolve();
    }
    controller.abort();
    expect(await failure).toBeInstanceOf(AbortError);
    // Long enough for a connection to be opened.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await expect.poll(server.sockets, { timeout: 3_000 }).toBe(0);
  }
});

test("a call that does not pass on its options is refused", async () => {
  const server = await pieceServer([threeXml]);
  const client = new ServiceClient(lookup, { baseUrl: server.url });
  const error = await failureOf(collected(streamOf(() => client.call(list, {}), { items: "Rows.Row" })));
  expect(String(error)).toMatch(/must pass its options to the call/);
});

describe.each([
  ["node:http", undefined],
  ["fetch", fetchTransport(fetch)],
])("with %s", (_, transport) => {
  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("a list that is compressed with %s is read while it arrives", async (encoding, compress) => {
    const rowTexts = Array.from({ length: 3000 }, (_, index) => rowXml(index, randomBytes(60).toString("hex")));
    const bytes = compress(Buffer.from(tableXml(rowTexts.join(""))));
    const middle = Math.floor(bytes.length / 2);
    let sendRest = () => {};
    const server = await localServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/xml; charset=utf-8", "Content-Encoding": encoding });
      response.write(bytes.subarray(0, middle));
      sendRest = () => void response.end(bytes.subarray(middle));
    });
    const stream = streamed(server.url, { transport, limits: { bodyBytes: 10_000 } });
    expect((await stream.next()).value).toMatchObject({ Size: 0 });
    sendRest();
    expect(await collected(stream)).toHaveLength(2999);
    expect(server.received[0]?.headers["accept-encoding"]).toContain("gzip");
  });

  test.each(["gzip", "br"])("an empty answer that is declared as %s is read like an uncompressed one", async (name) => {
    const failures = [];
    for (const headers of [{ "Content-Encoding": name }, {}]) {
      const server = await pieceServer([], { headers });
      failures.push(await failureOf(collected(streamed(server.url, { transport }))));
    }
    const [compressed, uncompressed] = failures.map((error) =>
      String(error).replace(/localhost:\d+|127\.0\.0\.1:\d+/, ""),
    );
    expect(compressed).toBe(uncompressed);
  });

  test("a compressed list that ends too early is an error after its items", async () => {
    const bytes = gzipSync(tableXml(Array.from({ length: 1000 }, (_, index) => rowXml(index)).join("")));
    const server = await pieceServer([bytes.subarray(0, bytes.length / 2)], {
      headers: { "Content-Encoding": "gzip" },
    });
    const stream = streamed(server.url, { transport });
    expect((await stream.next()).value).toMatchObject({ Size: 0 });
    expect(await failureOf(collected(stream))).toBeInstanceOf(BothendsError);
  });
});

test("a call with the option result reports its error", async () => {
  const server = await pieceServer(["no"], { status: 404, type: "text/plain" });
  const client = results(new RestClient({ descriptorFormat: 2, name: "site", base: "" }, { siteUrl: server.url }));
  const endpoint = { name: "rows", route: "/rows", path: ["/rows"], methods: ["GET"], args: {} } as never;
  const stream = streamOf((call): Promise<readonly never[]> => client.call(endpoint, {}, call) as never);
  expect(await failureOf(collected(stream))).toBeInstanceOf(HttpStatusError);
});

test("an answer in UTF-16 is refused", async () => {
  const server = await pieceServer([Buffer.from(`\ufeff${threeXml}`, "utf16le")], { type: "text/xml; charset=utf-16" });
  expect(String(await failureOf(collected(streamed(server.url))))).toMatch(/UTF-16/);
});

test("each client reads the items by its own names", async () => {
  const renamed = threeXml.replaceAll("ListRes", "SeekRes").replaceAll(ns, "urn:real");
  const wireNames = { operations: { List: "Seek" }, namespaces: { ns: "urn:real" } };
  for (const [body, options] of [
    [threeXml, {}],
    [renamed, { wireNames }],
    [threeXml, {}],
  ] as const) {
    const server = await pieceServer([body]);
    const client = new ServiceClient(
      lookup,
      { baseUrl: server.url, ...options },
      { by: xs.settings, slots: { operations: ["List"], namespaces: { ns } } },
    );
    const rowsOf = streamOf((call) => client.call(list, {}, call), { items: "Rows.Row" });
    expect(await collected(rowsOf)).toEqual(three);
  }
  const server = await pieceServer([renamed.replace("<Size>2", "<Size>x")]);
  const client = new ServiceClient(
    lookup,
    { baseUrl: server.url, wireNames },
    { by: xs.settings, slots: { operations: ["List"], namespaces: { ns } } },
  );
  const error = await failureOf(collected(streamOf((call) => client.call(list, {}, call), { items: "Rows.Row" })));
  expect(error).toMatchObject({ path: "/Envelope/Body/SeekResponse/SeekResult/Rows/Row[2]/Size" });
});

test("a stream is observed as one call", async () => {
  const server = await pieceServer([threeXml]);
  const events: string[] = [];
  const onCall = ({ operation, status }: { operation?: string | undefined; status: number }) =>
    events.push(`${operation} ${status}`);
  expect(await collected(streamed(server.url, { onCall }))).toEqual(three);
  expect(events).toEqual(["List 200"]);
});

test("a loop that stops destroys the decompressor of an answer that has arrived completely", async () => {
  const created: Gunzip[] = [];
  const createGunzip = zlib.createGunzip;
  const spy = vi.spyOn(zlib, "createGunzip").mockImplementation((options) => {
    const gunzip = createGunzip(options);
    created.push(gunzip);
    return gunzip;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  const rowTexts = Array.from({ length: 5000 }, (_, index) => rowXml(index));
  for (const [index, content] of [rowTexts, [rowXml(0), "<Row/>", ...rowTexts]].entries()) {
    const server = await pieceServer([gzipSync(tableXml(content.join("")))], {
      headers: { "Content-Encoding": "gzip" },
    });
    const stream = streamed(server.url);
    await stream.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(created[index]?.destroyed).toBe(false);
    await (index === 0 ? stream.return(undefined) : failureOf(stream.next()));
    await vi.waitFor(() => expect(created[index]?.destroyed).toBe(true));
  }
});
