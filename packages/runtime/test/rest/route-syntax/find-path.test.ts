import { findPath, findValueText } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";

test.each([
  { matching: ["/a/(?P<x>\\d+)"], notMatching: "/a/(?P<x>[\\w-]+)", want: undefined },
  { matching: ["/a/(?P<x>[\\w-]+)"], notMatching: "/a/(?P<x>\\d+)", want: "/a/a" },
  { matching: ["/a/(?P<x>\\d+)"], notMatching: "/a/(?P<x>\\d{1,3})", want: "/a/0000" },
  { matching: ["/a/(?P<x>[a-m]+)", "/a/(?P<x>[n-z]+)"], want: undefined },
  { matching: ["/a/(?P<x>[a-m]+)", "/a/(?P<x>[k-z]+)"], want: "/a/k" },
  { matching: ["/a/(?P<x>[à-ü])"], notMatching: "/a/(?P<x>[à-öø-ü])", want: "/a/÷" },
  { matching: ["/a/(?P<x>[α-γ])"], notMatching: "/a/(?P<x>[αγ])", want: "/a/β" },
  { matching: ["/a/(?P<x>[^/])"], notMatching: "/a/(?P<x>[^/\\xe9])", want: "/a/é" },
  // Letters have the same meaning in both cases.
  { matching: ["/a/(?P<x>[A-Z]+)"], notMatching: "/A/(?P<x>[a-z]+)", want: undefined },
  // No request has these paths: clients remove the segment, and servers the slash.
  { matching: ["/a/(?P<x>[^/]{1,2})"], notMatching: "/a/(?P<x>[^/.]|[^/.][^/]|[^/][^/.])", want: undefined },
  { matching: ["/a(?P<x>/?)"], notMatching: "/a", want: undefined },
  { matching: ["/"], want: "/" },
  { matching: ["/a/^b"], want: undefined },
  { matching: ["/a"], notMatching: "/a/^b", want: "/a" },
])("a path of $matching, but not of $notMatching, is $want", ({ want, ...search }) => {
  expect(findPath(search)).toEqual(want === undefined ? { kind: "none" } : { kind: "found", text: want });
});

test("routes that need too many sets of states are not compared", () => {
  const search = { matching: ["/(?:a|b)*a(?:a|b){12}"], notMatching: "/(?:a|b)*a(?:a|b){12}" };
  expect(findPath(search)).toEqual({ kind: "unknown" });
});

test.each([
  { matching: ["[a-m]*"], notMatching: ["[a-k]*", "l+"], want: "m" },
  { matching: ["[a-m]*"], notMatching: ["[a-k]*", "[k-m]*"], want: "al" },
  { matching: ["[a-m]", "[a-k]"], notMatching: ["[a-m]"], want: undefined },
  { matching: ["[A-Z]", "[^B-Z]"], notMatching: [], want: "A" },
  { matching: ["a"], notMatching: ["A"], want: "a" },
])("a text of $matching, but not of $notMatching, is $want", ({ want, ...search }) => {
  expect(findValueText(search)).toEqual(want === undefined ? { kind: "none" } : { kind: "found", text: want });
});
