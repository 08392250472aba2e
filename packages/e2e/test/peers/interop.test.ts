import { expect, test } from "vitest";
import { describeDifference, findMiscountedPeers, formatOutcomes, type Outcome } from "../../src/interop/outcomes.js";

test.each([
  { given: { a: [1, { b: null }] }, expected: { a: [1, { b: null }] }, want: undefined },
  { given: { a: [1, { b: "" }] }, expected: { a: [1, { b: null }] }, want: '/a/1/b: expected null, got ""' },
  { given: { a: 1, c: 2 }, expected: { a: 1 }, want: "/c: expected nothing, got 2" },
  { given: null, expected: {}, want: "expected {}, got null" },
])("the difference between the answers $given and $expected is $want", ({ given, expected, want }) => {
  expect(describeDifference(given, expected)).toBe(want);
});

test("the table has counts for each peer and protocol, and the wrong calls", () => {
  const text = formatOutcomes([
    { peer: "php", over: "SOAP 1.1", call: "One", milliseconds: 1 },
    { peer: "php", over: "SOAP 1.1", call: "Two", milliseconds: 2, problem: "no answer" },
    { peer: "php", over: "SOAP 1.2", call: "One", milliseconds: 3 },
    { peer: "php", over: "SOAP 1.2", call: "Two", milliseconds: 0, skipReason: "it has no two" },
    { peer: "php", over: "SOAP 1.2", call: "Three", milliseconds: 0, skipReason: "it has no two" },
  ]);
  expect(text.split("\n").map((line) => line.replace(/ +/g, " "))).toEqual([
    "peer over passed failed ms",
    "php SOAP 1.1 1 1 3",
    "php SOAP 1.2 1 0 3",
    "not called: php, SOAP 1.2: it has no two (2)",
    "failed: php, SOAP 1.1, Two: no answer",
  ]);
});

test("a run with fewer calls to a peer than expected is reported", () => {
  const outcomesOf = (peer: string, count: number): readonly Outcome[] =>
    Array.from({ length: count }, () => ({ peer, call: "Find", over: "SOAP 1.1", milliseconds: 1 }));
  expect(findMiscountedPeers(outcomesOf("suds", 51), false)).toEqual([]);
  expect(findMiscountedPeers(outcomesOf("suds", 50), false)).toEqual(["suds: 50 calls instead of 51"]);
  expect(findMiscountedPeers(outcomesOf("suds", 51), true)).toContain("zeep: 0 calls instead of 202");
  expect(findMiscountedPeers(outcomesOf("another", 1), false)).toEqual(["another: 1 calls instead of none"]);
});
