import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@bothends/runtime";
import type { RequiredBehavior } from "./deviations.js";
import type { Call } from "./expected-calls.js";
import type { RecordedCase } from "./recorded-case.js";

/** The reaction of the generated server to a request. */
export interface Outcome {
  /** The handler that the server called, or would have called if the site had permitted the request. */
  readonly call: Call | undefined;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** The required reaction to a request. */
interface RequiredReaction {
  /** The handler that must be called: `GET /wp/v2/project`. null if none may be called. */
  readonly call: string | null;
  readonly input: JsonObject | null;
  readonly answer: RequiredAnswer;
}

interface RequiredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A value if the body is JSON, otherwise a string. */
  readonly body: { readonly json: JsonValue } | { readonly text: string };
}

/** Returns the reaction of the recorded site to a request. `expected` is the call that its handler received. */
export function findRecordedReaction(
  { method, status, headers, json, raw }: RecordedCase,
  expected: Call | undefined,
): RequiredReaction {
  const text = method === "HEAD" ? "" : raw;
  const body = text === undefined ? { json: json ?? null } : { text };
  return {
    call: expected === undefined ? null : getName(expected),
    input: expected?.input ?? null,
    answer: { status, headers: createHeaders(headers), body },
  };
}

/** Returns the required reaction for an accepted deviation. `bodyOf` returns the recorded body of a case. */
export function findAcceptedReaction(
  recordedReaction: RequiredReaction,
  instead: RequiredBehavior,
  bodyOf: (name: string) => JsonValue | undefined,
): RequiredReaction {
  const { call = recordedReaction.call, status, body: ownBody } = instead;
  const input = call === null ? null : (instead.input ?? recordedReaction.input);
  const body = instead.bodyOf === undefined ? ownBody : bodyOf(instead.bodyOf);
  const headers = Object.entries({ ...recordedReaction.answer.headers, ...instead.headers });
  const answer = {
    status: status ?? recordedReaction.answer.status,
    headers: Object.fromEntries(headers.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    body: body === undefined ? recordedReaction.answer.body : { json: body },
  };
  return { call, input, answer };
}

/** Describes the difference between a required reaction and the actual one; undefined if there is none. */
export function judge({ call, input, answer }: RequiredReaction, actual: Outcome): string | undefined {
  const actualCall = { call: actual.call ? getName(actual.call) : null, input: actual.call?.input ?? null };
  const differences = [
    describeDifference("call", call, actualCall.call) ?? describeDifference("input", input, actualCall.input),
    describeDifference("status", answer.status, actual.status),
    findHeaderDifference(answer.headers, createHeaders(actual.headers)),
    findBodyDifference(answer.body, actual.text),
  ].filter((problem) => problem !== undefined);
  return differences.length === 0 ? undefined : differences.join("; ");
}

function getName({ method, route }: Call): string {
  return `${method} ${route}`;
}

function createHeaders(lines: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]));
}

function findHeaderDifference(
  requiredHeaders: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): string | undefined {
  const names = [...new Set([...Object.keys(requiredHeaders), ...Object.keys(actual)])];
  const differences = names.flatMap(
    (name) => describeDifference(name, requiredHeaders[name] ?? null, actual[name] ?? null) ?? [],
  );
  return differences.length === 0 ? undefined : differences.join("; ");
}

function findBodyDifference(requiredBody: RequiredAnswer["body"], text: string): string | undefined {
  return "json" in requiredBody
    ? describeDifference("body", requiredBody.json, parseJson(text))
    : describeDifference("body", requiredBody.text, text);
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function describeDifference(subject: string, expected: unknown, actual: unknown): string | undefined {
  if (isDeepStrictEqual(expected, actual)) {
    return undefined;
  }
  const shortJson = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 300);
  return `${subject} ${shortJson(expected)}, found ${shortJson(actual)}`;
}
