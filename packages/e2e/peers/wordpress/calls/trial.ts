import { isDeepStrictEqual } from "node:util";
import { RestError } from "@bothends/runtime";

/** A site and its form of address. */
export interface Way {
  readonly over: string;
  readonly siteUrl: string;
  readonly plainPermalinks: boolean;
  /** Application passwords, by user. */
  readonly passwords: { readonly admin: string; readonly subscriber: string };
}

/** Makes calls one after the other and prints a line of JSON for each: `{over, call, milliseconds, problem}`. */
export class Trials {
  readonly #over: string;

  constructor(over: string) {
    this.#over = over;
  }

  /** The call passes if `check` returns, and fails if it throws. */
  async call(name: string, check: () => Promise<void>): Promise<void> {
    const start = performance.now();
    let problem: string | undefined;
    try {
      await check();
    } catch (error) {
      problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    const milliseconds = performance.now() - start;
    process.stdout.write(`${JSON.stringify({ over: this.#over, call: name, milliseconds, problem })}\n`);
  }
}

/** Throws if a value is not the expected one. */
export function same(value: unknown, expected: unknown): void {
  if (isDeepStrictEqual(value, expected)) {
    return;
  }
  throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(value)?.slice(0, 300)}`);
}

/** Throws if a call does not fail with this error of the site. */
export async function fails(call: Promise<unknown>, status: number, code: string): Promise<RestError> {
  const error = await call.then(
    () => new Error("The call did not fail."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RestError)) {
    throw error;
  }
  same([error.status, error.code], [status, code]);
  return error;
}

/** A value inside a JSON value. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** The id of an object of the site. */
export function idOf(value: unknown): number {
  const id = at(value, "id");
  if (typeof id !== "number") {
    throw new Error(`There is no id in ${JSON.stringify(value)}.`);
  }
  return id;
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new Error(`This is not a list: ${JSON.stringify(value)}`);
  }
  return value;
}

/** The address of a site with a user's name and password in it. */
export function signedIn(siteUrl: string, user: string, password: string): string {
  const url = new URL(siteUrl);
  url.username = user;
  url.password = password;
  return url.href.replace(/\/$/, "");
}

/** A picture of one pixel. */
export const png: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
