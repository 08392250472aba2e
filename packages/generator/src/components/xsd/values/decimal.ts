/** A decimal as digits, exact at any length: sign, whole part and fraction without superfluous zeros. */
export interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** Part 2 §3.2.3; undefined for text that is no decimal. */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))$/.exec(text);
  if (match === null) return undefined;
  const whole = withoutLeadingZeros(match[2] ?? "");
  const fraction = withoutTrailingZeros(match[3] ?? match[4] ?? "");
  return { negative: match[1] === "-" && (whole !== "" || fraction !== ""), whole, fraction };
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const magnitude =
    a.whole.length - b.whole.length || compareText(a.whole, b.whole) || compareText(a.fraction, b.fraction);
  return a.negative ? -magnitude : magnitude;
}

export function decimalText({ negative, whole, fraction }: Decimal): string {
  return `${negative ? "-" : ""}${whole === "" ? "0" : whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Digits without regular expressions, which would be quadratic on rows of zeros. */
function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits[start] === "0") start += 1;
  return digits.slice(start);
}
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
