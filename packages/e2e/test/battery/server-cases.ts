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
  readonly id: string;
  readonly sent: string | readonly (string | Uint8Array)[];
  readonly status: number;
  /** The input of the handler, if one is called. */
  readonly input?: unknown;
  /** A text that the answer's body must contain. */
  readonly says?: string | RegExp;
  /** The kind of the reported incident. */
  readonly incident?: string;
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
    id: "S01 1.1",
    sent: soap(`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${envelope(usa("&x;"))}`),
    status: 500,
    incident: "request",
  },
  {
    id: "S01 1.2",
    sent: soap(`<!DOCTYPE a>${envelope(usa(), { namespace: soap12 })}`, [soapXml]),
    status: 500,
    incident: "request",
  },
  { id: "S02 depth", sent: soap(envelope("<a>".repeat(1e6))), status: 400, incident: "limit.depth" },
  {
    id: "S02 attributes",
    sent: soap(envelope(`<a ${many(1e5, (i) => `a${i}=""`)}/>`)),
    status: 400,
    incident: "limit.attributes",
  },
  {
    id: "S02 namespaces",
    sent: soap(envelope(`<a ${many(1e5, (i) => `xmlns:a${i}="u"`)}/>`)),
    status: 400,
    incident: "limit.namespaces",
  },
  { id: "S02 siblings", sent: soap(envelope(usa("<a/>".repeat(9e5)))), status: 400, incident: "limit.children" },
  { id: "S03 tags", sent: soap(envelope(`<${canary}></b>`)), status: 400, incident: "request" },
  { id: "S03 second root", sent: soap(`${envelope(usa())}<${canary}/>`), status: 400, incident: "request" },
  {
    id: "S03 character",
    sent: soap(envelope(usa(`<RegistrationNumber>\u0001${canary}</RegistrationNumber>`))),
    status: 400,
    incident: "request",
  },
  {
    id: "S04",
    sent: head("POST /api/reg.asmx", [xml, "Content-Length: 99999999"]) + canary,
    status: 500,
    incident: "limit.bodyBytes",
  },
  {
    id: "S05",
    sent: [head("POST /api/reg.asmx", [xml, "Transfer-Encoding: chunked"]), chunkedBody],
    status: 500,
    incident: "limit.bodyBytes",
  },
  { id: "S14 none", sent: soap(envelope(usa()), []), status: 415, incident: "request" },
  { id: "S14 duplicated", sent: soap(envelope(usa()), [xml, json]), status: 415, incident: "request" },
  {
    id: "S14 tab",
    sent: soap(envelope(usa()), ["Content-Type: text/xml\t; charset=utf-8"]),
    status: 200,
    input: found,
  },
  { id: "S14 upper case", sent: soap(envelope(usa()), ["Content-Type: TEXT/XML"]), status: 200, input: found },
  { id: "S14 text/plain", sent: soap(envelope(usa()), ["Content-Type: text/plain"]), status: 415, incident: "request" },
  {
    id: "S14 utf-7",
    sent: soap(envelope(usa()), ["Content-Type: text/xml; charset=utf-7"]),
    status: 415,
    incident: "request",
  },
  {
    id: "S14 MTOM",
    sent: soap(envelope(usa()), ['Content-Type: multipart/related; type="application/xop+xml"']),
    status: 415,
    incident: "request",
  },
  {
    id: "S14 package",
    sent: soap(`--b\r\nContent-Type: text/xml\r\n\r\n${envelope(usa())}\r\n--b--`, [
      'Content-Type: multipart/related; boundary=b; type="text/xml"',
    ]),
    status: 415,
    incident: "request",
  },
  {
    id: "S14 compressed",
    sent: soap(envelope(usa()), [xml, "Content-Encoding: gzip"]),
    status: 415,
    incident: "request",
  },
  { id: "S15 1.2 as 1.1", sent: soap(envelope(usa(), { namespace: soap12 })), status: 200, input: found },
  { id: "S15 1.1 as 1.2", sent: soap(envelope(usa()), [soapXml]), status: 415, incident: "request" },
  {
    id: "S15 unknown",
    sent: soap(envelope(usa(), { namespace: `urn:${canary}` })),
    status: 500,
    incident: "request",
    says: "VersionMismatch",
  },
  { id: "S16 unquoted", sent: action(`${reg}/CheckUSA`), status: 200, input: found },
  {
    id: "S16 other operation",
    sent: action(`"${reg}/CheckFrance"`),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    id: "S16 other namespace",
    sent: action(`"urn:${canary}/CheckUSA"`),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  { id: "S16 empty", sent: action('""'), status: 500, incident: "request", says: "soap:Client" },
  { id: "S16 bytes", sent: action(`${canary}\u00ff`), status: 500, incident: "request", says: "soap:Client" },
  {
    id: "S17",
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
    id: "S18 two bodies",
    sent: soap(envelope(`${usa()}</s:Body><s:Body>${usa("", { operation: "CheckFrance" })}`)),
    status: 200,
    input: found,
  },
  { id: "S18 header last", sent: soap(envelope(`${usa()}</s:Body><s:Header/><s:Body>`)), status: 200, input: found },
  { id: "S18 empty", sent: soap(envelope("")), status: 500, incident: "request", says: "soap:Client" },
  {
    id: "S18 two children",
    sent: soap(envelope(usa() + usa("", { operation: "CheckFrance" }))),
    status: 200,
    input: found,
  },
  {
    id: "S18 unknown",
    sent: soap(envelope(usa("", { operation: canary }))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    id: "S18 prototype",
    sent: soap(envelope(usa("", { operation: "__proto__" }))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    id: "S18 namespace",
    sent: soap(envelope(usa(undefined, { namespace: `${reg}/` }))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  {
    id: "S20 twice",
    sent: soap(
      envelope(
        usa(
          `<RegistrationNumber>A</RegistrationNumber><RegistrationNumber>B</RegistrationNumber><State>b</State><username>u</username>`,
        ),
      ),
    ),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    id: "S20 case",
    sent: soap(
      envelope(usa(`<RegistrationNumber>A</RegistrationNumber><state>${canary}</state><username>u</username>`)),
    ),
    status: 500,
    incident: "request",
    says: "soap:Client",
  },
  ...[" 12 ", "+12", `${"0".repeat(1e6)}12`].map((text) => ({
    id: `S21 ${text.slice(-6)}`,
    sent: soap(envelope(austria(text))),
    status: 200,
    input: { NatCode: 12, username: "u" },
  })),
  ...["2147483648", "1e3", "0x1F", "", "\u0661", "9".repeat(1e6)].map((text) => ({
    id: `S21 ${text.slice(0, 20)}`,
    sent: soap(envelope(austria(text))),
    status: 500,
    incident: "request",
    says: "soap:Client",
  })),
  {
    id: "S23 elements",
    sent: soap(
      envelope(
        usa(
          `${prototypes}<RegistrationNumber __proto__="x" constructor="y">A</RegistrationNumber><State>b</State><username>u</username>`,
        ),
      ),
    ),
    status: 200,
    input: oneVehicle("A"),
  },
];

const httpRows: readonly Row[] = [
  {
    id: "S08 length and chunks",
    sent: head("POST /api/reg.asmx", ["Content-Length: 3", "Transfer-Encoding: chunked"]) + canary,
    status: 400,
    incident: "request",
  },
  {
    id: "S08 two lengths",
    sent: head("POST /api/reg.asmx", ["Content-Length: 6", "Content-Length: 7"]) + canary,
    status: 400,
    incident: "request",
  },
  { id: "S08 +6", sent: head("POST /api/reg.asmx", ["Content-Length: +6"]) + canary, status: 400, incident: "request" },
  { id: "S08 folded", sent: get("/api/reg.asmx", ["A: b\r\n c"]), status: 400, incident: "request" },
  { id: "S08 bare LF", sent: "GET /api/reg.asmx HTTP/1.1\nHost: h\n\n", status: 400, incident: "request" },
  { id: "V3 no version", sent: `GET /${canary}\r\n\r\n`, status: 505, incident: "request" },
  { id: "V3 two hosts", sent: get("/api/reg.asmx", [`Host: ${canary}`]), status: 400, incident: "request" },
  {
    id: "V3 markup for a host",
    sent: `GET /api/reg.asmx?wsdl HTTP/1.1\r\nHost: h"><${canary}\r\n\r\n`,
    status: 400,
    incident: "request",
  },
  { id: "V3 absolute form", sent: get(`http://${canary}/api/reg.asmx`), status: 400, incident: "request" },
  {
    id: "V3 coded chunks",
    sent: head("POST /api/reg.asmx", ["Transfer-Encoding: gzip, chunked"]),
    status: 501,
    incident: "request",
  },
  {
    id: "S10 number",
    sent: get(
      "/api/reg.asmx",
      Array.from({ length: 101 }, (_, i) => `A${i}: b`),
    ),
    status: 431,
    incident: "limit.headers",
  },
  { id: "S10 length", sent: get("/api/reg.asmx", [`A: ${"x".repeat(17_000)}`]), status: 431, incident: "request" },
  {
    id: "S23 form",
    sent: form(`__proto__=${canary}&constructor=${canary}&RegistrationNumber=A&State=b&username=u`),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    id: "S23 query",
    sent: query(`__proto__=${canary}&constructor=x&RegistrationNumber=A&State=b&username=u`),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    id: "S25 duplicated text",
    sent: query("RegistrationNumber=A&RegistrationNumber=B&State=b&username=u"),
    status: 200,
    input: oneVehicle("A,B"),
  },
  {
    id: "S25 duplicated int",
    sent: get(`/api/reg.asmx/CheckAustria?NatCode=1&NatCode=2&username=${canary}`),
    status: 500,
    incident: "request",
  },
  {
    id: "S25 missing",
    sent: query(`State=${canary}&username=u`),
    status: 500,
    incident: "request",
    says: "Missing parameter: RegistrationNumber.",
  },
  {
    id: "S25 brackets",
    sent: query(`RegistrationNumber[]=${canary}&State=b&username=u`),
    status: 500,
    incident: "request",
  },
  {
    id: "S25 unknown",
    sent: query(`RegistrationNumber=A&State=b&username=u&${canary}=x`),
    status: 200,
    input: oneVehicle("A"),
  },
  {
    id: "S25 spaces",
    sent: query("RegistrationNumber=A+B%20C&State=b&username=u"),
    status: 200,
    input: oneVehicle("A B C"),
  },
  { id: "S25 %zz", sent: query("RegistrationNumber=%zz&State=b&username=u"), status: 200, input: oneVehicle("%zz") },
  { id: "S25 %ff", sent: query("RegistrationNumber=%ff&State=b&username=u"), status: 200, input: oneVehicle("\ufffd") },
  { id: "S25 pairs", sent: query("a&".repeat(300)), status: 414, incident: "limit.queryPairs" },
  { id: "S25 a million pairs", sent: form("a&".repeat(1e6)), status: 500, incident: "limit.formPairs" },
  { id: "S25 9 KB", sent: query("a".repeat(9_000)), status: 414, incident: "limit.urlBytes" },
  ...["HEAD", "OPTIONS", "TRACE", "PUT"].flatMap((method) => [
    {
      id: `S28 ${method} the file`,
      sent: head(`${method} /api/reg.asmx`, [`A: ${canary}`]),
      status: 405,
      incident: "request",
    },
    {
      id: `S28 ${method} an operation`,
      sent: head(`${method} /api/reg.asmx/CheckUSA?${canary}`),
      status: 500,
      incident: "request",
    },
  ]),
  {
    id: "S28 override",
    sent: get("/api/reg.asmx/CheckUSA?RegistrationNumber=A&State=b&username=u", ["X-HTTP-Method-Override: POST"]),
    status: 200,
    input: oneVehicle("A"),
  },
  { id: "nothing there", sent: get(`/${canary}<script>`), status: 404 },
];

const restRows: readonly Row[] = [
  {
    id: "S04",
    sent: head("POST /en/api/core/v2/project", [json, "Content-Length: 1000000000000"]) + canary,
    status: 413,
    incident: "limit.bodyBytes",
  },
  {
    id: "S05",
    sent: [head("POST /en/api/core/v2/project", [json, "Transfer-Encoding: chunked"]), chunkedBody],
    status: 413,
    incident: "limit.bodyBytes",
  },
  {
    id: "S23 __proto__",
    sent: rest(`{"__proto__":{"x":"${canary}"}}`),
    status: 400,
    incident: "request",
    says: "rest_invalid_json",
  },
  {
    id: "S23 constructor",
    sent: rest(`{"constructor":{"prototype":{"x":"${canary}"}}}`),
    status: 400,
    incident: "request",
    says: "rest_invalid_json",
  },
  {
    id: "S23 path of keys",
    sent: get(`/en/api/core/v2/media?__proto__[x]=${canary}&a[__proto__][x]=1&constructor[prototype][x]=y`),
    status: 200,
    input: {},
  },
  {
    id: "S28 override",
    sent: rest('{"_method":"DELETE","force":true}', "project/5?_method=DELETE", [
      json,
      "X-HTTP-Method-Override: DELETE",
    ]),
    status: 200,
    input: { id: 5 },
  },
  { id: "S28 TRACE", sent: head("TRACE /en/api/core/v2/project", [`A: ${canary}`]), status: 404 },
  {
    id: "S29 depth",
    sent: rest(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`),
    status: 400,
    says: "rest_invalid_json",
    incident: "limit.jsonDepth",
  },
  ...['{"a":1e400}', '{"a":1}x', '\ufeff{"a":1}', '{"title":"\\ud800"}', `{${canary}`].map((body) => ({
    id: `S29 ${body.slice(0, 20)}`,
    sent: rest(body),
    status: 400,
    incident: "request",
    says: "rest_invalid_json",
  })),
  { id: "S29 duplicate names", sent: rest('{"title":"a","title":"b"}'), status: 201, input: { title: { raw: "b" } } },
  { id: "S29 no object", sent: rest(`"${canary}"`), status: 201, input: {} },
  {
    id: "S31 enumeration",
    sent: rest(`{"status":"${canary}"}`),
    status: 400,
    incident: "request",
    says: /rest_invalid_param.*status/,
  },
  {
    id: "S31 type",
    sent: rest(`{"author":"${canary}"}`),
    status: 400,
    incident: "request",
    says: /rest_invalid_param.*author/,
  },
  {
    id: "S31 list of numbers",
    sent: get(`/en/api/core/v2/project?include=1,${canary}`),
    status: 400,
    incident: "request",
    says: /rest_invalid_param.*include/,
  },
  { id: "S31 unknown", sent: rest(`{"${canary}":"${canary}"}`), status: 201, input: {} },
  { id: "S31 long variable", sent: get(`/en/api/core/v2/project/${"9".repeat(400)}`), status: 404 },
  { id: "P7 dots", sent: get("/en/api/core/v2/../v2/project"), status: 404 },
  { id: "P7 encoded dots", sent: get("/en/api/core/v2/project/%2e%2e"), status: 404 },
  {
    id: "P8",
    sent: send("POST /en/api/core/v2/project/5?id=6", '{"id":7,"title":"a"}', [json]),
    status: 200,
    input: { id: 5, title: { raw: "a" } },
  },
  { id: "nothing there", sent: get(`/en/api/${canary}`), status: 404, says: "rest_no_route" },
];

/** Hostile requests, with the expected answers of a server. */
export const serverCases: readonly { readonly kind: string; readonly rows: readonly Row[] }[] = [
  { kind: "a SOAP message", rows: soapRows },
  { kind: "a request of HTTP", rows: httpRows },
  { kind: "a REST request", rows: restRows },
];
