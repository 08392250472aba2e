import { expect, test } from "vitest";
import { type Hash, KeyedHash } from "../../src/keyed-hash.js";

const randomInteger = (limit: number) => Math.floor(Math.random() * limit);
const randomUnits = (length: number) => Array.from({ length }, () => randomInteger(0x10000));
const textOf = (units: readonly number[]) => String.fromCharCode(...units);

test("hashes depend on the object, and only on the object and the text", () => {
  const hashes = new KeyedHash();
  expect(hashes.hash("a text")).toEqual(hashes.hash("a text"));
  expect(new KeyedHash().hash("a text")).not.toEqual(hashes.hash("a text"));
  expect(new KeyedHash().hash("")).not.toEqual(hashes.hash(""));
});

test.each([1, 2, 3, 8, 40])(
  "each bit of a text with %i units changes each bit of the hash in half of the cases",
  (length) => {
    const changes = new Array<number>(128).fill(0);
    const samples = 4_000;
    for (let sample = 0; sample < samples; sample += 1) {
      const hashes = new KeyedHash();
      const units = randomUnits(length);
      const place = randomInteger(length);
      const change = 1 << randomInteger(16);
      const changedUnits = units.map((unit, index) => (index === place ? unit ^ change : unit));
      const [hash, changedHash] = [hashes.hash(textOf(units)), hashes.hash(textOf(changedUnits))];
      for (let bit = 0; bit < 128; bit += 1) {
        const part = bit >> 5;
        changes[bit] = (changes[bit] ?? 0) + ((((hash[part] ?? 0) ^ (changedHash[part] ?? 0)) >>> (bit & 31)) & 1);
      }
    }
    // The standard deviation of a fair bit is 0.8 %.
    expect(Math.min(...changes) / samples).toBeGreaterThan(0.44);
    expect(Math.max(...changes) / samples).toBeLessThan(0.56);
  },
);

const count = 40_000;

test.each<[string, (index: number) => string]>([
  ["a counter at the end", (index) => "x".repeat(60) + index],
  ["a counter at the start", (index) => String.fromCharCode(index) + "y".repeat(64)],
  ["zeros of many lengths", (index) => "\0".repeat(index % 1_000) + Math.floor(index / 1_000)],
  ["only the highest bits", (index) => textOf(Array.from({ length: 16 }, (_, bit) => ((index >> bit) & 1) << 15))],
  ["only the lowest bits", (index) => textOf(Array.from({ length: 16 }, (_, bit) => (index >> bit) & 1))],
  ["pairs of changed units", (index) => textOf([index & 0xff, index >> 8, 0x8000 ^ (index & 0xff), index >> 8])],
])("texts that differ in %s have different hashes, of which each part is random", (_, create) => {
  const hashes = new KeyedHash();
  const all: readonly Hash[] = Array.from({ length: count }, (_item, index) => hashes.hash(create(index)));
  expect(new Set(all.map(String)).size).toBe(count);
  for (const part of [0, 1, 2, 3] as const) {
    // Of 40,000 random integers, 0.2 occur twice on average.
    expect(new Set(all.map((hash) => hash[part])).size).toBeGreaterThan(count - 8);
    const buckets = new Uint32Array(0x10000);
    for (const hash of all) {
      const bucket = hash[part] & 0xffff;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    expect(Math.max(...buckets)).toBeLessThan(14);
  }
});
