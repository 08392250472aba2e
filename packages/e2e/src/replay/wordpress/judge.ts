import { isDeepStrictEqual } from "node:util";
import { reached } from "./probe.js";
import type { RecordedCase } from "./recorded-case.js";

/** What our server answered. */
export interface FoundAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly json: unknown;
}

/** Refusals that follow from the index and the request alone. */
const byIndex = new Set([
  "rest_no_route",
  "rest_missing_callback_param",
  "rest_invalid_param",
  "rest_invalid_json",
  "rest_invalid_namespace",
]);

/** How an answer differs from the recording, as far as an index can tell; undefined: not at all. */
export function judge(recorded: RecordedCase, found: FoundAnswer): string | undefined {
  if (recorded.method === "OPTIONS") return bodyDifference(withoutSchema(recorded.json), found.json);
  if (recorded.method === "HEAD") return headDifference(recorded, found);
  if (!isIndexAnswer(found) && !isByIndex(recorded)) {
    return wasReached(found) ? undefined : `not refused by the index, found ${JSON.stringify(found.json)}`;
  }
  const status = statusDifference(recorded.status, found.status);
  if (status !== undefined) return status;
  const [wanted, got] = isIndexAnswer(found)
    ? [withoutLinks(recorded.json), withoutLinks(found.json)]
    : [recorded.json, found.json];
  return headerDifference(recorded, found) ?? bodyDifference(wanted, got);
}

/** A HEAD request tells no more than a status: of an index, of a refusal, or that a handler was reached. */
function headDifference(recorded: RecordedCase, found: FoundAnswer): string | undefined {
  return recorded.status !== 400 && found.status === reached
    ? undefined
    : statusDifference(recorded.status, found.status);
}

/** `_envelope` puts the status into the body. */
function wasReached({ status, json }: FoundAnswer): boolean {
  return status === reached || (status === 200 && memberOf(json, "status") === reached);
}

function isByIndex({ json }: RecordedCase): boolean {
  const code = memberOf(json, "code");
  return typeof code === "string" && byIndex.has(code);
}

function isIndexAnswer({ status, json }: FoundAnswer): boolean {
  return (
    status === 200 &&
    memberOf(json, "status") === undefined &&
    (memberOf(json, "routes") !== undefined || memberOf(json, "_links") !== undefined)
  );
}

function statusDifference(wanted: number, found: number): string | undefined {
  return wanted === found ? undefined : `status ${wanted}, found ${found}`;
}

/** Headers that every answer has; those of the caller's rights are not the index's. */
const compared = new Set([
  "content-type",
  "x-robots-tag",
  "link",
  "x-content-type-options",
  "access-control-expose-headers",
  "access-control-allow-headers",
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-credentials",
  "vary",
]);

function headerDifference(recorded: RecordedCase, found: FoundAnswer): string | undefined {
  const wanted = headersOf(recorded.headers);
  const got = headersOf(found.headers);
  return isDeepStrictEqual(wanted, got) ? undefined : `headers ${JSON.stringify(wanted)}, found ${JSON.stringify(got)}`;
}

function headersOf(lines: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const kept = lines.filter(([name]) => compared.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value]).sort());
}

function bodyDifference(wanted: unknown, found: unknown): string | undefined {
  return isDeepStrictEqual(wanted, found)
    ? undefined
    : `body ${JSON.stringify(wanted).slice(0, 400)}, found ${JSON.stringify(found).slice(0, 400)}`;
}

/** OPTIONS also tells the schema of answers, which an index does not. */
function withoutSchema(json: unknown): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== "schema"));
}

/** Which links an index has depends on the caller, or on what was found in it. */
function withoutLinks(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== "_links"));
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? Reflect.get(json, name) : undefined;
}
