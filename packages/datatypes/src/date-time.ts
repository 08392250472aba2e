import { compareMoments, daysInMonth, daysSinceEpoch, type Moment, momentKey } from "./calendar.js";
import { trimEndZeros } from "./decimal.js";
import { type LexicalType, refusal } from "./simple-type.js";
import { textType } from "./text.js";

export type DateTimeName = "dateTime" | "date" | "time" | "gYearMonth" | "gYear" | "gMonthDay" | "gDay" | "gMonth";

const year = "(?<sign>-?)(?<year>[0-9]{4,4096})";
const month = "(?<month>[0-9]{2})";
const day = "(?<day>[0-9]{2})";
const clock = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})(?:\\.(?<fraction>[0-9]+))?";
const zone = "(?<zone>Z|(?<zoneSign>[+-])(?<zoneHour>[0-9]{2}):(?<zoneMinute>[0-9]{2}))?";

function form(text: string): RegExp {
  return new RegExp(`^${text}${zone}$`);
}

// XSD 1.0 Part 2 §3.2.7 to §3.2.14.
const forms: Readonly<Record<DateTimeName, RegExp>> = {
  dateTime: /* @__PURE__ */ form(`${year}-${month}-${day}T${clock}`),
  date: /* @__PURE__ */ form(`${year}-${month}-${day}`),
  time: /* @__PURE__ */ form(clock),
  gYearMonth: /* @__PURE__ */ form(`${year}-${month}`),
  gYear: /* @__PURE__ */ form(year),
  gMonthDay: /* @__PURE__ */ form(`--${month}-${day}`),
  gDay: /* @__PURE__ */ form(`---${day}`),
  gMonth: /* @__PURE__ */ form(`--${month}`),
};

/** One of the date and time types; its value is its text, checked and unchanged. */
export function dateTimeType(name: DateTimeName): LexicalType<string> {
  return textType({
    name: `xs:${name}`,
    whiteSpace: "collapse",
    accepts: (text) => readMoment(name, text) !== undefined,
    traits: {
      key: (value) => `${name}:${momentKey(momentOf(name, value))}`,
      compare: (left, right) => compareMoments(momentOf(name, left), momentOf(name, right)),
    },
  });
}

/** The moment that a text of the type names. */
export function momentOf(name: DateTimeName, text: string): Moment {
  const fields = readMoment(name, text);
  if (fields === undefined) {
    throw refusal(text, `xs:${name}`);
  }
  return toMoment(name, fields);
}

/** The fields of a text, what is absent filled in; undefined where it is not of the type. */
interface DateTimeFields {
  readonly negative: boolean;
  readonly yearDigits: string;
  readonly month: number;
  readonly day: number;
  /** Of the local day; 86,400 is midnight at its end. */
  readonly second: number;
  readonly fraction: string;
  /** In seconds east of UTC. */
  readonly offset: number | undefined;
}

function readMoment(name: DateTimeName, text: string): DateTimeFields | undefined {
  const groups = forms[name].exec(text)?.groups;
  if (groups === undefined) {
    return undefined;
  }
  const yearDigits = groups["year"] ?? "1972";
  const second = secondOfDay(groups);
  const offset = offsetSeconds(groups);
  const fields: DateTimeFields = {
    negative: groups["sign"] === "-",
    yearDigits,
    month: Number(groups["month"] ?? "1"),
    day: Number(groups["day"] ?? "1"),
    second: second ?? 0,
    fraction: trimEndZeros(groups["fraction"] ?? ""),
    offset: offset ?? undefined,
  };
  return second !== undefined && offset !== null && isRealDate(fields) ? fields : undefined;
}

// §3.2.7.1: no year 0000, and no leading zeros beyond four digits.
function isRealDate(fields: DateTimeFields): boolean {
  const { yearDigits, negative, month, day } = fields;
  if (yearDigits === "0000" || (yearDigits.length > 4 && yearDigits.startsWith("0"))) {
    return false;
  }
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth({ digits: yearDigits, negative }, month);
}

type Groups = Readonly<Record<string, string | undefined>>;

function secondOfDay(groups: Groups): number | undefined {
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

/** Undefined: no time zone; null: not a time zone. */
function offsetSeconds(groups: Groups): number | undefined | null {
  if (groups["zone"] === undefined) {
    return undefined;
  }
  const hours = Number(groups["zoneHour"] ?? "0");
  const minutes = Number(groups["zoneMinute"] ?? "0");
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) {
    return null;
  }
  const seconds = hours * 3600 + minutes * 60;
  return groups["zoneSign"] === "-" ? -seconds : seconds;
}

function toMoment(name: DateTimeName, fields: DateTimeFields): Moment {
  const year = BigInt(fields.yearDigits);
  // §3.2.7: -0001 is the year before 0001.
  const days = daysSinceEpoch(fields.negative ? 1n - year : year, fields.month, fields.day);
  // The end of a day is the start of the next; a time of day has no next.
  const second = name === "time" ? fields.second % 86_400 : fields.second;
  return {
    seconds: days * 86_400n + BigInt(second - (fields.offset ?? 0)),
    fraction: fields.fraction,
    zoned: fields.offset !== undefined,
  };
}
