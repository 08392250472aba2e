import type { JsonValue } from "../../descriptor.js";
import { filterFields } from "../../rest/response-fields.js";
import type { RestAnswer } from "../../rest/rest-answer.js";
import { isObject } from "../../rest/values.js";
import type { HeaderLine, ServerAnswer } from "../types.js";
import { type AnswerFacts, answerHeaders } from "./headers.js";
import { pageHeaders } from "./paging.js";

/** What an answer is made from beside what the handler says. */
export interface ResponseFacts extends AnswerFacts {
  /** The address of the route. */
  readonly url: string;
  /** Arguments that speak of the answer, `_fields` and `_envelope`, are among them. */
  readonly query: ReadonlyMap<string, JsonValue>;
  readonly input: Readonly<Record<string, JsonValue>>;
  /** The methods that the caller may use on the route. */
  readonly allow: readonly string[];
  /** Links of an index are kept whatever `_fields` says. */
  readonly keepsLinks: boolean;
}

/** Writes an answer. Throws for a body that JSON cannot carry and for a header that HTTP cannot. */
export function respond(answer: RestAnswer, facts: ResponseFacts): ServerAnswer {
  const own: HeaderLine[] = [
    ...Object.entries(answer.headers),
    ...(answer.total === undefined ? [] : pageHeaders(answer.total, facts)),
  ];
  if (facts.allow.length > 0) own.push(["Allow", facts.allow.join(", ")]);
  for (const [name, value] of own) checkHeader(name, value);
  if (answer.body instanceof Uint8Array) return send(answer.status, own, answer.body, facts);

  const body = answer.status < 400 ? withFields(answer.body, facts) : answer.body;
  if (!facts.query.has("_envelope")) return send(answer.status, own, textOf(body), facts);
  return send(200, [], textOf({ body, status: answer.status, headers: enveloped(own) }), facts);
}

function send(status: number, own: readonly HeaderLine[], body: string | Uint8Array, facts: AnswerFacts): ServerAnswer {
  const bodiless = facts.request.method === "HEAD" || status === 204 || status === 304;
  return { status, headers: answerHeaders(own, facts), body: bodiless ? undefined : body };
}

function textOf(body: JsonValue | undefined): string {
  return JSON.stringify(body) ?? "null";
}

function withFields(body: JsonValue, { query, keepsLinks }: ResponseFacts): JsonValue {
  const fields = query.get("_fields");
  if (fields === undefined) return body;
  const filtered = filterFields(body, fields);
  if (!keepsLinks || !isObject(body) || body["_links"] === undefined) return filtered;
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
