/** A point on the time line as far as its text says: whole seconds, and the digits of the fraction without idle zeros. */
export interface Moment {
  /** Seconds since 1970 in UTC; of the local clock where `zoned` is false. */
  readonly seconds: bigint;
  readonly fraction: string;
  readonly zoned: boolean;
}

/** The days since 1970-01-01 in the proleptic Gregorian calendar, in which year 0 is the year before year 1. */
export function daysSinceEpoch(year: bigint, month: number, day: number): bigint {
  // Years that begin in March put the leap day last.
  const shifted = month > 2 ? year : year - 1n;
  const era = floorDivide(shifted, 400n);
  const yearOfEra = shifted - era * 400n;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + BigInt(dayOfYear);
  return era * 146097n + dayOfEra - 719468n;
}

/** Rounds towards negative infinity, as the `fQuotient` of XSD 1.0 Part 2 Appendix E does. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** The days of a month. The year is as written: its digits and its sign. */
export function daysInMonth(year: { readonly digits: string; readonly negative: boolean }, month: number): number {
  if (month === 2) {
    return isLeapYear(year) ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// 10,000 is a multiple of 400, so the last four digits decide. XSD 1.0 Part 2 §3.2.7: there is
// no year 0; -0001 is 1 BCE, the leap year before 0001.
function isLeapYear({ digits, negative }: { readonly digits: string; readonly negative: boolean }): boolean {
  const lastDigits = Number(digits.slice(-4));
  const year = negative ? 10_001 - lastDigits : lastDigits;
  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
}

const fourteenHours = 14n * 3600n;

/** XSD 1.0 Part 2 §3.2.7.4: with one time zone missing, only more than 14 hours tell. */
export function compareMoments(left: Moment, right: Moment): number | undefined {
  if (left.zoned === right.zoned) {
    return compareInstants(left, right);
  }
  if (left.zoned) {
    const earliest = { ...right, seconds: right.seconds - fourteenHours };
    const latest = { ...right, seconds: right.seconds + fourteenHours };
    return compareInstants(left, earliest) < 0 ? -1 : compareInstants(left, latest) > 0 ? 1 : undefined;
  }
  const reversed = compareMoments(right, left);
  return reversed === undefined ? undefined : -reversed;
}

function compareInstants(left: Moment, right: Moment): number {
  if (left.seconds !== right.seconds) {
    return left.seconds < right.seconds ? -1 : 1;
  }
  return left.fraction < right.fraction ? -1 : left.fraction > right.fraction ? 1 : 0;
}

/** Equal moments have equal keys; one with and one without a time zone are not equal. */
export function momentKey(moment: Moment): string {
  return `${moment.seconds}.${moment.fraction}${moment.zoned ? "Z" : ""}`;
}
