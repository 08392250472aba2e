import { type LexicalType, refusal } from "./simple-type.js";

/** xs:boolean (XSD 1.0 Part 2 §3.2.2): `true`, `false`, `1`, `0`. */
export function booleanType(): LexicalType<boolean> {
  return {
    kind: "simple",
    name: "xs:boolean",
    whiteSpace: "collapse",
    traits: { key: (value) => `boolean:${value}` },
    read(text) {
      if (text === "true" || text === "1") {
        return true;
      }
      if (text === "false" || text === "0") {
        return false;
      }
      throw refusal(text, "xs:boolean");
    },
    write(value: unknown) {
      if (typeof value !== "boolean") {
        throw refusal(value, "xs:boolean");
      }
      return value ? "true" : "false";
    },
  };
}
