import type { JsonObject, JsonValue } from "@bothends/runtime";
import type { RestContext } from "@bothends/runtime/server";
import { type RecordedCase, replayHost } from "./recorded-case.js";

/** The answer of a handler from which a server makes the recorded answer. */
export interface HandlerAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: JsonValue;
}

/** Removes the envelope, the callback and embedded objects from a recorded answer. */
export function getHandlerAnswer(recordedCase: RecordedCase): HandlerAnswer {
  const { json, raw, status, headers } = recordedCase;
  const query = new URLSearchParams(recordedCase.path.split("?")[1]);
  if (query.has("_envelope") && isObject(json)) {
    const envelopeHeaders = isObject(json["headers"]) ? Object.entries(json["headers"]) : [];
    const lines = envelopeHeaders.map(([name, value]) => [name, String(value)] as const);
    return { status: Number(json["status"]), headers: lines, body: json["body"] ?? null };
  }
  const callback = query.get("_jsonp");
  const isWrapped = callback !== null && raw !== undefined;
  const body = isWrapped ? (JSON.parse(raw.slice(`/**/${callback}(`.length, -1)) as JsonValue) : (json ?? null);
  return { status, headers, body };
}

/** Reads a header of an answer, in any letter case. */
export function findHeader({ headers }: HandlerAnswer, name: string): string | undefined {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** Returns the body of a handler's answer with all members, but without embedded objects. */
export function completeBody(answer: HandlerAnswer, path: string): JsonValue {
  const { body } = answer;
  const fields = [...new URLSearchParams(path.split("?")[1])].flatMap(([name, value]) =>
    /^_fields(?:\[\])?$/.test(name) ? value.split(",") : [],
  );
  const requestedFields = fields.filter((field) => field !== "");
  const isEmptyList = Array.isArray(body) && body.length === 0 && findHeader(answer, "x-wp-total") !== undefined;
  const bodyWithAllFields =
    requestedFields.length === 0 || isEmptyList
      ? body
      : mapItems(body, (item) => withUnrequested(item, requestedFields));
  return mapItems(bodyWithAllFields, withoutEmbedded);
}

function withoutEmbedded(item: JsonValue): JsonValue {
  if (!isObject(item)) {
    return item;
  }
  const { _embedded: _, ...others } = item;
  return others;
}

/**
 * Adds members that the request does not select, also inside members that it selects partly. The server must remove
 * them.
 */
function withUnrequested(item: JsonValue, requestedFields: readonly string[]): JsonValue {
  const partialFields = new Set(
    requestedFields.filter((field) => field.includes(".")).map((field) => field.split(".")[0]),
  );
  // An object without requested members is left out.
  const members = Object.entries(isObject(item) ? item : {}).map(([name, value]): [string, JsonValue] => [
    name,
    partialFields.has(name) && isObject(value) ? { ...value, unasked: true } : (value ?? null),
  ]);
  return { ...Object.fromEntries(members), unasked: true };
}

function mapItems(body: JsonValue, change: (item: JsonValue) => JsonValue): JsonValue {
  return Array.isArray(body) && body.length > 0 ? body.map(change) : change(body);
}

/**
 * Returns the object that the recorded site embedded for a link. The link is identified by the call that the generated
 * server makes for it.
 */
export function findEmbeddedBody(
  recordedCase: RecordedCase,
  { route, params }: RestContext,
  input: JsonObject,
): JsonValue {
  const path = route.replace(/\(\?P<(\w+)>[^)]*\)/g, (_, name: string) => params[name] ?? "");
  const { json } = recordedCase;
  const items: readonly JsonValue[] = Array.isArray(json) ? json : [json ?? null];
  for (const item of items) {
    const links = isObject(item) ? item["_links"] : undefined;
    const embedded = isObject(item) ? item["_embedded"] : undefined;
    for (const [relation, list] of Object.entries(isObject(links) ? links : {})) {
      const position = (Array.isArray(list) ? list : []).findIndex((link) => leadsTo(link, path, input));
      if (position < 0) {
        continue;
      }
      const answers = isObject(embedded) ? embedded[relation] : undefined;
      return Array.isArray(answers) ? (answers[position] ?? null) : [];
    }
  }
  throw new Error(`The recorded site embedded no ${path}.`);
}

function leadsTo(link: JsonValue, path: string, input: JsonObject): boolean {
  const href = isObject(link) && link["embeddable"] === true ? String(link["href"]) : "";
  const [address, query] = href.split("?");
  if (address !== `http://${replayHost}/wp-json${path}` || input["context"] !== "embed") {
    return false;
  }
  return [...new URLSearchParams(query)].every(([name, value]) => String(input[name]) === value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
