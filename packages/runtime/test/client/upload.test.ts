import { expect, test } from "vitest";
import { RestClient } from "../../src/client/index.js";
import { ConfigError, type EndpointDescriptor, type RestInterfaceDescriptor } from "../../src/index.js";
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

test("a GET carries no file", async () => {
  const client = new RestClient(site, { siteUrl: "http://127.0.0.1:9" });
  expect(await failureOf(client.call(create, {}, { upload, method: "GET" }))).toBeInstanceOf(ConfigError);
});
