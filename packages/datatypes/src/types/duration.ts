import type { Datatype } from "../simple-type.js";
import { daysSinceEpoch, floorDivide } from "./date-time.js";
import { addDecimals, canonicalDecimal, compareDecimals, type ExactDecimal, exactDecimal } from "./decimal.js";
import { textType } from "./text.js";

/** XSD 1.0 Part 2 §3.2.6: months and seconds, as the number of seconds in a month depends on the month. */
interface Duration {
  readonly months: bigint;
  readonly seconds: ExactDecimal;
}

const lexical =
  /^(-?)P(?=[0-9T])(?:([0-9]{1,1024})Y)?(?:([0-9]{1,1024})M)?(?:([0-9]{1,1024})D)?(?:T(?=[0-9])(?:([0-9]{1,1024})H)?(?:([0-9]{1,1024})M)?(?:([0-9]{1,1024}(?:\.[0-9]{1,1024})?)S)?)?$/;

/** xs:duration, whose value is its text. */
export function durationType(): Datatype<string> {
  return textType({
    name: "xs:duration",
    whiteSpace: "collapse",
    accepts: (text) => lexical.test(text),
    valueSpace: {
      key: durationKey,
      compare: (left, right) => compareDurations(readDuration(left), readDuration(right)),
    },
  });
}

function readDuration(text: string): Duration {
  const [, sign, years, months, days, hours, minutes, seconds] = lexical.exec(text) ?? [];
  const wholeSeconds = whole(days) * 86_400n + whole(hours) * 3600n + whole(minutes) * 60n;
  const total = addDecimals({ coefficient: wholeSeconds, scale: 0 }, exactDecimal(seconds ?? "0"));
  const direction = sign === "-" ? -1n : 1n;
  return {
    months: (whole(years) * 12n + whole(months)) * direction,
    seconds: { coefficient: total.coefficient * direction, scale: total.scale },
  };
}

function whole(digits: string | undefined): bigint {
  return digits === undefined ? 0n : BigInt(digits);
}

function durationKey(text: string): string {
  const { months, seconds } = readDuration(text);
  const digits = seconds.coefficient
    .toString()
    .replace("-", "")
    .padStart(seconds.scale + 1, "0");
  const point = digits.length - seconds.scale;
  const sign = seconds.coefficient < 0n ? "-" : "";
  return `duration:${months}:${canonicalDecimal(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`)}`;
}

// §3.2.6.2: durations are ordered when their order is the same from each of these starting points.
const references = [
  { year: 1696n, month: 9 },
  { year: 1697n, month: 2 },
  { year: 1903n, month: 3 },
  { year: 1903n, month: 7 },
] as const;

function compareDurations(left: Duration, right: Duration): number | undefined {
  const orders = references.map((reference) => compareDecimals(endOf(left, reference), endOf(right, reference)));
  const [first] = orders;
  return orders.every((order) => order === first) ? first : undefined;
}

function endOf(
  { months, seconds }: Duration,
  reference: { readonly year: bigint; readonly month: number },
): ExactDecimal {
  const total = reference.year * 12n + BigInt(reference.month - 1) + months;
  const year = floorDivide(total, 12n);
  const days = daysSinceEpoch(year, Number(total - year * 12n) + 1, 1);
  return addDecimals({ coefficient: days * 86_400n, scale: 0 }, seconds);
}
