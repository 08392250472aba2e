import { EncodeError } from "../../answer-errors.js";
import type { JsonValue, PathPiece } from "../../descriptor.js";
import { isBytes } from "../../http/bytes.js";
import { type HeaderLine, isHeader } from "../../http/headers.js";
import { formatJson } from "../../http/json-body.js";
import { type EarlyRefusal, omitBody, type ServerAnswer } from "../../http/server-answer.js";
import { reportInvalidRequest } from "../../observe/incidents.js";
import { isJsonObject, toList } from "../../rest/php-json.js";
import { RestAnswer } from "../../rest/rest-answer.js";
import { listVariables } from "../../rest/route-paths.js";
import { describeWrongHeader } from "../error-mistakes.js";
import { createOriginHeaders, extendCorsLine, hasCredentials } from "./permission.js";
import type { ReceivedCall } from "./request.js";
import { findNonce } from "./rest-context.js";
import type { RestInput } from "./service.js";

/** Writes an answer. Throws for a body that is not a JSON value and for a header that HTTP does not allow. */
export function writeAnswer(answer: RestAnswer, call: ReceivedCall, allowedMethods: readonly string[]): ServerAnswer {
  const serverAnswer = writeMessage(answer, call, allowedMethods);
  return answer.status < 400 ? serverAnswer : { ...serverAnswer, faultCode: findErrorCode(answer.body) };
}

/**
 * Writes the refusal of a request that is not read. The header `Link` is left out, because it contains the `Host` of
 * the request, which has not been checked.
 */
export function writeEarlyRefusal({ status, text, headers = [] }: EarlyRefusal, call: ReceivedCall): ServerAnswer {
  const code = earlyCodes[status] ?? call.servedInterface.conventions.errors.serverError.code;
  const commonLines = call.site.commonHeaders
    .filter(([name]) => name !== "Link")
    .map((line) => (call.request.parsedHeaders.origin === undefined ? line : extendCorsLine(line, call)));
  return {
    status,
    headers: [jsonType, ...commonLines, ...headers, ...createOriginHeaders(call)],
    body: JSON.stringify({ code, message: text, data: { status } }),
    faultCode: code,
  };
}

/** The codes of errors for requests that are refused before they are read, by status. WordPress has no such errors. */
const earlyCodes: Readonly<Record<number, string>> = {
  400: "rest_invalid_request",
  408: "rest_request_timeout",
  414: "rest_uri_too_long",
  429: "rest_too_many_requests",
  431: "rest_headers_too_large",
  501: "rest_invalid_request",
  503: "rest_busy",
};

function findErrorCode(body: JsonValue | Uint8Array): string | undefined {
  const code = isBytes(body) || !isJsonObject(body) ? undefined : body["code"];
  return typeof code === "string" ? code : undefined;
}

function writeMessage(answer: RestAnswer, call: ReceivedCall, allowedMethods: readonly string[]): ServerAnswer {
  const headers = listHeaderLines(answer.headers);
  if (answer.total !== undefined) {
    headers.push(...createPageHeaders(answer.total, call));
  }
  for (const [name, value] of headers) {
    checkHeader(name, value, call);
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
  if (isBytes(body)) {
    return createAnswer(status, headers, body, call);
  }
  if (call.query.has(call.servedInterface.conventions.parameters.envelope)) {
    return createJsonAnswer(200, [], formatJson({ body, status, headers: createEnvelopeHeaders(headers) }), call);
  }
  return createJsonAnswer(status, headers, call.servedInterface.index.findText(body) ?? formatJson(body), call);
}

/** Returns the lines of headers: one for each, but several for a list of cookies. */
function listHeaderLines(headers: RestAnswer["headers"]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (Array.isArray(value) && name.toLowerCase() === "set-cookie") {
      lines.push(...value.map((cookie): HeaderLine => [name, cookie]));
    } else {
      // Other lists, and other values from JavaScript, are refused later.
      lines.push([name, value as string]);
    }
  }
  return lines;
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
  const allHeaders = withCommonHeaders(headers, call);
  if (status === 204 || status === 304) {
    return { status, headers: allHeaders, body: undefined };
  }
  const answer: ServerAnswer = { status, headers: allHeaders, body };
  if (call.request.method !== "HEAD") {
    return answer;
  }
  // Only GET embeds the targets of links, so the size of its body is not known.
  const isEmbedding = call.query.has(call.servedInterface.conventions.parameters.embed);
  return isEmbedding ? { ...answer, body: undefined, omittedBody: { length: undefined } } : omitBody(answer);
}

/**
 * Returns the member `headers` of an envelope. As in WordPress, counts are written as numbers, and an empty object as
 * an empty list.
 */
function createEnvelopeHeaders(headers: readonly HeaderLine[]): JsonValue {
  if (headers.length === 0) {
    return [];
  }
  return Object.fromEntries(
    headers.map(([name, value]) => {
      const values = headers.filter((line) => line[0] === name).map((line) => line[1]);
      const isCount = /^X-WP-/i.test(name) && /^\d{1,15}$/.test(value);
      return [name, values.length > 1 ? values : isCount ? Number(value) : value];
    }),
  );
}

/** Throws for a header whose name or value HTTP does not allow. */
function checkHeader(name: string, value: string, { request }: ReceivedCall): void {
  if (!isHeader(name, value)) {
    throw new EncodeError(describeWrongHeader(name, value), { operation: request.record.operation });
  }
}

/** Reduces an answer to the members that `_fields` names. Errors stay unchanged, and an index keeps its links. */
export function withFields(answer: RestAnswer, call: ReceivedCall): RestAnswer {
  const { query, match, servedInterface } = call;
  const { body, status } = answer;
  const fields = query.get(servedInterface.conventions.parameters.fields);
  if (fields === undefined || isBytes(body) || status >= 400) {
    return answer;
  }
  const filteredBody = readMembers(call, () => filterFields(body, fields));
  if (match?.route.isIndex !== true || !isJsonObject(body) || body["_links"] === undefined) {
    return new RestAnswer({ ...answer, body: filteredBody });
  }
  const links = { _links: body["_links"] };
  return new RestAnswer({ ...answer, body: isJsonObject(filteredBody) ? { ...filteredBody, ...links } : links });
}

/** Reads members of an answer. Throws an `EncodeError` if one of its getters throws. */
export function readMembers<T>({ request }: ReceivedCall, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { operation } = request.record;
    throw new EncodeError("Reading a member of the answer threw an exception.", { operation, cause });
  }
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

/**
 * Whether the answer may depend on the user who sent the request. The principal may come from any header, such as an
 * API key. WordPress ignores a cookie without a nonce.
 */
function isPersonal(call: ReceivedCall): boolean {
  const { request, servedInterface } = call;
  if (hasCredentials(request) || findNonce(call) !== undefined || request.record.principal !== undefined) {
    return true;
  }
  return servedInterface.options.cors !== "wordpress" && request.parsedHeaders.hasCookie;
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

/**
 * Returns an error for a JSONP request if JSONP is disabled, or if the callback is not a plain name. Such errors have
 * no `data`. Returns undefined for other requests.
 */
export function findScriptRefusal(call: ReceivedCall): RestAnswer | undefined {
  const { query, servedInterface } = call;
  if (!query.has(servedInterface.conventions.parameters.callback)) {
    return undefined;
  }
  if (servedInterface.options.jsonp !== true) {
    return createScriptRefusal(
      "scriptsDisabled",
      call,
      'The request asks for JSONP, which only the option "jsonp" allows.',
    );
  }
  if (findCallbackName(call) !== undefined) {
    return undefined;
  }
  return createScriptRefusal("invalidCallback", call, "The name of the JSONP callback is not valid.");
}

function createScriptRefusal(
  name: "scriptsDisabled" | "invalidCallback",
  { servedInterface, request, match }: ReceivedCall,
  reason: string,
): RestAnswer {
  reportInvalidRequest(servedInterface.options.onError, { protocol: "rest", route: match?.route.key, reason }, request);
  const { code, message, status } = servedInterface.conventions.errors[name];
  return new RestAnswer({ status, body: { code, message } });
}

/**
 * Returns the name of the JSONP callback; undefined if the name is not valid. As in WordPress, a valid name has only
 * letters, digits, `_` and dots, so that it cannot contain code.
 */
function findCallbackName({ query, servedInterface }: ReceivedCall): string | undefined {
  const name = query.get(servedInterface.conventions.parameters.callback);
  return typeof name === "string" && /^[\w.]+$/.test(name) ? name : undefined;
}
