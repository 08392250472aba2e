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
