import { didYouMean } from "@bothends/xml/nearest-name";

/** Texts in the messages of errors. */

/** A sentence to append to a message, ` Did you mean "timeout"?`; empty if no known name is similar. */
export function nearest(name: string, known: readonly string[]): string {
  const sentence = didYouMean(name, known);
  return sentence === undefined ? "" : ` ${sentence}`;
}

/** Describes a value of the wrong kind for a message, without its content, which may be secret. */
export function describeValue(value: unknown): string {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "an array";
  }
  if (typeof value === "object") {
    const name = Object.prototype.toString.call(value).slice(8, -1);
    return name === "Object" ? "an object" : `an object of class ${name}`;
  }
  return value === undefined ? "undefined" : `a ${typeof value}`;
}
