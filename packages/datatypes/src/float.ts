import { type LexicalType, refusal } from "./simple-type.js";

const lexical = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * xs:float and xs:double (XSD 1.0 Part 2 §3.2.4, §3.2.5). A float stays the number its text says, so that `0.1` is
 * written as `0.1`; it is compared in single precision.
 */
export function floatType(name: "xs:float" | "xs:double"): LexicalType<number> {
  const rounded = name === "xs:float" ? Math.fround : (value: number) => value;
  const primitive = name === "xs:float" ? "float" : "double";
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    traits: {
      // Zero has two signs and one value; NaN equals itself and has no order.
      key: (value) => `${primitive}:${rounded(value) + 0}`,
      compare: (left, right) => compareNumbers(rounded(left), rounded(right)),
    },
    read(text) {
      if (lexical.test(text)) {
        const value = Number(text);
        return Number.isFinite(rounded(value)) ? value : rounded(value);
      }
      switch (text) {
        case "INF":
          return Number.POSITIVE_INFINITY;
        case "-INF":
          return Number.NEGATIVE_INFINITY;
        case "NaN":
          return Number.NaN;
        default:
          throw refusal(text, name);
      }
    },
    write(value: unknown) {
      if (typeof value !== "number" || (Number.isFinite(value) && !Number.isFinite(rounded(value)))) {
        throw refusal(value, name);
      }
      return floatText(value);
    },
  };
}

function floatText(value: number): string {
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? "-0" : String(value);
  }
  return Number.isNaN(value) ? "NaN" : value > 0 ? "INF" : "-INF";
}

function compareNumbers(left: number, right: number): number | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number.isNaN(left) && Number.isNaN(right) ? 0 : undefined;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}
