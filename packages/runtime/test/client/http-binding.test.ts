import { describe, expect, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import {
  ConfigError,
  DecodeError,
  EncodeError,
  HttpStatusError,
  type OperationDescriptor,
  ProtocolError,
} from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { count, find, item, itemXml, lookup, ns, ping, settings } from "./lookup.js";

const xml = "text/xml; charset=utf-8";
const root = `<?xml version="1.0" encoding="utf-8"?>\r\n<Item xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="${ns}">${itemXml}</Item>`;
const input = { Key: "Ł é&=+%/?#", Count: 2, user: "u v" };
const form = "Key=%C5%81%20%C3%A9%26%3D%2B%25%2F%3F%23&Count=2&user=u%20v";

async function answering(status: number, contentType: string | undefined, body: string | Buffer) {
  const server = await localServer(always(status, contentType, body));
  return { server, client: new ServiceClient(lookup, { baseUrl: server.url }, settings) };
}

test("GET has its parameters in the query, as UTF-8", async () => {
  const { server, client } = await answering(200, xml, root);
  expect(await client.call(find, input, { protocol: "httpGet" })).toEqual(item);
  const [request] = server.received;
  expect(request).toMatchObject({ method: "GET", path: `/api/lookup.asmx/Find?${form}`, body: "" });
  expect(request?.headers).not.toHaveProperty("content-type");
});

test("POST has its parameters in a form", async () => {
  const { server, client } = await answering(200, xml, root);
  expect(await client.call(find, input, { protocol: "httpPost" })).toEqual(item);
  expect(server.received[0]).toMatchObject({ method: "POST", path: "/api/lookup.asmx/Find", body: form });
  expect(server.received[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
});

test("parameters are in the path if the binding replaces them, and repeat for lists", async () => {
  const { server, client } = await answering(200, "text/plain", " 42\n");
  expect(await client.call(count, { Kind: "a/b?", Tag: ["x", "y"] }, { protocol: "httpGet" })).toBe(42);
  expect(await client.call(count, { Kind: "k", Tag: ["x", "y"] }, { protocol: "httpPost" })).toBe(42);
  expect(server.received.map((request) => request.path)).toEqual([
    "/api/lookup.asmx/count/a%2Fb%3F/all",
    "/api/lookup.asmx/count",
  ]);
  expect(server.received[1]?.body).toBe("Kind=k&Tag=x&Tag=y");
});

test("an input that its caller changes after the call is in the path as it was", async () => {
  const { server, client } = await answering(200, "text/plain", "1");
  const changing = { Kind: "v0", Tag: [] };
  const call = client.call(count, changing, { protocol: "httpGet" });
  changing.Kind = "v1";
  await call;
  expect(server.received[0]?.path).toBe("/api/lookup.asmx/count/v0/all");
});

test("the default protocol is the first port that has the operation", async () => {
  const { server, client } = await answering(200, "text/plain", "1");
  await client.call(count, { Kind: "k", Tag: [] });
  expect(server.received[0]?.method).toBe("GET");
  expect(await failureOf(client.call(count, { Kind: "k", Tag: [] }, { protocol: "soap11" }))).toBeInstanceOf(
    ConfigError,
  );
});

test("a query of the address comes before the parameters", async () => {
  const server = await localServer(always(200, xml, root));
  const client = new ServiceClient(lookup, { address: `${server.url}/x?key=1` });
  const error = await failureOf(
    client.call({ ...find, name: "Other", http: undefined } as never, input, { protocol: "httpGet" }),
  );
  expect(error).toBeInstanceOf(ConfigError);
  await client.call(find, { Key: "a", Count: 1, user: "u" }, { protocol: "httpGet" });
  expect(server.received[0]?.path).toBe("/x/Find?key=1&Key=a&Count=1&user=u");
});

test("a nil root is null", async () => {
  const { client } = await answering(
    200,
    xml,
    `<Item xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" xmlns="${ns}" />`,
  );
  expect(await client.call(find, input, { protocol: "httpGet" })).toBeNull();
});

describe("answers of unexpected types", () => {
  test.each([
    { status: 500, contentType: "text/plain; charset=utf-8", body: "Missing parameter: Key.", want: HttpStatusError },
    { status: 404, contentType: "text/html", body: "<html/>", want: HttpStatusError },
    { status: 200, contentType: "text/html", body: "<html/>", want: ProtocolError },
    { status: 200, contentType: xml, body: "", want: ProtocolError },
    { status: 204, contentType: undefined, body: "", want: ProtocolError },
  ])(
    "$status with the type $contentType causes an error with status and body",
    async ({ status, contentType, body, want }) => {
      const { client } = await answering(status, contentType, body);
      const error = await failureOf(client.call(find, input, { protocol: "httpGet" }));
      expect(error).toBeInstanceOf(want);
      expect(error).toMatchObject({ status, body, address: expect.stringMatching(/lookup\.asmx$/) });
    },
  );

  test.each([
    { body: `<Item xmlns="${ns}/"/>`, path: "/Item" },
    { body: "<Vehicle/>", path: "/Vehicle" },
    { body: root.replace(">3<", ">x<"), path: "/Item/Size" },
    { body: `${root}<b/>`, path: "/" },
    { body: `<!DOCTYPE Item>${root.slice(40)}`, path: "/" },
  ])("the XML $body causes a DecodeError at $path", async ({ body, path }) => {
    const { client } = await answering(200, xml, body);
    const error = await failureOf(client.call(find, input, { protocol: "httpPost" }));
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ path, operation: "Find" });
  });

  test("text that is not a number causes a DecodeError", async () => {
    const { client } = await answering(200, "text/plain", "many");
    expect(await failureOf(client.call(count, { Kind: "k", Tag: [] }))).toMatchObject({
      name: "DecodeError",
      value: "many",
    });
  });
});

test("bytes, and an empty answer", async () => {
  const bytes: OperationDescriptor<{ Kind: string; Tag: readonly string[] }, Uint8Array> = {
    ...count,
    http: { ...count.http, answer: { kind: "bytes", mediaType: "image/png" } } as never,
  } as never;
  const nothing = { ...bytes, http: { ...count.http, answer: { kind: "none" } } } as never;
  const { client } = await answering(200, "image/png", Buffer.from([137, 80]));
  expect(await client.call(bytes, { Kind: "k", Tag: [] })).toEqual(Buffer.from([137, 80]));
  expect(await client.call(nothing, { Kind: "k", Tag: [] })).toBeUndefined();
});

test("inputs that do not fit", async () => {
  const { client, server } = await answering(200, xml, root);
  for (const invalid of [
    { ...input, Count: undefined },
    { ...input, Count: 1.5 },
    { ...input, Key: ["a"] },
    { ...input, key: "a" },
    { ...input, Key: "\udc00" },
  ]) {
    expect(await failureOf(client.call(find, invalid as never, { protocol: "httpGet" }))).toBeInstanceOf(EncodeError);
  }
  expect(await failureOf(client.call(ping, {}, { protocol: "httpGet" }))).toBeInstanceOf(ConfigError);
  expect(server.received).toEqual([]);
});
