import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { lineLogger } from "@bothends/runtime/observe";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { securityHeader, verifyUsernameToken } from "@bothends/runtime/ws";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import { expect, onTestFinished, test, vi } from "vitest";

// Each fault is one that operators meet in data centers. They see only the lines of the log.

const path = "/api/reg.asmx";
const action = "http://vehicle.example/reg/CheckUSA";
const lookup = `<c:CheckUSA xmlns:c="http://vehicle.example/reg"><c:RegistrationNumber>a</c:RegistrationNumber><c:State>NY</c:State><c:username>u</c:username></c:CheckUSA>`;
const envelope = (header = "") =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">${header}<s:Body>${lookup}</s:Body></s:Envelope>`;

type Options = NonNullable<Parameters<typeof regRoutes>[1]>;
type CheckUSA = NonNullable<Parameters<typeof regRoutes>[0]["checkUSA"]>;

/** Starts a server, and returns it with the lines of its log that are not about calls. */
async function loggingServer(
  checkUSA: CheckUSA = () => null,
  { options, listening }: { readonly options?: Options; readonly listening?: ListenOptions } = {},
) {
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => lines.push(line) });
  const routes = [
    regRoutes({ checkUSA }, { missing: "fault", path, ...options }),
    contentRoutes({}, { missing: "error", name: "Site" }),
  ];
  const server = await listen(routes, { host: "127.0.0.1", onError, ...listening });
  onTestFinished(async () => void (await server.close()));
  return { server, lines };
}

async function post(url: string, body: BodyInit, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const init = { "Content-Type": "text/xml; charset=utf-8", SOAPAction: `"${action}"`, ...headers };
  await (await fetch(url, { method: "POST", body, headers: init })).text();
}

async function onlyLine(lines: readonly string[]): Promise<string> {
  await vi.waitFor(() => expect(lines).not.toEqual([]));
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"));

test.each([
  ["no body", "", {}, "The body is empty."],
  ["a message that a proxy has cut off", envelope().slice(0, 200), {}, "The message ends after 200 bytes"],
  ["a message that is cut off in an end tag", envelope().slice(0, -3), {}, "before all elements are closed: a proxy"],
  [
    "gzip without its header",
    gzipSync(envelope()),
    {},
    "compressed with gzip, but the header Content-Encoding is missing",
  ],
  ["brotli", "x", { "Content-Encoding": "br" }, "The body has an unsupported encoding"],
  ["UTF-16 as UTF-8", utf16(envelope()), {}, "The body is in UTF-16"],
  [
    "UTF-8 as UTF-16",
    envelope(),
    { "Content-Type": "text/xml; charset=utf-16" },
    "not have the encoding that the charset",
  ],
  ["a quoted action with escapes", envelope(), { SOAPAction: `"\\"${action}\\""` }, "its quotation marks are wrong"],
  ["an action twice", envelope(), { SOAPAction: `"${action}", "${action}"` }, "or it is repeated"],
  [
    "an action of another operation",
    envelope(),
    { SOAPAction: '"http://vehicle.example/reg/CheckMalta"' },
    "the action CheckMalta, the body CheckUSA",
  ],
] as const)("for %s, one line names the cause and the client", async (_, body, headers, cause) => {
  const { server, lines } = await loggingServer();
  await post(`${server.url}${path}`, body, headers);
  const line = await onlyLine(lines);
  expect(line).toContain(cause);
  expect(line).toContain("remoteAddress=127.0.0.1");
});

test.each([
  ["with a byte-order mark", "\ufeff{}", "It begins with a byte-order mark"],
  ["in UTF-16", utf16("{}"), "It is in UTF-16 instead of UTF-8"],
  ["that is cut off", '{"title":"a', "It ends after 11 bytes, before its last bracket"],
])("for JSON %s, one line names the encoding", async (_, body, cause) => {
  const { server, lines } = await loggingServer();
  await post(`${server.url}/en/api/forms/v1/contact-forms/1/feedback`, body, { "Content-Type": "application/json" });
  expect(await onlyLine(lines)).toContain(cause);
});

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: "ECONNREFUSED" });

test.each([
  [
    "of several addresses",
    new AggregateError([refused("::1:5432"), refused("127.0.0.1:5432")]),
    "connect ECONNREFUSED 127.0.0.1:5432",
  ],
  [
    "without a prototype",
    Object.assign(Object.create(null), { code: "ER_CON_COUNT", message: "Too many connections" }),
    "ER_CON_COUNT: Too many connections",
  ],
  [
    "that is its own cause",
    Object.assign(refused("10.0.0.5:1"), { cause: undefined as unknown }),
    "ECONNREFUSED 10.0.0.5:1",
  ],
])("an error %s is named in one line", async (_, error, cause) => {
  if (error instanceof Error && "cause" in error) {
    error.cause = error;
  }
  const { server, lines } = await loggingServer(() => Promise.reject(error));
  await post(`${server.url}${path}`, envelope());
  expect(await onlyLine(lines)).toContain(cause);
});

test.each<[string, () => Promise<null>, RegExp]>([
  [
    "Promise.any",
    () => Promise.any([loadUser()]),
    /AggregateError: .*One of its errors: RangeError: no such user.* at loadUser .*log-causes\.test/s,
  ],
  [
    "another realm",
    async () => runInNewContext("throw new RangeError('no such user')"),
    /RangeError: no such user.* at /s,
  ],
])("an error of %s is reported with the place that threw it", async (_, fail, cause) => {
  const { server, lines } = await loggingServer(fail);
  await post(`${server.url}${path}`, envelope());
  const line = await onlyLine(lines);
  expect(line).toMatch(cause);
  expect(line).not.toContain("Not an Error");
});

async function loadUser(): Promise<never> {
  throw new RangeError("no such user");
}

test.each([
  ["a Response", new Response("secret", { status: 410 }), "an object of class Response, status 410"],
  ["an object", { statusCode: 409, reason: "secret" }, "an object with the members statusCode, reason"],
  ["an empty object", {}, "an object without members"],
])(
  "a handler that throws %s instead of an error is reported with its form, without values",
  async (_, thrown, cause) => {
    const { server, lines } = await loggingServer(() => Promise.reject(thrown));
    await post(`${server.url}${path}`, envelope());
    const line = await onlyLine(lines);
    expect(line).toContain(`cause="Not an Error: ${cause}"`);
    expect(line).not.toContain("secret");
  },
);

test("a line has a limited part of a long exception", async () => {
  const { server, lines } = await loggingServer(() => Promise.reject(new Error(`start ${"x".repeat(1_000_000)}`)));
  await post(`${server.url}${path}`, envelope());
  const line = await onlyLine(lines);
  expect(line).toContain("Error: start xxx");
  expect(line).toMatch(/… \(\d{6} more characters\)"$/);
  expect(line.length).toBeLessThan(20_000);
});

test("a middleware that forgets to call next is named, and the handler that did not run", async () => {
  const { server, lines } = await loggingServer(undefined, { options: { use: (async () => {}) as never } });
  await post(`${server.url}${path}`, envelope());
  expect(await onlyLine(lines)).toContain(
    'Function 1 of the option "use" returned undefined and did not call next, so the handler did not run.',
  );
});

test("an answer that does not fit is reported with its path and its type, without its value", async () => {
  const { server, lines } = await loggingServer(() => ({ vehicleJson: 19801231, vehicleData: null }) as never);
  await post(`${server.url}${path}`, envelope());
  const line = await onlyLine(lines);
  expect(line).toContain("vehicleJson: The value (a number) is not a valid xs:string: it must be a string.");
  expect(line).not.toContain("19801231");
});

test.each([
  ["a text", { vehicleJson: Promise.resolve("secret") }, "vehicleJson: a promise (await it) is not a valid xs:string"],
  ["a record", { vehicleData: Promise.resolve({}) }, "}VehicleData, not a promise (await it)."],
])("a promise in the answer, instead of %s, is named", async (_, member, cause) => {
  const { server, lines } = await loggingServer(() => ({ vehicleJson: null, vehicleData: null, ...member }) as never);
  await post(`${server.url}${path}`, envelope());
  expect(await onlyLine(lines)).toContain(cause);
});

const wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
const wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
const secured = (timestamp: string, nonce = "") =>
  envelope(
    `<s:Header><w:Security xmlns:w="${wsse}" xmlns:u="${wsu}">${timestamp}<w:UsernameToken><w:Username>ada</w:Username><w:Password>p</w:Password>${nonce}</w:UsernameToken></w:Security></s:Header>`,
  );
const authenticated = (add?: () => boolean): Options => ({
  understands: [securityHeader],
  authenticate: verifyUsernameToken({ password: () => "p", ...(add && { replayCache: { add } }) }),
});

test("a message that has expired is reported with the difference to this server's clock", async () => {
  const { server, lines } = await loggingServer(undefined, { options: authenticated() });
  const [created, expires] = [200_000, 100_000].map((age) => new Date(Date.now() - age).toISOString());
  const timestamp = `<u:Timestamp><u:Created>${created}</u:Created><u:Expires>${expires}</u:Expires></u:Timestamp>`;
  await post(`${server.url}${path}`, secured(timestamp));
  expect(await onlyLine(lines)).toMatch(/By this server's clock, the message expired 10\d s ago/);
});

test.each([
  [
    "",
    'The service received no Security header of WS-Security, which must contain a UsernameToken: the request has none, or the option "understands" of the routes does not contain securityHeader.',
  ],
  [`<s:Header><w:Security xmlns:w="${wsse}"/></s:Header>`, "The Security header of the request has no UsernameToken."],
])("a refused call without a token is reported with the missing header: %s", async (header, cause) => {
  const options = { ...authenticated(), authorize: ({ principal }: { principal: unknown }) => principal !== undefined };
  const { server, lines } = await loggingServer(undefined, { options });
  await post(`${server.url}${path}`, envelope(header));
  const line = await onlyLine(lines);
  expect(line).toContain(`refused the call. ${cause}`);
  expect(line).not.toContain("Authorization");
});

test("a replay cache that returns nothing is not taken for a repeated message", async () => {
  const { server, lines } = await loggingServer(undefined, { options: authenticated(() => undefined as never) });
  await post(`${server.url}${path}`, secured("", "<w:Nonce>AAAAAAAAAAAAAAAAAAAAAA==</w:Nonce>"));
  const line = await onlyLine(lines);
  expect(line).toContain('The function \\"add\\" of the option \\"replayCache\\" returned undefined.');
  expect(line).not.toContain("received before");
});

test("an error whose stack throws is reported with its message and its operation", async () => {
  const error = new Error("unreadable");
  Object.defineProperty(error, "stack", {
    get() {
      throw new Error("no stack");
    },
  });
  const { server, lines } = await loggingServer(() => Promise.reject(error));
  await post(`${server.url}${path}`, envelope());
  const line = await onlyLine(lines);
  expect(line).toContain('cause="Error: unreadable"');
  expect(line).toContain("operation=CheckUSA");
});

test("a body that a proxy has compressed again is named", async () => {
  const { server, lines } = await loggingServer(undefined, { listening: { compressedRequests: true } });
  const body = gzipSync(gzipSync(envelope()));
  await post(`${server.url}${path}`, body, { "Content-Encoding": "gzip" });
  expect(await onlyLine(lines)).toContain("or the body was compressed twice");
});

test("a body that a proxy has decompressed without removing the header is named", async () => {
  const { server, lines } = await loggingServer(undefined, { listening: { compressedRequests: true } });
  await post(`${server.url}${path}`, envelope(), { "Content-Encoding": "gzip" });
  expect(await onlyLine(lines)).toContain("decompressed the body without removing Content-Encoding");
});

test.each([
  ["onCall", { onCall: () => Promise.reject(refused("10.0.0.9:514")) }, "The hook onCall threw an exception."],
  [
    "observe",
    {
      observe: {
        begin: () => {
          throw refused("10.0.0.9:514");
        },
      },
    },
    "An observer of calls threw an exception.",
  ],
] as const)("a hook %s that fails for each call is reported once a minute", async (_, listening, text) => {
  const { server, lines } = await loggingServer(undefined, { listening });
  for (let count = 0; count < 3; count += 1) {
    await post(`${server.url}${path}`, envelope());
  }
  const line = await onlyLine(lines);
  expect(line).toContain(`${text} The same exception is reported once a minute.`);
  expect(line).toContain("ECONNREFUSED 10.0.0.9:514");
});
