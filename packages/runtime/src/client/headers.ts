import { ConfigError } from "../errors.js";

/** Headers by name, ignoring case. */
export type HeaderOptions = Readonly<Record<string, string | undefined>>;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 §5.5: visible characters, spaces and tabs, and bytes above ASCII. No CR, no LF. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers about the connection and the body, which the transport writes. */
const reserved: ReadonlySet<string> = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "te",
  "trailer",
]);

/** Merges headers. If two have the same name, ignoring case, the later one wins. */
export function mergeHeaders(
  base: Readonly<Record<string, string>>,
  ...more: readonly (HeaderOptions | undefined)[]
): Readonly<Record<string, string>> {
  if (more.every((headers) => headers === undefined)) {
    return base;
  }
  const merged = new Map<string, readonly [string, string]>();
  for (const headers of [base, ...more]) {
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (value !== undefined) {
        merged.set(name.toLowerCase(), [name, value]);
      }
    }
  }
  return Object.fromEntries(merged.values());
}

/** Frozen headers that have been checked: those of a protocol are the same object in each call. */
const checked = new WeakSet<object>();

/** Refuses headers that HTTP does not allow, before anything is sent. */
export function checkHeaders(headers: Readonly<Record<string, unknown>>): void {
  if (checked.has(headers)) {
    return;
  }
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (!token.test(name) || name === "__proto__") {
      throw new ConfigError(`${JSON.stringify(name)} is not a valid header name.`);
    }
    if (reserved.has(name.toLowerCase())) {
      throw new ConfigError(`The header ${name} is written by the transport and cannot be set.`);
    }
    if (typeof value !== "string" || !fieldValue.test(value)) {
      throw new ConfigError(
        `The value of the header ${name} contains line breaks, control characters or characters outside Latin-1.`,
      );
    }
  }
  if (Object.isFrozen(headers)) {
    checked.add(headers);
  }
}
