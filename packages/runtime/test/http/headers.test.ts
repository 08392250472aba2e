import { expect, test } from "vitest";
import { createHeaderMap, findHeader, type HeaderLine } from "../../src/http/headers.js";

test.each([
  { name: "Accept", values: ["text/html", "text/xml"], want: "text/html, text/xml" },
  { name: "Cookie", values: ["a=1", "b=2; c=3"], want: "a=1; b=2; c=3" },
  { name: "COOKIE", values: ["a=1"], want: "a=1" },
  // A header that allows one value keeps both, so that no code reads one of them while a proxy reads the other.
  { name: "Authorization", values: ["Basic YQ==", "Basic Yg=="], want: "Basic YQ==, Basic Yg==" },
])("lines of $name with the values $values are joined as $want", ({ name, values, want }) => {
  const lines = values.map((value): HeaderLine => [name, value]);
  const key = name.toLowerCase();
  expect([createHeaderMap(lines).get(key), findHeader(lines, key)]).toEqual([want, want]);
});
