import { invalidValue, wrongTypeError } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";

/** Creates xs:boolean (XSD 1.0 Part 2 §3.2.2), whose texts are `true`, `false`, `1` and `0`. */
export function booleanType(): Datatype<boolean> {
  const name = "xs:boolean";
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: { key: (value) => `boolean:${value}` },
    read(text) {
      if (text === "true" || text === "1") {
        return true;
      }
      if (text === "false" || text === "0") {
        return false;
      }
      throw invalidValue(text, name);
    },
    write(value: unknown) {
      if (typeof value !== "boolean") {
        throw wrongTypeError(value, name, "true or false");
      }
      return value ? "true" : "false";
    },
    literals: "boolean",
  };
}
