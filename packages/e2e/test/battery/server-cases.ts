import {
  austria,
  canary,
  chunkedBody,
  envelope,
  form,
  get,
  head,
  json,
  reg,
  rest,
  send,
  soap,
  soap12,
  soapXml,
  usa,
  xml,
} from "./requests.js";

interface Row {
  readonly name: string;
  readonly sent: string | readonly (string | Uint8Array)[];
  readonly status: number;
  /** The input of the handler, if one is called. */
  readonly input?: unknown;
  /** A text that the answer's body must contain. */
  readonly says?: string | RegExp;
  /** The kind of the reported incident, or the kinds of several. */
  readonly incident?: string | readonly string[];
}

const found = { RegistrationNumber: canary, State: "NY", username: "u" };
const oneVehicle = (RegistrationNumber: string, State = "b") => ({ RegistrationNumber, State, username: "u" });
const query = (text: string) => get(`/api/reg.asmx/CheckUSA?${text}`);
const action = (value: string) => soap(envelope(usa()), [xml, `SOAPAction: ${value}`]);
const many = (count: number, textAt: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => textAt(i)).join(" ");
const prototypes = `<__proto__>${canary}</__proto__><constructor>${canary}</constructor>`;

const soapRows: readonly Row[] = [
  {
    name: "document type: external entity",
    sent: soap(`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${envelope(usa("&x;"))}`),
    status: 500,
    incident: "request",
  },
  {
    name: "document type: in SOAP 1.2",
    sent: soap(`<!DOCTYPE a>${envelope(usa(), { namespace: soap12 })}`, [soapXml]),
    status: 500,
    incident: "request",
  },
  { name: "over a limit: depth", sent: soap(envelope("<a>".repeat(1e6))), status: 400, incident: "limit.depth" },
  {
    name: "over a limit: attributes",
    sent: soap(envelope(`<a ${many(1e5, (i) => `a${i}=""`)}/>`)),
    status: 400,
    incident: "limit.attributes",
  },
  {
    name: "over a limit: namespaces",
    sent: soap(envelope(`<a ${many(1e5, (i) => `xmlns:a${i}="u"`)}/>`)),
    status: 400,
    incident: "limit.namespaces",
  },
  {
    name: "over a limit: length of a namespace",
    sent: soap(envelope(usa(`<p:a xmlns:p="${canary.repeat(200)}"/>`))),
    status: 400,
    incident: "limit.namespaceChars",
  },
  {
    name: "over a limit: siblings",
    sent: soap(envelope(usa("<a/>".repeat(9e5)))),
    status: 400,
    incident: "limit.children",
  },
  { name: "malformed: mismatched tags", sent: soap(envelope(`<${canary}></b>`)), status: 400, incident: "request" },
  { name: "malformed: second root", sent: soap(`${envelope(usa())}<${canary}/>`), status: 400, incident: "request" },
  {
    name: "malformed: illegal character",
    sent: soap(envelope(usa(`<RegistrationNumber>\u0001${canary}</RegistrationNumber>`))),
    status: 400,
    incident: "request",
  },
  {
    name: "a long body with Content-Length",
    sent: head("POST /api/reg.asmx", [xml, "Content-Length: 99999999"]) + canary,
    status: 500,
    incident: "limit.bodyBytes",
  },
  {
    name: "a long body in chunks",
    sent: [head("POST /api/reg.asmx", [xml, "Transfer-Encoding: chunked"]), chunkedBody],
    status: 500,
    incident: "limit.bodyBytes",
  },
  { name: "Content-Type: none", sent: soap(envelope(usa()), []), status: 415, incident: "request" },
  { name: "Content-Type: duplicated", sent: soap(envelope(usa()), [xml, json]), status: 415, incident: "request" },
  {
    name: "Content-Type: tab",
    sent: soap(envelope(usa()), ["Content-Type: text/xml\t; charset=utf-8"]),
    status: 200,
    input: found,
  },
  {
    name: "Content-Type: upper case",
    sent: soap(envelope(usa()), ["Content-Type: TEXT/XML"]),
    status: 200,
    input: found,
  },
  {
    name: "Content-Type: text/plain",
    sent: soap(envelope(usa()), ["Content-Type: text/plain"]),
    status: 415,
    incident: "request",
  },
  {
    name: "Content-Type: utf-7",
    sent: soap(envelope(usa()), ["Content-Type: text/xml; charset=utf-7"]),
    status: 415,
    incident: "request",
  },
  {
    name: "Content-Type: MTOM",
    sent: soap(envelope(usa()), ['Content-Type: multipart/related; type="application/xop+xml"']),
    status: 415,
    incident: "request",
  },
  {
    name: "Content-Type: multipart/related",
    sent: soap(`--b\r\nContent-Type: text/xml\r\n\r\n${envelope(usa())}\r\n--b--`, [
      'Content-Type: multipart/related; boundary=b; type="text/xml"',
    ]),
    status: 415,
    incident: "request",
  },
  {
    name: "Content-Type: compressed body",
    sent: soap(envelope(usa()), [xml, "Content-Encoding: gzip"]),
    status: 415,
    incident: "request",
  },
  {
    name: "SOAP version: envelope 1.2 with the type of 1.1",
    sent: soap(envelope(usa(), { namespace: soap12 })),
    status: 200,
    input: found,
  },
  {
    name: "SOAP version: envelope 1.1 with the type of 1.2",
    sent: soap(envelope(usa()), [soapXml]),
    status: 415,
    incident: "request",
  },
  {
    name: "SOAP version: unknown namespace",
    sent: soap(envelope(usa(), { namespace: `urn:${canary}` })),
    status: 500,
    incident: "request",
    says: "VersionMismatch",
  },
  { name: "SOAPAction: unquoted", sent: action(`${reg}/CheckUSA`), status: 200, input: found },
  {
    name: "SOAPAction: other operation",
    sent: action(`"${reg}/CheckFrance"`),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    name: "SOAPAction: other namespace",
    sent: action(`"urn:${canary}/CheckUSA"`),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  { name: "SOAPAction: empty", sent: action('""'), status: 500, incident: "request", says: "soap:Client" },
  { name: "SOAPAction: bytes", sent: action(`${canary}\u00ff`), status: 500, incident: "request", says: "soap:Client" },
  {
    name: "a mustUnderstand block for another actor",
    sent: soap(
      envelope(usa(), {
        header: `<s:Header><x xmlns="urn:${canary}" s:mustUnderstand="1" s:actor="urn:other"/></s:Header>`,
      }),
    ),
    status: 500,
    incident: "request",
    says: "MustUnderstand",
  },
  {
    name: "envelope: two bodies",
    sent: soap(envelope(`${usa()}</s:Body><s:Body>${usa("", { operation: "CheckFrance" })}`)),
    status: 200,
    input: found,
    incident: "request",
  },
  {
    name: "envelope: header after the body",
    sent: soap(envelope(`${usa()}</s:Body><s:Header/><s:Body xmlns:s="urn:other">`)),
    status: 200,
    input: found,
    incident: ["request", "request"],
  },
  { name: "envelope: empty body", sent: soap(envelope("")), status: 500, incident: "request", says: "soap:Client" },
  {
    name: "envelope: two operations",
    sent: soap(envelope(usa() + usa("", { operation: "CheckFrance" }))),
    status: 200,
    incident: "request",
    input: found,
  },
  {
    name: "envelope: unknown operation",
    sent: soap(envelope(usa("", { operation: canary }))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    name: "envelope: operation __proto__",
    sent: soap(envelope(usa("", { operation: "__proto__" }))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    name: "envelope: operation in a wrong namespace",
    sent: soap(envelope(usa(undefined, { namespace: `${reg}/` }))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    name: "fields: repeated",
    sent: soap(
      envelope(
        usa(
          `<RegistrationNumber>A</RegistrationNumber><RegistrationNumber>B</RegistrationNumber><State>b</State><username>u</username>`,
        ),
      ),
    ),
    status: 200,
    input: oneVehicle("A"),
    incident: "request",
  },
  {
    name: "fields: name in lower case",
    sent: soap(
      envelope(usa(`<RegistrationNumber>A</RegistrationNumber><state>${canary}</state><username>u</username>`)),
    ),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  ...[" 12 ", "+12", `${"0".repeat(1e6)}12`].map((text) => ({
    name: `integer: ${text.slice(-6)}`,
    sent: soap(envelope(austria(text))),
    status: 200,
    input: { NatCode: 12, username: "u" },
  })),
  ...["2147483648", "1e3", "0x1F", "", "\u0661", "9".repeat(1e6)].map((text) => ({
    name: `integer: ${text.slice(0, 20)}`,
    sent: soap(envelope(austria(text))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  })),
  {
    name: "names of every object: elements and attributes",
    sent: soap(
      envelope(
        usa(
          `${prototypes}<RegistrationNumber __proto__="x" constructor="y">A</RegistrationNumber><State>b</State><username>u</username>`,
        ),
      ),
    ),
    status: 200,
    input: oneVehicle("A"),
    incident: ["request", "request"],
  },
];

const httpRows: readonly Row[] = [
  {
    name: "HTTP syntax: length and chunks",
    sent: head("POST /api/reg.asmx", ["Content-Length: 3", "Transfer-Encoding: chunked"]) + canary,
    status: 400,
    incident: "request",
  },
  {
    name: "HTTP syntax: two lengths",
    sent: head("POST /api/reg.asmx", ["Content-Length: 6", "Content-Length: 7"]) + canary,
    status: 400,
    incident: "request",
  },
  {
    name: "HTTP syntax: length +6",
    sent: head("POST /api/reg.asmx", ["Content-Length: +6"]) + canary,
    status: 400,
    incident: "request",
  },
  { name: "HTTP syntax: folded header", sent: get("/api/reg.asmx", ["A: b\r\n c"]), status: 400, incident: "request" },
  { name: "HTTP syntax: bare LF", sent: "GET /api/reg.asmx HTTP/1.1\nHost: h\n\n", status: 400, incident: "request" },
  { name: "HTTP head: no version", sent: `GET /${canary}\r\n\r\n`, status: 505, incident: "request" },
  { name: "HTTP head: two hosts", sent: get("/api/reg.asmx", [`Host: ${canary}`]), status: 400, incident: "request" },
  {
    name: "HTTP head: markup in Host",
    sent: `GET /api/reg.asmx?wsdl HTTP/1.1\r\nHost: h"><${canary}\r\n\r\n`,
    status: 400,
    incident: "request",
  },
  { name: "HTTP head: absolute form", sent: get(`http://${canary}/api/reg.asmx`), status: 400, incident: "request" },
  {
    name: "HTTP head: coded chunks",
    sent: head("POST /api/reg.asmx", ["Transfer-Encoding: gzip, chunked"]),
    status: 501,
    incident: "request",
  },
  {
    name: "header lines: too many",
    sent: get(
      "/api/reg.asmx",
      Array.from({ length: 101 }, (_, i) => `A${i}: b`),
    ),
    status: 431,
    incident: "limit.headers",
  },
  {
    name: "header lines: too long",
    sent: get("/api/reg.asmx", [`A: ${"x".repeat(17_000)}`]),
    status: 431,
    incident: "limit.headerBytes",
  },
  {
    name: "names of every object: form",
    sent: form(`__proto__=${canary}&constructor=${canary}&RegistrationNumber=A&State=b&username=u`),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    name: "names of every object: query",
    sent: query(`__proto__=${canary}&constructor=x&RegistrationNumber=A&State=b&username=u`),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    name: "parameters: duplicated text",
    sent: query("RegistrationNumber=A&RegistrationNumber=B&State=b&username=u"),
    status: 200,
    input: oneVehicle("A,B"),
  },
  {
    name: "parameters: duplicated int",
    sent: get(`/api/reg.asmx/CheckAustria?NatCode=1&NatCode=2&username=${canary}`),
    status: 500,
    incident: "request",
  },
  {
    name: "parameters: missing",
    sent: query(`State=${canary}&username=u`),
    status: 500,
    incident: "request",
    says: "Missing parameter: RegistrationNumber.",
  },
  {
    name: "parameters: brackets",
    sent: query(`RegistrationNumber[]=${canary}&State=b&username=u`),
    status: 500,
    incident: "request",
  },
  {
    name: "parameters: unknown",
    sent: query(`RegistrationNumber=A&State=b&username=u&${canary}=x`),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    name: "parameters: spaces",
    sent: query("RegistrationNumber=A+B%20C&State=b&username=u"),
    status: 200,
    input: oneVehicle("A B C"),
  },
  {
    name: "parameters: %zz",
    sent: query("RegistrationNumber=%zz&State=b&username=u"),
    status: 200,
    input: oneVehicle("%zz"),
  },
  {
    name: "parameters: %ff",
    sent: query("RegistrationNumber=%ff&State=b&username=u"),
    status: 200,
    input: oneVehicle("\ufffd"),
    incident: "request",
  },
  {
    name: "parameters: too many in the query",
    sent: query("a&".repeat(300)),
    status: 414,
    incident: "limit.queryPairs",
  },
  { name: "parameters: a million in a form", sent: form("a&".repeat(1e6)), status: 500, incident: "limit.formPairs" },
  { name: "parameters: query of 9 KB", sent: query("a".repeat(9_000)), status: 414, incident: "limit.urlBytes" },
  ...["HEAD", "OPTIONS", "TRACE", "PUT"].flatMap((method) => [
    {
      name: `method: ${method} the file`,
      sent: head(`${method} /api/reg.asmx`, [`A: ${canary}`]),
      status: 405,
      incident: "request",
    },
    {
      name: `method: ${method} an operation`,
      sent: head(`${method} /api/reg.asmx/CheckUSA?${canary}`),
      status: 500,
      incident: "request",
    },
  ]),
  {
    name: "method: override",
    sent: get("/api/reg.asmx/CheckUSA?RegistrationNumber=A&State=b&username=u", ["X-HTTP-Method-Override: POST"]),
    status: 200,
    input: oneVehicle("A"),
  },
  { name: "unknown path", sent: get(`/${canary}<script>`), status: 404 },
];

const restRows: readonly Row[] = [
  {
    name: "a long body with Content-Length",
    sent: head("POST /en/api/core/v2/project", [json, "Content-Length: 1000000000000"]) + canary,
    status: 413,
    incident: "limit.bodyBytes",
  },
  {
    name: "a long body in chunks",
    sent: [head("POST /en/api/core/v2/project", [json, "Transfer-Encoding: chunked"]), chunkedBody],
    status: 413,
    incident: "limit.bodyBytes",
  },
  {
    name: "names of every object: __proto__ in JSON",
    sent: rest(`{"__proto__":{"x":"${canary}"}}`),
    status: 400,
    incident: "request",
    says: "rest_invalid_json",
  },
  {
    name: "names of every object: constructor in JSON",
    sent: rest(`{"constructor":{"prototype":{"x":"${canary}"}}}`),
    status: 400,
    incident: "request",
    says: "rest_invalid_json",
  },
  {
    name: "names of every object: nested query keys",
    sent: get(`/en/api/core/v2/media?__proto__[x]=${canary}&a[__proto__][x]=1&constructor[prototype][x]=y`),
    status: 200,
    input: {},
  },
  {
    name: "method: override",
    sent: rest('{"_method":"DELETE","force":true}', "project/5?_method=DELETE", [
      json,
      "X-HTTP-Method-Override: DELETE",
    ]),
    status: 200,
    input: { id: 5 },
  },
  {
    name: "method: TRACE",
    sent: head("TRACE /en/api/core/v2/project", [`A: ${canary}`]),
    status: 404,
    incident: "request",
  },
  {
    name: "JSON: depth",
    sent: rest(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`),
    status: 400,
    says: "rest_invalid_json",
    incident: "limit.jsonDepth",
  },
  ...['{"a":1e400}', '{"a":1}x', '\ufeff{"a":1}', '{"title":"\\ud800"}', `{${canary}`].map((body) => ({
    name: `JSON: ${body.slice(0, 20)}`,
    sent: rest(body),
    status: 400,
    incident: "request",
    says: "rest_invalid_json",
  })),
  {
    name: "JSON: duplicate names",
    sent: rest('{"title":"a","title":"b"}'),
    status: 201,
    input: { title: { raw: "b" } },
  },
  { name: "JSON: not an object", sent: rest(`"${canary}"`), status: 201, input: {} },
  {
    name: "arguments: enumeration",
    sent: rest(`{"status":"${canary}"}`),
    status: 400,
    incident: "request",
    says: /rest_invalid_param.*status/,
  },
  {
    name: "arguments: type",
    sent: rest(`{"author":"${canary}"}`),
    status: 400,
    incident: "request",
    says: /rest_invalid_param.*author/,
  },
  {
    name: "arguments: list of numbers",
    sent: get(`/en/api/core/v2/project?include=1,${canary}`),
    status: 400,
    incident: "request",
    says: /rest_invalid_param.*include/,
  },
  { name: "arguments: unknown", sent: rest(`{"${canary}":"${canary}"}`), status: 201, input: {} },
  {
    name: "arguments: long variable",
    sent: get(`/en/api/core/v2/project/${"9".repeat(400)}`),
    status: 404,
    incident: "limit.segmentChars",
  },
  { name: "path: dots", sent: get("/en/api/core/v2/../v2/project"), status: 404, incident: "request" },
  { name: "path: encoded dots", sent: get("/en/api/core/v2/project/%2e%2e"), status: 404, incident: "request" },
  {
    name: "a path variable that the query and the body repeat",
    sent: send("POST /en/api/core/v2/project/5?id=6", '{"id":7,"title":"a"}', [json]),
    status: 200,
    input: { id: 5, title: { raw: "a" } },
  },
  { name: "unknown path", sent: get(`/en/api/${canary}`), status: 404, says: "rest_no_route", incident: "request" },
];

/** Hostile requests, with the expected answers of a server. */
export const serverCases: readonly { readonly kind: string; readonly rows: readonly Row[] }[] = [
  { kind: "a SOAP message", rows: soapRows },
  { kind: "a request of HTTP", rows: httpRows },
  { kind: "a REST request", rows: restRows },
];
