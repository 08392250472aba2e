import { describe, expect, test } from "vitest";
import { emptyContext, LexicalError, type SimpleType } from "../src/index.js";
import * as xs from "../src/xs.js";

class Cents {
  readonly cents: bigint;
  constructor(cents: bigint) {
    this.cents = cents;
  }
}

const readCents = (text: string) => {
  if (text === "13") {
    throw new RangeError("13 brings bad luck");
  }
  const [whole = "", fraction = ""] = text.split(".");
  return new Cents(BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0")));
};
const writeCents = ({ cents }: Cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;

const cents = xs.withConversions<Cents>(readCents, writeCents)([xs.decimal], [], "xs:decimal");
const price = xs.restriction(
  [cents],
  [
    [xs.maxInclusive, "10"],
    [xs.fractionDigits, 2],
  ],
  "Price",
);
const read = (type: SimpleType<unknown>, text: string) => type.read(text, emptyContext);
const write = (type: SimpleType<unknown>, value: unknown) => type.write(value, emptyContext);

describe("a type with the values of a module", () => {
  test("is read and written by its functions", () => {
    expect(read(cents, "1.5")).toEqual(new Cents(150n));
    expect(write(cents, new Cents(150n))).toBe("1.50");
  });

  test("reads only texts of the schema's type", () => {
    expect(() => read(cents, "1,5")).toThrow(LexicalError);
  });

  test("writes only texts of the schema's type", () => {
    const broken = xs.withConversions<Cents>(readCents, () => "1,5")([xs.decimal], [], "xs:decimal");
    expect(() => write(broken, new Cents(1n))).toThrow(LexicalError);
    const silent = xs.withConversions<Cents>(readCents, () => JSON.parse("1"))([xs.decimal], [], "xs:decimal");
    expect(() => write(silent, new Cents(1n))).toThrow("must return a string");
  });

  test("turns exceptions of the functions into errors of the value", () => {
    expect(() => read(cents, "13")).toThrow(new LexicalError("The value is not a xs:decimal: 13 brings bad luck"));
    expect(() => write(cents, null)).toThrow(LexicalError);
  });

  test("can be restricted by facets of its values", () => {
    expect(write(price, new Cents(1000n))).toBe("10.00");
    expect(() => write(price, new Cents(1001n))).toThrow("at most");
    expect(() => read(price, "10.01")).toThrow("at most");
  });

  test("can be an enumeration, which compares values", () => {
    const coin = xs.restriction([cents], [[xs.enumeration, ["0.1", "0.50"]]], "Coin");
    expect(write(coin, new Cents(10n))).toBe("0.10");
    expect(() => write(coin, new Cents(20n))).toThrow("it must be one of");
  });

  test("can be derived first, and then mapped", () => {
    const upper = xs.withConversions<string>(
      (text) => text.toLowerCase(),
      (value) => value.toUpperCase(),
      xs.restriction,
    );
    const sku = upper([xs.string], [[xs.pattern, ["[A-Z]+"]]], "Sku");
    expect([read(sku, "AB"), write(sku, "ab")]).toEqual(["ab", "AB"]);
    expect(() => write(sku, "1")).toThrow("it does not match the pattern");
  });
});
