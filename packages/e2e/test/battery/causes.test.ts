import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { connect as http2Connect } from "node:http2";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { SoapFault, VehicleClient, type VehicleClientOptions } from "@bothends/client/vehicle";
import { lineLogger } from "@bothends/runtime/observe";
import { restAnswer } from "@bothends/runtime/rest";
import type { RestContext, ServerIncident } from "@bothends/runtime/server";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { securityHeader, usernameToken, verifyUsernameToken } from "@bothends/runtime/ws";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import { expect, onTestFinished, test, vi } from "vitest";
import { cert, key } from "../../../runtime/test/client/certificate.js";

const path = "/api/reg.asmx";
const action = "http://vehicle.example/reg/CheckUSA";

/**
 * Starts a server, and returns it with its log. The registration number in a request determines what the handler does.
 */
async function failingServer(options: ListenOptions = {}) {
  const lines: string[] = [];
  const begun: string[] = [];
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const routes = regRoutes(
    {
      async checkUSA({ RegistrationNumber }, { signal }) {
        begun.push(RegistrationNumber ?? "");
        switch (RegistrationNumber) {
          case "throws":
            throw new TypeError("Cannot read properties of undefined (reading 'make')");
          case "database": {
            const socket = connect(1, "127.0.0.1");
            const [cause] = await once(socket, "error").catch((error: unknown) => [error]);
            throw new Error("The vehicles cannot be read.", { cause });
          }
          case "slow":
            await pause(400);
            return null;
          case "stops":
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
            return null;
          case "computes": {
            const end = performance.now() + 3_000;
            while (performance.now() < end) {}
            return null;
          }
          case "waits":
            await delay(5_000, undefined, { signal });
            return null;
          case "large":
            return { vehicleJson: "x".repeat(30_000_000) };
          case "misfit":
            return { vehicleJson: 5, vehicleData: null } as never;
          default:
            await pause(signal.aborted ? 0 : 150);
            return null;
        }
      },
    },
    {
      missing: "fault",
      path,
      limits: { handlerTimeout: 300, bodyBytes: 5_000 },
      authorize: ({ headers }) => headers.has("x-user"),
    },
  );
  const server = await listen([routes], {
    port: 0,
    host: "127.0.0.1",
    ...lineLogger({ write: (line) => lines.push(line) }),
    ...options,
  });
  onTestFinished(async () => void (await server.close()));
  return { server, lines, begun, port: Number(new URL(server.url).port) };
}

function message(number: string, more = ""): string {
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckUSA xmlns="http://vehicle.example/reg"><RegistrationNumber>${number}</RegistrationNumber>${more}<State>NY</State><username>u</username></CheckUSA></s:Body></s:Envelope>`;
}

interface Sent {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(port: number, { body, headers }: Sent): Promise<number> {
  const soap = { "Content-Type": "text/xml", SOAPAction: `"${action}"`, "X-User": "ada" };
  const all = Object.entries({ ...soap, ...headers }).filter(([, value]) => value !== "");
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers: all, body });
  await answer.text();
  return answer.status;
}

/** Waits until a line of a log contains a text, and returns all lines. */
async function logged(lines: readonly string[], text: string, timeout = 30_000): Promise<string> {
  await expect.poll(() => lines.join("\n"), { timeout }).toContain(text);
  return lines.join("\n");
}

const place = "address=/api/reg.asmx";

test.each([
  [
    "a handler throws",
    { body: message("throws") },
    ["error handler:", "TypeError: Cannot read properties", "causes.test"],
  ],
  [
    "the database refuses",
    { body: message("database") },
    ["error handler:", "Caused by: ", "ECONNREFUSED 127.0.0.1:1"],
  ],
  [
    "a handler is slow",
    { body: message("slow") },
    ["limit.handlerTimeout", 'increase the option "limits.handlerTimeout" of the routes'],
  ],
  [
    "an answer does not fit",
    { body: message("misfit") },
    ["error encode: The handler's answer does not fit", "vehicleJson"],
  ],
  [
    "nobody calls",
    { body: message("x"), headers: { "X-User": "" } },
    ['request: The function in the option "authorize" refused the call'],
  ],
])("when %s, the log names cause, operation and path", async (_, sent, causes) => {
  const { port, lines } = await failingServer();
  await send(port, sent);
  const log = await logged(lines, causes[0] ?? "");
  for (const text of [...causes, "operation=CheckUSA", place]) {
    expect(log).toContain(text);
  }
});

test.each([
  [
    "a request does not fit the schema",
    { body: message("x").replace("<State>NY</State>", "") },
    ["request: The element is required", "path=/CheckUSA/State", "operation=CheckUSA"],
  ],
  [
    "a request is too large",
    { body: message("x".repeat(6_000)) },
    ["limit.bodyBytes: The body of the request is larger than 5000 bytes", 'increase the option "limits.bodyBytes"'],
  ],
  [
    "the SOAPAction is wrong",
    { body: message("x"), headers: { SOAPAction: '"urn:other"' } },
    ["request: The SOAPAction is unknown"],
  ],
  [
    "the content type is wrong",
    { body: message("x"), headers: { "Content-Type": "application/json" } },
    ["request: The service does not accept the Content-Type of the request"],
  ],
])("when %s, the log names cause and path", async (_, sent, causes) => {
  const { port, lines } = await failingServer();
  await send(port, sent);
  const log = await logged(lines, (causes[0] ?? "").replace(/ = .*/, ""));
  for (const text of [...causes.map((cause) => cause.replace("limit.bodyBytes =", "bodyBytes =")), place]) {
    expect(log).toContain(text);
  }
});

test.each([
  [
    "a message has a document type declaration",
    { body: `<!DOCTYPE a [<!ENTITY b "c">]>${message("x")}` },
    ["request: The message has a document type declaration"],
  ],
  [
    "a message needs WS-Security that the server does not read",
    {
      body: message("x").replace(
        "<s:Body>",
        `<s:Header><w:Security xmlns:w="urn:w" s:mustUnderstand="1"/></s:Header><s:Body>`,
      ),
    },
    [
      "request: The message has a header block with mustUnderstand",
      "path=/Envelope/Header/{urn:w}Security",
      'option "understands"',
    ],
  ],
  [
    "a proxy in front of the server is not trusted",
    { body: message("x"), headers: { "X-Forwarded-For": "192.0.2.1" } },
    ["request: Headers of a proxy", "127.0.0.1", 'the option "trustedProxies"'],
  ],
])("when %s, the log names the cause", async (_, sent, causes) => {
  const { port, lines } = await failingServer();
  await send(port, sent);
  await send(port, sent);
  const log = await logged(lines, causes[0] ?? "");
  for (const text of causes) {
    expect(log).toContain(text);
  }
});

test("headers of proxies are reported once, and not if the proxy is trusted", async () => {
  const sent = { body: message("x"), headers: { "X-Forwarded-For": "192.0.2.1" } };
  const plain = await failingServer();
  await send(plain.port, sent);
  await send(plain.port, sent);
  await expect.poll(() => plain.lines.filter((line) => line.includes(" server POST ")).length).toBe(2);
  expect(plain.lines.filter((line) => line.includes("trustedProxies"))).toHaveLength(1);
  const trusting = await failingServer({ trustedProxies: ["127.0.0.1"] });
  await send(trusting.port, sent);
  expect(await logged(trusting.lines, "remoteAddress=192.0.2.1")).not.toContain("trustedProxies");
});

/** Sends bytes, and closes the connection after a time, without reading the answer. */
async function sendBytes(port: number, text: string, milliseconds = 80): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(text);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  socket.destroy();
}

const postHead = (length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nX-User: ada\r\nContent-Length: ${length}\r\n\r\n`;

test.each([
  [
    "the address is not a path",
    "GET http://h/a HTTP/1.1\r\nHost: h\r\n\r\n",
    "The request target must begin with a slash",
  ],
  [
    "the Host is not valid",
    "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
    "The request must have one Host header, with a host and an optional port",
  ],
  ["the method is not allowed", `PUT ${path} HTTP/1.1\r\nHost: h\r\n\r\n`, "The method is not allowed"],
  ["an address is misspelled", `GET ${path}/CheckUS HTTP/1.1\r\nHost: h\r\n\r\n`, "No operation has this address"],
  ["a request expects something unknown", "GET / HTTP/1.1\r\nHost: h\r\nExpect: a\r\n\r\n", "The Expect header"],
  [
    "a client takes the server for a proxy",
    "CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n",
    "Only proxies support the method CONNECT",
  ],
  ["a client disconnects while it sends", `${postHead(500)}<`, "disconnected before its request was complete"],
])("when %s, the log names the cause", async (_, bytes, cause) => {
  const { port, lines } = await failingServer();
  await sendBytes(port, bytes);
  expect(await logged(lines, cause)).toContain("warning request: ");
});

test.each(["stops", "waits"])(
  "when a client disconnects and the handler %s, the log says when, and does not blame the handler",
  async (handler) => {
    const { port, lines } = await failingServer();
    const body = message(handler);
    await sendBytes(port, `${postHead(body.length)}${body}`);
    const log = await logged(lines, ", and the handler, whose signal was aborted, stopped.");
    expect(log).toMatch(/warning request: The client disconnected after \d+ ms, and the handler/);
    expect(log).toContain("operation=CheckUSA");
    const call = await logged(lines, " incomplete ");
    expect(call).toMatch(/ disconnectedAfter=\d+(\.\d+)?ms /);
    expect(lines.join("\n")).not.toContain("error handler");
  },
);

test("when a handler blocks the event loop, the log says for how long, and names its operation", async () => {
  const { port, lines } = await failingServer();
  const body = message("computes");
  const sent = sendBytes(port, `${postHead(body.length)}${body}`);
  const text = await logged(lines, "This process answered no request for ");
  expect(text).toMatch(
    /warning stalled: This process answered no request for \d{4,} ms: a handler or other code ran for this time/,
  );
  expect(text).toContain("In progress at that time: CheckUSA (1).");
  expect(text).toMatch(/stalled: .* operation=CheckUSA/);
  await sent;
});

test.each([
  { name: "over HTTP/1.1", http2: false, connection: "keep-alive" },
  { name: "over HTTP/1.1 with Connection: close", http2: false, connection: "close" },
  { name: "over HTTP/2", http2: true, connection: "" },
])(
  "when a handler blocks the event loop after it has waited, $name, the log names its operation",
  async ({ http2, connection }) => {
    const incidents: ServerIncident[] = [];
    const checkUSA = async () => {
      await delay(600);
      block(2_700);
      return null;
    };
    const server = await listen([regRoutes({ checkUSA }, { missing: "fault", path })], {
      host: "127.0.0.1",
      http2,
      onError: (incident) => void incidents.push(incident),
    });
    onTestFinished(() => void server.close());
    if (http2) {
      const session = http2Connect(server.url);
      onTestFinished(() => void session.destroy());
      session.request({ ":method": "POST", ":path": path, "content-type": "text/xml" }).end(message("a"));
    } else {
      const headers = { "Content-Type": "text/xml", SOAPAction: `"${action}"`, Connection: connection };
      const call = request({ host: "127.0.0.1", port: server.port, path, method: "POST", headers }).end(message("a"));
      call.on("error", () => {});
    }
    await expect.poll(() => incidents, { timeout: 10_000 }).toHaveLength(1);
    expect(incidents).toMatchObject([{ kind: "stalled", operation: "CheckUSA" }]);
  },
);

test.each([10, 60, 300, 450])(
  "a stall of 2 seconds that begins %i ms after the start is reported with its duration",
  async (wait) => {
    const { lines } = await failingServer();
    await delay(wait);
    const startedAt = performance.now();
    block(2_010);
    const duration = performance.now() - startedAt;
    const log = await logged(lines, "This process answered no request for ");
    const reported = Number(/answered no request for (\d+) ms/.exec(log)?.[1]);
    expect(reported).toBeGreaterThanOrEqual(2_000);
    expect(Math.abs(reported - duration)).toBeLessThan(300);
  },
);

test("when other code than a handler blocks the event loop, the log says so", async () => {
  const { lines } = await failingServer();
  await delay(600);
  block(2_700);
  await logged(lines, "No request was in progress, so code other than a handler ran.");
});

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {}
}

test("a server that stops reports how many requests it answered, and how many it did not", async () => {
  const quiet = await failingServer();
  for (const number of ["a", "b"]) {
    await send(quiet.port, { body: message(number) });
  }
  const slow = send(quiet.port, { body: message("c") });
  await expect.poll(() => quiet.begun).toEqual(["a", "b", "c"]);
  const summary = await quiet.server.close();
  expect(await slow).toBe(200);
  expect(summary).toEqual({ answered: 3, answeredWhileStopping: 1, unanswered: 0, duration: expect.any(Number) });
  expect(await quiet.server.close()).toBe(summary);
  const busy = await failingServer({ limits: { drainTimeout: 20 } });
  const lost = send(busy.port, { body: message("slow") }).catch(() => {});
  await expect.poll(() => busy.begun).toEqual(["slow"]);
  expect(await busy.server.close()).toMatchObject({ answered: 0, answeredWhileStopping: 0, unanswered: 1 });
  await lost;
});

test("when a client disconnects and the handler continues, the log names both times", async () => {
  const lines: string[] = [];
  const list = async () => {
    await delay(300);
    return restAnswer({ body: [] });
  };
  const log = lineLogger({ write: (line) => lines.push(line) });
  const routes = contentRoutes({ core: { blocks: { list } } }, { missing: "error" });
  const server = await listen([routes], { host: "127.0.0.1", ...log });
  onTestFinished(async () => void (await server.close()));
  await sendBytes(server.port, "GET /en/api/core/v2/blocks HTTP/1.1\r\nHost: h\r\n\r\n");
  const text = await logged(lines, "The client disconnected after");
  const [, after, worked] =
    /after (\d+) ms\. The handler ran until (\d+) ms: it does not use context\.signal/.exec(text) ?? [];
  expect(Number(after)).toBeLessThan(Number(worked));
  expect(Number(worked)).toBeGreaterThan(295);
});

test.each(["authenticate", "authorize"])(
  "when a client disconnects and the function in the option %s stops, the log names the option, and no error of the server",
  async (option) => {
    const lines: string[] = [];
    const stopped = async ({ signal }: RestContext) => {
      await once(signal, "abort");
      throw signal.reason;
    };
    const routes = contentRoutes({}, { missing: "error", [option]: stopped });
    const log = lineLogger({ write: (line) => lines.push(line) });
    const server = await listen([routes], { host: "127.0.0.1", ...log });
    onTestFinished(async () => void (await server.close()));
    await sendBytes(server.port, "GET /en/api/core/v2/blocks HTTP/1.1\r\nHost: h\r\n\r\n");
    const text = await logged(lines, `The client disconnected, so the function in the option "${option}" was aborted.`);
    expect(text).not.toContain(" error ");
  },
);

test("when a client does not read its answer, the log names the cause and the operation, and the call is incomplete", async () => {
  const { port, lines } = await failingServer({ limits: { handlerTimeout: 100, requestTimeout: 100 } });
  const body = message("large");
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`${postHead(body.length)}${body}`);
  const log = await logged(lines, "did not read its answer for 200 ms", 30_000);
  expect(log).toContain("127.0.0.1");
  const line = await logged(lines, " 200 incomplete ");
  expect(line).toMatch(
    / 200 incomplete .* disconnectedAfter=\d.* disconnectedBy=server operation=CheckUSA .* error=request /,
  );
});

test.each([
  ["is of the past", -400],
  ["is of the future", 400],
])("when the time of a username token %s, the log names the reason", async (_, seconds) => {
  const lines: string[] = [];
  const routes = regRoutes(
    { checkUSA: () => null },
    {
      missing: "fault",
      path,
      understands: [securityHeader],
      authenticate: verifyUsernameToken({ password: () => "p" }),
    },
  );
  const server = await listen([routes], { host: "127.0.0.1", ...lineLogger({ write: (line) => lines.push(line) }) });
  onTestFinished(async () => void (await server.close()));
  const clock = () => new Date(Date.now() + seconds * 1_000);
  const client = new VehicleClient({
    baseUrl: server.url,
    hooks: [usernameToken({ username: "ada", password: "p", type: "digest", clock })],
  });
  const call = client.reg.checkUSA({ RegistrationNumber: "a", State: "NY", username: "u" });
  await expect(call).rejects.toThrow("The message was created too long ago, or in the future.");
  const log = await logged(lines, 'The function in the option "authenticate" refused the call.');
  expect(log).toContain(`${Math.abs(seconds)} s`);
  expect(log).toContain("clockSkew");
});

const lookup = { RegistrationNumber: "a", State: "NY", username: "u" };

/** Starts a server and calls it. Returns the lines of its log and the error of the call. */
async function failedCall(options: Parameters<typeof regRoutes>[1], hooks: VehicleClientOptions["hooks"] = []) {
  const lines: string[] = [];
  const log = lineLogger({ write: (line) => lines.push(line) });
  const server = await listen([regRoutes({ checkUSA: () => null }, { missing: "fault", path, ...options })], {
    host: "127.0.0.1",
    ...log,
  });
  onTestFinished(async () => void (await server.close()));
  const error: unknown = await new VehicleClient({ baseUrl: server.url, hooks }).reg.checkUSA(lookup).catch(String);
  return { lines, error };
}

const unreachable = async (): Promise<never> => {
  const [error] = await once(connect(1, "127.0.0.1"), "error").catch((thrown: unknown) => [thrown]);
  throw error;
};

test.each(["authenticate", "authorize"])(
  "when the function in the option %s throws, the log names the option, not the handler",
  async (option) => {
    const { lines } = await failedCall({ [option]: unreachable });
    const log = await logged(lines, `The function in the option "${option}" threw an exception.`);
    expect(log).toContain("ECONNREFUSED 127.0.0.1:1");
    expect(log).not.toContain("The handler threw");
  },
);

test("when an operation has no handler, the log says so", async () => {
  const { port, lines } = await failingServer();
  const france = message("x").replaceAll("CheckUSA", "CheckFrance");
  await send(port, { body: france, headers: { SOAPAction: "" } });
  expect(await logged(lines, "There is no handler checkFrance for the operation")).toContain("error config: ");
});

test("when a handler throws a fault with a cause, the log has the cause", async () => {
  const lines: string[] = [];
  const checkUSA = async () => {
    const cause = await unreachable().catch((error: unknown) => error);
    throw new SoapFault({ code: "Server", reason: "The vehicles cannot be read.", cause });
  };
  const log = lineLogger({ write: (line) => lines.push(line) });
  const server = await listen([regRoutes({ checkUSA }, { missing: "fault", path })], { host: "127.0.0.1", ...log });
  onTestFinished(async () => void (await server.close()));
  await send(server.port, { body: message("x") });
  expect(await logged(lines, "client receives the error without its cause")).toContain("ECONNREFUSED 127.0.0.1:1");
});

const digest = usernameToken({ username: "ada", password: "p", type: "digest" });

test.each<readonly [string, Parameters<typeof verifyUsernameToken>[0], string]>([
  ["wrong", { password: () => "other" }, "the password is wrong"],
  ["sent twice", { password: () => "p", replayCache: { add: () => false } }, "The message was received before"],
])("when a username token is %s, the log names the reason, but the answer does not", async (_, options, reason) => {
  const { lines, error } = await failedCall(
    { understands: [securityHeader], authenticate: verifyUsernameToken(options) },
    [digest],
  );
  expect(await logged(lines, 'The function in the option "authenticate" refused the call.')).toContain(reason);
  expect(error).not.toContain(reason);
});

test.each([
  [
    "another namespace",
    message("x").replace("vehicle.example/reg", "vehicle.example/reg2"),
    "an element of the same name in another namespace: {http",
  ],
  [
    "another operation",
    message("x").replaceAll("CheckUSA", "CheckMars"),
    'or another service. The element is "{http://vehicle.example/reg}CheckMars".',
  ],
  [
    "another operation with a long name",
    message("x").replaceAll("CheckUSA", `Check${"M".repeat(200)}`),
    `The element is "{http://vehicle.example/reg}Check${"M".repeat(87)}…".`,
  ],
])("when a client uses %s, the log says so", async (_, body, cause) => {
  const { port, lines } = await failingServer();
  await send(port, { body, headers: { SOAPAction: "" } });
  const log = await logged(lines, "No operation has this element as its body.");
  expect(log).toContain(cause);
  expect(log).not.toContain("reg2");
});

test("when a client calls an unknown action, the log names it", async () => {
  const { port, lines } = await failingServer();
  await send(port, { body: message("x"), headers: { SOAPAction: '"urn:other:CheckMars"' } });
  expect(await logged(lines, "The SOAPAction is unknown.")).toContain(
    'or another service. The action is "urn:other:CheckMars".',
  );
});

test.each([
  ['no option "cors"', {}, 'To allow such calls, set the option "cors" or "allowOrigin"'],
  [
    "another allowOrigin",
    { allowOrigin: (origin: string) => origin === "https://other.example" },
    'The option "allowOrigin"',
  ],
  ["an allowOrigin", { allowOrigin: () => true }, undefined],
])(
  "when a page of another origin asks whether it may call a server with %s, the log reports it correctly",
  async (_, options, cause) => {
    const lines: string[] = [];
    const log = lineLogger({ write: (line) => lines.push(line) });
    const routes = [
      regRoutes({ checkUSA: () => null }, { missing: "fault", path, ...options }),
      contentRoutes({}, { missing: "error", ...options }),
    ];
    const server = await listen(routes, { host: "127.0.0.1", ...log });
    onTestFinished(async () => void (await server.close()));
    const headers = { Origin: "https://page.example", "Access-Control-Request-Method": "POST" };
    for (const address of [path, `${path}/CheckUSA`, "/en/api/core/v2/blocks"]) {
      await fetch(server.url + address, { method: "OPTIONS", headers });
    }
    await expect.poll(() => lines.filter((line) => line.includes(" server OPTIONS "))).toHaveLength(3);
    const warnings = lines.filter((line) => line.includes("warning "));
    expect(warnings.every((line) => line.includes(cause ?? ""))).toBe(true);
    // Without options, the REST interface allows calls from pages, but without the user's cookies.
    expect(warnings).toHaveLength(cause === undefined ? 0 : "allowOrigin" in options ? 3 : 2);
  },
);

test("a server refuses to start with a key that does not fit, and reports a certificate that is too old", async () => {
  await expect(failingServer({ tls: { cert, key: "no key" } })).rejects.toThrow(
    /The option "tls" cannot be used: ERR_OSSL/,
  );
  const valid = await failingServer({ tls: { cert, key } });
  expect(valid.lines).toEqual([]);
  vi.useFakeTimers({ now: new Date("2200-01-01"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { lines } = await failingServer({ tls: { cert, key } });
  expect(await logged(lines, "error config: ")).toContain('The certificate of the option "tls" is valid from');
});

test("when a body stops arriving, the log names cause and path", async () => {
  const limits = { bodyRate: 1_000, bodyRateGracePeriod: 100, checkInterval: 50 };
  const { port, lines } = await failingServer({ limits });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: "${action}"\r\nContent-Length: 3000\r\n\r\n<`,
  );
  const line = await logged(lines, "limit.bodyRate");
  expect(line).toContain(place);
  expect(line).toContain("The client stopped sending the body: 1 of the 3000 bytes had arrived, and none in the last");
  expect(line).toContain("or its Content-Length is too large");
});

test("when too many calls come at the same time, the log names the limit and the path", async () => {
  const { port, lines } = await failingServer({ limits: { inFlight: 1 } });
  await Promise.all([send(port, { body: message("a") }), send(port, { body: message("b") })]);
  const log = await logged(lines, "limit.inFlight");
  expect(log).toContain('increase the option "limits.inFlight"');
  expect(log).toContain(place);
});

test("when a client does not speak TLS, the log names the client and the reason", async () => {
  const { port, lines } = await failingServer({ tls: { cert, key } });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  expect(await logged(lines, "warning tls")).toContain("A TLS connection from 127.0.0.1 failed: ERR_SSL_HTTP_REQUEST");
});

test("when the system allows fewer files than connections, the log says so at the start", async () => {
  const { lines } = await failingServer({ limits: { connections: 1_000_000_000 } });
  expect(await logged(lines, "warning config: This process can open at most ")).toContain("LimitNOFILE");
  const enough = await failingServer({ limits: { connections: 10 } });
  expect(enough.lines).toEqual([]);
});

/** The program of a server in a process that can open only 60 files. */
const fewFiles = `
  import { listen } from "@bothends/runtime/server/node";
  const server = await listen([], { host: "127.0.0.1" });
  console.log(server.port);
  process.stdin.resume().once("end", () => server.close());
`;

test("when the process cannot open any more files, the log says so", async () => {
  const program = ["--input-type=module", "-e", fewFiles];
  const child = spawn("sh", ["-c", 'ulimit -n 60; exec "$@"', "sh", process.execPath, ...program], {
    cwd: import.meta.dirname,
  });
  onTestFinished(() => void child.stdin.end());
  const lines: string[] = [];
  child.stderr.on("data", (text: Buffer) => void lines.push(text.toString()));
  const [port] = await once(child.stdout, "data");
  const sockets = Array.from({ length: 60 }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  expect(await logged(lines, "cannot open any more files")).toContain("error config: ");
});

test("when a server stops during a call, the log names cause, operation and path", async () => {
  const { port, lines, server, begun } = await failingServer({ limits: { drainTimeout: 20 } });
  const sent = send(port, { body: message("slow") }).catch(() => {});
  await expect.poll(() => begun).toEqual(["slow"]);
  await server.close();
  await sent;
  expect(await logged(lines, "limit.drainTimeout")).toContain(place);
  expect(await logged(lines, "incomplete")).toContain("operation=CheckUSA");
});
