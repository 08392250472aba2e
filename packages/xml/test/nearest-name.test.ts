import { findNearestName, suggestName } from "@bothends/xml";
import { computeEditDistance } from "@bothends/xml/nearest-name";
import { expect, test } from "vitest";

const names = [
  { name: "Vehicel", candidates: ["Vehicle", "Vessel"], want: "Vehicle" },
  { name: "checkUSA", candidates: ["CheckUSB", "CheckUSA"], want: "CheckUSA" },
  { name: "QuoteRequst", candidates: ["QuoteRequest"], want: "QuoteRequest" },
  { name: "a", candidates: ["b"], want: undefined },
  { name: "Order", candidates: ["Invoice", "Payment"], want: undefined },
  { name: "x".repeat(1_000), candidates: ["x".repeat(999)], want: undefined },
];

test.each(names)("the name nearest to $name is $want", ({ name, candidates, want }) => {
  expect(findNearestName(name, candidates)).toBe(want);
});

test.each([
  { texts: ["order", "order"], want: 0 },
  { texts: ["order", "orders"], want: 1 },
  { texts: ["order", "ordre"], want: 1 },
  { texts: ["order", "invoice"], want: 6 },
  { texts: ["", "abc"], want: 3 },
] as const)("the edit distance of $texts is $want", ({ texts: [left, right], want }) => {
  expect(computeEditDistance(left, right, 10)).toBe(want);
  expect(computeEditDistance(right, left, 10)).toBe(want);
});

test("a suggestion is a sentence, and there is none where no name is near", () => {
  expect(suggestName("timeoutt", ["signal", "timeout"])).toBe('Did you mean "timeout"?');
  expect(suggestName("x", ["signal", "timeout"])).toBeUndefined();
});
