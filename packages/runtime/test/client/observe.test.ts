import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DecodeError, EncodeError, ProtocolError, SoapFault } from "../../src/answer-errors.js";
import {
  type CallEvent,
  type ClientIncident,
  RestClient,
  ServiceClient,
  type SoapClientOptions,
} from "../../src/client/index.js";
import { type BothendsError, ConfigError, TransportError } from "../../src/errors.js";
import type { EndpointDescriptor, RestInterfaceDescriptor } from "../../src/index.js";
import {
  type CallObserver,
  consoleLogger,
  type LoggerOptions,
  lineLogger,
  pinoLogger,
} from "../../src/observe/index.js";
import * as xs from "../../src/xs.js";
import { always, failureOf, localServer } from "./local-server.js";
import { find, lookup, ns } from "./lookup.js";

const input = { Key: "secret-key", Count: 1, user: "u" };
const answer = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><FindResponse xmlns="${ns}"><FindResult><Name>a</Name><Size>1</Size><Note/></FindResult></FindResponse></s:Body></s:Envelope>`;
const fault = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>secret-reason</faultstring></s:Fault></s:Body></s:Envelope>`;

const shop: RestInterfaceDescriptor = { descriptorFormat: 2, name: "shop", base: "/wp-json" };
const getItem: EndpointDescriptor<{ id: number }> = {
  kind: "endpoint",
  interface: shop,
  name: "items.get",
  route: "/v1/items/(?P<id>[\\d]+)",
  path: ["/v1/items/", { variable: "id", pattern: "[\\d]+" }],
  methods: ["GET"],
  args: { id: { type: "integer" } },
};

function observed(url: string, options: SoapClientOptions = {}) {
  const events: CallEvent[] = [];
  const incidents: ClientIncident[] = [];
  const client = new ServiceClient(lookup, {
    baseUrl: url,
    protocol: "soap11",
    onCall: (event) => void events.push(event),
    onError: (incident) => void incidents.push(incident),
    ...options,
  });
  return { client, events, incidents };
}

describe("a mistake in the options of one call is an incident", () => {
  test.each([
    ["another name", { timeOut: 1 }, /no option "timeOut"/],
    ["a negative time", { timeout: -1 }, /"timeout" must be 0 or more/],
    ["too many retries", { retries: 11 }, /"retries" must be an integer from 0 to 10/],
    ["an unknown limit", { limits: { bodybytes: 1 } }, /no limit "bodybytes"/],
    ["another signal", { signal: {} }, /must be an AbortSignal/],
    ["a list of headers", { headers: null }, /"headers" must be an object, not null/],
    ["no options", null, /The options must be an object, not null/],
  ])("for %s", async (_, options, reason) => {
    const { client, events, incidents } = observed("http://127.0.0.1:1");
    const error = await failureOf(client.call(find, input, options as never));
    const onError = (incident: ClientIncident) => void incidents.push(incident);
    const rest = new RestClient(shop, { siteUrl: "http://127.0.0.1:1", onError });
    await failureOf(rest.call(getItem, { id: 1 }, options as never));
    expect(error).toBeInstanceOf(ConfigError);
    const message = expect.stringMatching(reason);
    expect(incidents).toMatchObject([
      { side: "client", kind: "config", message, operation: "Find", protocol: "soap11", error },
      { side: "client", kind: "config", message, operation: "items.get", protocol: "rest" },
    ]);
    expect(events).toMatchObject([{ operation: "Find", status: 0, completed: false, error: incidents[0] }]);
  });
});

describe("a call event of a client", () => {
  test("has the operation, the sizes, the durations of each step and the address without secrets", async () => {
    const server = await localServer(always(200, "text/xml", answer));
    const address = `${server.url.replace("//", "//user:password@")}/api/lookup.asmx?secret=1`;
    const { client, events, incidents } = observed(server.url, { address, baseUrl: undefined });
    await client.call(find, input);
    expect(events).toHaveLength(1);
    expect(incidents).toEqual([]);
    expect(events[0]).toMatchObject({
      side: "client",
      operation: "Find",
      service: lookup.name,
      protocol: "soap11",
      method: "POST",
      address: `${server.url}/api/lookup.asmx`,
      httpVersion: "1.1",
      status: 200,
      faultCode: undefined,
      completed: true,
      retries: 0,
      requestBytes: Buffer.byteLength(server.received[0]?.body ?? ""),
      answerBytes: answer.length,
      error: undefined,
    });
    expect(JSON.stringify(events)).not.toMatch(/secret|password/);
    const { total, written, queued, waiting, read } = events[0]?.durations ?? { total: -1 };
    expect([written, queued, waiting, read].every((step) => step !== undefined && step >= 0)).toBe(true);
    expect((written ?? 0) + (queued ?? 0) + (waiting ?? 0) + (read ?? 0)).toBeCloseTo(total, 0);
  });

  test("has the id that was sent, from the option or new", async () => {
    const server = await localServer(always(200, "text/xml", answer));
    const { client, events } = observed(server.url);
    await client.call(find, input);
    await client.call(find, input, { requestId: "r-1" });
    expect(server.received.map(({ headers }) => headers["x-request-id"])).toEqual([events[0]?.requestId, "r-1"]);
    expect(events[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(events[1]?.requestId).toBe("r-1");
  });

  test("has the code of a fault, and the incident without the fault's text", async () => {
    const server = await localServer(always(500, "text/xml", fault));
    const { client, events, incidents } = observed(server.url);
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(SoapFault);
    expect(events[0]).toMatchObject({ status: 500, faultCode: "Client", completed: true });
    expect(incidents[0]).toMatchObject({ side: "client", kind: "fault", operation: "Find", error });
    expect(events[0]?.error).toBe(incidents[0]);
    expect(incidents[0]?.message).not.toContain("secret");
    expect((error as BothendsError).requestId).toBe(events[0]?.requestId);
  });

  test("has member path and reason of an answer that does not fit the schema, but not the value", async () => {
    const server = await localServer(always(200, "text/xml", answer.replace("<Size>1", "<Size>secret-size")));
    const { client, incidents } = observed(server.url);
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(DecodeError);
    expect(incidents[0]).toMatchObject({ kind: "decode", path: "/Envelope/Body/FindResponse/FindResult/Size" });
    expect(incidents[0]?.message).not.toContain("secret");
  });

  test.each([
    { what: "a page", type: "text/html", body: "<title>secret, body: secret]</title>" },
    { what: "JSON", type: "application/json", body: '{"name":"secret"}' },
    { what: "nothing but a type", type: "secret/plain", body: "secret" },
  ])("has no part of an answer that is $what", async ({ type, body }) => {
    const server = await localServer(always(200, type, body));
    const { client, incidents } = observed(server.url);
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(ProtocolError);
    expect(incidents[0]).toMatchObject({
      kind: "protocol",
      message: expect.stringMatching(/not XML.*, status 200\]$/),
    });
    expect(incidents[0]?.message.replace(type, "")).not.toContain("secret");
  });

  const color = xs.restriction([xs.string], [[xs.enumeration, ["red", "green"]]], "t:Color");

  test.each([
    {
      type: xs.int,
      value: "secret",
      want: "The value (a string) is not a valid xs:int: it must be a whole number, for example 5.",
    },
    { type: color, value: "secret", want: 'The value is not a valid t:Color: it must be one of "red", "green".' },
    {
      type: xs.list([xs.int], [], "t:Ints"),
      value: [1, "secret"],
      want: "The list is not a valid t:Ints: it must be",
    },
    { type: xs.list([xs.string], [], "t:Words"), value: ["secret a"], want: "t:Words: white space separates items." },
    { type: xs.base64Binary, value: "secret", want: 'Base64 text with Buffer.from(text, "base64")' },
    { type: xs.date, value: new Date(0), want: "Convert a Date with fromDate of @bothends/runtime/values." },
  ])("has the complete reason of an input that does not fit $type.name, but not the value", async (row) => {
    const type = { kind: "record", name: "{urn:d}D", namespace: "urn:d", fields: { at: { type: row.type } } };
    const operation = { ...find, input: { body: { element: "{urn:d}D", type: () => type } } } as never;
    const { client, incidents } = observed("http://127.0.0.1:9");
    expect(await failureOf(client.call(operation, { at: row.value } as never))).toBeInstanceOf(EncodeError);
    expect(incidents[0]).toMatchObject({ kind: "encode", message: expect.stringContaining(row.want) });
    expect(incidents[0]?.message).not.toContain("secret");
  });

  test("has the reason of an invalid parameter of HTTP GET, but not the value", async () => {
    const { client, incidents } = observed("http://127.0.0.1:9", { protocol: "httpGet" });
    await failureOf(client.call(find, { ...input, Count: "secret" as never }));
    await failureOf(client.call(find, { ...input, secret: "secret" } as never));
    expect(incidents.map(({ message }) => message)).toEqual([
      "The input does not fit the schema. The value (a string) is not a valid xs:int: it must be a whole number, for example 5.",
      "The input does not fit the schema. The schema does not declare all members of the value.",
    ]);
    expect(incidents.map(({ path }) => path)).toEqual(["/Count", "/"]);
  });

  test("has the reason of an invalid argument of REST, but not the name of an unknown argument", async () => {
    const incidents: ClientIncident[] = [];
    const onError = (incident: ClientIncident) => void incidents.push(incident);
    const client = new RestClient(shop, { siteUrl: "http://127.0.0.1:9", onError });
    await failureOf(client.call(getItem, { id: "secret" as never }));
    await failureOf(client.call(getItem, { id: 1, secret: "secret" } as never));
    expect(incidents.map(({ message }) => message)).toEqual([
      "The input does not fit the schema. The value must be of type integer, not a string.",
      'The input does not fit the schema. The index does not declare all arguments of the input. Pass unlisted arguments in the option "extra".',
    ]);
    expect(incidents.map(({ path }) => path)).toEqual(["/id", "/"]);
  });

  test("has status 0 if there was no answer", async () => {
    const { client, events, incidents } = observed("http://127.0.0.1:1");
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(TransportError);
    expect(events[0]).toMatchObject({ status: 0, completed: false });
    expect(incidents[0]).toMatchObject({ kind: "transport", message: expect.stringContaining("ECONNREFUSED") });
  });

  test("counts retries", async () => {
    let count = 0;
    const server = await localServer((received, response) => {
      count += 1;
      always(count < 3 ? 503 : 200, "text/xml", count < 3 ? "" : answer, { "Retry-After": "0" })(received, response);
    });
    const { client, events } = observed(server.url, { retries: 2, safeOperations: ["Find"] });
    await client.call(find, input);
    expect(events).toMatchObject([{ retries: 2, status: 200 }]);
  });

  test("of REST has the endpoint, its route and the code of an error", async () => {
    const body = JSON.stringify({ code: "rest_invalid_param", message: "secret", data: { status: 400 } });
    const server = await localServer(always(400, "application/json", body));
    const events: CallEvent[] = [];
    const client = new RestClient(shop, { siteUrl: server.url, onCall: (event) => void events.push(event) });
    await failureOf(client.call(getItem, { id: 7 }));
    expect(events).toMatchObject([
      { protocol: "rest", operation: "items.get", route: getItem.route, status: 400, faultCode: "rest_invalid_param" },
    ]);
    expect(events[0]?.address).toBe(`${server.url}/wp-json/v1/items/7`);
  });

  test.each(["a".repeat(65), "two words", "<b>", ""])(
    "of REST has no code if the code %j of an error is not an identifier of at most 64 characters",
    async (code) => {
      const server = await localServer(
        always(400, "application/json", JSON.stringify({ code, message: "m", data: { status: 400 } })),
      );
      const events: CallEvent[] = [];
      const client = new RestClient(shop, { siteUrl: server.url, onCall: (event) => void events.push(event) });
      expect(await failureOf(client.call(getItem, { id: 7 }))).toMatchObject({ status: 400 });
      expect(events).toMatchObject([{ status: 400, faultCode: undefined }]);
    },
  );
});

describe("an exception of a hook", () => {
  test("does not change the call, and reaches onError", async () => {
    const server = await localServer(always(200, "text/xml", answer));
    const thrown = new Error("no");
    const fail = () => {
      throw thrown;
    };
    const { client, incidents } = observed(server.url, { onCall: fail, observe: { begin: fail } });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(incidents).toMatchObject([
      { kind: "hook", error: thrown },
      { kind: "hook", error: thrown },
    ]);
  });

  test("does not end the process if the hook is asynchronous", async () => {
    const server = await localServer(always(200, "text/xml", answer));
    const thrown = new Error("no");
    const fail = () => Promise.reject(thrown);
    const { client, incidents } = observed(server.url, { onCall: fail, observe: { begin: () => ({ end: fail }) } });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    await vi.waitFor(() =>
      expect(incidents).toMatchObject([
        { kind: "hook", error: thrown },
        { kind: "hook", error: thrown },
      ]),
    );
  });
});

test.each<[string, (call: () => unknown) => unknown]>([
  [
    "throws",
    () => {
      throw new Error("run");
    },
  ],
  ["rejects", () => Promise.reject(new Error("run"))],
  ["never ends", () => new Promise(() => {})],
  ["returns nothing", (call) => void call()],
])("a call is made once if the function run of an observer %s, which is reported", async (_, run) => {
  const server = await localServer(always(200, "text/xml", answer));
  const { client, incidents } = observed(server.url, { observe: { begin: () => ({ run: run as never }) } });
  expect(await client.call(find, input)).toMatchObject({ Name: "a" });
  expect(server.received).toHaveLength(1);
  await vi.waitFor(() => expect(incidents[0]).toMatchObject({ kind: "hook", error: expect.any(Error) }));
});

test("observers add headers, run the call and get its event", async () => {
  const server = await localServer(always(200, "text/xml", answer));
  const steps: string[] = [];
  const observer = (name: string): CallObserver => ({
    begin: ({ operation }) => ({
      headers: { [`X-${name}`]: operation ?? "" },
      run: (call) => {
        steps.push(`${name} runs`);
        return call();
      },
      end: ({ status }) => void steps.push(`${name} ends ${status}`),
    }),
  });
  const { client } = observed(server.url, { observe: [observer("A"), observer("B")] });
  await client.call(find, input);
  expect(server.received[0]?.headers).toMatchObject({ "x-a": "Find", "x-b": "Find" });
  expect(steps).toEqual(["A runs", "B runs", "A ends 200", "B ends 200"]);
});

test("calls and incidents are published to diagnostics channels without hooks, with the request id that is sent", async () => {
  const server = await localServer(always(500, "text/xml", fault));
  const published: { readonly requestId: string }[] = [];
  const receive = (message: unknown) => void published.push(message as { readonly requestId: string });
  subscribe("bothends.client.call", receive);
  subscribe("bothends.client.error", receive);
  await failureOf(new ServiceClient(lookup, { baseUrl: server.url }).call(find, input));
  unsubscribe("bothends.client.call", receive);
  unsubscribe("bothends.client.error", receive);
  await failureOf(new ServiceClient(lookup, { baseUrl: server.url }).call(find, input));
  expect(published).toMatchObject([{ side: "client", status: 500 }, { kind: "fault" }]);
  const [sentId, unobservedId] = server.received.map(({ headers }) => headers["x-request-id"]);
  expect(published.map(({ requestId }) => requestId)).toEqual([sentId, sentId]);
  expect(unobservedId).toBeUndefined();
});

test("a page without HTTPS, where browsers have no randomUUID, can observe its calls", async () => {
  const server = await localServer(always(200, "text/xml", answer));
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client, events } = observed(server.url);
  await client.call(find, input);
  await client.call(find, input);
  const [first, second] = events.map(({ requestId }) => requestId);
  expect([first, second]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(first).not.toBe(second);
});

test("a page sends no new id to another origin, which may not allow it, but the id of the option", async () => {
  const server = await localServer(always(200, "text/xml", answer));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client, events } = observed(server.url);
  for (const origin of ["https://page.example", server.url]) {
    vi.stubGlobal("location", { origin, href: `${origin}/page` });
    await client.call(find, input);
    await client.call(find, input, { requestId: "r-8" });
  }
  const ids = server.received.map(({ headers }) => headers["x-request-id"]);
  expect(ids).toEqual([undefined, "r-8", events[2]?.requestId, "r-8"]);
  expect(events[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

test("the option requestId is sent without observers too", async () => {
  const server = await localServer(always(200, "text/xml", answer));
  const client = new ServiceClient(lookup, { baseUrl: server.url, protocol: "soap11" });
  await client.call(find, input, { requestId: "r-2" });
  expect(server.received[0]?.headers["x-request-id"]).toBe("r-2");
});

test("the option requestId of a call has precedence over the client's headers, a new id does not", async () => {
  const server = await localServer(always(200, "text/xml", answer));
  const { client } = observed(server.url, { headers: { "x-request-id": "fixed" } });
  await client.call(find, input, { requestId: "r-2" });
  await client.call(find, input);
  expect(server.received.map(({ headers }) => headers["x-request-id"])).toEqual(["r-2", "fixed"]);
});

test("an error has the id of the option requestId, of the call or of the client", async () => {
  const server = await localServer(always(500, "text/plain", "no"));
  const client = new ServiceClient(lookup, { baseUrl: server.url, protocol: "soap11", requestId: "r-3" });
  expect(await failureOf(client.call(find, input, { requestId: "r-4" }))).toMatchObject({ requestId: "r-4" });
  expect(await failureOf(client.call(find, input))).toMatchObject({ requestId: "r-3" });
  expect(server.received.map(({ headers }) => headers["x-request-id"])).toEqual(["r-4", "r-3"]);
});

describe("if the code that observes calls cannot be loaded", () => {
  function withoutObserver(): void {
    vi.resetModules();
    vi.doMock("../../src/client/exchange/observed-call.js", () => {
      throw new Error("offline");
    });
    onTestFinished(() => {
      vi.doUnmock("../../src/client/exchange/observed-call.js");
    });
  }

  test("a call with a request id is made, and its error has the id", async () => {
    withoutObserver();
    const server = await localServer((request, response) =>
      always(server.received.length === 1 ? 200 : 500, "text/xml", answer)(request, response),
    );
    const client = new ServiceClient(lookup, { baseUrl: server.url, protocol: "soap11" });
    expect(await client.call(find, input, { requestId: "r-5" })).toMatchObject({ Name: "a" });
    expect(await failureOf(client.call(find, input, { requestId: "r-6" }))).toMatchObject({ requestId: "r-6" });
    expect(server.received.map(({ headers }) => headers["x-request-id"])).toEqual(["r-5", "r-6"]);
  });

  test("a REST call with a request id is made, and its error has the id", async () => {
    withoutObserver();
    const server = await localServer((request, response) =>
      always(server.received.length === 1 ? 200 : 500, "application/json", "[1]")(request, response),
    );
    const endpoint = { name: "rows", route: "/rows", path: ["/rows"], methods: ["GET"], args: {} } as never;
    const site = new RestClient({ descriptorFormat: 2, name: "site", base: "" }, { siteUrl: server.url });
    expect(await site.call(endpoint, {}, { requestId: "r-5" })).toEqual([1]);
    expect(await failureOf(site.call(endpoint, {}, { requestId: "r-6" }))).toMatchObject({ requestId: "r-6" });
    expect(server.received.map(({ headers }) => headers["x-request-id"])).toEqual(["r-5", "r-6"]);
  });

  test("a call with observers is made, and onError receives why it is not observed", async () => {
    withoutObserver();
    const server = await localServer(always(200, "text/xml", answer));
    const { client, events, incidents } = observed(server.url, { requestId: "r-7" });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(events).toEqual([]);
    expect(incidents).toMatchObject([
      { kind: "hook", operation: "Find", message: expect.stringMatching(/not observed/) },
    ]);
    expect(server.received[0]?.headers["x-request-id"]).toBe("r-7");
  });
});

describe("a logger", () => {
  test("writes calls of clients as lines, without values of messages", async () => {
    const server = await localServer(always(500, "text/xml", fault));
    const lines: string[] = [];
    const { client } = observed(server.url, lineLogger({ write: (line) => void lines.push(line) }));
    await failureOf(client.call(find, input, { requestId: "r-3" }));
    expect(lines[0]).toMatch(/ error fault: The server answered with a Client fault\. side=client operation=Find /);
    expect(lines[1]).toMatch(
      / client POST http:\S+\/api\/lookup.asmx 500 total=.* waiting=.* retries=0 .*requestId=r-3$/,
    );
    expect(lines.join()).not.toContain("secret");
  });

  const noListener = "ORA-12541: no listener";
  const faultOf = (reason: string) =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>${reason}</faultstring></s:Fault></s:Body></s:Envelope>`;

  test.each([
    ["a fault", ["text/xml", faultOf(noListener)], noListener],
    ["a page", ["text/html", `<title>${noListener}</title>`], noListener],
    ["a long fault", ["text/xml", faultOf("x".repeat(300))], `${"x".repeat(199)}…`],
    ["a fault with control characters", ["text/xml", faultOf("a\u009b31m\u202eb")], "a\\u009b31m\\u202eb"],
  ] as const)("writes the reason of %s only with the option reasons", async (_, [type, body], want) => {
    const server = await localServer(always(500, type, body));
    const lines: string[] = [];
    const write = (line: unknown) => void lines.push(typeof line === "string" ? line : JSON.stringify(line));
    const target = { info: write, warn: write, error: write };
    const create = (options: LoggerOptions) => [
      lineLogger({ write, ...options }),
      lineLogger({ format: "json", write, ...options }),
      consoleLogger(target, options),
      pinoLogger(target, options),
    ];
    for (const { onError } of create({})) {
      await failureOf(observed(server.url, { onError }).client.call(find, input));
    }
    expect(lines).toHaveLength(4);
    expect(lines.join()).not.toContain(want.slice(0, 9));
    for (const { onError } of create({ reasons: true })) {
      await failureOf(observed(server.url, { onError }).client.call(find, input));
    }
    const [text, json, ofConsole, ofPino] = lines.slice(4);
    expect(
      [text, ofConsole].map((line) => line?.endsWith(` reason=${want}`) || line?.includes(` reason="${want}"`)),
    ).toEqual([true, true]);
    expect(json).toContain(`,"reason":"${want}"`);
    expect(ofPino).toContain(`"reason":"${want.replaceAll("\\", "\\\\")}"`);
  });

  test.each([
    ["an error", new Error("shutdown of worker 3"), "shutdown of worker 3"],
    ["a text", "shutdown of worker 3", "shutdown of worker 3"],
    ["no reason", undefined, undefined],
  ])("has the reason with which the program aborted a call: %s", async (_, reason, want) => {
    const server = await localServer(() => {});
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const target = {
      info: () => {},
      warn: () => {},
      error: (line: unknown) =>
        write(typeof line === "string" ? line : String(Object(line).err?.message ?? Object(line).err)),
    };
    const loggers = [
      lineLogger({ write }),
      lineLogger({ format: "json", write }),
      consoleLogger(target),
      pinoLogger(target),
    ];
    for (const { onError } of loggers) {
      const controller = new AbortController();
      const { client } = observed(server.url, { onError });
      const failure = failureOf(client.call(find, input, { signal: controller.signal }));
      controller.abort(reason);
      await failure;
    }
    expect(lines).toHaveLength(4);
    expect(
      lines.map((line) => (want === undefined ? /cause|"err"|AbortError/.test(line) : line.includes(want))),
    ).toEqual(Array(4).fill(want !== undefined));
  });

  test("of the console is called by level", async () => {
    const target = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { onCall, onError } = consoleLogger(target);
    onError({ kind: "request", message: "m" });
    onError({ kind: "handler", message: "m", error: new Error("e") });
    onCall({
      side: "server",
      time: 0,
      requestId: "1",
      method: "GET",
      address: "/",
      status: 200,
      completed: true,
      durations: { total: 1 },
    });
    expect([target.info, target.warn, target.error].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
    expect(target.error.mock.calls[0]?.[0]).toContain("Error: e");
  });

  test("of pino gets members and a message", () => {
    const target = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { onCall, onError } = pinoLogger(target);
    const error = new Error("e");
    onError({ kind: "request", message: "m", path: "/a" });
    onError({ kind: "handler", message: "m", error });
    onCall({
      side: "server",
      time: 0,
      requestId: "1",
      method: "GET",
      address: "/",
      status: 200,
      completed: true,
      durations: { total: 1 },
    });
    expect(target.warn).toHaveBeenCalledWith({ kind: "request", path: "/a" }, "m");
    expect(target.error).toHaveBeenCalledWith({ kind: "handler", err: error }, "m");
    expect(target.info).toHaveBeenCalledWith(expect.objectContaining({ status: 200, startTime: 0 }), "GET / 200");
    // Pino writes the time of the line as `time`, and a second member with this name would make the line ambiguous.
    expect(target.info.mock.calls[0]?.[0]).not.toHaveProperty("time");
  });
});
