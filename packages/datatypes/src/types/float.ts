import { invalid, wrongType } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";

const lexical = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * xs:float and xs:double (XSD 1.0 Part 2 §3.2.4, §3.2.5). A float keeps the number of its text, so that `0.1` is written
 * as `0.1`; it is compared in single precision.
 */
export function floatType(name: "xs:float" | "xs:double"): Datatype<number> {
  const rounded = name === "xs:float" ? Math.fround : (value: number) => value;
  const primitive = name === "xs:float" ? "float" : "double";
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      // §3.2.4: there is only one zero. Adding 0 removes the sign of -0.
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
          throw invalid(text, name);
      }
    },
    write(value: unknown) {
      if (typeof value !== "number") {
        throw wrongType(value, name, "a number");
      }
      if (Number.isFinite(value) && !Number.isFinite(rounded(value))) {
        throw invalid(value, name, "it is outside the range");
      }
      return floatText(value);
    },
    literals: "float",
  };
}

function floatText(value: number): string {
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? "-0" : String(value);
  }
  return Number.isNaN(value) ? "NaN" : value > 0 ? "INF" : "-INF";
}

// §3.2.4: NaN equals itself and is incomparable with every other value.
function compareNumbers(left: number, right: number): number | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number.isNaN(left) && Number.isNaN(right) ? 0 : undefined;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}
