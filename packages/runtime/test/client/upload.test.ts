import { expect, test } from "vitest";
import { fetchTransport, RestClient, type UploadProgress, uploadStream } from "../../src/client/index.js";
import { AbortError, ConfigError, type EndpointDescriptor, type RestInterfaceDescriptor } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";

const site: RestInterfaceDescriptor = { descriptorFormat: 2, name: "site", base: "/wp-json" };
const create: EndpointDescriptor<{ title?: string; post?: number }> = {
  kind: "endpoint",
  interface: site,
  name: "media.create",
  route: "/media",
  path: ["/media"],
  methods: ["POST", "GET"],
  args: { title: { type: "string" }, post: { type: "integer" } },
};
const content = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff);
const upload = { content, type: "image/png", name: "żaba.png" };

test("a file is the body, byte for byte, and the arguments are in the query", async () => {
  let bytes = 0;
  const server = await localServer((request, response) => {
    bytes = Number(request.headers["content-length"]);
    always(201, "application/json", '{"id":7}')(request, response);
  });
  const client = new RestClient(site, { siteUrl: server.url });
  expect(await client.call(create, { title: "Żaba", post: 3 }, { upload })).toEqual({ id: 7 });
  const [request] = server.received;
  expect(request?.path).toBe("/wp-json/media?title=%C5%BBaba&post=3");
  expect(request?.headers["content-type"]).toBe("image/png");
  expect(Buffer.from(request?.headers["content-disposition"] ?? "", "latin1").toString("utf8")).toBe(
    'attachment; filename="żaba.png"',
  );
  expect(bytes).toBe(content.length);
  expect(request?.body).toBe(Buffer.from(content).toString("utf8"));
});

test.each([new Blob([content]), new File([content], "a.png")])("the content of a %s is the body", async (blob) => {
  const server = await localServer(always(201, "application/json", '{"id":7}'));
  const client = new RestClient(site, { siteUrl: server.url });
  await client.call(create, {}, { upload: { ...upload, content: blob } });
  expect(server.received[0]?.headers["content-length"]).toBe(String(content.length));
  expect(server.received[0]?.body).toBe(Buffer.from(content).toString("utf8"));
});

test.each([undefined, fetchTransport(fetch)])(
  "a blob of several chunks is the body, byte for byte (%#)",
  async (transport) => {
    const server = await localServer(always(201, "application/json", '{"id":7}'));
    const client = new RestClient(site, { siteUrl: server.url, transport });
    const text = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join("");
    await client.call(create, {}, { upload: { ...upload, content: new Blob(["\ufeff", text, "end"]) } });
    expect(server.received[0]?.body).toBe(`\ufeff${text}end`);
  },
);

test("bytes in shared memory are sent with fetch", async () => {
  const server = await localServer(always(201, "application/json", '{"id":7}'));
  const client = new RestClient(site, { siteUrl: server.url, transport: fetchTransport(fetch) });
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  shared.set([97, 98, 99]);
  await client.call(create, {}, { upload: { ...upload, content: shared } });
  expect(server.received[0]?.body).toBe("abc");
});

test("a content that is not a file is refused", async () => {
  const client = new RestClient(site, { siteUrl: "http://127.0.0.1:9" });
  for (const invalid of ["text", null, {}]) {
    const error = await failureOf(client.call(create, {}, { upload: { ...upload, content: invalid as never } }));
    expect(error).toBeInstanceOf(ConfigError);
  }
});

test.each([
  { why: "a name with a folder", given: { ...upload, name: "../a.png" } },
  { why: "a name with a quotation mark", given: { ...upload, name: 'a".png' } },
  { why: "a name with a line break", given: { ...upload, name: "a\r\nX: y" } },
  { why: "a type that is none", given: { ...upload, type: "png" } },
])("$why is refused before anything is sent", async ({ given }) => {
  const server = await localServer(always(201, "application/json", "{}"));
  const client = new RestClient(site, { siteUrl: server.url });
  expect(await failureOf(client.call(create, {}, { upload: given }))).toBeInstanceOf(ConfigError);
  expect(server.received).toEqual([]);
});

test("a GET cannot have a file", async () => {
  const client = new RestClient(site, { siteUrl: "http://127.0.0.1:9" });
  expect(await failureOf(client.call(create, {}, { upload, method: "GET" }))).toBeInstanceOf(ConfigError);
});

const large = { ...upload, content: new Uint8Array(300_000).fill(7) };
const transports = [
  { name: "node:http", transport: undefined },
  { name: "fetch with upload streams", transport: fetchTransport(fetch, { uploadStream }) },
];

test.each(transports)("the progress of an upload is reported with $name", async ({ transport }) => {
  const server = await localServer(always(201, "application/json", '{"id":7}'));
  const progress: UploadProgress[] = [];
  const client = new RestClient(site, { siteUrl: server.url, transport });
  await client.call(create, {}, { upload: large, onUploadProgress: (each) => progress.push(each) });
  expect(server.received[0]?.body).toHaveLength(300_000);
  expect(progress.length).toBeGreaterThan(3);
  expect(progress.map(({ sentBytes }) => sentBytes)).toEqual(
    progress.map(({ sentBytes }) => sentBytes).toSorted((left, right) => left - right),
  );
  expect(progress.at(-1)).toEqual({ sentBytes: 300_000, totalBytes: 300_000 });
});

test("the progress of a text counts its bytes, and a request without a body has none", async () => {
  const server = await localServer(always(200, "application/json", "{}"));
  const progress: UploadProgress[] = [];
  const client = new RestClient(site, { siteUrl: server.url, onUploadProgress: (each) => progress.push(each) });
  await client.call(create, { title: "Ż" });
  expect(server.received[0]?.body).toBe('{"title":"Ż"}');
  expect(progress).toEqual([{ sentBytes: 14, totalBytes: 14 }]);
  await client.call(create, {}, { method: "GET" });
  expect(progress).toHaveLength(1);
});

test("an exception of onUploadProgress aborts the call", async () => {
  const server = await localServer(always(200, "application/json", "{}"));
  const client = new RestClient(site, { siteUrl: server.url });
  const stop = new Error("enough");
  const failing = client.call(
    create,
    {},
    {
      upload: large,
      onUploadProgress() {
        throw stop;
      },
    },
  );
  const error = await failureOf(failing);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ cause: stop });
});

test("onUploadProgress is refused by a transport that does not report it", async () => {
  const server = await localServer(always(200, "application/json", "{}"));
  const client = new RestClient(site, { siteUrl: server.url, transport: fetchTransport(fetch) });
  const error = await failureOf(client.call(create, {}, { upload, onUploadProgress() {} }));
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ message: expect.stringContaining("uploadStream") });
  expect(server.received).toEqual([]);
});
