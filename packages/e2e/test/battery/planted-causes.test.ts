import { connect } from "node:net";
import { lineLogger } from "@bothends/runtime/observe";
import { type RestServerOptions, type Routes, wordpressAuthentication } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { webHandler } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import { expect, onTestFinished, test, vi } from "vitest";

// Faults that an operator must recognize by the log alone.

const path = "/api/reg.asmx";
const headers = { "Content-Type": "text/xml; charset=utf-8", SOAPAction: '"http://vehicle.example/reg/CheckUSA"' };
const members = "<RegistrationNumber>a</RegistrationNumber><State>NY</State><username>u</username>";
const envelope = (content = members) =>
  `<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><CheckUSA xmlns="http://vehicle.example/reg">${content}</CheckUSA></soap:Body></soap:Envelope>`;
const reg = (options: object = {}, checkUSA: () => unknown = () => null) =>
  regRoutes({ checkUSA: checkUSA as never }, { missing: "fault", path, ...options });

async function start(routes: Routes) {
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => void lines.push(line) });
  const server = await listen([routes], { host: "127.0.0.1", onError });
  onTestFinished(async () => void (await server.close()));
  return { lines, server };
}

/** Sends a request, and returns the only line that it causes. */
async function lineOf(routes: Routes, target: string, init: RequestInit): Promise<string> {
  const { lines, server } = await start(routes);
  await (await fetch(server.url + target, init)).text();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  return lines[0] ?? "";
}

const post = (body: string): RequestInit => ({ method: "POST", headers, body });

test.each([
  [
    "without the namespace of a member",
    envelope(members.replace("<RegistrationNumber>", '<RegistrationNumber xmlns="">')),
    "The element is required. The message has an element RegistrationNumber here, but without a namespace: the client may have omitted it.",
  ],
  ["without a member", envelope(members.replace(/<Reg.*?\/Reg.*?>/, "")), "The element is required. operation="],
])("when a message is sent %s, the line says so", async (_, body, cause) => {
  expect(await lineOf(reg(), path, post(body))).toContain(cause);
});

test.each([
  ["with a document type", `<!DOCTYPE a>${envelope()}`, "document type declaration"],
  [
    "and its end is cut off in the XML declaration",
    envelope().slice(0, 19),
    "ends after 19 bytes, before all elements are",
  ],
])("when a message is sent %s, the line does not blame its encoding", async (_, body, cause) => {
  const line = await lineOf(reg(), path, post(body));
  expect(line).toContain(cause);
  expect(line).not.toContain("charset");
});

test("when an answer does not fit the schema, the line has the reason without a stack of the library", async () => {
  const line = await lineOf(
    reg({}, () => []),
    path,
    post(envelope()),
  );
  expect(line).toContain('cause="EncodeError: /CheckUSAResponse/CheckUSAResult: The value must be an object');
  expect(line).not.toContain("    at ");
});

test("when reading an answer throws, the line has the exception with its stack", async () => {
  const answer = {
    get vehicleJson() {
      throw new Error("lazy relation");
    },
  };
  const line = await lineOf(
    reg({}, () => answer),
    path,
    post(envelope()),
  );
  expect(line).toMatch(/Caused by: Error: lazy relation\\n {4}at .*planted-causes/);
});

const users: RestServerOptions = {
  ...(wordpressAuthentication({ session: () => "ada", nonce: () => true, applicationPassword: () => "ada" }) as object),
  authorize: ({ principal }) => principal !== undefined,
};

test.each([
  [
    "with a cookie, but without a nonce",
    { Cookie: "session=1" },
    "The request has a cookie, but no nonce in the header X-WP-Nonce or the parameter _wpnonce, so its user is not known.",
  ],
  [
    "with credentials that are not Base64",
    { Authorization: "Basic user:pass" },
    'The request has an Authorization header, but the function in the option "authenticate" found no user for it',
  ],
  ["without credentials", {}, "The request has no Authorization header"],
])("when a REST request comes %s, the line says so", async (_, sent, cause) => {
  const routes = contentRoutes({}, { missing: "error", ...users });
  expect(await lineOf(routes, "/en/api/core/v2/project", { headers: sent as Record<string, string> })).toContain(cause);
});

test("when a framework mounts a service at another path, the line names both", async () => {
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => void lines.push(line) });
  const handler = webHandler([reg()], { onError });
  await handler(new Request("http://localhost/soap/reg.asmx", post(envelope())));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/No route has this path, but routes have \/api\/reg\.asmx.* address=\/soap\/reg\.asmx/);
});

const head = `POST ${path} HTTP/1.1\r\nHost: h\r\n`;
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
test.each([
  ["a space in the name of a header", `${head}X Y: a\r\n\r\n`, "A header is not valid"],
  ["a continued header", `${head}X: a\r\n b\r\n\r\n`, "A header is not valid"],
  ["a character in the address that is not encoded", Buffer.from("GET /é HTTP/1.1\r\n\r\n"), "must encode it"],
  ["a line break without a line feed", `${head}X: a\rb\r\n\r\n`, "does not end with a carriage return and a line feed"],
  ["a chunk that is longer than it says", `${chunked}3\r\nabcX`, "A chunk of the body is longer than its length says"],
  ["a long chunk extension", `${chunked}3;${"a".repeat(20_000)}\r\nabc\r\n`, "The extensions of the chunks are longer"],
  [
    "data after Connection: close",
    `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET`,
    "after a request that was to be",
  ],
  ["another protocol", "SSH-2.0-OpenSSH\r\n", "does not begin with a method of HTTP"],
])("when a request has %s, the line says so", async (_, bytes, cause) => {
  const { lines, server } = await start(reg());
  const socket = connect(server.port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.resume().write(bytes);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toContain(cause);
});

test.each(["example.com", "/api", "ftp://example.com", "https://example.com/?a"])(
  "a service with the publicUrl %s is refused, and the error names the option",
  (publicUrl) => {
    expect(() => reg({ publicUrl })).toThrow('The option "publicUrl" must be an address such as https://example.com');
  },
);

test.each([
  ["/wp-json/core/v2/project", "/core/v2/project"],
  ["/core/v2/project/7", "/core/v2/project/"],
  ["/gateway/en/API/core/v2/project", "/core/v2/project"],
])("when a REST request has another base path (%s), the line names that of the routes", async (sent, route) => {
  const line = await lineOf(contentRoutes({}, { missing: "error", base: "/en/api" }), sent, {});
  expect(line).toContain(`No route has this path, but routes have /en/api${route}`);
});

test("an unknown path that is not that of a REST route under another base path is not reported", async () => {
  const { lines, server } = await start(contentRoutes({}, { missing: "error", base: "/en/api" }));
  await (await fetch(`${server.url}/wp-json/other/v1/project`)).text();
  await (await fetch(`${server.url}/favicon.ico`)).text();
  expect(lines).toEqual([]);
});
