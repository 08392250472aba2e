import { describe, expect, test } from "vitest";
import { ConfigError } from "../../src/errors.js";
import { type ListenOptions, listen } from "../../src/server/adapters/node/listen.js";
import { createRouter, type ServerIncident } from "../../src/server/index.js";
import { cert, key } from "../client/certificate.js";
import { site } from "../rest/site.js";
import { requestOf, served } from "./fixture.js";

// Values of options that would start a server, but let it fail or behave otherwise than meant.

/** Starts a server with options that TypeScript may not allow, and stops it if it starts. */
async function start(options: object): Promise<void> {
  const server = await listen([], { host: "127.0.0.1", onError: () => {}, ...options } as ListenOptions);
  await server.close();
}

const longestDelay = 2_147_483_647;

describe("a server is not started with", () => {
  test.each([
    [
      { drainDelay: "5" },
      `The option "drainDelay" must be a number of milliseconds from 0 to ${longestDelay}, not a string.`,
    ],
    [{ drainDelay: Number.NaN }, "must be a number of milliseconds from 0 to 2147483647, not NaN."],
    [{ drainDelay: -1 }, "not -1."],
    [{ drainDelay: Number.POSITIVE_INFINITY }, "not Infinity."],
    [{ http2: "false" }, 'The option "http2" must be true or false, not a string.'],
    [{ compressedRequests: 1 }, 'The option "compressedRequests" must be true or false, not 1.'],
    [{ limits: null }, 'The option "limits" must be an object, not null.'],
    [{ limits: "5" }, 'The option "limits" must be an object, not a string.'],
    [{ requestIds: "X-Id" }, 'The option "requestIds" must be an object, not a string.'],
    [{ requestIds: { headr: "X-Id" } }, 'The option "requestIds" has no member "headr". Did you mean "header"?'],
    [{ requestIds: { header: "a b" } }, 'The option "requestIds.header" must be the name of a header, not "a b".'],
    [{ requestIds: { header: 5 } }, 'The option "requestIds.header" must be the name of a header, not 5.'],
    [
      { requestIds: { header: "Cookie" } },
      'is "Cookie", which has another meaning in HTTP. Choose a name such as X-Request-Id',
    ],
    [
      { observe: {} },
      'The option "observe" must be an object with the function begin, or a list of such objects, not an object',
    ],
    [{ observe: [{ begin: () => {} }, undefined] }, 'The option "observe" must be an object with the function begin'],
    [{ page: "no" }, 'The path "no" of the option "page" is not valid. Use a path such as "/_browse".'],
    [{ page: 1 }, 'The option "page" must be false, a path such as /_browse (of REST routes), or a function'],
    [{ page: 0 }, "(of SOAP routes), not 0."],
    [{ cors: "yes" }, 'must be true or false (of SOAP routes), or "wordpress" (of REST routes), not a string.'],
    [{ jsonp: "yes" }, 'The option "jsonp" must be true or false, not a string.'],
    [{ plainPermalinks: 0 }, 'The option "plainPermalinks" must be true or false, not 0.'],
    [{ illegalCharacters: true }, 'The option "illegalCharacters" must be "refuse" or "replace", not a boolean.'],
    [{ invalidAnswers: "ignore" }, 'The option "invalidAnswers" must be "refuse" or "report", not a string.'],
    [{ missing: true }, 'The option "missing" must be "fault" or "error", not a boolean.'],
    [{ understands: "{urn:a}b" }, 'The option "understands" must be a list of names, as {namespace}local, not a'],
    [
      { wireNames: { operation: { Find: "Suche" } } },
      'The option "wireNames" has no member "operation". Did you mean "operations"?',
    ],
    [
      { wireNames: { names: {} } },
      'The option "wireNames" has no member "names". Use namespaces, operations, segments.',
    ],
    [{ validate: { identiy: true } }, 'The option "validate" has no member "identiy". Did you mean "identity"?'],
    [{ requestIds: { name: "X-Id" } }, 'The option "requestIds" has no member "name". Use header, inAnswers.'],
    [{ trustedProxies: { adresses: [] } }, 'The option "trustedProxies" has no member "adresses". Did you mean "addr'],
    [
      { handlerTimeout: 5 },
      'The option "handlerTimeout" is a member of the option "limits": { limits: { handlerTimeout',
    ],
    [{ drainTimeout: 5 }, 'The option "drainTimeout" is a member of the option "limits"'],
    [{ trustProxy: true }, 'There is no option "trustProxy". Did you mean "trustedProxies"?'],
    [{ hostname: "127.0.0.1" }, 'There is no option "hostname". Did you mean "host"?'],
    [{ validate: true }, 'The option "validate" must be an object (of SOAP routes) or the result of checkAnswers'],
    [{ wireNames: "a" }, 'The option "wireNames" must be an object, not a string.'],
    [{ conventions: "a" }, 'The option "conventions" must be an object, not a string.'],
    [{ port: 80_000 }, 'The option "port" must be a number from 0 to 65535, not 80000.'],
    [{ port: "abc" }, 'The option "port" must be a number from 0 to 65535, not "abc".'],
    [{ port: "" }, 'The option "port" must be a number from 0 to 65535, not "".'],
    [{ host: "" }, 'The option "host" must be an address or a name of this machine, not "".'],
    [{ host: 5 }, 'The option "host" must be an address or a name of this machine, not 5.'],
    [{ host: undefined, path: 5 }, 'The option "path" must be the path of a Unix socket, not 5.'],
    [{ key, cert }, 'The option "key" is a member of the option "tls": listen(routes, { tls: { key, … } }). Outside'],
    [{ cert }, 'The option "cert" is a member of the option "tls"'],
    [{ pfx: Buffer.from("") }, 'The option "pfx" is a member of the option "tls"'],
    [{ tls: { key, cert }, ca: cert }, 'The option "ca" is a member of the option "tls"'],
    [{ https: { key, cert } }, 'There is no option "https". Pass { key, cert } as the option "tls".'],
    [{ ssl: true }, 'There is no option "ssl". Pass { key, cert } as the option "tls".'],
    [{ trustedProxies: "true" }, 'The option "trustedProxies" must be a list of addresses and networks'],
    [{ trustedProxies: true }, 'The option "trustedProxies" must be a list of addresses and networks'],
    [
      { trustedProxies: "10.0.0.1,10.0.0.2" },
      'or an object with this list as "addresses", not a string. Split a text of several addresses: text.split(",").',
    ],
    // The text may be a private key, so the message must not contain it.
    [{ tls: "-----BEGIN PRIVATE KEY-----" }, 'The option "tls" must be an object, not a string.'],
    [{ tls: true }, 'The option "tls" must be an object, not a boolean.'],
    [{ tls: { key, cert, ciphers: "nope" } }, 'The option "tls" cannot be used: no cipher match. Check "ciphers".'],
    [{ tls: { key, cert, minVersion: "TLS9" } }, '"TLS9" is not a valid minimum TLS protocol version'],
    [{ tls: { SNICallback: "x" } }, 'The option "tls.SNICallback" must be a function, not a string.'],
    [{ tls: { key: 5, cert } }, 'The option "tls" cannot be used: The "options.key" property must be of type string'],
    [{ tls: { key, cert, ca: "./ca.pem" } }, 'The option "tls.ca" must be in PEM format: the content of a file with'],
    [{ tls: { key, cert, ca: [cert, ""] } }, 'The option "tls.ca" must be in PEM format'],
    [
      { tls: { key, cert: "./cert.pem" } },
      'The option "tls" cannot be used: ERR_OSSL_PEM_NO_START_LINE. Check that key',
    ],
    [{ tls: { key: "./key.pem", cert } }, "The options are the contents of files, not their paths."],
    [{ tls: { key: [{ pem: Buffer.from(cert) }], cert } }, "Check that key and cert are in PEM format"],
    [
      { tls: { key, cert, minVersion: "TLSv1.3", maxVersion: "TLSv1.2" } },
      'The option "tls.maxVersion" is lower than "tls.minVersion", so no client could connect.',
    ],
  ])("%o", async (options, message) => {
    const failure = start(options);
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toThrow(message);
  });

  test.each([null, "x"])("%j in place of the options", async (options) => {
    const failure = listen([], options as unknown as ListenOptions);
    await expect(failure).rejects.toThrow("The options must be an object, not ");
  });
});

test.each([
  { page: "no" },
  { illegalCharacters: "ignore" },
  { understands: "{urn:a}b" },
  { validate: "identity" },
  { wireNames: 5 },
  { missing: "error!" },
  { cors: "yes" },
])("SOAP routes are not created with %o", (options) => {
  expect(() => served({}, options as never)).toThrow(ConfigError);
});

test.each([
  { path: "net.asmx", advice: 'Use "/net.asmx".' },
  { path: "/net.asmx?x", advice: 'Use "/net.asmx".' },
  { path: "/net.asmx#f", advice: 'Use "/net.asmx".' },
  { path: "http://x/y", advice: 'Use "/y".' },
  { path: "https://x", advice: 'Use "/".' },
  { path: "", advice: 'Use "/".' },
  { path: "/../x", advice: 'Use a path such as "/reg.asmx".' },
  { path: "/a/./x", advice: 'Use a path such as "/reg.asmx".' },
  { path: "/a\\b", advice: 'Use a path such as "/reg.asmx".' },
  { path: "/a\nb", advice: 'Use a path such as "/reg.asmx".' },
  { path: 5, advice: 'Use a path such as "/reg.asmx".' },
])("SOAP routes are not created with the path $path, which no request has", ({ path, advice }) => {
  const create = () => served({}, { path } as never);
  expect(create).toThrow(ConfigError);
  expect(create).toThrow(`The option "path" is ${JSON.stringify(path)}, but it must begin with a slash and `);
  expect(create).toThrow(advice);
});

test.each([
  { path: "/", target: "/" },
  { path: "/a b", target: "/a%20b" },
  { path: "/a%20b", target: "/a%20b" },
  { path: "/ä", target: "/%C3%A4" },
  { path: "/a/", target: "/a/" },
  { path: "/{x}.asmx", target: "/%7Bx%7D.asmx" },
])("SOAP routes with the path $path answer $target", async ({ path, target }) => {
  const router = createRouter([served({}, { path }).routes]);
  expect((await router(requestOf({ method: "GET", target: `${target}?wsdl` }))).status).toBe(200);
});

test.each([
  { base: "/wp-json?x", advice: 'Use "/wp-json".' },
  { base: "https://h.example/wp-json", advice: 'Use "/wp-json".' },
  { base: "/../wp-json", advice: 'Use a path such as "/wp-json".' },
  { base: 5, advice: 'Use a path such as "/wp-json".' },
])("REST routes are not created with the base $base", ({ base, advice }) => {
  const create = () => site({ base } as never);
  expect(create).toThrow(ConfigError);
  expect(create).toThrow(`The option "base" is ${JSON.stringify(base)}, but it must be without an origin`);
  expect(create).toThrow(advice);
});

test.each([
  "lab.example",
  "localhost:8080",
  "https://",
  "https://a b",
  "ftp://a.example",
  "https://a.example/?x",
  5,
  "",
])("REST routes are not created with the url %j", (url) => {
  const create = () => site({ url } as never);
  expect(create).toThrow(ConfigError);
  expect(create).toThrow('The option "url" must be an address such as https://example.com, without a query');
  expect(() => served({}, { publicUrl: url } as never)).toThrow('The option "publicUrl" must be an address');
});

test.each(["https://lab.example", "http://127.0.0.1:8080/", "https://lab.example/site", undefined])(
  "REST routes are created with the url %j",
  (url) => {
    expect(() => site({ url })).not.toThrow();
  },
);

test("REST routes are not created with a misspelled member of conventions", () => {
  const create = () => site({ conventions: { scirpt: "/index.php" } } as never);
  expect(create).toThrow(ConfigError);
  expect(create).toThrow('The option "conventions" has no member "scirpt". Did you mean "script"?');
});

test.each(["", "/", "wp-json", "/{lang}/wp-json/", "/site/wp-json"])(
  "REST routes are created with the base %j",
  (base) => {
    expect(() => site({ base })).not.toThrow();
  },
);

test.each([{ page: true }, { page: "/_browse" }])("SOAP routes with %o have the built-in page", async (options) => {
  const router = createRouter([served({}, options as never).routes]);
  const answer = await router(requestOf({ method: "GET", target: "/api/things.asmx" }));
  expect([answer.status, String(answer.body)]).toEqual([200, expect.stringContaining("<!DOCTYPE html>")]);
});

test.each([
  { port: "0" },
  { port: 0, drainDelay: 0, http2: false, requestIds: {}, observe: [] },
  { requestIds: { header: "X-Trace.Id", inAnswers: undefined }, limits: {}, host: "localhost" },
])("a server starts with %o", async (options) => {
  await expect(start(options)).resolves.toBeUndefined();
});

describe("limits that have no effect", () => {
  const reported = (routeLimits: object, limits: object) => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    createRouter([served({}, { limits: routeLimits }).routes], { limits, onError });
    return incidents.map(({ kind, message }) => `${kind}: ${message}`);
  };

  test.each([
    [
      {},
      { handlerTimeout: 5 },
      'config: The member "handlerTimeout" of the option "limits" of the server does not limit the calls of its routes. Set it in the option "limits" of the routes.',
    ],
    [
      {},
      { depth: 9 },
      'config: The member "depth" of the option "limits" of the server does not limit the calls of its',
    ],
    [
      { inFlight: 5 },
      {},
      'config: The member "inFlight" of the option "limits" of routes has no effect. Set it in the',
    ],
  ])("of routes %j and the server %j are reported", (routeLimits, limits, want) => {
    expect(reported(routeLimits, limits)).toEqual([expect.stringContaining(want)]);
  });

  test("are not reported if the same object is passed to the routes and the server", () => {
    const limits = { handlerTimeout: 5, inFlight: 5, bodyBytes: 9 };
    expect(reported(limits, limits)).toEqual([]);
    expect(reported({ bodyBytes: 9 }, { inFlight: 9, handlerTimeout: 60_000 })).toEqual([]);
  });
});
