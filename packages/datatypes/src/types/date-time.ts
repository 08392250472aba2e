// Dates, times and durations (XSD 1.0 Part 2 §3.2.6 to §3.2.14).
import { createInvalidValueError, createWrongTypeError } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";
import {
  addDecimals,
  compareDecimals,
  type ExactDecimal,
  parseExactDecimal,
  toCanonicalDecimal,
  trimEndZeros,
} from "./numbers.js";
import { createTextType, requireForm } from "./text.js";

const yearPattern = "(?<sign>-?)(?<year>[0-9]{4,4096})";
const monthPattern = "(?<month>[0-9]{2})";
const dayPattern = "(?<day>[0-9]{2})";
const timeOfDayPattern = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})(?:\\.(?<fraction>[0-9]+))?";
const zonePattern = "(?<zone>Z|[+-][0-9]{2}:[0-9]{2})?";

/** The lexical form of a date or time type. */
export interface DateTimeForm<Name extends string = string> {
  readonly name: Name;
  /** Text of this form, for messages. */
  readonly example: string;
  /** Compiles the regular expression on its first call, because few programs need the expressions of all types. */
  readonly getPattern: () => RegExp;
}

function createForm<Name extends string>(name: Name, example: string, getText: () => string): DateTimeForm<Name> {
  let pattern: RegExp | undefined;
  return {
    name,
    example,
    getPattern: () => {
      pattern ??= new RegExp(`^${getText()}${zonePattern}$`);
      return pattern;
    },
  };
}

// The lexical forms in XSD 1.0 Part 2 §3.2.7 to §3.2.14. They are separate constants with functions, so that a
// program contains only the forms of its types.
export const dateTimeForm = /* @__PURE__ */ createForm(
  "dateTime",
  "2026-01-31T12:00:00Z",
  () => `${yearPattern}-${monthPattern}-${dayPattern}T${timeOfDayPattern}`,
);
export const dateForm = /* @__PURE__ */ createForm(
  "date",
  "2026-01-31",
  () => `${yearPattern}-${monthPattern}-${dayPattern}`,
);
export const timeForm = /* @__PURE__ */ createForm("time", "12:00:00", () => timeOfDayPattern);
export const gYearMonthForm = /* @__PURE__ */ createForm(
  "gYearMonth",
  "2026-01",
  () => `${yearPattern}-${monthPattern}`,
);
export const gYearForm = /* @__PURE__ */ createForm("gYear", "2026", () => yearPattern);
export const gMonthDayForm = /* @__PURE__ */ createForm(
  "gMonthDay",
  "--01-31",
  () => `--${monthPattern}-${dayPattern}`,
);
export const gDayForm = /* @__PURE__ */ createForm("gDay", "---31", () => `---${dayPattern}`);
export const gMonthForm = /* @__PURE__ */ createForm("gMonth", "--01", () => `--${monthPattern}`);

/**
 * Creates a date or time type whose values are strings: a `Date` would lose the time zone and all but three decimals.
 */
export function createDateTimeType(form: DateTimeForm): Datatype<string> {
  const { name } = form;
  const type = createTextType({
    name: `xs:${name}`,
    whiteSpace: "collapse",
    accepts: (text) => readDateTimeFields(form, text) !== undefined,
    reason: requireForm(form.example),
    valueSpace: {
      key: (value) => `${name}:${formatMomentKey(parseMoment(form, value))}`,
      compare: (left, right) => compareMoments(parseMoment(form, left), parseMoment(form, right)),
    },
  });
  return {
    ...type,
    write(value: unknown, context) {
      if (value instanceof Date && name.startsWith("date")) {
        const advice = isInvalid(value)
          ? `, and ${invalidDate}`
          : ". Convert a Date with fromDate of @bothends/runtime/values";
        throw createInvalidValueError(value, type.name, requireForm(form.example) + advice);
      }
      return type.write(value as string, context);
    },
  };
}

/** Describes a `Date` that was created from text or numbers that are not a date. Its time is NaN. */
const invalidDate = "the Date is not valid (Invalid Date)";

function isInvalid(date: Date): boolean {
  return Number.isNaN(date.getTime());
}

/** Reads the point in time that a string represents. */
function parseMoment(form: DateTimeForm, text: string): Moment {
  const fields = readDateTimeFields(form, text);
  if (fields === undefined) {
    throw createInvalidValueError(text, `xs:${form.name}`, requireForm(form.example));
  }
  return toMoment(form, fields);
}

/**
 * The fields of a date or time. Fields that the type does not have get the values of 1972-01-01, because 1972 is a leap
 * year.
 */
interface DateTimeFields {
  readonly negative: boolean;
  readonly yearDigits: string;
  readonly month: number;
  readonly day: number;
  /** Seconds since the start of the local day; 86,400 is midnight at the end of the day. */
  readonly secondOfDay: number;
  readonly fraction: string;
  /** The time zone's offset east of UTC, in seconds; undefined without a time zone. */
  readonly offset: number | undefined;
}

function readDateTimeFields({ getPattern }: DateTimeForm, text: string): DateTimeFields | undefined {
  const groups = getPattern().exec(text)?.groups;
  if (groups === undefined) {
    return undefined;
  }
  const yearDigits = groups["year"] ?? "1972";
  const second = computeSecondOfDay(groups);
  const offset = computeOffsetSeconds(groups);
  const fields: DateTimeFields = {
    negative: groups["sign"] === "-",
    yearDigits,
    month: Number(groups["month"] ?? "1"),
    day: Number(groups["day"] ?? "1"),
    secondOfDay: second ?? 0,
    fraction: trimEndZeros(groups["fraction"] ?? ""),
    offset: offset ?? undefined,
  };
  return second !== undefined && offset !== null && isRealDate(fields) ? fields : undefined;
}

// Whether the date exists. XSD 1.0 Part 2 §3.2.7.1: the year 0000 is not allowed, and a year of more than four digits
// must not begin with a zero.
function isRealDate(fields: DateTimeFields): boolean {
  const { yearDigits, negative, month, day } = fields;
  if (yearDigits === "0000" || (yearDigits.length > 4 && yearDigits.startsWith("0"))) {
    return false;
  }
  return month >= 1 && month <= 12 && day >= 1 && day <= countDaysInMonth({ digits: yearDigits, negative }, month);
}

type PatternGroups = Readonly<Record<string, string | undefined>>;

function computeSecondOfDay(groups: PatternGroups): number | undefined {
  if (groups["hour"] === undefined) {
    return 0;
  }
  const hour = Number(groups["hour"]);
  const minute = Number(groups["minute"]);
  const second = Number(groups["second"]);
  if (hour === 24) {
    return minute === 0 && second === 0 && !/[1-9]/.test(groups["fraction"] ?? "") ? 86_400 : undefined;
  }
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : undefined;
}

/**
 * Returns the time zone's offset in seconds, undefined if there is no time zone, and null if the time zone is invalid.
 */
function computeOffsetSeconds(groups: PatternGroups): number | undefined | null {
  const zone = groups["zone"];
  if (zone === undefined) {
    return undefined;
  }
  // `Z` has no digits, and the number of an empty string is 0.
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) {
    return null;
  }
  const seconds = hours * 3600 + minutes * 60;
  return zone.startsWith("-") ? -seconds : seconds;
}

function toMoment({ name }: DateTimeForm, fields: DateTimeFields): Moment {
  const year = BigInt(fields.yearDigits);
  // §3.2.7: -0001 is the year before 0001.
  const days = countDaysSinceEpoch(fields.negative ? 1n - year : year, fields.month, fields.day);
  // 24:00:00 is the start of the next day. As an xs:time, 24:00:00 equals 00:00:00.
  const second = name === "time" ? fields.secondOfDay % 86_400 : fields.secondOfDay;
  return {
    seconds: days * 86_400n + BigInt(second - (fields.offset ?? 0)),
    fraction: fields.fraction,
    hasZone: fields.offset !== undefined,
  };
}

/** A point in time with or without a time zone (§3.2.7). */
interface Moment {
  /** Whole seconds since 1970, in UTC or in local time. */
  readonly seconds: bigint;
  /** The digits of the fraction, without trailing zeros. */
  readonly fraction: string;
  readonly hasZone: boolean;
}

const fourteenHours = 50_400n;

/**
 * Compares two moments. A moment with a time zone and one without are ordered only if they are more than 14 hours apart
 * (§3.2.7.4).
 */
function compareMoments(left: Moment, right: Moment): number | undefined {
  if (left.hasZone === right.hasZone) {
    return compareInstants(left, right);
  }
  if (left.hasZone) {
    const earliestMoment = { ...right, seconds: right.seconds - fourteenHours };
    const latestMoment = { ...right, seconds: right.seconds + fourteenHours };
    return compareInstants(left, earliestMoment) < 0 ? -1 : compareInstants(left, latestMoment) > 0 ? 1 : undefined;
  }
  const reversedOrder = compareMoments(right, left);
  return reversedOrder === undefined ? undefined : -reversedOrder;
}

function compareInstants(left: Moment, right: Moment): number {
  if (left.seconds !== right.seconds) {
    return left.seconds < right.seconds ? -1 : 1;
  }
  return left.fraction < right.fraction ? -1 : left.fraction > right.fraction ? 1 : 0;
}

/** Formats a key that is the same for equal moments. A moment with a time zone never equals a moment without one. */
function formatMomentKey(moment: Moment): string {
  return `${moment.seconds}.${moment.fraction}${moment.hasZone ? "Z" : ""}`;
}

/**
 * Creates xs:dateTime or xs:date with `Date` values. A dateTime without a time zone is read as UTC. A date becomes
 * midnight UTC of the same calendar day, whatever its time zone, so that no day shifts. A `Date` is written in UTC.
 */
export function createDateType(form: DateTimeForm<"dateTime" | "date">): Datatype<Date> {
  const { name } = form;
  return {
    kind: "simple",
    name: `xs:${name}`,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `${name}:${value.getTime()}`,
      compare: (left, right) => left.getTime() - right.getTime(),
    },
    accepts: (text) => readDateTimeFields(form, text) !== undefined,
    read: (text) => readDate(form, text),
    write: (value: unknown) => writeDate(name, value),
    mayWrite: (value) =>
      value instanceof Date && isInSupportedYear(value) && (name === "dateTime" || value.getTime() % 86_400_000 === 0),
    literals: name,
  };
}

function readDate(form: DateTimeForm, text: string): Date {
  const { name } = form;
  const moment = parseMoment(form, name === "date" ? text.replace(/(?:Z|[+-]\d\d:\d\d)$/, "") : text);
  const seconds = Number(moment.seconds);
  const date = new Date(seconds * 1000 + Number(moment.fraction.slice(0, 3).padEnd(3, "0")));
  if (!isInSupportedYear(date)) {
    throw createInvalidValueError(text, `xs:${name}`, "a Date must be in the years 1 to 9999");
  }
  return date;
}

function writeDate(name: "dateTime" | "date", value: unknown): string {
  if (!(value instanceof Date)) {
    throw createWrongTypeError(value, `xs:${name}`, "a Date");
  }
  if (!isInSupportedYear(value)) {
    const isInvalid = Number.isNaN(value.getTime());
    throw createInvalidValueError(
      value,
      `xs:${name}`,
      isInvalid ? invalidDate : "a Date must be in the years 1 to 9999",
    );
  }
  const text = value.toISOString();
  if (name === "dateTime") {
    return text.replace(".000Z", "Z");
  }
  if (!text.endsWith("T00:00:00.000Z")) {
    throw createInvalidValueError(value, "xs:date", "the Date must be midnight in UTC");
  }
  return text.slice(0, 10);
}

function isInSupportedYear(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Returns the days since 1970-01-01 in the proleptic Gregorian calendar, in which year 0 is the year before year 1. */
function countDaysSinceEpoch(year: bigint, month: number, day: number): bigint {
  // Counts years from March to February, so that the leap day is the last day of a year.
  const yearFromMarch = month > 2 ? year : year - 1n;
  const era = divideAndFloor(yearFromMarch, 400n);
  const yearOfEra = yearFromMarch - era * 400n;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + BigInt(dayOfYear);
  return era * 146097n + dayOfEra - 719468n;
}

/** Rounds towards negative infinity, as the `fQuotient` of XSD 1.0 Part 2 Appendix E does. */
function divideAndFloor(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Returns the number of days in a month. The year is passed as its digits and its sign, as written. */
function countDaysInMonth(year: { readonly digits: string; readonly negative: boolean }, month: number): number {
  if (month === 2) {
    return isLeapYear(year) ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// Only the last four digits matter, because 10,000 is a multiple of 400. There is no year 0: the year before 0001 is
// -0001, which is a leap year (XSD 1.0 Part 2 §3.2.7).
function isLeapYear({ digits, negative }: { readonly digits: string; readonly negative: boolean }): boolean {
  const lastDigits = Number(digits.slice(-4));
  const year = negative ? 10_001 - lastDigits : lastDigits;
  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
}

/** A duration (XSD 1.0 Part 2 §3.2.6). Months and seconds are separate, because the length of a month varies. */
interface Duration {
  readonly months: bigint;
  readonly seconds: ExactDecimal;
}

const durationForm =
  /^(-?)P(?=[0-9T])(?:([0-9]{1,1024})Y)?(?:([0-9]{1,1024})M)?(?:([0-9]{1,1024})D)?(?:T(?=[0-9])(?:([0-9]{1,1024})H)?(?:([0-9]{1,1024})M)?(?:([0-9]{1,1024}(?:\.[0-9]{1,1024})?)S)?)?$/;

/** Creates xs:duration, whose values are strings. */
export function createDurationType(): Datatype<string> {
  return createTextType({
    name: "xs:duration",
    whiteSpace: "collapse",
    accepts: (text) => durationForm.test(text),
    reason: requireForm("P1DT12H"),
    valueSpace: {
      key: formatDurationKey,
      compare: (left, right) => compareDurations(readDuration(left), readDuration(right)),
    },
  });
}

function readDuration(text: string): Duration {
  const [, sign, years, months, days, hours, minutes, seconds] = durationForm.exec(text) ?? [];
  const wholeSeconds =
    parseOptionalBigInt(days) * 86_400n + parseOptionalBigInt(hours) * 3600n + parseOptionalBigInt(minutes) * 60n;
  const totalSeconds = addDecimals({ coefficient: wholeSeconds, scale: 0 }, parseExactDecimal(seconds ?? "0"));
  const direction = sign === "-" ? -1n : 1n;
  return {
    months: (parseOptionalBigInt(years) * 12n + parseOptionalBigInt(months)) * direction,
    seconds: { coefficient: totalSeconds.coefficient * direction, scale: totalSeconds.scale },
  };
}

function parseOptionalBigInt(digits: string | undefined): bigint {
  return digits === undefined ? 0n : BigInt(digits);
}

function formatDurationKey(text: string): string {
  const { months, seconds } = readDuration(text);
  const digits = seconds.coefficient
    .toString()
    .replace("-", "")
    .padStart(seconds.scale + 1, "0");
  const point = digits.length - seconds.scale;
  const sign = seconds.coefficient < 0n ? "-" : "";
  return `duration:${months}:${toCanonicalDecimal(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`)}`;
}

// §3.2.6.2: two durations are ordered only if adding them to each of these dates gives the same order.
const referenceDates = [
  { year: 1696n, month: 9 },
  { year: 1697n, month: 2 },
  { year: 1903n, month: 3 },
  { year: 1903n, month: 7 },
] as const;

function compareDurations(left: Duration, right: Duration): number | undefined {
  const orders = referenceDates.map((reference) =>
    compareDecimals(computeEndInSeconds(left, reference), computeEndInSeconds(right, reference)),
  );
  const [firstOrder] = orders;
  return orders.every((order) => order === firstOrder) ? firstOrder : undefined;
}

function computeEndInSeconds(
  { months, seconds }: Duration,
  reference: { readonly year: bigint; readonly month: number },
): ExactDecimal {
  const totalMonths = reference.year * 12n + BigInt(reference.month - 1) + months;
  const year = divideAndFloor(totalMonths, 12n);
  const days = countDaysSinceEpoch(year, Number(totalMonths - year * 12n) + 1, 1);
  return addDecimals({ coefficient: days * 86_400n, scale: 0 }, seconds);
}
