import { expect, test } from "vitest";
import { fillLocation } from "../../src/protocol/http/parameters.js";
import { matchLocation } from "../../src/protocol/http/server.js";
import { decodePath } from "../../src/server/routes.js";

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
  { location: "/a/(x)", path: "/a/.." },
  { location: "/a/(x)", path: "/a/%2e" },
  { location: "/a/(x)", path: "/a/b%2F..%2F..%2Fc" },
])("$path does not follow $location", ({ location, path }) => {
  expect(matchLocation(location, path)).toBeUndefined();
});

test("a plus sign in a path is a literal", () => {
  expect(matchLocation("/(x)", "/a+b")?.get("x")).toEqual(["a+b"]);
});

test.each([
  { given: "100%2541", value: "100%41" },
  { given: "%61%2Fb", value: "a/b" },
  { given: "a%20b", value: "a b" },
  { given: "..a", value: "..a" },
  { given: "D%5C.a", value: "D\\.a" },
])("a value in a path is decoded once: $given", ({ given, value }) => {
  expect(matchLocation("/(x)", decodePath(`/${given}`))?.get("x")).toEqual([value]);
});

test.each([
  ["/%22%23%24", '/"#$'],
  ["/%3C%3e%3F%5B%5c%5D%5E%60%7B%7C%7D", "/<>?[\\]^`{|}"],
  ["/%61pi", "/%61pi"],
  ["/a%2Eb%2D%5F%7e%30", "/a%2Eb%2D%5F%7e%30"],
  ["/%40%3b%28%2B", "/@;(+"],
  ["/caf%C3%A9%20%61%2f%25", "/café %61%2f%25"],
  ["/%zz%C3", "/%zz%C3"],
])("the path %s is decoded to %s, in which no literal needs an escape", (path, decodedPath) => {
  expect(decodePath(path)).toBe(decodedPath);
});
