import { didYouMean, nearestName } from "@bothends/xml";
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
  expect(nearestName(name, candidates)).toBe(want);
});

test("a suggestion is a sentence, and there is none where no name is near", () => {
  expect(didYouMean("timeoutt", ["signal", "timeout"])).toBe('Did you mean "timeout"?');
  expect(didYouMean("x", ["signal", "timeout"])).toBeUndefined();
});
