import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findHint, hints } from "../../src/client/errors/hints.js";
import { RestClient, ServiceClient, type SoapClientOptions } from "../../src/client/index.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import * as errors from "../../src/errors.js";
import type { EncodeError, EndpointDescriptor, Protocol, RestInterfaceDescriptor } from "../../src/index.js";
import { lineLogger } from "../../src/observe/index.js";
import * as xs from "../../src/xs.js";
import { cert, key } from "./certificate.js";
import { always, failureOf, localServer } from "./local-server.js";
import { find, lookup } from "./lookup.js";

const input = { Key: "a", Count: 1, user: "b" };
const xml = "text/xml; charset=utf-8";

async function soapFailure(url: string, options: SoapClientOptions = {}): Promise<errors.BothendsError> {
  const client = new ServiceClient(lookup, { baseUrl: url, protocol: "soap11", ...options });
  return (await failureOf(client.call(find, input))) as errors.BothendsError;
}

const things: RestInterfaceDescriptor = { descriptorFormat: 2, name: "things", base: "/api", segments: [] };
const list: EndpointDescriptor<object> = {
  kind: "endpoint",
  interface: things,
  name: "things.list",
  route: "/things",
  path: ["/things"],
  methods: ["GET"],
  args: {},
};

async function restFailure(url: string): Promise<errors.BothendsError> {
  return (await failureOf(new RestClient(things, { siteUrl: url }).call(list, {}))) as errors.BothendsError;
}

const envelope = (body: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
const fault = (code: string, reason: string) =>
  envelope(`<s:Fault><faultcode>${code}</faultcode><faultstring>${reason}</faultstring></s:Fault>`);

describe("an address whose path begins with the same part twice", () => {
  const hint =
    'The path of the address begins with the same part twice: the option "baseUrl" or "siteUrl" must not contain';
  const page = "<html><title>Request format is unrecognized</title></html>";

  test.each<[option: string, answer: Parameters<typeof always>]>([
    ["/api/lookup.asmx", [404, "text/plain", "No such file"]],
    ["/api", [404, "text/plain", "No such file"]],
    ["/api/lookup.asmx/", [500, "text/html", page]],
    ["/api/lookup.asmx", [405, undefined, ""]],
    // ASP.NET's answer to an address below that of a service.
    ["/api/lookup.asmx", [500, "text/plain", "Web Service method name is not valid.\r\n"]],
  ])("baseUrl with the path %s", async (path, answer) => {
    const server = await localServer(always(...answer));
    expect((await soapFailure(`${server.url}${path}`)).message).toContain(hint);
  });

  test("siteUrl with the path of the API", async () => {
    const server = await localServer(always(404, "application/json", '{"code":"rest_no_route","message":"None"}'));
    expect((await restFailure(`${server.url}/api`)).message).toContain(hint);
  });

  test.each<[option: string, answer: Parameters<typeof always>]>([
    ["/other", [404, "text/plain", "No such file"]],
    ["/ap", [404, "text/plain", "No such file"]],
    ["/api", [500, xml, fault("s:Server", "Out of order")]],
    ["/api", [503, "text/plain", "Overloaded"]],
  ])("not with the path %s and the answer %j", async (path, answer) => {
    const server = await localServer(always(...answer));
    expect((await soapFailure(`${server.url}${path}`)).message).not.toContain("twice");
  });
});

interface Case {
  readonly name: string;
  readonly answer: Parameters<typeof always>;
  readonly want: string;
}

/** `{url}` is the address of the server. */
const answers: readonly Case[] = [
  {
    name: "a page with status 404",
    answer: [
      404,
      "text/html",
      "<!doctype html><html><head><title>404 Not Found</title></head><body>nginx</body></html>",
    ],
    want:
      "Find: The server answered with status 404: 404 Not Found. The answer is an HTML page: check that this is the address of the " +
      "service, and whether it requires a login. [POST {url}/api/lookup.asmx, status 404, body: <!doctype html><html><head>" +
      "<title>404 Not Found</title></head><body>nginx</body></html>]",
  },
  {
    name: "a text with status 404",
    answer: [404, "text/plain", "no such file\nnor folder"],
    want:
      "Find: The server answered with status 404: no such file. Check that this is the address of the service. " +
      "[POST {url}/api/lookup.asmx, status 404, body: no such file nor folder]",
  },
  {
    name: "a challenge of NTLM",
    answer: [401, "text/plain", "", { "WWW-Authenticate": "Negotiate, NTLM" }],
    want:
      "Find: The server answered with status 401. The server requires Windows authentication: use ntlmTransport of " +
      "@bothends/runtime/client/ntlm. [POST {url}/api/lookup.asmx, status 401]",
  },
  {
    name: "a redirect, without the secrets in its target",
    answer: [301, undefined, "", { Location: "https://user:secret@other.example/new?token=secret" }],
    want:
      "Find: The server answered with status 301, a redirect, which is not followed. The redirect leads to " +
      'https://other.example/new. If the service has moved there, change the option "baseUrl", "address" or "siteUrl". ' +
      "[POST {url}/api/lookup.asmx, status 301]",
  },
  {
    name: "a redirect to a path",
    answer: [302, undefined, "", { Location: "/new/@team?token=secret" }],
    want:
      "Find: The server answered with status 302, a redirect, which is not followed. The redirect leads to " +
      '{url}/new/@team. If the service has moved there, change the option "baseUrl", "address" or "siteUrl". ' +
      "[POST {url}/api/lookup.asmx, status 302]",
  },
  {
    name: "a page of nginx that refuses the size of the request",
    answer: [413, "text/html", "<html><head><title>413 Request Entity Too Large</title></head></html>"],
    want:
      "Find: The server answered with status 413: 413 Request Entity Too Large. The server, or a proxy in front of it, refuses the " +
      "size of the request: increase the limit there, such as client_max_body_size of nginx, or send less in one request. " +
      "[POST {url}/api/lookup.asmx, status 413, body: <html><head><title>413 Request Entity Too Large</title></head></html>]",
  },
  {
    name: "a login page with status 200",
    answer: [200, "text/html; charset=utf-8", "<html><body>Log in</body></html>"],
    want:
      'Find: The answer is "text/html", not XML. The answer is an HTML page: check that this is the address of the service, and ' +
      "whether it requires a login. [POST {url}/api/lookup.asmx, status 200, body: <html><body>Log in</body></html>]",
  },
  {
    name: "a media type that the server does not accept",
    answer: [415, undefined, ""],
    want:
      "Find: The server answered with status 415. The server does not accept this media type, which depends on the version of " +
      'SOAP: try the option "protocol" with the other version. [POST {url}/api/lookup.asmx, status 415]',
  },
  {
    name: "a fault without a known hint",
    answer: [500, xml, fault("s:Server", "Out of order")],
    want: "Find: Out of order. [POST {url}/api/lookup.asmx, status 500]",
  },
  {
    name: "a header block that the server does not understand",
    answer: [500, xml, fault("s:MustUnderstand", "No.")],
    want:
      'Find: No. The server does not understand a mandatory header block: check the options "soapHeaders", "extraSoapHeaders" and "hooks". ' +
      "[POST {url}/api/lookup.asmx, status 500]",
  },
  {
    name: "the other version of SOAP",
    answer: [500, xml, fault("s:VersionMismatch", "1.2 please")],
    want:
      'Find: 1.2 please. The server expects the other version of SOAP: set the option "protocol" to soap11 or soap12. ' +
      "[POST {url}/api/lookup.asmx, status 500]",
  },
  {
    name: "an answer that does not fit the schema",
    answer: [200, xml, envelope("<Other/>")],
    want:
      "Find: /Envelope/Body/Other: The element {http://lookup.example/v1}FindResponse is expected here, not Other. " +
      '[POST {url}/api/lookup.asmx, status 200, body: <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">' +
      "<s:Body><Other/></s:Body></s:Envelope>]",
  },
];

describe("the message of an error has operation, reason, hint, method, address, status and excerpt", () => {
  test.each(answers)("for $name", async ({ answer, want }) => {
    const server = await localServer(always(...answer));
    const error = await soapFailure(server.url);
    expect(error.message).toBe(want.replaceAll("{url}", server.url));
    expect(error.stack).toContain(error.message);
    expect(error).toMatchObject({ operation: "Find", method: "POST", address: `${server.url}/api/lookup.asmx` });
  });

  test.each([
    ["mailto:a@b", "The redirect leads to mailto:***@b, which is not an address of HTTP."],
    ["file:///etc/passwd", "The redirect leads to file:///etc/passwd, which is not an address of HTTP."],
    ["http://[::", 'The redirect leads to http://[::. If the service has moved there, change the option "baseUrl"'],
  ])("a redirect to %s is named with its scheme", async (location, want) => {
    const server = await localServer(always(302, undefined, "", { Location: location }));
    expect((await soapFailure(server.url)).message).toContain(want);
  });

  test("the status 304 is not called a redirect", async () => {
    const server = await localServer(always(304, undefined, ""));
    for (const transport of [undefined, fetchTransport(fetch)]) {
      const { message } = await soapFailure(server.url, { transport });
      expect(message).toContain("The server answered with status 304, without content. The status 304 means");
      expect(message).not.toContain("redirect");
    }
  });

  test("a failure of fetch without a reason may be the status 407, which fetch does not return", async () => {
    const server = await localServer(always(407, undefined, "", { "Proxy-Authenticate": "Basic" }));
    const { message } = await soapFailure(server.url, { transport: fetchTransport(fetch) });
    expect(message).toContain("The platform's fetch failed without a reason. The answer may have had the status 407,");
  });

  test.each([
    "//user:SECR@h/a",
    "http://user:p@SECR@h/a",
    "http:/user:SECR@h/",
    "HTTP:\\\\user:SECR@h/",
    "http:user:SECR@h/",
    "https:/user:SECR@h/",
    "http://user:SE/CR@h/",
    "http://user:SE?CR@h/",
    "http://user:SECR@h/%zz",
    "mailto:user:SECR@h",
    "custom:/user:SECR@h/",
    "user:SECR@h/a",
  ])("a redirect to %s is shown and logged without its credentials", async (location) => {
    const server = await localServer(always(302, undefined, "", { Location: location }));
    const lines: string[] = [];
    const { onError } = lineLogger({ write: (line) => lines.push(line) });
    const { message } = await soapFailure(server.url, { onError });
    expect(message).toContain("The redirect leads to ");
    expect(lines.join()).toContain("The redirect leads to ");
    expect(message + lines).not.toMatch(/SECR|SE|CR/);
  });

  test.each([
    [
      503,
      { "Retry-After": "600" },
      "The server asks to wait 600 s (Retry-After): it is overloaded, limits its requests, or",
    ],
    [
      429,
      { "Retry-After": "7" },
      "The server asks to wait 7 s (Retry-After): it is overloaded, limits its requests, or is",
    ],
    [
      503,
      { "Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT" },
      "limits its requests, or is closed for maintenance. Wait",
    ],
    [503, { "Retry-After": "0" }, "limits its requests, or is closed for maintenance. Wait before the next call"],
    [503, {}, "The server is overloaded, limits its requests, or is closed for maintenance. Wait before the next call"],
    [421, {}, "does not serve this host: check the host in the address"],
    [511, {}, "The network requires a login before it forwards calls"],
  ] as const)("status %s with %s has a hint", async (status, headers, hint) => {
    const server = await localServer(always(status, "text/html", "<html></html>", headers));
    expect((await soapFailure(server.url)).message).toContain(hint);
  });

  test.each([
    [
      "soap11",
      fault("w:MessageExpired", "Secret"),
      "a Server fault (MessageExpired). The server takes the message for too",
    ],
    ["soap11", fault("s:Server", "Secret"), "a Server fault."],
    ["soap11", fault("s:Client.Vat.Unknown", "Secret"), "a Client fault (Client.Vat.Unknown)."],
    ["soap11", fault("a b&lt;secret", "Secret"), "a Server fault."],
    [
      "soap12",
      `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>w:MessageExpired</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang="en">Secret</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`,
      "a Client fault (MessageExpired). The server takes the message for too old, or for one from the future: the clocks",
    ],
  ] as const)("a line about a fault has its codes, but not its text: %s %s", async (protocol, text, want) => {
    const type = protocol === "soap11" ? xml : "application/soap+xml";
    const server = await localServer(always(500, type, text.replaceAll("<s:Envelope", '<s:Envelope xmlns:w="urn:w"')));
    const lines: string[] = [];
    const { onError } = lineLogger({ write: (line) => lines.push(line) });
    await soapFailure(server.url, { protocol, onError });
    expect(lines.join()).toContain(`The server answered with ${want}`);
    expect(lines.join()).not.toMatch(/secret/i);
  });

  test("a connection that was idle before the call is named, without a guess about TLS", async () => {
    let count = 0;
    const server = await localServer((_, response) => {
      count += 1;
      if (count === 1) {
        response
          .writeHead(200, { "Content-Type": xml })
          .end(envelope('<FindResponse xmlns="http://lookup.example/v1"/>'));
      } else {
        response.socket?.resetAndDestroy();
      }
    });
    const client = new ServiceClient(lookup, { baseUrl: server.url, protocol: "soap11" });
    await client.call(find, input).catch(() => {});
    const { message } = (await failureOf(client.call(find, input))) as Error;
    expect(message).toMatch(
      /^Find: The server closed the idle connection that the request had reused \(ECONNRESET\)\. Servers close idle/,
    );
    expect(message).not.toContain("TLS");
  });

  test.each([413, 429, 502, 503, 504])(
    "a page with status %s blames a proxy or the server, not the address",
    async (status) => {
      const server = await localServer(always(status, "text/html", "<html></html>"));
      for (const path of ["", "/api/lookup.asmx"]) {
        const { message } = await soapFailure(`${server.url}${path}`);
        expect(message).not.toMatch(/check that this is the address|begins with the same part/);
      }
    },
  );

  test("an address with a user, a password and a query is shown without them", async () => {
    const server = await localServer(always(500, "text/plain", "broken"));
    const { host } = new URL(server.url);
    const error = await soapFailure("", { baseUrl: undefined, address: `http://user:secret@${host}/x?key=secret` });
    expect(error.message).toContain(`[POST http://${host}/x, status 500`);
    expect(error.message).not.toContain("secret");
  });

  test("an input that does not fit the schema", async () => {
    const client = new ServiceClient(lookup, { baseUrl: "http://127.0.0.1:9", protocol: "soap11" });
    const error = (await failureOf(client.call(find, { Key: "a", user: "b", Count: 1.5 }))) as EncodeError;
    expect(error.message).toMatch(/^Find: \/Find\/Count: .*\. \[POST http:\/\/127\.0\.0\.1:9\/api\/lookup\.asmx\]$/);
  });

  test.each([xs.date, xs.dateTime])("an input with a Date where $name is expected", async (type) => {
    const body = {
      element: "{urn:d}D",
      type: () => ({ kind: "record", name: "{urn:d}D", namespace: "urn:d", fields: { at: { type } } }),
    };
    const operation = { ...find, input: { body } } as unknown as typeof find;
    const client = new ServiceClient(lookup, { baseUrl: "http://127.0.0.1:9", protocol: "soap11" });
    expect(String(await failureOf(client.call(operation, { at: new Date(0) } as never)))).toContain(
      `is not a valid ${type.name}: it must be text such as 2026-01-31`,
    );
    expect(String(await failureOf(client.call(operation, { at: new Date(0) } as never)))).toContain(
      ". Convert a Date with fromDate of @bothends/runtime/values. [POST",
    );
  });

  test.each([new ArrayBuffer(1), "YQ==", { type: "Buffer", data: [97] }])(
    "an input with %s where xs:base64Binary is expected",
    async (at) => {
      const body = {
        element: "{urn:d}D",
        type: () => ({
          kind: "record",
          name: "{urn:d}D",
          namespace: "urn:d",
          fields: { at: { type: xs.base64Binary } },
        }),
      };
      const operation = { ...find, input: { body } } as unknown as typeof find;
      const client = new ServiceClient(lookup, { baseUrl: "http://127.0.0.1:9", protocol: "soap11" });
      expect(String(await failureOf(client.call(operation, { at } as never)))).toContain(
        'is not a valid xs:base64Binary: it must be a Uint8Array. Convert an ArrayBuffer with new Uint8Array(buffer), Base64 text with Buffer.from(text, "base64"), and hexadecimal text with Buffer.from(text, "hex"). [POST',
      );
    },
  );

  test("an error of REST keeps the site's words as its reason", async () => {
    const body = JSON.stringify({ code: "rest_forbidden", message: "Sorry", data: { status: 401 } });
    const server = await localServer(always(401, "application/json", body));
    const error = await restFailure(server.url);
    expect(error).toMatchObject({ reason: "Sorry", code: "rest_forbidden", method: "GET" });
    expect(error.message).toBe(
      'things.list: Sorry. (rest_forbidden) The site refused the call. If its user needs more rights, set the option "authorization" to ' +
        `{ username, password }, for example with an application password. [GET ${server.url}/api/things, status 401]`,
    );
  });

  test("a wrong password of a REST user is not called a lack of rights", async () => {
    const body = JSON.stringify({ code: "incorrect_password", message: "No", data: { status: 401 } });
    const server = await localServer(always(401, "application/json", body));
    expect((await restFailure(server.url)).message).toContain(
      ' The site refused the user or the password: check the option "authorization". For a user of WordPress, it is an application password. [',
    );
  });

  test.each<{ readonly protocol: Protocol; readonly method: string }>([
    { protocol: "httpGet", method: "GET" },
    { protocol: "httpPost", method: "POST" },
  ])("a fault over $protocol has the reason in its body", async ({ protocol, method }) => {
    const server = await localServer(always(500, "text/plain", "Missing parameter: Key.\r\n  at Lookup.Find()"));
    const error = await soapFailure(server.url, { protocol });
    expect(error).toMatchObject({ name: "HttpStatusError", reason: "Missing parameter: Key.", method });
    expect(error.message).toMatch(/^Find: The server answered with status 500: Missing parameter: Key\. \[/);
  });
});

describe("connections", () => {
  test("a port where nothing listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await soapFailure(`http://localhost:${port}`);
    expect(error).toMatchObject({ name: "TransportError", code: "ECONNREFUSED" });
    expect(error.message).toMatch(
      /^Find: connect ECONNREFUSED .* Nothing listens at this host and port: .* \[POST http:\/\/localhost:\d+\/api\/lookup\.asmx\]$/,
    );
  });

  test("a server without TLS, without OpenSSL's numbers and line break", async () => {
    const server = await localServer(always(200, xml, ""));
    const error = await soapFailure(server.url.replace("http:", "https:"));
    expect(error.message).toMatch(
      /^Find: write EPROTO wrong version number\. The server does not use TLS at this port: .* \[POST https:\S+\]$/,
    );
  });

  test("a server without TLS, with fetch", async () => {
    const server = await localServer(always(200, xml, ""));
    const error = await soapFailure(server.url.replace("http:", "https:"), { transport: fetchTransport(fetch) });
    expect(error.message).toMatch(/^Find: wrong version number \(ERR_SSL_WRONG_VERSION_NUMBER\)\./);
  });

  const closing = (bytes: string | Uint8Array) =>
    createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(bytes)));
  const tlsAlert = Buffer.of(21, 3, 1, 0, 2, 2, 70);
  const usesTls = "The server uses TLS at this port: use https:// instead of http://.";
  const mayUseTls =
    'The server, or a proxy or firewall between, closed the connection before the answer was complete. If the server uses TLS at this port, use https:// instead of http://. If the operation may run twice, set the option "retries".';

  test.each([
    ["the server of node:https", () => createTlsServer({ cert, key }), mayUseTls],
    ["a server that closes the connection", () => closing(""), mayUseTls],
    ["a server that sends an alert", () => closing(tlsAlert), usesTls],
    [
      "nginx",
      () =>
        closing("HTTP/1.1 400 B\r\n\r\n<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>"),
      usesTls,
    ],
    ["Go", () => closing("HTTP/1.0 400 B\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"), usesTls],
    [
      "Apache",
      () => closing("HTTP/1.1 400 B\r\n\r\nYou're speaking plain HTTP to an SSL-enabled server port.<br />"),
      usesTls,
    ],
    [
      "Tomcat",
      () => closing("HTTP/1.1 400 \r\n\r\nBad Request\r\nThis combination of host and port requires TLS.\r\n"),
      usesTls,
    ],
  ])("a client without TLS of %s receives the advice to use https://", async (_, create, hint) => {
    const server = create().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const transport of [undefined, fetchTransport(fetch)]) {
      const error = await soapFailure(`http://127.0.0.1:${port}`, { transport });
      expect(error.message).toContain(hint);
    }
  });

  test("a parser's error without a code, as of newer versions of Node, has the same advice", async () => {
    const cause = Object.assign(new Error("Response does not match the HTTP/1.1 protocol (Expected HTTP/)"), {
      data: tlsAlert.toString("latin1"),
    });
    const messageAfter = async (thrown: Error) =>
      (await soapFailure("http://service.example", { transport: { send: () => Promise.reject(thrown) } })).message;
    expect(await messageAfter(new TypeError("fetch failed", { cause }))).toContain(usesTls);
    cause.data = "SSH-2.0";
    expect(await messageAfter(new TypeError("fetch failed", { cause }))).toContain(
      "The server did not send an answer of HTTP/1.1",
    );
  });

  test("a connection with TLS that is closed has no advice about https://", async () => {
    const server = closing("").listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const error = await soapFailure(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(error.message).toContain(
      "The server, or a proxy or firewall between, closed the connection before the answer was complete. If the server requires a",
    );
    expect(error.message).not.toContain("https:// instead");
  });

  test.each([
    [
      "TLSv1.2",
      /^Find: .*handshake failure.*The server refused the TLS handshake: it may require a client certificate/,
    ],
    [
      "TLSv1.3",
      /^Find: tlsv13 alert certificate required \(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED\)\. The server requires a client/,
    ],
  ] as const)("a server that requires a client certificate, with %s", async (maxVersion, message) => {
    const tls = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true, maxVersion };
    const server = createTlsServer(tls, (_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await soapFailure(url, { tls: { ca: cert } });
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/:error:|SSL alert number|\n/);
  });

  test("a server that does not accept the client's version of TLS", async () => {
    const server = createTlsServer({ cert, key, maxVersion: "TLSv1.2" }, (_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await soapFailure(url, { tls: { ca: cert, minVersion: "TLSv1.3" } });
    expect(error.message).toMatch(/protocol version\b.* The client and the server have no TLS version in common/);
  });

  test("a certificate without a known authority", async () => {
    const server = createTlsServer({ cert, key }, (_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const error = await soapFailure(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(error.message).toContain("tls.ca");
  });

  test("a host that does not exist", async () => {
    const lookupFailure = Object.assign(new Error("getaddrinfo ENOTFOUND a.invalid"), { code: "ENOTFOUND" });
    const error = await soapFailure("http://a.invalid", { transport: { send: () => Promise.reject(lookupFailure) } });
    expect(error.message).toContain("The host name is not known: check the address.");
  });

  test.each(["ENOTFOUND", "EHOSTUNREACH", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"])(
    "%s: options that a custom transport does not use are advised for it",
    (code) => {
      const note = ' With the option "transport", set this in that transport instead.';
      const hint = findHint({ name: "TransportError", message: "a", code });
      expect(hint).toMatch(/"(?:proxy|tls\.\w+)"/);
      expect(hint).not.toContain(note);
      expect(findHint({ name: "TransportError", message: "a", code }, { hasCustomTransport: true })).toBe(hint + note);
    },
  );

  test.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true],
    ["UNABLE_TO_GET_ISSUER_CERT", true],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", true],
    ["SELF_SIGNED_CERT_IN_CHAIN", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
  ])("%s: intermediate certificates are named if they may be missing: %s", (code, mayLackIssuer) => {
    const hint = findHint({ name: "TransportError", message: "a", code });
    expect(hint?.includes("the server may not send its intermediate certificates")).toBe(mayLackIssuer);
    expect(hint).toContain('set the option "tls.ca"');
  });

  test("other advice has no note about the transport", () => {
    const error = { name: "TransportError", message: "a", code: "ECONNREFUSED" };
    expect(findHint(error, { hasCustomTransport: true })).toBe(findHint(error));
  });
});

describe("timeouts and aborts", () => {
  test("AbortSignal.timeout and the option timeout give a TimeoutError", async () => {
    const server = await localServer(() => {});
    const bySignal = await soapFailure(server.url, { signal: AbortSignal.timeout(500) });
    const byOption = await soapFailure(server.url, { timeout: 500 });
    expect(bySignal).toBeInstanceOf(errors.TimeoutError);
    expect(bySignal.message).toMatch(/^Find: The timeout of the signal expired: the answer had not begun\. \[POST /);
    expect(byOption).toBeInstanceOf(errors.TimeoutError);
    expect(byOption.message).toMatch(/^Find: No answer within 500 ms: the answer had not begun\. .* \[POST /);
  });

  test("an abort gives an AbortError with the reason as its cause", async () => {
    const server = await localServer(() => {});
    const reason = new Error("enough");
    const error = await soapFailure(server.url, { signal: AbortSignal.abort(reason) });
    expect(error).toBeInstanceOf(errors.AbortError);
    expect(error.cause).toBe(reason);
    expect(error.message).toMatch(/^Find: The call was aborted\. \[POST /);
  });

  const never = () => new Promise<never>(() => {});
  const steps: readonly { step: string; options: SoapClientOptions; answer?: (response: ServerResponse) => void }[] = [
    { step: "the answer had not begun", options: {} },
    { step: "the answer had not begun", options: { transport: fetchTransport(fetch) } },
    { step: "the answer had not ended", options: {}, answer: (response) => void response.write("<") },
    {
      step: "the answer had not ended",
      options: { transport: fetchTransport(fetch) },
      answer: (response) => void response.write("<"),
    },
    { step: "a hook had not ended", options: { hooks: { before: never } } },
    { step: 'the function in the option "authorization" had not ended', options: { authorization: never } },
    {
      step: "the call was waiting before its next attempt",
      options: { retries: 10, safeOperations: ["Find"] },
      answer: (response) => void response.writeHead(503).end(),
    },
  ];

  test.each(steps)("the message says that $step", async ({ step, options, answer }) => {
    const server = await localServer((_, response) => answer?.(response));
    let message = "";
    // On a busy machine, the call may not reach the step in the first time.
    for (const timeout of [300, 3_000, 20_000]) {
      ({ message } = await soapFailure(server.url, { timeout, ...options }));
      if (message.includes(`No answer within ${timeout} ms: ${step}.`)) {
        break;
      }
    }
    expect(message).toMatch(/No answer within \d+ ms: /);
    expect(message).toContain(` ms: ${step}.`);
    expect(message.includes('The answer took longer than the option "timeout" allows.')).toBe(
      step.startsWith("the answer"),
    );
  });

  test("the message says how many bytes of an incomplete head had arrived, also on a connection that is used again", async () => {
    const heads = ["HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 O"];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => void (String(bytes).endsWith("Envelope>") && socket.write(heads.shift() ?? "HTTP")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = new ServiceClient(lookup, { baseUrl: `http://127.0.0.1:${port}`, maxSockets: 1, timeout: 20_000 });
    expect(await failureOf(client.call(find, input))).toMatchObject({ status: 404 });
    for (const bytes of [14, 4]) {
      const error = await failureOf(client.call(find, input, { timeout: 500 }));
      expect(error).toMatchObject({ name: "TimeoutError" });
      expect(String(error)).toContain(
        `No answer within 500 ms: the answer had begun, but its status and headers were incomplete (${bytes} bytes had arrived). The answer took longer`,
      );
    }
  });

  test("the message says that the call was waiting for a connection, or that the connection was not established", async () => {
    const server = await localServer(() => {});
    const client = new ServiceClient(lookup, { baseUrl: server.url, maxSockets: 1, timeout: 100 });
    const first = failureOf(client.call(find, input));
    const waiting = await failureOf(client.call(find, input, { timeout: 30 }));
    expect(String(waiting)).toContain('the call was waiting for a connection (option "maxSockets").');
    await first;
    const silent = createServer((socket) => void socket.on("error", () => {}));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const connecting = await soapFailure(`https://127.0.0.1:${port}`, { timeout: 100 });
    silent.close();
    expect(connecting.message).toContain("the connection was not established.");
  });
});

function shown(text: string): string {
  return text.replace(/\{\w+\}/, "…");
}

describe("a name in safeOperations that is similar to the operation", () => {
  const closing = () => localServer((_, response) => void response.writeHead(503).end());

  test.each([
    { listed: ["Fnid"], isNamed: true },
    { listed: ["find"], isNamed: true },
    { listed: ["Other", "Finds"], isNamed: true },
    { listed: ["Find", "Fnid"], isNamed: false },
    { listed: ["Other"], isNamed: false },
    { listed: undefined, isNamed: false },
  ])("is in the error of the call for $listed: $isNamed", async ({ listed, isNamed }) => {
    const server = await closing();
    const error = await soapFailure(server.url, { retries: 1, timeout: 10_000, safeOperations: listed });
    expect(error.message.includes("but not this operation, so it was not sent again")).toBe(isNamed);
    expect(error.message.includes(`The option "safeOperations" contains "${listed?.at(-1)}"`)).toBe(isNamed);
    const isRepeated = listed?.includes("Find") === true;
    expect(error.message.includes("It was sent again as often as")).toBe(isRepeated);
    expect(error.message.includes('list their operations in the option "safeOperations"')).toBe(
      !isNamed && !isRepeated,
    );
  });

  test("is in no error that another attempt would not have prevented", async () => {
    const server = await localServer((_, response) => void response.writeHead(404).end());
    expect((await soapFailure(server.url, { safeOperations: ["Fnid"] })).message).not.toContain("safeOperations");
  });
});

describe("docs/errors.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/errors.md"), "utf8");

  test.each(Object.keys(errors).filter((name) => /^[A-Z].*(?:Error|Fault)$/.test(name)))("describes %s", (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  test.each(hints.map(({ text }) => ({ text })))("lists the hint: $text", ({ text }) => {
    expect(page).toContain(shown(text));
  });

  test("lists no hint that does not exist", () => {
    const section = page.slice(page.indexOf("## Hints"));
    const rows = [...section.matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, text]) => text).slice(1);
    expect(rows).toEqual(hints.map(({ text }) => shown(text)));
  });
});

test("an error for which nothing is known has no hint", () => {
  expect(findHint({ name: "TransportError", message: "x", code: "EOTHER" })).toBeUndefined();
});

/** Errors of other platforms: their code is a number or absent, or they are not errors. */
const untypedErrors: readonly { name: string; thrown: unknown; message: RegExp }[] = [
  {
    name: "a DOMException",
    thrown: new DOMException("The network failed", "NetworkError"),
    message: /The network failed\. \[POST/,
  },
  { name: "a numeric code", thrown: Object.assign(new Error("it broke"), { code: 7 }), message: /it broke\. \[POST/ },
  {
    name: "an undefined code",
    thrown: Object.assign(new Error("it broke"), { code: undefined }),
    message: /it broke\. \[POST/,
  },
  { name: "a text", thrown: "it broke", message: /it broke\. \[POST/ },
  {
    name: "an error without a message",
    thrown: new TypeError(),
    message: /Find: The connection failed without a message\. \[POST/,
  },
  { name: "an object", thrown: { code: 7 }, message: /Find: The connection failed without a message\. \[POST/ },
];

test.each(untypedErrors)("$name of a transport has no invented code", async ({ thrown, message }) => {
  const error = await soapFailure("http://service.example", { transport: { send: () => Promise.reject(thrown) } });
  expect(error).toBeInstanceOf(errors.TransportError);
  expect(error).toMatchObject({ code: undefined });
  expect(error.message).toMatch(message);
});

/** Messages of Deno, whose errors have no code. */
test.each([
  {
    name: "an unknown host",
    thrown:
      "error sending request for url (http://u:s3cret@a.invalid/x?key=s3cret): client error (Connect): dns error: failed to lookup address information",
    message:
      "for url (http://a.invalid/x): client error (Connect): dns error: failed to lookup address information. The host name is not known",
  },
  {
    name: "a refused connection",
    thrown:
      "error sending request for url (http://a.invalid/): client error (Connect): tcp connect error: Connection refused (os error 111)",
    message: "Connection refused (os error 111). Nothing listens at this host and port",
  },
  {
    name: "a body that ends too early",
    thrown: "error reading a body from connection",
    message:
      "error reading a body from connection. The server, or a proxy or firewall between, closed the connection before the answer was complete.",
  },
])("$name has a hint without a code, and no secrets of its address", async ({ thrown, message }) => {
  const transport = { send: () => Promise.reject(new TypeError(thrown)) };
  const error = await soapFailure("http://service.example", { transport });
  expect(error).toBeInstanceOf(errors.TransportError);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain("s3cret");
});

describe("if the code for errors cannot be loaded", () => {
  async function failureOffline(baseUrl: string, options: SoapClientOptions = {}): Promise<unknown> {
    vi.resetModules();
    vi.doMock("../../src/protocol/client-unusual-messages.js", () => {
      throw new Error("offline");
    });
    onTestFinished(() => {
      vi.doUnmock("../../src/protocol/client-unusual-messages.js");
    });
    return failureOf(new ServiceClient(lookup, { baseUrl, ...options }).call(find, input));
  }

  test("a failed connection is a TransportError with the code of the system", async () => {
    const error = await failureOffline("http://127.0.0.1:1");
    expect(error).toBeInstanceOf(errors.TransportError);
    expect(error).toMatchObject({ code: "ECONNREFUSED", operation: "Find", cause: { code: "ECONNREFUSED" } });
  });

  test("a refused answer is not a TransportError", async () => {
    const server = await localServer(always(302, undefined, "", { Location: "/" }));
    const error = await failureOffline(server.url);
    expect(error).not.toBeInstanceOf(errors.TransportError);
    expect(error).toBeInstanceOf(errors.BothendsError);
    expect((error as Error).message).toContain("Find: The answer is a redirect, which is not followed. [POST");
  });

  test.each(untypedErrors)("$name has no invented code", async ({ thrown, message }) => {
    const transport = { send: () => Promise.reject(thrown) };
    const error = await failureOffline("http://service.example", { transport });
    expect(error).toBeInstanceOf(errors.TransportError);
    expect(error).toMatchObject({ code: undefined, cause: thrown });
    expect((error as Error).message).toMatch(message);
  });
});

test("an error names the call if the code for its input cannot be loaded", async () => {
  vi.resetModules();
  vi.doMock("../../src/protocol/client-unusual-messages.js", () => {
    throw new Error("offline");
  });
  onTestFinished(() => {
    vi.doUnmock("../../src/protocol/client-unusual-messages.js");
  });
  const client = new ServiceClient(lookup, { baseUrl: "http://127.0.0.1:1", protocol: "soap11" });
  const error = await failureOf(client.call(find, { ...input, Count: "x" as never }));
  expect(error).toBeInstanceOf(errors.BothendsError);
  expect(error).toMatchObject({ operation: "Find", address: "http://127.0.0.1:1/api/lookup.asmx" });
  expect((error as Error).message).toContain("The code for this message could not be loaded: check that");
});

describe("a text of a server", () => {
  const long = "f".repeat(2_000_000);
  const escapes = "a\u001b[31mb\u009bc\nd";

  test("is shortened in the message of a fault, without control characters, but complete in its reason", async () => {
    const faultOf = (text: string) =>
      envelope(`<s:Fault><faultcode>s:Server</faultcode><faultstring>${text}</faultstring></s:Fault>`);
    const ofLong = await soapFailure((await localServer(always(500, xml, faultOf(long)))).url);
    expect(ofLong.message.length).toBeLessThan(11_000);
    expect(String(ofLong.stack).length).toBeLessThan(20_000);
    expect(ofLong).toMatchObject({ reason: long });
    const ofEscapes = await soapFailure((await localServer(always(500, xml, faultOf("a&#x9b;b\nc")))).url);
    expect(ofEscapes.message).toContain("a\ufffdb c");
  });

  test("is shortened in the message and the code of a REST error, without control characters", async () => {
    const bodyOf = (code: string, message: string) => JSON.stringify({ code, message, data: { status: 400 } });
    const answer = (code: string, message: string) =>
      localServer(always(400, "application/json", bodyOf(code, message)));
    const ofLong = await restFailure((await answer(long, long)).url);
    expect(ofLong.message.length).toBeLessThan(21_000);
    expect([Reflect.get(ofLong, "code").length, Reflect.get(ofLong, "reason").length]).toEqual([65_536, 65_536]);
    const ofEscapes = await restFailure((await answer("no", escapes)).url);
    expect(ofEscapes.message).toContain("a\ufffd[31mb\ufffdc d");
  });
});

describe("the message is one line if the server sends line breaks and changes of direction in", () => {
  const text = "a\nforged: line\r\nb\u2028c\u2029d\u0085e\u202ef";
  const wanted = "a forged: line\ufffd b c d\ufffde\ufffdf";

  test("the text of a fault", async () => {
    const server = await localServer(always(500, xml, fault("s:Server", text.replace("\r", "&#13;"))));
    expect((await soapFailure(server.url)).message).toContain(wanted);
  });

  test("the text and the code of an error of a site", async () => {
    const body = JSON.stringify({ code: "x\ny", message: text, data: { status: 400 } });
    const server = await localServer(always(400, "application/json", body));
    const { message } = await restFailure(server.url);
    expect(message).toContain(wanted);
    expect(message).toContain("(x y)");
  });

  test("a namespace", async () => {
    const server = await localServer(always(200, xml, envelope('<FindResponse xmlns="urn:a&#10;forged"/>')));
    const { message } = await soapFailure(server.url);
    expect(message).toContain("urn:a forged");
    expect(message).not.toMatch(/[\n\r]/);
  });
});
