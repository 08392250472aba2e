import type { BuiltinTypeName } from "../../xsd-model.js";

/** A point on the time line, or a recurring one put onto it. */
export interface Moment {
  /** In UTC, or in local time without a zone. */
  readonly seconds: number;
  readonly zoned: boolean;
}

const zone = "(Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?";
const year = "(-?(?:[1-9][0-9]{3,}|0[0-9]{3}))";
const month = "(0[1-9]|1[0-2])";
const day = "(0[1-9]|[12][0-9]|3[01])";
const time = "((?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?|24:00:00(?:\\.0+)?)";

interface Form {
  readonly pattern: RegExp;
  readonly parts: readonly ("year" | "month" | "day" | "time")[];
}

/** Part 2 §3.2.7 to §3.2.14. */
const forms: ReadonlyMap<BuiltinTypeName, Form> = new Map<BuiltinTypeName, Form>([
  [
    "dateTime",
    { pattern: new RegExp(`^${year}-${month}-${day}T${time}${zone}$`), parts: ["year", "month", "day", "time"] },
  ],
  ["time", { pattern: new RegExp(`^${time}${zone}$`), parts: ["time"] }],
  ["date", { pattern: new RegExp(`^${year}-${month}-${day}${zone}$`), parts: ["year", "month", "day"] }],
  ["gYearMonth", { pattern: new RegExp(`^${year}-${month}${zone}$`), parts: ["year", "month"] }],
  ["gYear", { pattern: new RegExp(`^${year}${zone}$`), parts: ["year"] }],
  ["gMonthDay", { pattern: new RegExp(`^--${month}-${day}${zone}$`), parts: ["month", "day"] }],
  ["gDay", { pattern: new RegExp(`^---${day}${zone}$`), parts: ["day"] }],
  ["gMonth", { pattern: new RegExp(`^--${month}${zone}$`), parts: ["month"] }],
]);

/** Whether a type's values are moments. */
export function isMomentType(name: BuiltinTypeName): boolean {
  return forms.has(name);
}

/** Undefined for text that is none of the type. */
export function readMoment(name: BuiltinTypeName, text: string): Moment | undefined {
  const form = forms.get(name);
  const match = form?.pattern.exec(text);
  if (form === undefined || match === null || match === undefined) return undefined;
  const part = (which: Form["parts"][number]) => {
    const index = form.parts.indexOf(which);
    return index < 0 ? undefined : match[index + 1];
  };
  // A leap year, so that --02-29 is one of its days.
  const yearText = part("year") ?? "1972";
  const yearNumber = Number(yearText);
  if (yearNumber === 0) return undefined;
  const monthNumber = Number(part("month") ?? "1");
  const dayNumber = Number(part("day") ?? "1");
  if (dayNumber > daysIn(yearNumber, monthNumber)) return undefined;
  const zoneText = match[form.parts.length + 1];
  return {
    seconds:
      days(yearNumber, monthNumber, dayNumber) * 86400 + secondsOf(part("time") ?? "00:00:00") - offset(zoneText),
    zoned: zoneText !== undefined,
  };
}

/** Part 2 §3.2.7.4: undefined where a missing zone leaves the order open. */
export function compareMoments(a: Moment, b: Moment): number | undefined {
  const difference = a.seconds - b.seconds;
  if (a.zoned === b.zoned) return difference;
  return Math.abs(difference) > 14 * 3600 ? difference : undefined;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. There is no year 0 before year 1. */
export function days(yearNumber: number, monthNumber: number, dayNumber: number): number {
  const astronomical = yearNumber < 0 ? yearNumber + 1 : yearNumber;
  const shifted = monthNumber <= 2 ? astronomical - 1 : astronomical;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((monthNumber + 9) % 12) + 2) / 5) + dayNumber - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

function daysIn(yearNumber: number, monthNumber: number): number {
  const [nextYear, nextMonth] = monthNumber === 12 ? [followingYear(yearNumber), 1] : [yearNumber, monthNumber + 1];
  return days(nextYear, nextMonth, 1) - days(yearNumber, monthNumber, 1);
}

function followingYear(yearNumber: number): number {
  return yearNumber === -1 ? 1 : yearNumber + 1;
}

function secondsOf(text: string): number {
  const [hours = "0", minutes = "0", seconds = "0"] = text.split(":");
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function offset(zoneText: string | undefined): number {
  if (zoneText === undefined || zoneText === "Z") return 0;
  const amount = Number(zoneText.slice(1, 3)) * 3600 + Number(zoneText.slice(4, 6)) * 60;
  return zoneText.startsWith("-") ? -amount : amount;
}
