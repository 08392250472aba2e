import type { JsonObject, JsonValue, PathPiece } from "../../descriptor.js";
import { isObject, listOf } from "../../rest/php-values.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { variablesOf } from "../../rest/route-paths.js";
import { headerValue } from "../headers.js";
import type { HeaderLine, ServerAnswer } from "../types.js";
import type { Exchange } from "./call.js";
import { hasCredentials, originHeaders } from "./permission.js";

/** Writes an answer. Throws for a body that JSON cannot carry and for a header that HTTP cannot. */
export function respond(answer: RestAnswer, exchange: Exchange, allow: readonly string[]): ServerAnswer {
  const own: HeaderLine[] = Object.entries(answer.headers);
  if (answer.total !== undefined) own.push(...pageHeaders(answer.total, exchange));
  for (const [name, value] of own) checkHeader(name, value);
  if (allow.length > 0) own.push(["Allow", allow.join(", ")]);
  if (answer.body instanceof Uint8Array) return send(answer.status, own, answer.body, exchange);

  const { body } = answer;
  if (!exchange.query.has("_envelope")) {
    return sendJson(answer.status, own, exchange.serving.index.textOf(body) ?? textOf(body), exchange);
  }
  return sendJson(200, [], textOf({ body, status: answer.status, headers: enveloped(own) }), exchange);
}

/** An answer with the members that `_fields` names; errors are left alone. */
export function shaped(answer: RestAnswer, exchange: Exchange): RestAnswer {
  const { body, status } = answer;
  if (body instanceof Uint8Array || status >= 400 || !exchange.query.has("_fields")) return answer;
  return restAnswer({ ...answer, body: withFields(body, exchange) });
}

function sendJson(status: number, own: readonly HeaderLine[], json: string, exchange: Exchange): ServerAnswer {
  if (!isScript(exchange)) return send(status, own, json, exchange);
  const others = own.filter(([name]) => name.toLowerCase() !== "content-type");
  return send(status, [["Content-Type", scriptType], ...others], withCallback(json, exchange), exchange);
}

function send(status: number, own: readonly HeaderLine[], body: string | Uint8Array, exchange: Exchange): ServerAnswer {
  const bodiless = exchange.request.method === "HEAD" || status === 204 || status === 304;
  return { status, headers: answerHeaders(own, exchange), body: bodiless ? undefined : body };
}

/** A lone surrogate as `JSON.stringify` writes it: the escape, and not two backslashes before its letters. */
const halfCharacter = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** The writer refuses what the reader refuses; a handler that answers nothing answers null. */
function textOf(body: JsonValue | undefined): string {
  const text = body === undefined ? "null" : JSON.stringify(body);
  if (typeof text !== "string") throw new TypeError("The answer is no JSON value.");
  if (text.includes("\\ud") && halfCharacter.test(text)) throw new TypeError("The answer holds half a character.");
  return text;
}

/** Links of an index are kept whatever `_fields` says. */
function withFields(body: JsonValue, { query, match }: Exchange): JsonValue {
  const fields = query.get("_fields");
  if (fields === undefined) return body;
  const filtered = filterFields(body, fields);
  if (match?.route.isIndex !== true || !isObject(body) || body["_links"] === undefined) return filtered;
  return { ...(isObject(filtered) ? filtered : {}), _links: body["_links"] };
}

/** Headers as a member of the body; counts are numbers there, and no headers an empty list. */
function enveloped(own: readonly HeaderLine[]): JsonValue {
  if (own.length === 0) return [];
  return Object.fromEntries(
    own.map(([name, value]) => [name, /^X-WP-/i.test(name) && /^\d{1,15}$/.test(value) ? Number(value) : value]),
  );
}

/** RFC 9110 §5.1, §5.5. */
function checkHeader(name: string, value: string): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new TypeError(`The answer's header ${JSON.stringify(name.slice(0, 64))} cannot be sent.`);
  }
}

type Wanted = Map<string, Wanted | true>;

/** Keeps the members that `_fields` names, by dotted paths; a value without any of them is `[]`, as PHP has it. */
function filterFields(body: JsonValue, fields: JsonValue): JsonValue {
  const names = (listOf(fields) ?? []).map(String).filter((name) => name !== "");
  if (names.length === 0) return body;
  const wanted = wantedOf(names);
  if (Array.isArray(body)) return body.map((item) => kept(item, wanted));
  return kept(body, wanted);
}

function wantedOf(names: readonly string[]): Wanted {
  const root: Wanted = new Map();
  for (const name of names) {
    let place = root;
    const steps = name.split(".");
    for (const [index, step] of steps.entries()) {
      const known = place.get(step);
      if (known === true) break;
      if (index === steps.length - 1) {
        place.set(step, true);
        break;
      }
      const inner: Wanted = known ?? new Map();
      place.set(step, inner);
      place = inner;
    }
  }
  return root;
}

function kept(value: JsonValue, wanted: Wanted): JsonValue {
  if (!isObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const inner = wanted.get(name);
    if (inner === undefined) continue;
    members.push([name, inner === true ? (member ?? null) : kept(member ?? null, inner)]);
  }
  return members.length === 0 ? [] : objectOf(members);
}

function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(members);
}

const contentType: HeaderLine = ["Content-Type", "application/json; charset=UTF-8"];
const robots: HeaderLine = ["X-Robots-Tag", "noindex"];
const common: readonly HeaderLine[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link"],
  ["Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type"],
];
/** Answers to a request with credentials are for its sender alone. */
const uncached: readonly HeaderLine[] = [
  ["Expires", "Wed, 11 Jan 1984 05:00:00 GMT"],
  ["Cache-Control", "no-cache, must-revalidate, max-age=0"],
];

/** The headers of every answer, as WordPress sends them; `own` are the answer's, which replace those of the same name. */
function answerHeaders(own: readonly HeaderLine[], exchange: Exchange): readonly HeaderLine[] {
  const headers: HeaderLine[] = [];
  if (!has(own, "content-type")) headers.push(contentType);
  headers.push(robots);
  if (!has(own, "link")) headers.push(["Link", `<${exchange.baseUrl}/>; rel="https://api.w.org/"`]);
  headers.push(...common, ...own);
  if (isPersonal(exchange) && !has(own, "cache-control")) headers.push(...uncached);
  headers.push(...originHeaders(exchange));
  return headers;
}

/** WordPress knows nobody by a cookie without a nonce. */
function isPersonal({ request, nonce, serving }: Exchange): boolean {
  if (hasCredentials(request) || nonce !== undefined) return true;
  return serving.options.cors !== "wordpress" && headerValue(request.headers, "cookie") !== undefined;
}

function has(lines: readonly HeaderLine[], name: string): boolean {
  return lines.some(([known]) => known.length === name.length && known.toLowerCase() === name);
}

/**
 * `X-WP-Total`, `X-WP-TotalPages`, and links to the previous and the next page. A link repeats the request's arguments,
 * with lists one item a pair: links that together are longer than an address may be are left out.
 */
function pageHeaders(total: number, exchange: Exchange): readonly HeaderLine[] {
  const { baseUrl, match, query, input, serving } = exchange;
  const perPage = typeof input["per_page"] === "number" && input["per_page"] > 0 ? input["per_page"] : 10;
  const page = typeof input["page"] === "number" ? input["page"] : 1;
  const pages = Math.ceil(total / perPage);
  const links: string[] = [];
  const linkTo = (to: number, relation: string) =>
    links.push(`<${baseUrl}${encodeURI(pathOf(match))}?${queryText(query, input, to)}>; rel="${relation}"`);
  if (page > 1) linkTo(Math.min(page - 1, Math.max(pages, 1)), "prev");
  if (pages > page) linkTo(page + 1, "next");
  const headers: HeaderLine[] = [
    ["X-WP-Total", String(total)],
    ["X-WP-TotalPages", String(pages)],
  ];
  const link = links.join(", ");
  return link === "" || link.length > serving.limits.urlBytes ? headers : [...headers, ["Link", link]];
}

/** The path of a route as the route spells it, whatever letters the request has. */
function pathOf(match: Exchange["match"]): string {
  return match === undefined ? "" : written(match.route.path, match.variables);
}

function written(path: readonly PathPiece[], variables: ReadonlyMap<string, string>): string {
  return path
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if ("variable" in piece) return variables.get(piece.variable) ?? "";
      return isWritten(piece.optional, variables) ? written(piece.optional, variables) : "";
    })
    .join("");
}

function isWritten(path: readonly PathPiece[], variables: ReadonlyMap<string, string>): boolean {
  return variablesOf(path).some(({ variable }) => (variables.get(variable) ?? "") !== "");
}

/** The query with another page, in its order; lists are written with their indexes. */
function queryText(query: ReadonlyMap<string, JsonValue>, input: Exchange["input"], page: number): string {
  const pairs: string[] = [];
  for (const [name, value] of new Map([...query, ["page", page] as const])) {
    const known = name !== "page" && Object.hasOwn(input, name) ? input[name] : undefined;
    add(pairs, name, Array.isArray(known) ? known : value);
  }
  return pairs.join("&");
}

function add(pairs: string[], name: string, value: JsonValue): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) add(pairs, `${name}[${index}]`, item);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) add(pairs, `${name}[${key}]`, item ?? null);
  else if (value === "") pairs.push(encoded(name));
  else pairs.push(`${encoded(name)}=${encoded(String(value))}`);
}

/** As PHP's `urlencode`: a space is `+`, and only letters, digits and `-_.` are themselves. */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/%20/g, "+")
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const scriptType = "application/javascript; charset=UTF-8";

/** Whether to answer with a script, which pages of any origin can run. */
function isScript({ query, serving }: Exchange): boolean {
  return serving.options.jsonp === true && query.has("_jsonp");
}

/** The refusal of a request for a script that is not given, or whose callback is not a plain name. It has no `data`. */
export function refuseScript(exchange: Exchange): RestAnswer | undefined {
  if (!exchange.query.has("_jsonp")) return undefined;
  if (exchange.serving.options.jsonp !== true) {
    const message = "JSONP support is disabled on this site.";
    return restAnswer({ status: 400, body: { code: "rest_callback_disabled", message } });
  }
  if (callbackOf(exchange) !== undefined) return undefined;
  const message = "Invalid JSONP callback function.";
  return restAnswer({ status: 400, body: { code: "rest_callback_invalid", message } });
}

/** A JSON text as a call of the request's callback; as it is where there is none. */
function withCallback(json: string, exchange: Exchange): string {
  const callback = isScript(exchange) ? callbackOf(exchange) : undefined;
  if (callback === undefined) return json;
  // Line ends to older scripts, and nothing special to JSON.
  const text = json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  // The comment keeps the callback from being the first bytes of a file of another type.
  return `/**/${callback}(${text})`;
}

/** Letters, digits, `_` and dots alone, as WordPress has it: nothing that runs by itself. */
function callbackOf({ query }: Exchange): string | undefined {
  const given = query.get("_jsonp");
  return typeof given === "string" && /^[\w.]+$/.test(given) ? given : undefined;
}
