import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@bothends/runtime";
import type { Instead } from "./deviations.js";
import type { Call } from "./expected-calls.js";
import type { RecordedCase } from "./recorded-case.js";

/** The reaction of our server to a request. */
export interface Outcome {
  /** The handler that it called, or would have called if the site had not refused. */
  readonly call: Call | undefined;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** The required reaction to a request. */
interface Wanted {
  /** `GET /wp/v2/project`; null: no handler is called. */
  readonly call: string | null;
  readonly input: JsonObject | null;
  readonly answer: WantedAnswer;
}

interface WantedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A value if the body is JSON, otherwise a text. */
  readonly body: { readonly json: JsonValue } | { readonly text: string };
}

/** The reaction of the recorded site. `expected` is the input of its handler. */
export function recordedAs({ method, status, headers, json, raw }: RecordedCase, expected: Call | undefined): Wanted {
  const text = method === "HEAD" ? "" : raw;
  const body = text === undefined ? { json: json ?? null } : { text };
  return {
    call: expected === undefined ? null : nameOf(expected),
    input: expected?.input ?? null,
    answer: { status, headers: headersOf(headers), body },
  };
}

/** The required reaction for an accepted deviation. `bodyOf` finds the recorded body of a case. */
export function deviating(recorded: Wanted, instead: Instead, bodyOf: (name: string) => JsonValue | undefined): Wanted {
  const { call = recorded.call, status, body: ownBody } = instead;
  const input = call === null ? null : (instead.input ?? recorded.input);
  const body = instead.bodyOf === undefined ? ownBody : bodyOf(instead.bodyOf);
  const headers = Object.entries({ ...recorded.answer.headers, ...instead.headers });
  const answer = {
    status: status ?? recorded.answer.status,
    headers: Object.fromEntries(headers.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    body: body === undefined ? recorded.answer.body : { json: body },
  };
  return { call, input, answer };
}

/** The difference between an outcome and the required one; undefined if there is none. */
export function judge({ call, input, answer }: Wanted, found: Outcome): string | undefined {
  const got = { call: found.call ? nameOf(found.call) : null, input: found.call?.input ?? null };
  const differences = [
    difference("call", call, got.call) ?? difference("input", input, got.input),
    difference("status", answer.status, found.status),
    headerDifference(answer.headers, headersOf(found.headers)),
    bodyDifference(answer.body, found.text),
  ].filter((each) => each !== undefined);
  return differences.length === 0 ? undefined : differences.join("; ");
}

function nameOf({ method, route }: Call): string {
  return `${method} ${route}`;
}

function headersOf(lines: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]));
}

function headerDifference(
  wanted: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): string | undefined {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  const differences = names.flatMap((name) => difference(name, wanted[name] ?? null, found[name] ?? null) ?? []);
  return differences.length === 0 ? undefined : differences.join("; ");
}

function bodyDifference(wanted: WantedAnswer["body"], text: string): string | undefined {
  return "json" in wanted ? difference("body", wanted.json, jsonOf(text)) : difference("body", wanted.text, text);
}

function jsonOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function difference(subject: string, wanted: unknown, found: unknown): string | undefined {
  if (isDeepStrictEqual(wanted, found)) {
    return undefined;
  }
  const short = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 300);
  return `${subject} ${short(wanted)}, found ${short(found)}`;
}
