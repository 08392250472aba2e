import { expect, test } from "vitest";
import { summarizeDemo } from "../../src/demo/demo.js";

const rows = (count: number) => Array.from({ length: count }, () => ({ problem: undefined }));

test("the demo is complete if all 205 calls are answered correctly", () => {
  expect(summarizeDemo(rows(205), "http://h")).toEqual({
    text: "205 calls to http://h: 205 right, 0 wrong\n",
    isComplete: true,
  });
});

test("the demo fails if a call is missing or added", () => {
  for (const count of [204, 206]) {
    const { text, isComplete } = summarizeDemo(rows(count), "http://h");
    expect(isComplete).toBe(false);
    expect(text).toContain("205 calls were expected.");
  }
});

test("the demo fails if an answer is wrong", () => {
  const { text, isComplete } = summarizeDemo([...rows(204), { problem: "status 500" }], "http://h");
  expect(isComplete).toBe(false);
  expect(text).toBe("205 calls to http://h: 204 right, 1 wrong\n");
});
