import { gzipSync } from "node:zlib";
import { envelope, usa } from "./requests.js";

// Attacks by one request over HTTP. `attacks.test.ts` checks their answers, `server.timing.test.ts` their processor
// time.

/** The path of a SOAP service. */
export const file = "/api/reg.asmx";
/** The path of a REST collection. */
export const blocks = "/en/api/core/v2/blocks";

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const parts = { "Content-Type": "multipart/form-data; boundary=x" };
const part = (name: string) => `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\nb\r\n`;
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join("");

/** Bodies of POST requests to the collection: name, headers and body. */
export const bodyAttacks: readonly (readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  body: string,
])[] = [
  ["the prototype in JSON", json, '{"__proto__":{"polluted":1}}'],
  ["the prototype with an escape", json, '{"\\u005f_proto__":{"polluted":1}}'],
  ["the constructor's prototype", json, '{"constructor":{"prototype":{"polluted":1}}}'],
  ["100,000 nested lists", json, "[".repeat(1e5) + "]".repeat(1e5)],
  ["50,000 nested objects", json, `${'{"a":'.repeat(5e4)}1${"}".repeat(5e4)}`],
  ["200,000 members", json, `{${many(2e5, (at) => `"k${at}":1,`)}"z":1}`],
  ["500,000 items", json, `{"title":[${"1,".repeat(5e5)}1]}`],
  ["a million digits", json, `{"title":${"9".repeat(1e6)}}`],
  ["the prototype in a form", form, "title[__proto__][polluted]=1&__proto__[polluted]=1"],
  ["5,000 brackets", form, `title${"[a]".repeat(5_000)}=1`],
  ["a sparse list", form, "title[999999999]=1"],
  ["50,000 items in a form", form, "title[]=1&".repeat(5e4)],
  ["two million separators", form, "&".repeat(2e6)],
  ["unclosed brackets", form, "title[[[[=1&]=&[=&[]=1"],
  ["20,000 parts", parts, `${part("a").repeat(2e4)}--x--`],
  ["100,000 lines in a part", parts, `--x\r\n${"A: b\r\n".repeat(1e5)}\r\n\r\n--x--`],
  ["the prototype in a part", parts, `${part("__proto__[polluted]")}--x--`],
  ["2 MB of dashes", parts, "-".repeat(2e6)],
  [
    "a boundary like a pattern",
    { "Content-Type": "multipart/form-data; boundary=(a+)+$" },
    "--(a+)+$\r\n".repeat(5_000),
  ],
];

/** Queries of GET requests to the collection. */
export const queryAttacks: readonly string[] = [
  ...["__proto__[x]=1", "per_page=1e9", "page=-1", "search=%ff", "context=__proto__", "orderby=constructor"],
  ...[`_fields=${"a.".repeat(3_500)}`, `_embed=${"a,".repeat(3_000)}`, `search=${"%".repeat(5_000)}`, "_jsonp=alert"],
];

/** Bodies of requests to the service, as `text/xml`. */
export const xmlAttacks: readonly (readonly [name: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  [
    "an entity in UTF-16",
    Buffer.from(`\ufeff<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${envelope("&b;")}`, "utf16le"),
  ],
  ["a reference of 10,000 digits", envelope(`&#${"9".repeat(1e4)};`)],
  ["a name of a million characters", envelope(`<${"n".repeat(1e6)}/>`)],
  ["an attribute of a million characters", envelope(usa()).replace("Body>", `Body a="${"x".repeat(1e6)}">`)],
  ["5,000 attributes", envelope(usa()).replace("Body>", `Body ${many(5_000, (at) => `a${at}="" `)}>`)],
  ["two documents", envelope(usa()).repeat(2)],
  ["compressed bytes", gzipSync(envelope(usa()))],
];
