import { momentOf } from "./date-time.js";
import { canonicalDecimal, compareDecimals, exactDecimal, isDecimal, plainDecimal } from "./decimal.js";
import { LexicalError } from "./lexical-error.js";
import { type LexicalType, refusal, shown } from "./simple-type.js";

/** xs:dateTime or xs:date as a `Date`: a text without time zone is taken as UTC, a `Date` is written in UTC. */
export function dateType(name: "dateTime" | "date"): LexicalType<Date> {
  return {
    kind: "simple",
    name: `xs:${name}`,
    whiteSpace: "collapse",
    traits: {
      key: (value) => `${name}:${value.getTime()}`,
      compare: (left, right) => left.getTime() - right.getTime(),
    },
    read: (text) => readDate(name, text),
    write: (value: unknown) => writeDate(name, value),
  };
}

function readDate(name: "dateTime" | "date", text: string): Date {
  const moment = momentOf(name, text);
  const seconds = Number(moment.seconds);
  const date = new Date(seconds * 1000 + Number(moment.fraction.slice(0, 3).padEnd(3, "0")));
  if (!isWritable(date)) {
    throw new LexicalError(`${shown(text)} is outside the years 1 to 9999 that are read as a Date.`);
  }
  return date;
}

function writeDate(name: "dateTime" | "date", value: unknown): string {
  if (!(value instanceof Date) || !isWritable(value)) {
    throw refusal(value, `xs:${name}`);
  }
  const text = value.toISOString();
  if (name === "dateTime") {
    return text.replace(".000Z", "Z");
  }
  if (!text.endsWith("T00:00:00.000Z")) {
    throw new LexicalError("A Date with a time of day is not an xs:date.");
  }
  return text.slice(0, 10);
}

function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** xs:decimal as a number: what a number does not hold exactly to its shortest text is refused. */
export function numberDecimal(): LexicalType<number> {
  const name = "xs:decimal";
  const exact = (value: number) => exactDecimal(plainDecimal(value));
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    traits: {
      key: (value) => `decimal:${canonicalDecimal(plainDecimal(value))}`,
      compare: (left, right) => compareDecimals(exact(left), exact(right)),
    },
    read(text) {
      if (!isDecimal(text)) {
        throw refusal(text, name);
      }
      const value = Number(text);
      if (!Number.isFinite(value) || canonicalDecimal(plainDecimal(value)) !== canonicalDecimal(text)) {
        throw new LexicalError(`${shown(text)} has more digits than a number holds.`);
      }
      return value === 0 ? 0 : value;
    },
    write(value: unknown) {
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw refusal(value, name);
      }
      return plainDecimal(value);
    },
  };
}
