import { isName } from "@bothends/xml";
import type { BuiltinTypeName } from "../../xsd-model.js";
import { compareMoments, isMomentType, readMoment } from "./date-time.js";
import { compareDecimals, decimalText, readDecimal } from "./decimal.js";
import { compareDurations, readDuration } from "./duration.js";

/** A value of a primitive type, as far as facets need to know it. */
export interface PrimitiveValue {
  /** Equal for equal values. */
  readonly key: string;
  /** What `length` counts: characters or octets; undefined where nothing is counted. */
  readonly length: number | undefined;
}

/** Reads text, its white space normalised, as a value of a primitive type; undefined where it is none (Part 2 §3.2). */
export function readPrimitive(name: BuiltinTypeName, text: string): PrimitiveValue | undefined {
  switch (name) {
    case "boolean":
      return /^(?:true|false|0|1)$/.test(text) ? value(text === "true" || text === "1" ? "true" : "false") : undefined;
    case "decimal": {
      const decimal = readDecimal(text);
      return decimal && value(decimalText(decimal));
    }
    case "float":
    case "double": {
      const number = readFloat(name, text);
      return number === undefined ? undefined : value(Object.is(number, -0) ? "-0" : String(number));
    }
    case "duration": {
      const duration = readDuration(text);
      return duration && value(`${duration.months} ${duration.seconds}`);
    }
    case "hexBinary":
      return /^(?:[0-9A-Fa-f]{2})*$/.test(text) ? value(text.toUpperCase(), text.length / 2) : undefined;
    case "base64Binary":
      return readBase64(text);
    case "anyURI":
      return /%(?![0-9A-Fa-f]{2})/.test(text) ? undefined : value(text, [...text].length);
    case "QName":
    case "NOTATION":
      return isQName(text) ? value(text) : undefined;
    default:
      if (!isMomentType(name)) return value(text, [...text].length);
      return readMomentValue(name, text);
  }
}

/** The order of two texts of one primitive type; undefined where there is none. */
export function comparePrimitives(name: BuiltinTypeName, a: string, b: string): number | undefined {
  switch (name) {
    case "decimal":
      return both(readDecimal(a), readDecimal(b), compareDecimals);
    case "float":
    case "double":
      return both(readFloat(name, a), readFloat(name, b), compareNumbers);
    case "duration":
      return both(readDuration(a), readDuration(b), compareDurations);
    default:
      return isMomentType(name) ? both(readMoment(name, a), readMoment(name, b), compareMoments) : undefined;
  }
}

/** Whether values of a primitive type have an order, so that bounds make sense. */
export function isOrdered(name: BuiltinTypeName): boolean {
  return name === "decimal" || name === "float" || name === "double" || name === "duration" || isMomentType(name);
}

function value(key: string, length?: number): PrimitiveValue {
  return { key, length };
}

function both<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : compare(a, b);
}

function readFloat(name: "float" | "double", text: string): number | undefined {
  if (text === "INF") return Number.POSITIVE_INFINITY;
  if (text === "-INF") return Number.NEGATIVE_INFINITY;
  if (text === "NaN") return Number.NaN;
  if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?$/.test(text)) return undefined;
  return name === "float" ? Math.fround(Number(text)) : Number(text);
}

/** Part 2 §3.2.4: NaN is greater than everything else. */
function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : a - b;
}

function readMomentValue(name: BuiltinTypeName, text: string): PrimitiveValue | undefined {
  const moment = readMoment(name, text);
  return moment && value(`${moment.seconds} ${moment.zoned}`);
}

function readBase64(text: string): PrimitiveValue | undefined {
  const digits = text.replaceAll(" ", "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits) || digits.length % 4 !== 0) return undefined;
  const padding = digits.endsWith("==") ? 2 : digits.endsWith("=") ? 1 : 0;
  // Part 2 §3.2.16: the digit before the padding has no bits that would be lost.
  if (padding === 2 && !/[AQgw]==$/.test(digits)) return undefined;
  if (padding === 1 && !/[AEIMQUYcgkosw048]=$/.test(digits)) return undefined;
  return value(digits, (digits.length / 4) * 3 - padding);
}

function isQName(text: string): boolean {
  return isName(text) && !text.startsWith(":") && !text.endsWith(":") && text.split(":").length <= 2;
}
