import { expect, test } from "vitest";
import { renameInKey } from "../../src/rest/route-paths.js";
import { readSegmentNames } from "../../src/rest/segment-names.js";

test.each([
  { names: { "a/b": "x", b: "y" }, given: "/a/b/b/a/b", want: "/x/y/x" },
  { names: { "a/b": "x/y/z", a: "q" }, given: "/a/a/b/a", want: "/q/x/y/z/q" },
  { names: { "b/c": "x" }, given: "/a/b-(?P<v>c)/c/b/c/(?P<w>c)/b/c", want: "/a/b-(?P<v>c)/c/x/(?P<w>c)/x" },
  { names: { "b/c": "x" }, given: "/a-b/c/b/(?P<v>c)c/b/cc", want: "/a-b/c/b/(?P<v>c)c/b/cc" },
])("$given is $want by the names $names", ({ names, given, want }) => {
  expect(renameInKey(given, readSegmentNames(names, Object.keys(names)))).toBe(want);
});

test.each([
  {
    given: "/core/v2/x-(?P<a>\\d)core/core(?P<b>[()\\]])/core",
    want: "/real/v2/x-(?P<a>\\d)core/core(?P<b>[()\\]])/real",
  },
  { given: "/a/(?P<b>core/(core)[]()])/core/(?P<c>core)", want: "/a/(?P<b>core/(core)[]()])/real/(?P<c>core)" },
  { given: "/a/(?P<b>[[:alpha:]/core/(]+)/core", want: "/a/(?P<b>[[:alpha:]/core/(]+)/real" },
  { given: "/a/(?P<b>[[:x])/core", want: "/a/(?P<b>[[:x])/real" },
])("$given is $want on the wire", ({ given, want }) => {
  expect(renameInKey(given, readSegmentNames({ core: "real" }, ["core"]))).toBe(want);
});
