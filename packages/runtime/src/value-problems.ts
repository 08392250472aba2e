// Separate from `errors.ts`, because clients load these functions only to report a problem with a value.

/** Describes a value of the wrong type in a message, without its content, which may be secret: `an array`. */
export function describeValue(value: unknown): string {
  try {
    return describe(value);
  } catch {
    return "an object that throws when it is read";
  }
}

function describe(value: unknown): string {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "an array";
  }
  if (typeof value === "object") {
    if ("then" in value) {
      return "a promise (await it)";
    }
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    // Bundlers rename classes, so the name of the class is used only if it says more.
    const name = tag === "Object" || tag === "Error" ? value.constructor?.name || "Object" : tag;
    return name === "Object" ? "an object" : `an object of class ${name}`;
  }
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

/** Whether a value is an `Error`, also one of another realm, such as those of `node:vm` and Jest. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** Whether V8 threw an error because a string would be longer than 512 MB, its limit. */
export function isStringTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Invalid string length";
}
