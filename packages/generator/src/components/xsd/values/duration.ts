import { days } from "./date-time.js";

/** Part 2 §3.2.6: months and seconds, which have no fixed relation. */
export interface Duration {
  readonly months: number;
  readonly seconds: number;
}

const form =
  /^(-?)P(?=[0-9T])(?:([0-9]+)Y)?(?:([0-9]+)M)?(?:([0-9]+)D)?(?:T(?=[0-9])(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+(?:\.[0-9]+)?)S)?)?$/;

/** Undefined for text that is no duration. */
export function readDuration(text: string): Duration | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign, years, months, daysText, hours, minutes, seconds] = match;
  const factor = sign === "-" ? -1 : 1;
  return {
    months: factor * (Number(years ?? 0) * 12 + Number(months ?? 0)),
    seconds:
      factor *
      (Number(daysText ?? 0) * 86400 + Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)),
  };
}

/** Part 2 §3.2.6.2: undefined where the order depends on the month that one starts from. */
export function compareDurations(a: Duration, b: Duration): number | undefined {
  const signs = new Set(starts.map(([year, month]) => Math.sign(after(year, month, a) - after(year, month, b))));
  const [first] = signs;
  return signs.size === 1 ? first : undefined;
}

const starts = [
  [1696, 9],
  [1697, 2],
  [1903, 3],
  [1903, 7],
] as const;

function after(year: number, month: number, { months, seconds }: Duration): number {
  const total = year * 12 + month - 1 + months;
  return days(Math.floor(total / 12) || 1, (((total % 12) + 12) % 12) + 1, 1) * 86400 + seconds;
}
