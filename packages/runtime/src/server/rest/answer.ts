import { EncodeError } from "../../answer-errors.js";
import type { JsonValue, PathPiece } from "../../descriptor.js";
import { type HeaderLine, isHeader } from "../../http/headers.js";
import type { ServerAnswer } from "../../http/server-answer.js";
import { isPromise } from "../../is-promise.js";
import { isJsonObject, toList } from "../../rest/php-json.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { listVariables } from "../../rest/route-paths.js";
import { isStringTooLong } from "../../value-problems.js";
import { createOriginHeaders, extendCorsLine, findCallbackName, hasCredentials } from "./permission.js";
import type { ReceivedCall } from "./request.js";
import { findNonce } from "./rest-context.js";
import type { RestInput } from "./service.js";

/** Writes an answer. Throws for a body that is not a JSON value and for a header that HTTP does not allow. */
export function writeAnswer(answer: RestAnswer, call: ReceivedCall, allowedMethods: readonly string[]): ServerAnswer {
  const serverAnswer = writeMessage(answer, call, allowedMethods);
  return answer.status < 400 ? serverAnswer : { ...serverAnswer, faultCode: findErrorCode(answer.body) };
}

function findErrorCode(body: JsonValue | Uint8Array): string | undefined {
  const code = body instanceof Uint8Array || !isJsonObject(body) ? undefined : body["code"];
  return typeof code === "string" ? code : undefined;
}

function writeMessage(answer: RestAnswer, call: ReceivedCall, allowedMethods: readonly string[]): ServerAnswer {
  const headers: HeaderLine[] = Object.entries(answer.headers);
  if (answer.total !== undefined) {
    headers.push(...createPageHeaders(answer.total, call));
  }
  for (const [name, value] of headers) {
    checkHeader(name, value);
  }
  if (allowedMethods.length > 0) {
    const { route } = call.match ?? {};
    headers.push(
      route !== undefined && allowedMethods === route.methods
        ? route.allowHeader
        : ["Allow", allowedMethods.join(", ")],
    );
  }
  const { status, body } = answer;
  if (body instanceof Uint8Array) {
    return createAnswer(status, headers, body, call);
  }
  if (call.query.has(call.servedInterface.conventions.parameters.envelope)) {
    return createJsonAnswer(200, [], formatJson({ body, status, headers: createEnvelopeHeaders(headers) }), call);
  }
  return createJsonAnswer(status, headers, call.servedInterface.index.findText(body) ?? formatJson(body), call);
}

function createJsonAnswer(
  status: number,
  headers: readonly HeaderLine[],
  json: string,
  call: ReceivedCall,
): ServerAnswer {
  if (!isScript(call)) {
    return createAnswer(status, headers, json, call);
  }
  const otherHeaders = headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return createAnswer(status, [["Content-Type", scriptType], ...otherHeaders], withCallback(json, call), call);
}

function createAnswer(
  status: number,
  headers: readonly HeaderLine[],
  body: string | Uint8Array,
  call: ReceivedCall,
): ServerAnswer {
  const hasNoBody = call.request.method === "HEAD" || status === 204 || status === 304;
  return { status, headers: withCommonHeaders(headers, call), body: hasNoBody ? undefined : body };
}

/**
 * Matches a lone surrogate in the output of `JSON.stringify`: an escape for a surrogate whose backslash is not itself
 * escaped.
 */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * Writes a body as JSON. Undefined is written as null. Throws for a body that the clients of this package would refuse.
 */
function formatJson(body: JsonValue | undefined): string {
  const { text, lost } = body === undefined ? { text: "null" } : stringify(body);
  if (lost !== undefined) {
    refuseLostValue(lost);
  }
  if (typeof text === "string" && text.includes("null")) {
    refuseNonFiniteNumbers(body);
  }
  if (typeof text !== "string") {
    throw new EncodeError("The answer is not a JSON value.");
  }
  if (text.includes("\\ud") && loneSurrogate.test(text)) {
    throw new EncodeError("The answer contains a lone surrogate.");
  }
  return text;
}

/** A value that `JSON.stringify` writes as `{}` although it is not a plain object: a promise, a `Map` or an error. */
interface LostValue {
  readonly value: object;
  /** The path of the value in the body: `/items/0`. */
  readonly path: string;
}

/** Finds a value whose contents JSON would lose. */
function findLostValue(value: unknown): LostValue | undefined {
  if (typeof value !== "object" || value === null || "toJSON" in value) {
    return undefined;
  }
  const entries = Object.entries(value);
  const isEmpty = entries.every(([, member]) => member === undefined || typeof member === "function");
  if (isEmpty) {
    return !isPlainObject(value) && JSON.stringify(value) === "{}" ? { value, path: "" } : undefined;
  }
  for (const [name, member] of entries) {
    const lostValue = findLostValue(member);
    if (lostValue !== undefined) {
      return { value: lostValue.value, path: `/${name}${lostValue.path}` };
    }
  }
  return undefined;
}

/** Refuses NaN and infinite numbers, which `JSON.stringify` writes as null. */
function refuseNonFiniteNumbers(body: unknown): void {
  const path = hasNonFiniteNumber([body]) ? findNonFiniteNumber(body) : undefined;
  if (path !== undefined) {
    const advice = "JSON has no NaN and no infinite numbers. Return null, or leave the member out.";
    throw new EncodeError(`The answer's value is not a finite number. ${advice}`, { path });
  }
}

/**
 * Whether a list or an object contains a number that is not finite. It takes 8 % of the time of `JSON.stringify`; a
 * search that also returns the path takes 60 %.
 */
function hasNonFiniteNumber(container: object): boolean {
  if (Array.isArray(container)) {
    // An iterator takes longer.
    for (let index = 0; index < container.length; index += 1) {
      if (isOrHasNonFinite(container[index])) {
        return true;
      }
    }
    return false;
  }
  if ("toJSON" in container) {
    return false;
  }
  for (const name in container) {
    if (isOrHasNonFinite((container as Readonly<Record<string, unknown>>)[name])) {
      return true;
    }
  }
  return false;
}

function isOrHasNonFinite(value: unknown): boolean {
  return typeof value === "number"
    ? !Number.isFinite(value)
    : typeof value === "object" && value !== null && hasNonFiniteNumber(value);
}

/** Returns the path of a number that is not finite; undefined if there is none. */
function findNonFiniteNumber(value: unknown): string | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : "";
  }
  if (typeof value !== "object" || value === null || "toJSON" in value) {
    return undefined;
  }
  for (const [name, member] of Object.entries(value)) {
    const path = findNonFiniteNumber(member);
    if (path !== undefined) {
      return `/${name}${path}`;
    }
  }
  return undefined;
}

function refuseLostValue({ value, path }: LostValue): never {
  const typeName = value.constructor?.name || "object";
  const isObservable = "subscribe" in value && typeof value.subscribe === "function";
  const advice = isPromise(value)
    ? "Await the promise."
    : isObservable
      ? "Use await firstValueFrom(…) of RxJS."
      : "Convert it to a plain object or a list.";
  throw new EncodeError(`JSON cannot represent the answer's value of type ${typeName}. ${advice}`, {
    path,
  });
}

/**
 * Whether an object is an object literal or has no prototype. The prototype need not be that of the current realm,
 * because test runners use several realms.
 */
function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Writes a body as JSON. Throws an `EncodeError` for a value that refers to itself, is nested too deeply, or contains a
 * bigint.
 */
function stringify(body: JsonValue): { readonly text: unknown; readonly lost?: LostValue | undefined } {
  try {
    const text: unknown = JSON.stringify(body);
    return { text, lost: typeof text === "string" && text.includes("{}") ? findLostValue(body) : undefined };
  } catch (cause) {
    const advice = isStringTooLong(cause)
      ? " It is longer than the longest string (512 MB): divide it into pages."
      : "";
    throw new EncodeError(`The answer cannot be written as JSON.${advice}`, { cause, path: findUnwritable(body, []) });
  }
}

/**
 * Returns the path of a value that cannot be written as JSON: a bigint, or an object whose `toJSON` throws. Does not
 * report objects that contain themselves.
 */
function findUnwritable(value: unknown, ancestors: readonly object[]): string | undefined {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" ? "" : undefined;
  }
  if (ancestors.length > maxSearchDepth || ancestors.includes(value)) {
    return undefined;
  }
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return findUnwritable(value.toJSON(), [...ancestors, value]);
    }
  } catch {
    return "";
  }
  for (const [name, member] of Object.entries(value)) {
    const path = findUnwritable(member, [...ancestors, value]);
    if (path !== undefined) {
      return `/${name}${path}`;
    }
  }
  return undefined;
}

/** The maximum depth of the search for a value that cannot be written. */
const maxSearchDepth = 100;

/**
 * Returns the member `headers` of an envelope. As in WordPress, counts are written as numbers, and an empty object as
 * an empty list.
 */
function createEnvelopeHeaders(headers: readonly HeaderLine[]): JsonValue {
  if (headers.length === 0) {
    return [];
  }
  return Object.fromEntries(
    headers.map(([name, value]) => [name, /^X-WP-/i.test(name) && /^\d{1,15}$/.test(value) ? Number(value) : value]),
  );
}

/** Throws for a header whose name or value HTTP does not allow. */
function checkHeader(name: string, value: string): void {
  if (!isHeader(name, value)) {
    throw new TypeError(
      `HTTP does not allow the name or the value of the answer's header ${JSON.stringify(name.slice(0, 64))}.`,
    );
  }
}

/** Reduces an answer to the members that `_fields` names. Errors stay unchanged, and an index keeps its links. */
export function withFields(answer: RestAnswer, { query, match, servedInterface }: ReceivedCall): RestAnswer {
  const { body, status } = answer;
  const fields = query.get(servedInterface.conventions.parameters.fields);
  if (fields === undefined || body instanceof Uint8Array || status >= 400) {
    return answer;
  }
  const filteredBody = filterFields(body, fields);
  if (match?.route.isIndex !== true || !isJsonObject(body) || body["_links"] === undefined) {
    return restAnswer({ ...answer, body: filteredBody });
  }
  const links = { _links: body["_links"] };
  return restAnswer({ ...answer, body: isJsonObject(filteredBody) ? { ...filteredBody, ...links } : links });
}

/**
 * The members that are kept, by name. `true` keeps a complete member; a tree keeps only the nested members that it
 * contains.
 */
type FieldTree = Map<string, FieldTree | true>;

/**
 * Returns a body with only the members that `_fields` lists as dotted paths: `id,title.raw`. As in PHP, an object
 * without any of these members becomes `[]`.
 */
function filterFields(body: JsonValue, fields: JsonValue): JsonValue {
  const names = (toList(fields) ?? []).map(String).filter((name) => name !== "");
  if (names.length === 0) {
    return body;
  }
  const tree = createFieldTree(names);
  return Array.isArray(body) ? body.map((item) => pickFields(item, tree)) : pickFields(body, tree);
}

function createFieldTree(names: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const name of names) {
    let node = root;
    const steps = name.split(".");
    for (const [index, step] of steps.entries()) {
      const existingNode = node.get(step);
      if (existingNode === true) {
        break;
      }
      if (index === steps.length - 1) {
        node.set(step, true);
        break;
      }
      const child: FieldTree = existingNode ?? new Map();
      node.set(step, child);
      node = child;
    }
  }
  return root;
}

function pickFields(value: JsonValue, fields: FieldTree): JsonValue {
  if (!isJsonObject(value)) {
    return value;
  }
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const memberFields = fields.get(name);
    if (memberFields !== undefined) {
      members.push([name, memberFields === true ? (member ?? null) : pickFields(member ?? null, memberFields)]);
    }
  }
  return members.length === 0 ? [] : Object.fromEntries(members);
}

const jsonType: HeaderLine = ["Content-Type", "application/json; charset=UTF-8"];

/**
 * Adds the headers that all answers have. Does not add a content type, link or caching header that the answer sets
 * itself.
 */
function withCommonHeaders(answerHeaders: readonly HeaderLine[], call: ReceivedCall): readonly HeaderLine[] {
  const headers: HeaderLine[] = hasHeader(answerHeaders, "content-type") ? [] : [jsonType];
  const hasLink = hasHeader(answerHeaders, "link");
  const isCrossOrigin = call.request.parsedHeaders.origin !== undefined;
  for (const line of call.site.commonHeaders) {
    if (!hasLink || line[0] !== "Link") {
      headers.push(isCrossOrigin ? extendCorsLine(line, call) : line);
    }
  }
  headers.push(...answerHeaders);
  if (isPersonal(call) && !hasHeader(answerHeaders, "cache-control")) {
    headers.push(...call.servedInterface.conventions.uncachedHeaders);
  }
  headers.push(...createOriginHeaders(call));
  return headers;
}

/** Whether the answer may depend on the user who sent the request. WordPress ignores a cookie without a nonce. */
function isPersonal(call: ReceivedCall): boolean {
  if (hasCredentials(call.request) || findNonce(call) !== undefined) {
    return true;
  }
  return call.servedInterface.options.cors !== "wordpress" && call.request.parsedHeaders.hasCookie;
}

function hasHeader(lines: readonly HeaderLine[], name: string): boolean {
  return lines.some(([candidate]) => candidate.length === name.length && candidate.toLowerCase() === name);
}

/**
 * Returns `X-WP-Total`, `X-WP-TotalPages`, and links to the previous and next pages. A link repeats the request's
 * arguments, with a pair for each item of a list. The links are left out if they would together be longer than the
 * limit for an address.
 */
function createPageHeaders(
  total: number,
  { site, match, query, input = {}, servedInterface }: ReceivedCall,
): readonly HeaderLine[] {
  const { pageSize, totalHeaders } = servedInterface.conventions;
  const perPage = typeof input["per_page"] === "number" && input["per_page"] > 0 ? input["per_page"] : pageSize;
  const page = typeof input["page"] === "number" ? input["page"] : 1;
  const pages = Math.ceil(total / perPage);
  // Writes the path in the letter case of the route, because the path of the request may use a different case.
  const path = match === undefined ? "" : writePath(match.route.path, match.variables);
  const linkTo = (targetPage: number, relation: string) =>
    `<${site.baseUrl}${encodeURI(path)}?${formatQuery(query, input, targetPage)}>; rel="${relation}"`;
  const links = [
    ...(page > 1 ? [linkTo(Math.min(page - 1, Math.max(pages, 1)), "prev")] : []),
    ...(pages > page ? [linkTo(page + 1, "next")] : []),
  ].join(", ");
  const headers: readonly HeaderLine[] = [
    [totalHeaders.items, String(total)],
    [totalHeaders.pages, String(pages)],
  ];
  return links === "" || links.length > servedInterface.limits.urlBytes ? headers : [...headers, ["Link", links]];
}

function writePath(path: readonly PathPiece[], variables: ReadonlyMap<string, string>): string {
  return path
    .map((piece) => {
      if (typeof piece === "string") {
        return piece;
      }
      if ("variable" in piece) {
        return variables.get(piece.variable) ?? "";
      }
      return hasVariable(piece.optional, variables) ? writePath(piece.optional, variables) : "";
    })
    .join("");
}

function hasVariable(path: readonly PathPiece[], variables: ReadonlyMap<string, string>): boolean {
  return listVariables(path).some(({ variable }) => (variables.get(variable) ?? "") !== "");
}

/** Returns the request's query with a different page number. Lists are written with indexes: `include[0]=1`. */
function formatQuery(query: ReadonlyMap<string, JsonValue>, input: RestInput, page: number): string {
  const pairs: string[] = [];
  for (const [name, value] of new Map([...query, ["page", page] as const])) {
    const argument = name !== "page" && Object.hasOwn(input, name) ? input[name] : undefined;
    appendPairs(pairs, name, Array.isArray(argument) ? argument : value);
  }
  return pairs.join("&");
}

function appendPairs(pairs: string[], name: string, value: JsonValue): void {
  if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      appendPairs(pairs, `${name}[${key}]`, item ?? null);
    }
  } else if (value === "") {
    pairs.push(encodeLikePhp(name));
  } else {
    pairs.push(`${encodeLikePhp(name)}=${encodeLikePhp(String(value))}`);
  }
}

/**
 * Encodes a string like PHP's `urlencode`: a space becomes `+`, and all characters except letters, digits and `-_.` are
 * encoded.
 */
function encodeLikePhp(text: string): string {
  return encodeURIComponent(text)
    .replace(/%20/g, "+")
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

const scriptType = "application/javascript; charset=UTF-8";

/** Whether the answer is requested as a script (JSONP), which pages of any origin can run. */
function isScript({ query, servedInterface }: ReceivedCall): boolean {
  return servedInterface.options.jsonp === true && query.has(servedInterface.conventions.parameters.callback);
}

/** Wraps JSON in a call of the function that the request names as its callback. */
function withCallback(json: string, call: ReceivedCall): string {
  const callback = findCallbackName(call);
  if (callback === undefined) {
    return json;
  }
  // Before ES2019, these two characters ended a line in a script, although a JSON string may contain them, so they are
  // escaped.
  const text = json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  // The comment prevents attacks in which the callback's name forms the first bytes of another file type.
  return `/**/${callback}(${text})`;
}
