import type { JsonValue } from "../descriptor.js";

/** Limits of a JSON body. */
export interface JsonLimits {
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonItems: number;
}

/** A body that was refused; `code` and `reason` are those of PHP's `json_decode`. */
export class JsonBodyError extends Error {
  readonly code: number;
  readonly reason: string;
  /** The limit that the body exceeds, if that is the reason. */
  readonly limit: keyof JsonLimits | undefined;
  constructor(code: number, reason: string, limit?: keyof JsonLimits) {
    super(reason);
    this.name = "JsonBodyError";
    this.code = code;
    this.reason = reason;
    this.limit = limit;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a JSON body within limits. Of two members with the same name the last is used. Throws `JsonBodyError`. */
export function readJsonBody(bytes: Uint8Array, limits: JsonLimits): JsonValue {
  const text = decode(bytes);
  checkLimits(text, limits);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw new JsonBodyError(4, "Syntax error");
  }
  if (needsInspection.test(text)) {
    inspect(value);
  }
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonBodyError(5, "Malformed UTF-8 characters, possibly incorrectly encoded");
  }
}

const tooDeep = "Maximum stack depth exceeded";

/** Counts in the text, before `JSON.parse` could build a value that is too large. */
function checkLimits(text: string, limits: JsonLimits): void {
  const inList: boolean[] = [];
  let keys = 0;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x22:
        at = stringEnd(text, at);
        break;
      case 0x5b:
      case 0x7b:
        inList.push(code === 0x5b);
        if (inList.length > limits.jsonDepth) {
          throw new JsonBodyError(1, tooDeep, "jsonDepth");
        }
        if (code === 0x5b && !isEmptyList(text, at)) {
          items += 1;
        }
        if (items > limits.jsonItems) {
          throw new JsonBodyError(1, tooDeep, "jsonItems");
        }
        break;
      case 0x5d:
      case 0x7d:
        inList.pop();
        break;
      case 0x3a:
        keys += 1;
        if (keys > limits.jsonKeys) {
          throw new JsonBodyError(1, tooDeep, "jsonKeys");
        }
        break;
      case 0x2c:
        if (inList.at(-1) === true) {
          items += 1;
        }
        if (items > limits.jsonItems) {
          throw new JsonBodyError(1, tooDeep, "jsonItems");
        }
        break;
    }
  }
}

const emptyList = /\[[ \t\n\r]*\]/y;

function isEmptyList(text: string, at: number): boolean {
  emptyList.lastIndex = at;
  return emptyList.test(text);
}

/** The offset of the quote that ends the string at `start`. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) {
      slashes += 1;
    }
    if (slashes % 2 === 0) {
      return end;
    }
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Matches every text that `inspect` might refuse. */
const needsInspection = /__proto__|constructor|\\u|[eE]\+?\d{2}|(?<!\d)\d{300}/;
const loneSurrogate = /\p{Surrogate}/u;

/** Refuses names that could reach a prototype, infinite numbers, and lone surrogates. */
function inspect(root: JsonValue): void {
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string" && loneSurrogate.test(value)) {
      throw new JsonBodyError(10, "Single unpaired high surrogate in Unicode escape");
    }
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new JsonBodyError(7, "Inf and NaN cannot be JSON encoded");
    }
    if (typeof value !== "object" || value === null) {
      continue;
    }
    for (const [name, member] of Object.entries(value)) {
      if (isForbidden(name, member)) {
        throw new JsonBodyError(9, "The decoded property name is invalid");
      }
      pending.push(name, member ?? null);
    }
  }
}

function isForbidden(name: string, member: JsonValue | undefined): boolean {
  if (name === "__proto__") {
    return true;
  }
  return name === "constructor" && typeof member === "object" && member !== null && Object.hasOwn(member, "prototype");
}
