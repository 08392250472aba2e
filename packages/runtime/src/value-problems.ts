// Separate from `errors.ts`, because clients load these functions only to report a problem with a value.

/** Describes a value of the wrong type in a message, without its content, which may be secret: `an array`. */
export function describeValue(value: unknown): string {
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
    const name = Object.prototype.toString.call(value).slice(8, -1);
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

/** The advice about a `Date` where xs:date or xs:dateTime expects text. */
export const dateAdvice = "Convert a Date with fromDate of @bothends/runtime/values.";

/** Whether a message reports an object, which is probably a `Date`, where xs:date or xs:dateTime expects text. */
export function isAboutDate(message: string): boolean {
  return /an object is not a valid xs:date(?:Time)?: it must be text /.test(message);
}

/** The advice about a value of another type where xs:base64Binary or xs:hexBinary expects bytes. */
export const bytesAdvice =
  'Convert an ArrayBuffer with new Uint8Array(buffer), Base64 text with Buffer.from(text, "base64"), and hexadecimal text with Buffer.from(text, "hex").';

/** Whether a message reports a value of another type where xs:base64Binary or xs:hexBinary expects bytes. */
export function isAboutBytes(message: string): boolean {
  return / is not a valid xs:(?:base64|hex)Binary: it must be a Uint8Array/.test(message);
}
