import { expect, test } from "vitest";
import { fillLocation } from "../../src/protocol/http/parameters.js";
import { matchLocation } from "../../src/protocol/http/server.js";

test.each([
  {
    location: "/o1/A(part1)B(part2)/(part3)",
    pairs: [
      ["part1", "1"],
      ["part2", "a/b"],
      ["part3", "é?"],
    ],
    path: "/o1/A1Ba%2Fb/%C3%A9%3F",
  },
  { location: "/plain", pairs: [], path: "/plain" },
] as const)("$location is filled, and matched back", ({ location, pairs, path }) => {
  expect(fillLocation(location, pairs)).toBe(path);
  expect(matchLocation(location, path)).toEqual(new Map(pairs.map(([name, value]) => [name, [value]])));
});

test.each([
  { location: "/a/(x)", path: "/a/" },
  { location: "/a/(x)", path: "/a/b/c" },
  { location: "/a/(x)", path: "/b/c" },
  { location: "/a/(x)/z", path: "/a/b/y" },
  { location: "/a/(x)/z", path: "/a/z" },
  { location: "/a(x)(y)", path: "/abc" },
  { location: "/plain", path: "/plain/more" },
])("$path does not follow $location", ({ location, path }) => {
  expect(matchLocation(location, path)).toBeUndefined();
});

test("a plus sign in a path is a literal", () => {
  expect(matchLocation("/(x)", "/a+b")?.get("x")).toEqual(["a+b"]);
});
