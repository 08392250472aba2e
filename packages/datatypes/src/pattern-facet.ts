import { getFacetValues } from "./facets.js";
import { shortenText } from "./lexical-error.js";
import { checkedPatternLimits, compilePattern, maxMatchSteps, maxMessageSteps } from "./pattern/index.js";
import type { Datatype, Facet, SimpleType } from "./simple-type.js";
import { findSignificantDigits, formatPlainDecimal, trimEndZeros } from "./types/numbers.js";
import { emptyContext, isDatatype } from "./value-space.js";

/**
 * The facet `pattern` (XSD 1.0 Part 2 §4.3.4). The patterns of one derivation step are alternatives. Only this module
 * imports the automaton, so a program without patterns does not contain it.
 */
export const pattern: Facet = (facetValue) => {
  const texts = getFacetValues(facetValue).map(String);
  const patterns = texts.map((text) => compilePattern(text, checkedPatternLimits));
  return {
    otherForms: listOtherForms,
    problem(_value, text, { patternSteps }) {
      const results = patterns.map((pattern) => pattern.match(text, patternSteps));
      if (results.includes("match")) {
        return undefined;
      }
      const shownPattern = shortenText(texts.join(" or "));
      return results.includes("tooManySteps")
        ? `comparing it with the pattern ${shownPattern} takes too many steps: the maximum is ${maxMatchSteps} for a string, and ${maxMessageSteps} for all strings of a message`
        : `it does not match the pattern ${shownPattern}`;
    },
  };
};

/**
 * Returns alternative forms of a value's text, for a pattern that refuses the text that the type writes (XSD 1.0 Part 2
 * §4.3.4). Each position in the sequence belongs to one form, such as "two decimals", so that a list can write all its
 * items in the same form. An entry is undefined if the value cannot be written in the form of that position.
 */
function listOtherForms(type: SimpleType<unknown>, value: unknown): Iterable<string | undefined> {
  if (!isDatatype(type)) {
    return [];
  }
  if (type.base !== undefined) {
    return listFormsOfRestriction(type, listOtherForms(type.base, value), value);
  }
  const { item, chooseMember: memberOf } = type;
  if (item !== undefined && Array.isArray(value)) {
    return listFormsOfItems(value.map((itemValue) => listOtherForms(item, itemValue)[Symbol.iterator]()));
  }
  if (memberOf !== undefined) {
    return listOtherForms(memberOf(value), value);
  }
  return type.literals === undefined ? [] : atomicForms[type.literals](type.write(value, emptyContext), value);
}

function* listFormsOfRestriction(
  { textChecks = [] }: Datatype<unknown>,
  forms: Iterable<string | undefined>,
  value: unknown,
): Iterable<string | undefined> {
  for (const text of forms) {
    const isValid =
      text !== undefined && textChecks.every((check) => check.problem(value, text, emptyContext) === undefined);
    yield isValid ? text : undefined;
  }
}

/**
 * Yields the forms of a list: first with all items in their first form, then with all items in their second form, and
 * so on.
 */
function* listFormsOfItems(items: readonly Iterator<string | undefined>[]): Iterable<string | undefined> {
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
  integer: (text) => listDecimalForms(text, 0),
  decimal: (text) => listDecimalForms(text, maxTriedDigits),
  float: (_text, value) => (typeof value === "number" && Number.isFinite(value) ? listFloatForms(value) : []),
  dateTime: (text) => listDateTimeForms(text),
  date: (text) => [`${text}Z`, `${text}+00:00`, `${text}-00:00`],
};

/**
 * The maximum number of digits to try before and after the point. Every processor must support this number of digits
 * (§3.2.3).
 */
const maxTriedDigits = 18;

/**
 * Yields alternative forms of a decimal: with trailing zeros, leading zeros, no digit before the point, and a plus sign
 * (§3.2.3.1).
 */
function* listDecimalForms(text: string, maxFractionDigits: number): Iterable<string | undefined> {
  const { negative, integerDigits, fraction } = findSignificantDigits(text);
  for (const sign of negative ? ["-"] : ["", "+"]) {
    for (const wholeDigits of [...listNumbersTo(maxTriedDigits), 0]) {
      for (const fractionDigits of [0, ...listNumbersTo(maxFractionDigits)]) {
        const form = withPoint(integerDigits.padStart(wholeDigits, "0"), fraction.padEnd(fractionDigits, "0"));
        yield form === "" ? undefined : `${sign}${form}`;
      }
    }
  }
}

/** Yields alternative forms of a float: first without an exponent, then with one (§3.2.4.1). */
function* listFloatForms(value: number): Iterable<string | undefined> {
  yield* listDecimalForms(formatPlainDecimal(value), maxTriedDigits);
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const { negative, integerDigits, fraction } = findSignificantDigits(mantissa);
  for (const sign of negative ? ["-"] : ["", "+"]) {
    for (const letter of ["E", "e"]) {
      for (const exponentSign of exponent.startsWith("-") ? ["-"] : ["", "+"]) {
        for (const exponentDigits of listNumbersTo(3)) {
          const exponentText = `${letter}${exponentSign}${exponent.slice(1).padStart(exponentDigits, "0")}`;
          for (const fractionDigits of [...listNumbersTo(maxTriedDigits), 0]) {
            yield `${sign}${withPoint(integerDigits.padStart(1, "0"), fraction.padEnd(fractionDigits, "0"))}${exponentText}`;
          }
        }
      }
    }
  }
}

/**
 * Yields alternative forms of a dateTime: with more decimals, with another notation for UTC, and without a time zone. A
 * dateTime without a time zone is read as UTC.
 */
function* listDateTimeForms(text: string): Iterable<string | undefined> {
  const [, seconds = "", decimals = ""] = /^([^.Z]*)(?:\.(\d+))?Z$/.exec(text) ?? [];
  for (const zone of ["Z", "+00:00", "-00:00", ""]) {
    for (const count of [0, ...listNumbersTo(9)]) {
      yield `${withPoint(seconds, trimEndZeros(decimals).padEnd(count, "0"))}${zone}`;
    }
  }
}

function withPoint(wholePart: string, fraction: string): string {
  return fraction === "" ? wholePart : `${wholePart}.${fraction}`;
}

/** Returns the numbers from 1 to `last`. */
function listNumbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
