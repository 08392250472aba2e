// Item streams, uploads with progress, retries and aborts over a socket, with the platform's own transport and with fetch.
import { createServer } from "node:http";
import { AbortError, TransportError } from "@bothends/runtime";
import { ServiceClient, uploadStream } from "@bothends/runtime/client";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { streamOf } from "@bothends/runtime/client/stream";
import { RestClient } from "@bothends/runtime/rest-client";
import { listen } from "@bothends/runtime/server/node";
import * as xs from "@bothends/runtime/xs";
import { SiteClient } from "../generated/dist/client/site/index.js";
import { siteRoutes } from "../generated/dist/server/site/index.js";

const json = { "Content-Type": "application/json" };
const namespace = "http://lists.example/ns";
const row = { kind: "record", name: `{${namespace}}Row`, namespace, fields: { Name: { type: xs.string } } };
const rows = { Row: { type: () => row, min: 0, max: "unbounded" } };
const record = (name, fields) => ({ kind: "record", name: `{${namespace}}${name}`, namespace, fields });
const service = { descriptorFormat: 2, name: "Lists", namespace, ports: { soap11: { name: "L", address: "/soap" } } };
const list = {
  kind: "operation",
  service,
  name: "List",
  input: { body: { element: `{${namespace}}List`, type: record("List", {}) } },
  output: { body: { element: `{${namespace}}ListResponse`, type: record("ListResponse", rows) } },
  bindings: { soap11: { action: "List" } },
};

/** A server whose answers stop, end too early, have no end, or fail twice. */
const counts = { closed: 0, received: 0, failed: 0, written: 0 };
const answers = {
  "/stopping": (response) => void response.writeHead(200, json).write("[1,2,"),
  "/cut"(response) {
    response.writeHead(200, json).write("[1,2,");
    setTimeout(() => response.destroy(), 100);
  },
  "/flaky"(response) {
    counts.failed += 1;
    response.writeHead(counts.failed % 3 === 0 ? 200 : 503, json).end("[7]");
  },
  "/endless"(response) {
    response.writeHead(200, json).write("[");
    const writeMore = () => {
      while (!response.destroyed) {
        counts.written += 1;
        if (!response.write(`"${"x".repeat(1000)}",`.repeat(16))) {
          response.once("drain", writeMore);
          return;
        }
      }
    };
    writeMore();
  },
  "/upload": (response) => void response.writeHead(200, json).end(JSON.stringify(counts.received)),
  "/soap"(response) {
    const items = Array.from({ length: 2000 }, (_, index) => `<Row><Name>n${index}</Name></Row>`).join("\n");
    const body = `<ListResponse xmlns="${namespace}">${items}</ListResponse>`;
    response.writeHead(200, { "Content-Type": "text/xml; charset=utf-8" });
    response.end(
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`,
    );
  },
};
const faulty = createServer((request, response) => {
  response.on("close", () => {
    counts.closed += response.writableFinished ? 0 : 1;
  });
  counts.received = 0;
  request.on("data", (chunk) => {
    counts.received += chunk.length;
  });
  request.on("end", () => answers[request.url.split("?")[0]](response));
});
await new Promise((resolve) => faulty.listen(0, "127.0.0.1", resolve));
const siteUrl = `http://127.0.0.1:${faulty.address().port}`;

const blocks = Array.from({ length: 2000 }, (_, index) => ({ id: index, slug: "x".repeat(100) }));
const served = await listen([siteRoutes({ core: { blocks: { list: () => blocks } } }, { missing: "error" })], {
  host: "127.0.0.1",
});

function expect(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`Expected ${JSON.stringify(expected)}, but got ${JSON.stringify(actual)}.`);
  }
}

/** Rejects if a promise takes too long. */
const soon = (promise) =>
  Promise.race([
    promise,
    new Promise((_, reject) => setTimeout(() => reject(new Error("It took longer than 5 s.")), 5_000)),
  ]);
const errorOf = (promise) =>
  soon(
    promise.then(
      () => undefined,
      (error) => error,
    ),
  );
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function expectClosed(count) {
  for (let attempt = 0; attempt < 50 && counts.closed < count; attempt += 1) {
    await pause(100);
  }
  expect(counts.closed, count);
}

const endpoint = (name, method = "GET") => ({
  kind: "endpoint",
  name,
  route: `/${name}`,
  path: [`/${name}`],
  methods: [method],
  args: {},
});

/** The checks, each of which gets the options of its clients. */
const checks = [
  async function restList(options) {
    const site = new SiteClient({ siteUrl: served.url, ...options });
    const ids = [];
    for await (const { id } of streamOf((call) => site.core.blocks.list({}, call))) {
      ids.push(id);
    }
    expect(ids.length, blocks.length);
  },
  async function repeatedElement(options) {
    const client = new ServiceClient(service, { baseUrl: `${siteUrl}/soap`, ...options });
    let count = 0;
    for await (const { Name } of streamOf((call) => client.call(list, {}, call), { items: "Row" })) {
      expect(Name, `n${count}`);
      count += 1;
    }
    expect(count, 2000);
  },
  async function endsWhileItWaits(options) {
    const closed = counts.closed;
    const items = itemsOf("stopping", options);
    await items.next();
    await items.next();
    const pending = items.next();
    await pause(50);
    expect((await soon(items.return())).done, true);
    expect((await soon(pending)).done, true);
    await expectClosed(closed + 1);
  },
  async function readsAsFastAsTheLoop(options) {
    const closed = counts.closed;
    counts.written = 0;
    for await (const _item of itemsOf("endless", options)) {
      await pause(300);
      break;
    }
    await expectClosed(closed + 1);
    expect(counts.written < 3_000, true);
  },
  async function abort(options) {
    const closed = counts.closed;
    const controller = new AbortController();
    const items = itemsOf("stopping", { ...options, retries: 2, signal: controller.signal });
    await items.next();
    const reason = new Error("enough");
    controller.abort(reason);
    const error = await errorOf(items.next());
    expect([error instanceof AbortError, error.cause === reason], [true, true]);
    await expectClosed(closed + 1);
  },
  async function answerThatEndsTooEarly(options) {
    const items = itemsOf("cut", { ...options, retries: 2 });
    await items.next();
    await items.next();
    expect((await errorOf(items.next())) instanceof TransportError, true);
  },
  async function retries(options) {
    expect(await new RestClient(site, { siteUrl, ...options, retries: 2 }).call(endpoint("flaky"), {}), [7]);
  },
  async function uploads(options) {
    const client = new RestClient(site, { siteUrl, ...options });
    const progress = [];
    const file = { content: new Uint8Array(1_000_000), type: "image/png", name: "a.png" };
    const onUploadProgress = ({ sentBytes }) => progress.push(sentBytes);
    expect(await client.call(endpoint("upload", "POST"), {}, { upload: file, onUploadProgress }), 1_000_000);
    expect([progress.at(-1), progress.length > 10], [1_000_000, true]);
    const upload = { ...file, content: new Blob([new Uint8Array(300_000)]) };
    expect(await client.call(endpoint("upload", "POST"), {}, { upload }), 300_000);
  },
];
const site = { descriptorFormat: 2, name: "site", base: "" };

function itemsOf(name, options) {
  const client = new RestClient(site, { siteUrl, ...options });
  return streamOf((call) => client.call(endpoint(name), {}, call));
}

let count = 0;
for (const transport of [undefined, fetchTransport(fetch, { uploadStream })]) {
  for (const check of checks) {
    try {
      await check({ transport });
    } catch (error) {
      throw new Error(`${check.name}, ${transport === undefined ? "own transport" : "fetch"}`, { cause: error });
    }
    count += 1;
  }
}
console.log(`${count} checks of streams`);
process.exit(0);
