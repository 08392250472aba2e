import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { ContentClient } from "@bothends/client/content";
import { VehicleClient } from "@bothends/client/vehicle";
import { lineLogger } from "@bothends/runtime/observe";
import { type Routes, rateLimitedRoutes, type TrustedProxies } from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { lambdaHandler } from "@bothends/runtime/server/lambda";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { webMiddleware } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { from, map } from "rxjs";
import { expect, onTestFinished, test, vi } from "vitest";
import { cert, key } from "../../../runtime/test/client/certificate.js";

// Mistakes in programs and deployments. Operators see only the lines of the log, or the error with which the program
// ends.

const path = "/api/reg.asmx";
const message = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><c:CheckUSA xmlns:c="http://vehicle.example/reg"><c:RegistrationNumber>a</c:RegistrationNumber><c:State>NY</c:State><c:username>u</c:username></c:CheckUSA></s:Body></s:Envelope>`;
const headers = { "Content-Type": "text/xml", SOAPAction: '"http://vehicle.example/reg/CheckUSA"' };

const reg = (options: object = {}) => regRoutes({ checkUSA: () => null }, { missing: "fault", path, ...options });
const content = (list: () => unknown, options: object = {}) =>
  contentRoutes({ core: { blocks: { list: list as never } } } as never, { missing: "error", ...options });

function log() {
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => lines.push(line) });
  return { lines, onError };
}

async function onlyLine(lines: readonly string[]): Promise<string> {
  await vi.waitFor(() => expect(lines).not.toEqual([]));
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function requested(routes: Routes, target: string, init: RequestInit = {}, options: ListenOptions = {}) {
  const { lines, onError } = log();
  const server = await listen([routes], { host: "127.0.0.1", onError, ...options });
  onTestFinished(async () => void (await server.close()));
  const { status } = await fetch(server.url + target, init);
  return { status, line: await onlyLine(lines) };
}

const interceptor = { intercept: (_: unknown, next: { handle(): unknown }) => next.handle() };

test.each([
  ["an interceptor of NestJS as the option use", () => reg({ use: interceptor }), 'option "use" must be a function'],
  ["a list with it", () => content(() => [], { use: [interceptor] }), "and not an object. Middleware and interceptors"],
  ["authorise", () => reg({ authorise: () => false }), 'There is no option "authorise". Did you mean "authorize"?'],
  ["autorize in REST", () => content(() => [], { autorize: () => false }), 'Did you mean "authorize"?'],
  [
    "a text as authorize",
    () => reg({ authorize: "admin" }),
    'The option "authorize" must be a function, not a string.',
  ],
  ["onerror", () => listen([reg()], { onerror: () => {} } as never), 'Did you mean "onError"?'],
  ["onerror in Express", () => expressMiddleware([reg()], { onerror: () => {} } as never), 'Did you mean "onError"?'],
  [
    "the path of a certificate",
    () => listen([reg()], { tls: { key: "/etc/key.pem", cert: "/etc/cert.pem" } }),
    "contents of files, not their paths",
  ],
  ["a certificate without its key", () => listen([reg()], { tls: { cert } }), 'The option "tls" has no "key"'],
  ["a key without its certificate", () => listen([reg()], { tls: { key } }), 'The option "tls" has no "cert"'],
  [
    "requestCerts in tls, which would accept clients without a certificate",
    () => listen([reg()], { tls: { key, cert, requestCerts: true } as never }),
    'The option "tls" has no member "requestCerts". Did you mean "requestCert"?',
  ],
  ["neither a key nor a certificate", () => listen([reg()], { tls: {} }), 'or set "pfx" or "SNICallback"'],
  [
    "a path that is too long for a Unix socket",
    () => listen([reg()], { path: `/tmp/${"x".repeat(120)}.sock` }),
    "is longer than 1",
  ],
  [
    "an address of another machine",
    () => listen([reg()], { host: "203.0.113.9" }),
    'The option "host" must be an address',
  ],
  [
    "an unknown host name",
    () => listen([reg()], { host: "no-such-host.invalid" }),
    'The option "host" must be an address',
  ],
])("a server with %s does not start, and the error names the option", async (_, start, cause) => {
  await expect((async () => start())()).rejects.toThrow(cause);
});

test("one object may have the options of several servers, and members of the program", () => {
  const options = {
    url: "https://a.example",
    publicUrl: "https://a.example",
    port: 0,
    database: "x",
    verifyNonce: () => true,
    onError: () => {},
  };
  expect(() => [reg(options), content(() => [], options), webMiddleware([], options)]).not.toThrow();
});

test.each([
  ["an interceptor that returns an Observable", (next: () => Promise<unknown>) => from(next()), "Observable"],
  [
    "an interceptor with operators",
    (next: () => Promise<unknown>) => from(next()).pipe(map((value) => value)),
    "Observable",
  ],
  [
    "an object of functions",
    () =>
      new (class Page {
        render = () => "";
      })(),
    "Page, which JSON cannot represent. Convert it",
  ],
])("a REST answer of %s is refused with 500, and the line names its type", async (_, intercept, cause) => {
  const use = (_call: unknown, next: () => Promise<unknown>) => intercept(next);
  const { status, line } = await requested(
    content(() => [], { use }),
    "/en/api/core/v2/blocks",
  );
  expect(status).toBe(500);
  expect(line).toContain(cause);
  expect(line).toContain("operation=core.blocks.list");
});

test.each([
  ["SOAP", (handler: () => unknown, limits: object) => reg({ limits, use: handler }), path],
  ["REST", (handler: () => unknown, limits: object) => content(handler, { limits }), "/en/api/core/v2/blocks"],
] as const)(
  "when a handler of %s throws after its time limit, a second line has the exception",
  async (_, create, target) => {
    const { lines, onError } = log();
    const failing = () =>
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error("connect ETIMEDOUT")), 300));
    const server = await listen([create(failing, { handlerTimeout: 100 })], { host: "127.0.0.1", onError });
    onTestFinished(async () => void (await server.close()));
    await (await fetch(server.url + target, target === path ? { method: "POST", headers, body: message } : {})).text();
    await vi.waitFor(() => expect(lines).toHaveLength(2), 4_000);
    expect(lines[0]).toContain("did not answer within 100 ms");
    expect(lines[1]).toContain("when its time limit had expired. The exception may name what it waited for.");
    expect(lines[1]).toContain("connect ETIMEDOUT");
  },
);

test("when a handler stops after its time limit because its signal is aborted, there is only one line", async () => {
  const { lines, onError } = log();
  const waiting = ({ context }: { readonly context: { readonly signal: AbortSignal } }) =>
    new Promise((_resolve, reject) => context.signal.addEventListener("abort", () => reject(context.signal.reason)));
  const routes = reg({ limits: { handlerTimeout: 100 }, use: waiting });
  const server = await listen([routes], { host: "127.0.0.1", onError });
  await (await fetch(server.url + path, { method: "POST", headers, body: message })).text();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await server.close();
  expect(lines).toHaveLength(1);
});

test("a REST answer that refers to itself is refused, and the line names the member", async () => {
  const block: Record<string, unknown> = { id: 1 };
  block["parent"] = { child: block };
  const { status, line } = await requested(
    content(() => [block]),
    "/en/api/core/v2/blocks",
  );
  expect(status).toBe(500);
  expect(line).toContain("Caused by: TypeError: Converting circular structure to JSON");
  expect(line).toContain("property 'child' closes the circle");
});

test("when Express has the routes below a path that is a part of theirs, one line says so", async () => {
  const { lines, onError } = log();
  const app = express().use("/api", expressMiddleware([reg()], { onError }));
  const port = await portOf(createServer(app).listen(0, "127.0.0.1"));
  for (const target of ["/api", "/api/reg.asmx?wsdl", path]) {
    const init = target === path ? { method: "POST", headers, body: message } : {};
    expect((await fetch(`http://127.0.0.1:${port}${target}`, init)).status).toBe(404);
  }
  expect(await onlyLine(lines)).toContain("the path at which a framework mounts the routes");
});

test("when a gateway adds a stage to the path, one line of a server in Hono says so", async () => {
  const { lines, onError } = log();
  const answer = webMiddleware([reg()], { onError });
  const app = new Hono().use(async (context, next) => (await answer(context.req.raw)) ?? next());
  await app.request(`http://h/prod${path}`, { method: "POST", headers, body: message });
  await app.request("http://h/other");
  expect(await onlyLine(lines)).toContain("routes have /api/reg.asmx: a proxy may have added");
});

test.each([
  { sender: "a queue", event: { Records: [{ eventSource: "aws:sqs", body: "s3cret" }] } },
  { sender: "a schedule", event: { version: "0", source: "aws.events", detail: { text: "s3cret" } } },
  { sender: "a program without an event", event: null },
])("when $sender calls a function for requests, it fails, and one line of Lambda says why", async ({ event }) => {
  const { lines, onError } = log();
  // The function must not end with success, because a queue would then delete its messages.
  await expect(lambdaHandler([reg()], { onError })(event as never)).rejects.toThrow("The event is not a request");
  const line = await onlyLine(lines);
  expect(line).toContain("error config: The event is not a request");
  expect(line).toContain("neither a path nor a method");
  expect(line).not.toContain("s3cret");
});

test.each([
  [502, "A gateway did not reach the server."],
  [503, "The server is overloaded, limits its requests, or is closed for maintenance."],
  [401, 'set the option \\"authorization\\"'],
  [404, "check that this is the address of the service"],
])(
  "when a server answers a client with status %i, the line says what to do, without the text of the answer",
  async (status, cause) => {
    const page = "<html><title>s3cret. page</title></html>";
    const server = createServer((_, response) => response.writeHead(status, { "Content-Type": "text/html" }).end(page));
    const { lines, onError } = log();
    const client = new VehicleClient({
      baseUrl: `http://127.0.0.1:${await portOf(server.listen(0, "127.0.0.1"))}`,
      username: "u",
      onError,
    });
    await expect(client.reg.checkUSA({ RegistrationNumber: "a", State: "NY" })).rejects.toThrow("s3cret");
    const line = await onlyLine(lines);
    expect(line).toContain(`The server answered with status ${status}.`);
    expect(line).toContain(cause.replaceAll("\\", ""));
    expect(line).not.toContain("s3cret");
  },
);

test("when a message with attachments has lost its Content-Type, the line names the cause", async () => {
  const body = `--b\r\nContent-Type: text/xml\r\n\r\n${message}\r\n--b--\r\n`;
  const { line } = await requested(reg(), path, { method: "POST", headers, body });
  expect(line).toContain("The body begins like a multipart message: its Content-Type must be multipart/related");
  const type = 'multipart/related; type="text/xml"; boundary=b';
  const related = { method: "POST", headers: { ...headers, "Content-Type": type }, body };
  expect((await requested(reg(), path, related)).line).toContain(
    "Only services with attachments accept multipart/related",
  );
});

const trustedProxies = { addresses: ["127.0.0.1"] };

test.each<[string, HeadersInit, TrustedProxies, string]>([
  [
    "an address that cannot be read",
    { "X-Forwarded-For": "203.0.113.7, client.example" },
    trustedProxies,
    "an address or a host in them is not valid",
  ],
  [
    "a host that cannot be read",
    { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "a b" },
    { ...trustedProxies, headers: "x-forwarded" },
    "an address or a host in them is not valid",
  ],
  [
    "a host that is not selected",
    { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "example.org" },
    trustedProxies,
    'the member "headers" of the option "trustedProxies" does not select X-Forwarded-Host',
  ],
])("when a trusted proxy reports %s, the line names the proxy, once", async (_, forwarded, proxies, cause) => {
  const init = { method: "POST", headers: { ...headers, ...forwarded }, body: message };
  const { status, line } = await requested(reg(), path, init, { trustedProxies: proxies });
  expect(status).toBe(200);
  expect(line).toContain(`came from 127.0.0.1 and are ignored: ${cause}. This is reported once.`);
});

test("when a trusted proxy hides the address of the client, the line names the proxy, once", async () => {
  const init = { method: "POST", headers: { ...headers, "X-Forwarded-For": "unknown" }, body: message };
  const { status, line } = await requested(reg(), path, init, { trustedProxies });
  expect(status).toBe(200);
  expect(line).toContain("The address of a client is unknown, so that of its proxy, 127.0.0.1, is used instead.");
  expect(line).toContain("This is reported once.");
});

test.each([{ "X-Forwarded-For": "not.valid, 203.0.113.7" }, { "X-Forwarded-Proto": "https" }])(
  "a trusted proxy that reports %j is not reported",
  async (forwarded) => {
    const { lines, onError } = log();
    const server = await listen([reg()], { host: "127.0.0.1", onError, trustedProxies: ["127.0.0.1"] });
    await (
      await fetch(server.url + path, { method: "POST", headers: { ...headers, ...forwarded }, body: message })
    ).text();
    await server.close();
    expect(lines).toEqual([]);
  },
);

test("when a plugin of Fastify has a prefix that its routes lack, one line says so when it is registered", async () => {
  const { lines, onError } = log();
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(fastifyPlugin([reg()], { onError }), { prefix: "/v1" });
  expect(await onlyLine(lines)).toContain('the prefix "/v1", which Fastify does not remove from paths');
  await app.register(fastifyPlugin([reg({ path: "/v1/reg" })], { onError }), { prefix: "/v1" });
  expect(lines).toHaveLength(1);
});

async function answering(status: number, type: string, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, { "Content-Type": type }).end(body));
  return `http://127.0.0.1:${await portOf(server.listen(0, "127.0.0.1"))}`;
}

test.each([
  [
    "a route that is not there",
    404,
    "rest_no_route",
    'status 404 (rest_no_route). The site has no such route: check the option "siteUrl"',
  ],
  [
    "an old nonce",
    403,
    "rest_cookie_invalid_nonce",
    "status 403 (rest_cookie_invalid_nonce). The nonce of the session is not valid",
  ],
  ["a code that is a text", 400, "the s3cret code", "an error of status 400. side=client"],
])(
  "when a site answers a client with %s, the line says what to do, without its text",
  async (_, status, code, cause) => {
    const { lines, onError } = log();
    const body = JSON.stringify({ code, message: "s3cret. [s3cret]", data: { status } });
    const client = new ContentClient({ siteUrl: await answering(status, "application/json", body), onError });
    await expect(client.core.blocks.list({})).rejects.toThrow("s3cret");
    const line = await onlyLine(lines);
    expect(line).toContain(cause.replaceAll("\\", ""));
    expect(line).not.toContain("s3cret");
  },
);

test("when a server answers a client with a fault, the line says what to do, without its text", async () => {
  const { lines, onError } = log();
  const fault = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:MustUnderstand</faultcode><faultstring>s3cret [s3cret]</faultstring></s:Fault></s:Body></s:Envelope>`;
  const client = new VehicleClient({ baseUrl: await answering(500, "text/xml", fault), username: "u", onError });
  await expect(client.reg.checkUSA({ RegistrationNumber: "a", State: "NY" })).rejects.toThrow("s3cret");
  const line = await onlyLine(lines);
  expect(line).toContain("a MustUnderstand fault. The server does not understand a mandatory header block");
  expect(line).not.toContain("s3cret");
});

test("when an input of a client does not fit, the line has the reason without the value", async () => {
  const { lines, onError } = log();
  const client = new VehicleClient({ baseUrl: "http://127.0.0.1:1", username: "u", onError });
  await expect(client.reg.checkUSA({ RegistrationNumber: 19801231 as never, State: "NY" })).rejects.toThrow();
  await expect(client.reg.checkUSA({ State: "NY" } as never)).rejects.toThrow("is required");
  expect(lines[0]).toContain(
    "The input does not fit the schema. The value (a number) is not a valid xs:string: it must be a string.",
  );
  expect(lines[1]).toContain("The input does not fit the schema. The element is required.");
  expect(lines.join()).not.toContain("19801231");
});

test("when an input of a client has an unknown member, the line has the reason without the member's name", async () => {
  const { lines, onError } = log();
  const client = new VehicleClient({ baseUrl: "http://127.0.0.1:1", username: "u", onError });
  const misspelt = { RegistrationNumber: "a", "Stat. s3cret": "NY" };
  await expect(client.reg.checkUSA(misspelt as never)).rejects.toThrow("s3cret");
  await expect(client.reg.checkUSA({ ...misspelt, State: "NY" } as never)).rejects.toThrow("s3cret");
  expect(lines[0]).toContain("The input does not fit the schema. The element is required.");
  expect(lines[1]).toContain(
    "The input does not fit the schema. The schema does not declare all members of the value.",
  );
  expect(lines.join()).not.toContain("s3cret");
});

const soapAnswer =
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckUSAResponse xmlns="http://vehicle.example/reg"><CheckUSAResult><vehicleJson>{}</vehicleJson></CheckUSAResult></CheckUSAResponse></s:Body></s:Envelope>';
const wholeXml = { status: 200, headers: { "Content-Type": "text/xml" }, body: soapAnswer };
const phpWarning = "<br />\n<b>Warning</b>: Undefined variable $s3cret in a.php on line 3<br />\n";

interface Answered {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** Starts a server that gives the same answer to every request, and returns its address. */
async function answerAll(answer: Answered): Promise<string> {
  const { status, headers: head, body } = { ...wholeXml, ...answer };
  const server = createServer((_, response) => response.writeHead(status, head).end(body));
  return `http://127.0.0.1:${await portOf(server.listen(0, "127.0.0.1"))}`;
}

const throwing = () => {
  throw new Error("token endpoint 500");
};

test.each<[string, Answered, object, string]>([
  [
    "gzip without its header",
    { body: gzipSync(soapAnswer) },
    {},
    "compressed with gzip, but the header Content-Encoding is",
  ],
  [
    "a body that is not compressed",
    { headers: { "Content-Type": "text/xml", "Content-Encoding": "gzip" } },
    {},
    "A proxy may have decompressed the body without removing the header",
  ],
  ["no Content-Type", { headers: {} }, {}, "The answer has no Content-Type, which a proxy may have removed."],
  ["a part of a message", { body: soapAnswer.slice(0, 150) }, {}, "The answer ends before all elements are closed"],
  [
    "a warning of PHP before it",
    { body: phpWarning + soapAnswer },
    {},
    "The answer begins with HTML: a program such as PHP",
  ],
  ...["<x/>", "<br /><b>Notice</b>: s3cret", " s3cret", soapAnswer].map((rest): [string, Answered, object, string] => [
    `the text ${JSON.stringify(rest.slice(0, 30))} after a message`,
    { body: soapAnswer + rest },
    {},
    "Other text follows the last element: the server may have joined two answers",
  ]),
  [
    "elements of another namespace",
    { body: soapAnswer.replace("vehicle.example", "real.example") },
    {},
    'set the option "wireNames". To accept such answers, set the option "tolerate" to ["namespaces"].',
  ],
  [
    "status 403",
    { status: 403, headers: { "Content-Type": "application/json" } },
    {},
    "a gateway in front of it, refused the call",
  ],
  [
    "status 500 with an answer as HTML",
    { status: 500, headers: { "Content-Type": "text/html" } },
    {},
    "The server failed: its log",
  ],
  [
    "status 500 with a page",
    { status: 500, headers: { "Content-Type": "text/html" }, body: "<!DOCTYPE html><title>Error</title>s3cret" },
    {},
    "The server failed: its log",
  ],
  [
    "headers that are too long",
    { headers: { "Content-Type": "text/xml", "X-A": "x".repeat(20_000) } },
    {},
    "--max-http-header-size",
  ],
  [
    "status 503 to all attempts",
    { status: 503, headers: { "Retry-After": "0" }, body: "" },
    { retries: 1, safeOperations: ["CheckUSA"] },
    'It was sent again as often as the options "retries" and "timeout" allow.',
  ],
  [
    "a longer wait than the timeout",
    { status: 429, headers: { "Retry-After": "120" }, body: "" },
    { retries: 1, safeOperations: ["CheckUSA"] },
    "the server asks to wait 120 s (Retry-After), longer than the option",
  ],
  ...["99999999999999", "Wed, 21 Oct 2099 07:28:00 GMT"].map((time): [string, Answered, object, string] => [
    `a wait until ${time}`,
    { status: 429, headers: { "Retry-After": time }, body: "" },
    { retries: 1, safeOperations: ["CheckUSA"] },
    "It was not sent again: the server asks to wait ",
  ]),
  [
    "an answer, and authorization fails",
    {},
    { authorization: throwing },
    'The function in the option "authorization" threw',
  ],
  [
    "an answer, and authorization returns nothing",
    {},
    { authorization: () => undefined },
    'The function in the option "authorization" returned undefined.',
  ],
])("when a client receives %s, one line names the cause and the way out", async (_, answer, options, cause) => {
  const { lines, onError } = log();
  const client = new VehicleClient({
    baseUrl: await answerAll(answer),
    username: "u",
    onError,
    timeout: 20_000,
    ...options,
  });
  await expect(client.reg.checkUSA({ RegistrationNumber: "a", State: "NY" })).rejects.toThrow();
  const line = await onlyLine(lines);
  expect(line).toContain(cause);
  expect(line).not.toContain("s3cret");
});

test.each([
  ["a warning of PHP before it", `${phpWarning}[]`, "The answer begins with HTML: a program such as PHP"],
  ["a part of it", '[{"id":1,"s3cret', "The answer ends before its JSON does"],
  ["a warning of PHP after it", `[{"id":1}]${phpWarning}`, "Other text follows the JSON: a program such as PHP"],
])("when a client receives JSON with %s, one line names the cause", async (_, body, cause) => {
  const { lines, onError } = log();
  const siteUrl = await answerAll({ headers: { "Content-Type": "application/json" }, body });
  await expect(new ContentClient({ siteUrl, onError }).core.blocks.list({})).rejects.toThrow();
  const line = await onlyLine(lines);
  expect(line).toContain(cause);
  expect(line).not.toContain("s3cret");
});

const anonymous = {
  authenticate: () => undefined,
  authorize: ({ principal }: { principal?: unknown }) => principal !== undefined,
};
const otherNamespace = message.replace("http://vehicle.example/reg", "http://tenant-b.example/reg");

test.each<[string, object, RequestInit, string]>([
  [
    "without Authorization is refused",
    anonymous,
    {},
    "The request has no Authorization header. If the credentials must be in it, the client has not sent it, or a proxy has removed it.",
  ],
  [
    "with a cookie whose session is unknown is refused",
    anonymous,
    { headers: { ...headers, Cookie: "session=old" } },
    "The request has a cookie, but the function in the option",
  ],
  [
    "is refused by a text",
    { authorize: async () => "true" },
    {},
    'The function in the option "authorize" returned a string, which refuses the call. It must return true or false.',
  ],
  ["with an empty SOAPAction is refused", {}, { headers: { ...headers, SOAPAction: "" } }, "The SOAPAction is empty"],
  [
    "of SOAP 1.1 has the type of SOAP 1.2",
    {},
    { headers: { "Content-Type": "application/soap+xml" } },
    "The Content-Type is for SOAP 1.2, but the envelope is for SOAP 1.1",
  ],
  ["has another namespace", {}, { body: otherNamespace }, 'set the option "wireNames" of the routes'],
  [
    "has an action in another namespace",
    {},
    { body: otherNamespace, headers: { ...headers, SOAPAction: '"http://tenant-b.example/reg/CheckUSA"' } },
    "The SOAPAction is unknown. Only the namespace, or upper and lower case, differ from the SOAPAction of CheckUSA",
  ],
  [
    "has an action in lower case",
    {},
    { headers: { ...headers, SOAPAction: '"http://vehicle.example/reg/checkusa"' } },
    "or upper and lower case, differ from the SOAPAction of CheckUSA",
  ],
  [
    "has the action of another operation",
    {},
    { headers: { ...headers, SOAPAction: '"http://vehicle.example/reg/CheckMalta"' } },
    "the action CheckMalta, the body CheckUSA. The client, or a proxy, may send the same SOAPAction",
  ],
])("when a message %s, one line names the cause and the way out", async (_, options, init, cause) => {
  const { line } = await requested(reg(options), path, { method: "POST", headers, body: message, ...init });
  expect(line).toContain(cause);
  expect(line).not.toContain("tenant-b");
});

test("a path with a slash at its end is named", async () => {
  const { line } = await requested(reg(), `${path}/`, { method: "POST", headers, body: message });
  expect(line).toContain("The path ends with a slash, but the address of the service does not.");
});

test.each([
  ["a slash at its end", "/CheckUSA/", {}, "The address of CheckUSA differs from it only in slashes."],
  ["two slashes", "//CheckUSA", {}, "The address of CheckUSA differs from it only in slashes."],
  [
    "JSON in place of a form",
    "/CheckUSA",
    { headers: { "Content-Type": "application/json" }, body: "{}" },
    "The Content-Type is application/json instead of application/x-www-form-urlencoded.",
  ],
  [
    "a body without a Content-Type",
    "/CheckUSA",
    { headers: {}, body: new Uint8Array([97]) },
    "The Content-Type is missing. It must be application/x-www-form-urlencoded.",
  ],
])("a request over HTTP POST with %s is named", async (_, subpath, init, cause) => {
  const { line } = await requested(reg(), `${path}${subpath}`, { method: "POST", ...init });
  expect(line).toContain(cause);
});

test.each([
  ["accept", "The rate-limit store failed, so the request was answered without being counted."],
  ["refuse", "The rate-limit store failed, so the request was refused."],
] as const)(
  "when a store of rate limits fails with %s, the line says what happened to the request",
  async (onStoreFailure, cause) => {
    const store = { count: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.7:6379")) };
    const limited = rateLimitedRoutes(reg(), { requests: 1, window: 1_000, store, onStoreFailure });
    const { line } = await requested(limited, path, { method: "POST", headers, body: message });
    expect(line).toContain(cause);
  },
);

test.each([
  ["a bigint", () => [{ id: 1, size: { bytes: 10n } }], "path=/0/size/bytes", "Do not know how to serialize a BigInt"],
  [
    "a member that throws",
    () => [{ id: 1, date: { toJSON: () => new Date(Number.NaN).toISOString() } }],
    "path=/0/date",
    "RangeError: Invalid time value",
  ],
])("when a REST answer has %s, the line has its path", async (_, list, place, cause) => {
  const { line } = await requested(content(list), "/en/api/core/v2/blocks");
  expect(line).toContain(place);
  expect(line).toContain(cause);
});

test("when the function verifyNonce fails, the line names the endpoint", async () => {
  const verifyNonce = () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.8:11211"));
  const { line } = await requested(
    content(() => [], { verifyNonce }),
    "/en/api/core/v2/blocks",
    { headers: { "X-WP-Nonce": "abc" } },
  );
  expect(line).toContain(
    'The function in the option "verifyNonce" threw an exception. protocol=rest operation=core.blocks.list',
  );
});
