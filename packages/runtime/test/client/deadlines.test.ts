import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Deadline, Deadlines } from "../../src/client/exchange/cancellation.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function deadline(name: string, expired: string[]): Deadline {
  return { expire: () => expired.push(name), expiresAt: 0, previous: undefined, next: undefined };
}

test("deadlines expire in their order, each after its whole timeout", () => {
  const deadlines = new Deadlines(100);
  const expired: string[] = [];
  deadlines.add(deadline("first", expired));
  vi.advanceTimersByTime(60);
  deadlines.add(deadline("second", expired));
  vi.advanceTimersByTime(39);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(["first"]);
  vi.advanceTimersByTime(60);
  expect(expired).toEqual(["first", "second"]);
});

test("a removed deadline does not expire, whatever its position", () => {
  const deadlines = new Deadlines(100);
  const expired: string[] = [];
  const all = ["first", "middle", "last", "kept"].map((name) => deadline(name, expired));
  for (const entry of all) {
    deadlines.add(entry);
  }
  for (const index of [1, 0, 2]) {
    const entry = all[index];
    if (entry !== undefined) {
      deadlines.remove(entry);
    }
  }
  vi.advanceTimersByTime(200);
  expect(expired).toEqual(["kept"]);
});

test("all calls with one timeout share one timer", () => {
  const deadlines = new Deadlines(100);
  const expired: string[] = [];
  for (let index = 0; index < 50; index += 1) {
    deadlines.add(deadline(String(index), expired));
  }
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(expired).toHaveLength(50);
  expect(vi.getTimerCount()).toBe(0);
});

test("a deadline that is added after all others were removed expires after its own timeout", () => {
  const deadlines = new Deadlines(100);
  const expired: string[] = [];
  const first = deadline("first", expired);
  deadlines.add(first);
  deadlines.remove(first);
  vi.advanceTimersByTime(70);
  deadlines.add(deadline("second", expired));
  vi.advanceTimersByTime(99);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(2);
  expect(expired).toEqual(["second"]);
});
