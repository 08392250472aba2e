import { listOf } from "./facets.js";
import { shortened } from "./lexical-error.js";
import { checkedPatternLimits, compilePattern, maxMatchSteps } from "./pattern/index.js";
import { type Datatype, emptyContext, type Facet, isDatatype, type SimpleType } from "./simple-type.js";
import { plainDecimal, significantDigits, trimEndZeros } from "./types/numbers.js";

/**
 * XSD 1.0 Part 2 §4.3.4: the patterns of one derivation step are alternatives. No other facet imports this file, so a program
 * without patterns has neither their automaton nor the other forms of values.
 */
export const pattern: Facet = (facetValue) => {
  const texts = listOf(facetValue).map(String);
  const patterns = texts.map((text) => compilePattern(text, checkedPatternLimits));
  return {
    otherForms,
    problem(_value, text) {
      const results = patterns.map((each) => each.match(text));
      if (results.includes("match")) {
        return undefined;
      }
      const shownPattern = shortened(texts.join(" or "));
      return results.includes("tooManySteps")
        ? `matching it takes more than ${maxMatchSteps} steps of the pattern ${shownPattern}`
        : `it does not match the pattern ${shownPattern}`;
    },
  };
};

/**
 * Other texts of a value besides the one its type writes, for patterns that refuse that one (XSD 1.0 Part 2 §4.3.4). Each
 * position in the sequence is one form, such as two decimals, so that a list can write all items alike; undefined: the form does
 * not apply to the value.
 */
function otherForms(type: SimpleType<unknown>, value: unknown): Iterable<string | undefined> {
  if (!isDatatype(type)) {
    return [];
  }
  if (type.base !== undefined) {
    return formsOfRestriction(type, otherForms(type.base, value), value);
  }
  const { item, memberOf } = type;
  if (item !== undefined && Array.isArray(value)) {
    return formsOfItems(value.map((each) => otherForms(item, each)[Symbol.iterator]()));
  }
  if (memberOf !== undefined) {
    return otherForms(memberOf(value), value);
  }
  return type.literals === undefined ? [] : atomicForms[type.literals](type.write(value, emptyContext), value);
}

function* formsOfRestriction(
  { textChecks = [] }: Datatype<unknown>,
  forms: Iterable<string | undefined>,
  value: unknown,
): Iterable<string | undefined> {
  for (const text of forms) {
    const isValid = text !== undefined && textChecks.every((check) => check.problem(value, text) === undefined);
    yield isValid ? text : undefined;
  }
}

/** The first form of every item, followed by the second of every item, and so on. */
function* formsOfItems(items: readonly Iterator<string | undefined>[]): Iterable<string | undefined> {
  for (;;) {
    const forms = items.map((item) => item.next());
    if (forms.length === 0 || forms.some(({ done }) => done === true)) {
      return;
    }
    yield forms.every(({ value }) => value !== undefined) ? forms.map(({ value }) => value).join(" ") : undefined;
  }
}

type Forms = (text: string, value: unknown) => Iterable<string | undefined>;

const atomicForms: Readonly<Record<NonNullable<Datatype<unknown>["literals"]>, Forms>> = {
  boolean: (text) => [text === "true" ? "1" : "0"],
  hexadecimal: (text) => [text.toLowerCase()],
  integer: (text) => decimalForms(text, 0),
  decimal: (text) => decimalForms(text, mostDigits),
  float: (_text, value) => (typeof value === "number" && Number.isFinite(value) ? floatForms(value) : []),
  dateTime: (text) => dateTimeForms(text),
  date: (text) => [`${text}Z`, `${text}+00:00`, `${text}-00:00`],
};

/** The maximum number of digits before and after the point; every processor supports at least as many (§3.2.3). */
const mostDigits = 18;

/** With trailing zeros, with leading zeros or none before the point, and with a plus sign (§3.2.3.1). */
function* decimalForms(text: string, mostFractionDigits: number): Iterable<string | undefined> {
  const { negative, whole, fraction } = significantDigits(text);
  for (const sign of negative ? ["-"] : ["", "+"]) {
    for (const wholeDigits of [...countTo(mostDigits), 0]) {
      for (const fractionDigits of [0, ...countTo(mostFractionDigits)]) {
        const form = withPoint(whole.padStart(wholeDigits, "0"), fraction.padEnd(fractionDigits, "0"));
        yield form === "" ? undefined : `${sign}${form}`;
      }
    }
  }
}

/** Without an exponent, then with one (§3.2.4.1). */
function* floatForms(value: number): Iterable<string | undefined> {
  yield* decimalForms(plainDecimal(value), mostDigits);
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const { negative, whole, fraction } = significantDigits(mantissa);
  for (const sign of negative ? ["-"] : ["", "+"]) {
    for (const letter of ["E", "e"]) {
      for (const exponentSign of exponent.startsWith("-") ? ["-"] : ["", "+"]) {
        for (const exponentDigits of countTo(3)) {
          const end = `${letter}${exponentSign}${exponent.slice(1).padStart(exponentDigits, "0")}`;
          for (const fractionDigits of [...countTo(mostDigits), 0]) {
            yield `${sign}${withPoint(whole.padStart(1, "0"), fraction.padEnd(fractionDigits, "0"))}${end}`;
          }
        }
      }
    }
  }
}

/** With more decimals, with another notation for UTC, and without a time zone, which a `Date` reads as UTC. */
function* dateTimeForms(text: string): Iterable<string | undefined> {
  const [, seconds = "", decimals = ""] = /^([^.Z]*)(?:\.(\d+))?Z$/.exec(text) ?? [];
  for (const zone of ["Z", "+00:00", "-00:00", ""]) {
    for (const count of [0, ...countTo(9)]) {
      yield `${withPoint(seconds, trimEndZeros(decimals).padEnd(count, "0"))}${zone}`;
    }
  }
}

function withPoint(whole: string, fraction: string): string {
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The numbers from 1 to the given one. */
function countTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
