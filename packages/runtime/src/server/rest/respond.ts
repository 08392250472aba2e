import type { JsonValue } from "../../descriptor.js";
import { isObject } from "../../rest/php-values.js";
import { filterFields } from "../../rest/response-fields.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import type { HeaderLine, ServerAnswer } from "../types.js";
import type { Exchange } from "./exchange.js";
import { answerHeaders } from "./headers.js";
import { isScript, scriptType, withCallback } from "./jsonp.js";
import { pageHeaders } from "./paging.js";

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
