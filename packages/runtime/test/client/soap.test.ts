import { Agent, globalAgent } from "node:http";
import { describe, expect, test } from "vitest";
import {
  type CallOptions,
  call,
  connect,
  ServiceClient,
  type SoapClientOptions,
  soap12,
  type Transport,
} from "../../src/client/index.js";
import { protocols } from "../../src/descriptor.js";
import type { AnyElement, OperationDescriptor, RecordDescriptor } from "../../src/index.js";
import { ConfigError, DecodeError, EncodeError, type HttpStatusError } from "../../src/index.js";
import { messageElements } from "../../src/values/conversions.js";
import * as xs from "../../src/xs.js";
import { cert, key } from "./certificate.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup, ns, ping, settings } from "./lookup.js";

const input = { Key: "A<1>", Count: 2, user: "u" };
const xml = "text/xml; charset=utf-8";

async function answering(status: number, contentType: string | undefined, body: string) {
  const server = await localServer(always(status, contentType, body));
  return { server, client: new ServiceClient(lookup, { baseUrl: server.url }, settings) };
}

test("SOAP 1.1 is sent as text/xml with a quoted SOAPAction", async () => {
  const { server, client } = await answering(200, xml, envelope(found()));
  expect(await client.call(find, input)).toEqual(item);
  const [request] = server.received;
  expect([request?.method, request?.path]).toEqual(["POST", "/api/lookup.asmx"]);
  expect(request?.headers).toMatchObject({
    "content-type": "text/xml; charset=utf-8",
    soapaction: `"${ns}/Find"`,
    "content-length": String(Buffer.byteLength(request?.body ?? "")),
  });
  expect(request?.headers).not.toHaveProperty("authorization");
  expect(request?.headers).not.toHaveProperty("cookie");
  expect(request?.body).toContain(
    `<soap:Body><Find xmlns="${ns}"><Key>A&lt;1&gt;</Key><Count>2</Count><user>u</user></Find></soap:Body>`,
  );
});

test("SOAP 1.2 is sent without SOAPAction, with its exact content type", async () => {
  const { server, client } = await answering(200, "application/soap+xml; charset=utf-8", envelope(found(), "soap12"));
  expect(await client.call(find, input, { protocol: "soap12" })).toEqual(item);
  expect(server.received[0]?.headers["content-type"]).toBe("application/soap+xml; charset=utf-8");
  expect(server.received[0]?.headers).not.toHaveProperty("soapaction");
  expect(server.received[0]?.body).toContain("http://www.w3.org/2003/05/soap-envelope");
});

test("the action is a parameter in SOAP 1.2 if the binding requires it", async () => {
  const { server, client } = await answering(202, undefined, "");
  expect(await client.call(ping, {}, { protocol: "soap12" })).toBeUndefined();
  expect(server.received[0]?.headers["content-type"]).toBe(`application/soap+xml; charset=utf-8; action="${ns}/Ping"`);
});

test.each([
  { status: 202, contentType: undefined, body: "" },
  { status: 200, contentType: "text/html", body: "thanks" },
  { status: 200, contentType: xml, body: envelope("") },
])("a one-way call accepts $status $contentType", async ({ status, contentType, body }) => {
  const { client } = await answering(status, contentType, body);
  expect(await client.call(ping, { Text: "x" })).toBeUndefined();
});

describe("a repeated member as the result", () => {
  interface ListResponse {
    Entry?: readonly (string | null)[] | undefined;
  }
  const response: RecordDescriptor<ListResponse> = {
    kind: "record",
    name: `{${ns}}ListResponse`,
    namespace: ns,
    fields: { Entry: { type: xs.string, min: 0, max: "unbounded", nillable: true } },
  };
  const list: OperationDescriptor<{ Text?: string | undefined }, readonly (string | null)[]> = {
    ...ping,
    name: "List",
    output: {
      body: { element: `{${ns}}ListResponse`, type: () => response, nillable: true },
      result: "Entry",
      repeated: true,
    },
  };
  const nil = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';
  test.each([
    { name: "an empty wrapper is an empty array", body: `<ListResponse xmlns="${ns}"/>`, want: [] },
    { name: "a nil wrapper is an empty array", body: `<ListResponse xmlns="${ns}" ${nil}/>`, want: [] },
    {
      name: "an answer with a comment, which is not a usual one, is an empty array too",
      body: `<ListResponse xmlns="${ns}"><!-- none --></ListResponse>`,
      want: [],
    },
    {
      name: "a nil item is null",
      body: `<ListResponse xmlns="${ns}"><Entry>a</Entry><Entry ${nil}/></ListResponse>`,
      want: ["a", null],
    },
  ])("$name", async ({ body, want }) => {
    const { client } = await answering(200, xml, envelope(body));
    expect(await client.call(list, {})).toEqual(want);
  });
});

describe("the elements that a wildcard of an answer accepts", () => {
  const wrapType: RecordDescriptor<{ any: AnyElement }> = {
    kind: "record",
    name: `{${ns}}WrapResponse`,
    namespace: ns,
    fields: { any: { kind: "any", by: xs.any, namespaces: "any", process: "strict" } },
  };
  const wrap: OperationDescriptor<{ Text?: string | undefined }, { any: AnyElement }> = {
    ...ping,
    name: "Wrap",
    output: { body: { element: `{${ns}}WrapResponse`, type: () => wrapType } },
  };
  const wrapped = (content: string) => envelope(`<WrapResponse xmlns="${ns}">${content}</WrapResponse>`);
  const wrong = found().replace("<Size>3</Size>", "<Size>x</Size>");

  test.each([
    { name: "is not checked by default", validate: undefined, content: wrong, want: undefined },
    {
      name: "is checked by the elements that `validate` has",
      validate: { wildcards: messageElements({ find, ping, settings }) },
      content: wrong,
      want: "/Envelope/Body/WrapResponse/FindResponse/FindResult/Size",
    },
    {
      name: "is accepted if it is valid",
      validate: { wildcards: messageElements({ find }) },
      content: found(),
      want: undefined,
    },
    {
      name: "is accepted if its element is not known",
      validate: { wildcards: messageElements({ find }) },
      content: '<other xmlns="urn:other"/>',
      want: undefined,
    },
  ])("$name", async ({ validate, content, want }) => {
    const server = await localServer(always(200, xml, wrapped(content)));
    const client = new ServiceClient(lookup, { baseUrl: server.url, validate }, settings);
    const path = await client.call(wrap, {}).then(
      () => undefined,
      (error: unknown) => (error instanceof DecodeError ? error.path : error),
    );
    expect(path).toBe(want);
  });
});

test("an answer may use the prefix xsi without declaring it", async () => {
  const body = `<FindResponse xmlns="${ns}"><FindResult><Name>N</Name><Size>1</Size><Note xsi:nil="true"></Note></FindResult></FindResponse>`;
  const undeclared = envelope(body).replace(/ xmlns:xsi="[^"]*"/, "");
  const { client } = await answering(200, xml, undeclared);
  expect(undeclared).not.toContain("xmlns:xsi");
  expect(await client.call(find, input)).toEqual({ Name: "N", Size: 1, Note: null });
});

describe("results", () => {
  test.each([
    { name: "an absent result", body: `<FindResponse xmlns="${ns}"/>`, want: null },
    {
      name: "a nil result",
      body: `<FindResponse xmlns="${ns}"><FindResult xsi:nil="true"/></FindResponse>`,
      want: null,
    },
    {
      name: "prefixes and unknown elements",
      body: `<q:FindResponse xmlns:q="${ns}"><q:FindResult><q:New/><q:Name>a</q:Name><q:Size> 7 </q:Size><q:Note/></q:FindResult></q:FindResponse>`,
      want: { Name: "a", Size: 7, Note: "" },
    },
    {
      name: "a dateTime as it is",
      body: found("<Name>a</Name><Size>1</Size><Until>2026-03-31T00:00:00</Until><Sold>1</Sold><Note/>"),
      want: { Name: "a", Size: 1, Until: "2026-03-31T00:00:00", Sold: true, Note: "" },
    },
  ])("$name is read", async ({ body, want }) => {
    const { client } = await answering(200, xml, envelope(body));
    expect(await client.call(find, input)).toEqual(want);
  });
});

describe("inputs that the schema does not allow never reach a socket", () => {
  const inherited: object = Object.create({ Key: "a", user: "u" });
  test.each([
    { name: "a missing member", given: { user: "u" } },
    { name: "null", given: { Key: null, user: "u" } },
    { name: "NaN", given: { Key: "a", Count: Number.NaN, user: "u" } },
    { name: "half a character", given: { Key: "\ud800", user: "u" } },
    { name: "a control character", given: { Key: "\u0001", user: "u" } },
    { name: "a number for a text", given: { Key: 7, user: "u" } },
    { name: "an object for a text", given: { Key: { toString: () => "a" }, user: "u" } },
    { name: "a member that is not there", given: { Key: "a", user: "u", key: "b" } },
    { name: "inherited members", given: inherited },
    { name: "a text", given: "Key" },
  ])("$name is refused over all protocols", async ({ given }) => {
    const { client, server } = await answering(200, xml, envelope(found()));
    for (const protocol of protocols) {
      const error = await failureOf(client.call(find, given as never, { protocol }));
      expect(error).toBeInstanceOf(EncodeError);
      expect(error).toMatchObject({ operation: "Find" });
    }
    expect(server.received).toEqual([]);
  });

  test("a character that XML cannot contain is replaced on request", async () => {
    const server = await localServer(always(200, xml, envelope(found())));
    const client = new ServiceClient(lookup, { baseUrl: server.url, illegalCharacters: "replace" });
    await client.call(find, { Key: "a\u0001", user: "u" });
    expect(server.received[0]?.body).toContain("<Key>a\ufffd</Key>");
  });
});

describe("headers of SOAP", () => {
  test("declared blocks are sent and received by member name, others as elements", async () => {
    const header = `<s:Header><t:Token xmlns:t="${ns}">back</t:Token><x xmlns="urn:x"/></s:Header>`;
    const { server, client } = await answering(200, xml, envelope(found(), "soap11", header));
    let received: Readonly<Record<string, unknown>> = {};
    await client.call(find, input, {
      soapHeaders: { Token: "t" },
      extraSoapHeaders: [{ name: "{urn:w}Security", content: ["s"] }],
      onAnswer: (answer) => {
        received = answer.soapHeaders;
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, xml]);
      },
    });
    expect(received).toEqual({ Token: "back" });
    expect(server.received[0]?.body).toContain(
      `<soap:Header><Token xmlns="${ns}">t</Token><Security xmlns="urn:w">s</Security></soap:Header>`,
    );
  });

  test.each([200, 500])("a block that cannot be read does not hide a fault with status %i", async (status) => {
    const header = `<s:Header><t:Token xmlns:t="${ns}"><t:part/></t:Token></s:Header>`;
    const body = "<s:Fault><faultcode>s:Client</faultcode><faultstring>broken</faultstring></s:Fault>";
    const { client } = await answering(status, xml, envelope(body, "soap11", header));
    const failure = await failureOf(client.call(find, input));
    expect(failure).toMatchObject({ name: "SoapFault", code: "Client", reason: "broken", status, soapHeaders: {} });
    expect(String((failure as Error).cause)).toContain("/Envelope/Header/Token");
  });

  test("a block that cannot be read is reported if the answer is not a fault", async () => {
    const header = `<s:Header><t:Token xmlns:t="${ns}"><t:part/></t:Token></s:Header>`;
    const { client } = await answering(200, xml, envelope(found(), "soap11", header));
    const failure = await failureOf(client.call(find, input));
    expect(failure).toBeInstanceOf(DecodeError);
    expect((failure as Error).message).toContain("/Envelope/Header/Token");
  });

  test("blocks that the operation does not have are refused", async () => {
    const { client } = await answering(200, xml, envelope(found()));
    expect(await failureOf(client.call(find, input, { soapHeaders: { Tokem: "t" } }))).toBeInstanceOf(ConfigError);
    expect(
      await failureOf(client.call(find, input, { protocol: "httpGet", soapHeaders: { Token: "t" } })),
    ).toBeInstanceOf(ConfigError);
  });
});

describe("the state of a client", () => {
  test("ambient arguments are added to inputs of operations that declare them, and arguments of the call have precedence", async () => {
    const server = await localServer((request, response) => {
      const body = request.body.includes("Ping") ? "" : found();
      response.writeHead(200, { "Content-Type": xml }).end(envelope(body));
    });
    const client = new ServiceClient(lookup, { baseUrl: server.url, user: "held" }, settings);
    await client.call(find, { Key: "a" });
    await client.call(find, { Key: "a", user: "own" });
    await client.call(ping, {});
    const bodies = server.received.map((request) => request.body);
    expect(bodies[0]).toContain("<user>held</user>");
    expect(bodies[1]).toContain("<user>own</user>");
    expect(bodies[2]).not.toContain("held");
  });

  test("real names replace those of the schema, both ways", async () => {
    const real = found().replaceAll(ns, "urn:real").replaceAll("Find", "Seek");
    const server = await localServer((request, response) => {
      const get = request.method === "GET";
      const body = get ? "<Item xmlns='urn:real'><Name>a</Name><Size>1</Size><Note/></Item>" : envelope(real);
      response.writeHead(200, { "Content-Type": xml }).end(body);
    });
    const wireNames = { namespaces: { lookup: "urn:real" }, operations: { Find: "Seek" } };
    const client = new ServiceClient(lookup, { baseUrl: server.url, wireNames }, settings);
    expect(await client.call(find, input)).toEqual(item);
    expect(await client.call(find, input, { protocol: "httpGet" })).toMatchObject({ Name: "a" });
    expect(server.received[0]?.headers["soapaction"]).toBe('"urn:real/Seek"');
    expect(server.received[0]?.body).toContain('<Seek xmlns="urn:real"><Key>');
    expect(server.received[1]?.path).toMatch(/^\/api\/lookup\.asmx\/Seek\?Key=/);
  });

  test.each([
    { options: { baseUrl: "/prefix" }, want: "/prefix/api/lookup.asmx" },
    { options: { baseUrl: "/prefix/" }, want: "/prefix/api/lookup.asmx" },
    { options: { address: "/own?key=1" }, want: "/own?key=1" },
    { options: { address: { Lookup: "/own" } }, want: "/own" },
    { options: { address: "/own/" }, want: "/own/" },
    { options: { address: "/own/?key=1" }, want: "/own/?key=1" },
    { options: { baseUrl: "", address: { Other: "/own" } }, want: "/api/lookup.asmx" },
  ])("the address of $options", async ({ options, want }) => {
    const server = await localServer(always(202, undefined, ""));
    const absolute = JSON.parse(JSON.stringify(options), (key, value: unknown) =>
      typeof value === "string" && key !== "" ? server.url + value : value,
    ) as object;
    await new ServiceClient(lookup, absolute).call(ping, {});
    expect(server.received[0]?.path).toBe(want);
  });

  test("a slash at the end of an address in the WSDL is kept, but not doubled before the location of an operation", async () => {
    const server = await localServer(always(202, undefined, ""));
    const port = { name: "Lookup", address: "http://described.example/api/lookup/" };
    const service = { ...lookup, ports: { soap11: port, httpGet: { ...port, name: "LookupHttpGet" } } };
    const client = new ServiceClient(service, { baseUrl: `${server.url}/prefix/` }, settings);
    await client.call({ ...ping, service }, {});
    await failureOf(client.call({ ...find, service }, { Key: "a", Count: 1, user: "b" }, { protocol: "httpGet" }));
    expect(server.received.map(({ path }) => path)).toEqual([
      "/prefix/api/lookup/",
      "/prefix/api/lookup/Find?Key=a&Count=1&user=b",
    ]);
  });

  test.each([
    { options: { port: "LookupSecure" }, want: ["POST", "/secure/lookup.asmx"] },
    { options: { port: { Lookup: "LookupSecure" } }, want: ["POST", "/secure/lookup.asmx"] },
    { options: { port: "LookupSecure", protocol: "soap12" as const }, want: ["POST", "/api/lookup.asmx"] },
    { options: { port: "LookupHttpGet" }, want: ["GET", "/api/lookup.asmx/Find?Key=a&Count=1&user=b"] },
  ])("the port of $options", async ({ options, want }) => {
    const server = await localServer(always(500, undefined, ""));
    await failureOf(
      new ServiceClient(lookup, { baseUrl: server.url, ...options }).call(find, { Key: "a", Count: 1, user: "b" }),
    );
    expect(server.received.map(({ method, path }) => [method, path])).toEqual([want]);
  });

  test("a port that the service does not have", async () => {
    const error = await failureOf(new ServiceClient(lookup, { port: "LookupSoap11" }).call(find, input));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ message: expect.stringContaining("LookupSecure, LookupSoap, LookupSoap12") });
  });

  test.each<{ readonly options: SoapClientOptions; readonly want: string }>([
    {
      options: { address: { Lokup: "http://own.example/" } },
      want: 'There is no service "Lokup". The services are Lookup, Other.',
    },
    {
      options: { port: { Lookup: "LookupSecure", lookup: "x" } },
      want: 'There is no service "lookup". The services are Lookup, Other.',
    },
    {
      options: { address: { constructor: "http://own.example/" } },
      want: 'There is no service "constructor". The services are Lookup, Other.',
    },
  ])("a service that the interface does not have, in $options", async ({ options, want }) => {
    const service = { ...lookup, services: ["Lookup", "Other"] };
    const error = await failureOf(new ServiceClient(service, options).call({ ...find, service }, input));
    expect(error).toMatchObject({ name: "ConfigError", message: want });
  });

  test("the options of several services have a value for each", async () => {
    const service = { ...lookup, services: ["Lookup", "Other"] };
    const server = await localServer(always(202, undefined, ""));
    const address = { Lookup: `${server.url}/own`, Other: "http://other.invalid/" };
    await new ServiceClient(service, { address, port: { Other: "OtherSoap" } }).call({ ...ping, service }, {});
    expect(server.received[0]?.path).toBe("/own");
  });

  test("user information in an address becomes a header, and is never shown", async () => {
    const server = await localServer(always(500, "text/plain", "no"));
    const client = new ServiceClient(lookup, { baseUrl: server.url.replace("//", "//us%40er:p%3Aw@") });
    const error = (await failureOf(client.call(find, input))) as HttpStatusError;
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${btoa("us@er:p:w")}`);
    expect(error.address).toBe(`${server.url}/api/lookup.asmx`);
  });
});

test("the function call contains one protocol", async () => {
  const server = await localServer(always(200, "application/soap+xml", envelope(found(), "soap12")));
  const connection = connect({ protocols: [soap12], options: { baseUrl: server.url } });
  expect(await call(connection, find, input)).toEqual(item);
  expect(server.received[0]?.headers["content-type"]).toBe("application/soap+xml; charset=utf-8");
  expect(await failureOf(call(connection, find, input, { protocol: "soap11" }))).toBeInstanceOf(ConfigError);
});

test("the function call adds ambient arguments if it has the settings of the interface", async () => {
  const server = await localServer(always(200, "application/soap+xml", envelope(found(), "soap12")));
  const connection = connect({
    protocols: [soap12],
    settings,
    options: { baseUrl: server.url, user: "held" },
  });
  await call(connection, find, { Key: "a" });
  expect(server.received[0]?.body).toContain(">held<");
});

test("an idle connection does not keep a process alive", async () => {
  const server = await localServer(always(200, "text/xml", envelope(found(), "soap11")));
  const agent = new Agent({ keepAlive: true });
  for (const options of [{}, { agent }]) {
    await new ServiceClient(lookup, { baseUrl: server.url, ...options }).call(find, input);
    await new Promise(setImmediate);
    const idle = Object.entries((options.agent ?? globalAgent).freeSockets)
      .filter(([name]) => name.includes(new URL(server.url).port))
      .flatMap(([, sockets]) => sockets ?? []);
    // A process stays alive while it has a referenced handle.
    expect(idle.map((socket) => Reflect.get(socket, "_handle").hasRef())).toEqual([false]);
  }
  agent.destroy();
});

describe("an address of another scheme", () => {
  const jms = "jms:jndi:dynamicQueues/find?jndiURL=tcp://queue.example:61616";
  const queued = { ...find, service: { ...lookup, ports: { soap11: { name: "LookupJms", address: jms } } } };
  function carrying(): { readonly urls: string[]; readonly transport: Transport } {
    const urls: string[] = [];
    const answer = { status: 200, headers: new Map([["content-type", xml]]), body: Buffer.from(envelope(found())) };
    return {
      urls,
      transport: {
        send: ({ url }) => {
          urls.push(url);
          return Promise.resolve(answer);
        },
      },
    };
  }

  test("is passed to the user's own transport", async () => {
    const { urls, transport } = carrying();
    expect(await new ServiceClient(queued.service, { transport }).call(queued, input)).toEqual(item);
    const other = "tcp://queue.example:61616/find";
    await new ServiceClient(queued.service, { transport, address: other }).call(queued, input);
    expect(urls).toEqual([jms, other]);
  });

  test.each([jms, "REPLACE_WITH_ADDRESS"])("adds nothing to a base: %s", async (address) => {
    const server = await localServer(always(200, xml, envelope(found())));
    const service = { ...lookup, ports: { soap11: { name: "LookupJms", address } } };
    await new ServiceClient(service, { baseUrl: `${server.url}/below` }).call({ ...find, service }, input);
    expect(server.received[0]?.path).toBe("/below");
  });

  test("without a transport is refused before anything is sent", async () => {
    expect(await failureOf(new ServiceClient(queued.service, {}).call(queued, input))).toBeInstanceOf(ConfigError);
  });
});

test.each([
  { names: ["url", "uri", "endpoint", "location", "host", "siteUrl", "wsdl"], suggestion: '"baseUrl" or "address"' },
  { names: ["auth", "username", "password", "token", "bearer", "credentials"], suggestion: '"authorization"' },
  { names: ["ca", "cert", "key", "pfx", "rejectUnauthorized", "strictSSL"], suggestion: '"tls"' },
  { names: ["httpAgent", "httpsAgent", "dispatcher"], suggestion: '"agent"' },
  { names: ["fetch", "adapter", "httpClient"], suggestion: '"transport"' },
  { names: ["retry", "maxRetries"], suggestion: '"retries"' },
  { names: ["forceSoap12Headers", "soapVersion"], suggestion: '"protocol"' },
  { names: ["abortSignal", "cancelToken"], suggestion: '"signal"' },
  { names: ["security", "interceptors", "onRequest"], suggestion: '"hooks"' },
  { names: ["wsdl_headers", "httpHeaders"], suggestion: '"headers"' },
  { names: ["logger", "debug"], suggestion: '"onCall" or "onError"' },
])("the options $names of other libraries are named $suggestion here", ({ names, suggestion }) => {
  for (const name of names) {
    expect(() => new ServiceClient(lookup, { [name]: "x" })).toThrow(
      `There is no option "${name}". Did you mean ${suggestion}?`,
    );
  }
});

describe("options that do not fit are refused before anything is sent", () => {
  const construct =
    (options: object): (() => unknown) =>
    () =>
      new ServiceClient(lookup, options, settings);
  test.each([
    { options: { baseURL: "x" }, message: 'There is no option "baseURL". Did you mean "baseUrl"?' },
    { options: { usr: "x" }, message: 'Did you mean "user"?' },
    { options: { timeout: -1 }, message: "timeout" },
    { options: { timeout: "5" }, message: "timeout" },
    { options: { connectTimeout: Number.NaN }, message: "connectTimeout" },
    { options: { retries: 11 }, message: "retries" },
    { options: { limits: { bodyByte: 1 } }, message: 'Did you mean "bodyBytes"?' },
    { options: { limits: { depth: -1 } }, message: "depth" },
    { options: { limits: [1] }, message: 'There is no limit "0". Pass an object, not an array.' },
    { options: { tls: ["-----BEGIN"] }, message: 'The option "tls" must be an object such as { ca }, not an array.' },
    {
      options: { tls: { certificate: "-----BEGIN" } },
      message: 'The option "tls" has no member "certificate". Did you mean "cert"?',
    },
    { options: { tls: { serverName: "x" } }, message: 'Did you mean "servername"?' },
    {
      options: { tls: { ca: "./ca.pem" } },
      message: 'The option "tls.ca" must be in PEM format: the content of a file',
    },
    { options: { tls: { ca: ["", cert] } }, message: 'The option "tls.ca" must be in PEM format' },
    { options: { tls: { ca: new Uint8Array([48, 130]) } }, message: "Convert files in other formats with openssl." },
    { options: { tls: { cert: key, key } }, message: 'The option "tls.cert" must be in PEM format' },
    { options: { tls: { cert, key: cert } }, message: 'with the line "-----BEGIN PRIVATE KEY-----", not its path.' },
    { options: { protocol: "soap13" }, message: 'does not support protocol "soap13". Did you mean "soap11"?' },
    { options: { protocol: "SOAP12" }, message: 'does not support protocol "SOAP12". Did you mean "soap12"?' },
    { options: { protocol: "rest" }, message: 'protocol "rest". Use one of soap11, soap12, httpGet, httpPost.' },
    { options: { wireNames: { namespaces: { lokup: "x" } } }, message: '"lokup". It can rename lookup.' },
  ])("$options of a client", ({ options, message }) => {
    expect(construct(options)).toThrow(ConfigError);
    expect(construct(options)).toThrow(message);
  });

  test.each<{ readonly options: object; readonly message: string }>([
    { options: { timeoutt: 1 }, message: 'Did you mean "timeout"?' },
    { options: { protocol: "soap" }, message: "protocol" },
    { options: { headers: { "X-A": "a\r\nB: c" } }, message: 'The header "X-A" is not allowed. Its value must be' },
    { options: { headers: { "X-A": "Ł" } }, message: 'The header "X-A" is not allowed. Its value must be' },
    {
      options: { headers: { "X A": "a" } },
      message: 'The header "X A" is not allowed. This is not a valid header name.',
    },
    {
      options: { headers: ["X-A: a"] },
      message: 'The header "0" is not allowed. The option "headers" must be an object such as { "X-Key": "a" }. [',
    },
    { options: { headers: { ["__proto__"]: "a" } }, message: 'The header "__proto__" is not allowed. This is not' },
    {
      options: { headers: { te: "gzip" } },
      message: 'The header "te" is not allowed. The transport writes this header',
    },
    { options: { headers: { "Content-Length": "1" } }, message: "The transport writes this header" },
  ])("$options for a call", async ({ options, message }) => {
    const { client, server } = await answering(200, xml, envelope(found()));
    const error = await failureOf(client.call(find, input, options as CallOptions));
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toContain(message);
    expect(server.received).toEqual([]);
  });

  test.each([
    { options: { baseUrl: "ftp://x" } },
    { options: { baseUrl: "x" } },
    { options: { address: "file:///etc" } },
    { options: { baseUrl: "http://a%zz:b@x" } },
  ])("$options of a client, when it calls", async ({ options }) => {
    expect(await failureOf(new ServiceClient(lookup, options).call(find, input))).toBeInstanceOf(ConfigError);
  });

  test("a service of another descriptor format", () => {
    expect(() => new ServiceClient({ ...lookup, descriptorFormat: 1 as 2 }, {})).toThrow("descriptor format 1");
  });

  test("a service without an address", async () => {
    const nowhere = { ...find, service: { ...lookup, ports: {} } };
    expect(await failureOf(new ServiceClient(nowhere.service, {}).call(nowhere, input))).toBeInstanceOf(ConfigError);
  });
});
