import { createInvalidValueError, createWrongTypeError } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";

/** Creates xs:boolean (XSD 1.0 Part 2 §3.2.2), whose literals are `true`, `false`, `1` and `0`. */
export function createBooleanType(): Datatype<boolean> {
  const name = "xs:boolean";
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: { key: (value) => `boolean:${value}` },
    accepts: (text) => /^(?:true|false|[01])$/.test(text),
    read(text) {
      if (text === "true" || text === "1") {
        return true;
      }
      if (text === "false" || text === "0") {
        return false;
      }
      throw createInvalidValueError(text, name);
    },
    write(value: unknown) {
      if (typeof value !== "boolean") {
        throw createWrongTypeError(value, name, "true or false");
      }
      return value ? "true" : "false";
    },
    mayWrite: (value) => typeof value === "boolean",
    literals: "boolean",
  };
}
