import { compileRoute } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";

function matched(route: string, path: string): unknown {
  const { start, match } = compileRoute(route);
  const variables = path.toLowerCase().startsWith(start) ? match(path.slice(start.length)) : undefined;
  return variables && Object.fromEntries(variables);
}

// What PCRE answers for `@^<route>$@i`; groups that take no part are left out.
test.each([
  { route: "/a/?", path: "/a", want: {} },
  { route: "/a/?", path: "/A/", want: {} },
  { route: "/a/?", path: "/a//", want: undefined },
  { route: "/a/?(?P<u>.+)?", path: "/a", want: {} },
  { route: "/a/?(?P<u>.+)?", path: "/a/B/c", want: { u: "B/c" } },
  { route: "/a/?(?P<u>.+)?", path: "/ab", want: { u: "b" } },
  { route: "/a/?(?P<u>.+)?", path: "/a//b", want: { u: "/b" } },
  { route: "/m(?P<s>[\\w/]*)(\\?.*)?", path: "/m", want: { s: "" } },
  { route: "/m(?P<s>[\\w/]*)(\\?.*)?", path: "/m/1?x=2", want: { s: "/1" } },
  { route: "/x(?:/(?P<id>\\d+))?(?:/(?P<k>\\w+))?", path: "/x/5", want: { id: "5" } },
  { route: "/x(?:/(?P<id>\\d+))?(?:/(?P<k>\\w+))?", path: "/x/5/6", want: { id: "5", k: "6" } },
  { route: "/x(?:/(?P<id>\\d+))?(?:/(?P<k>\\w+))?", path: "/x/a", want: { k: "a" } },
  { route: "/q/(?P<a>\\w*)/?(?P<b>\\w*)", path: "/q/abc", want: { a: "abc", b: "" } },
  { route: "/q/(?P<a>\\w*?)/?(?P<b>\\w*)", path: "/q/abc", want: { a: "", b: "abc" } },
  { route: "/q/(?<a>\\w+?)(?'b'\\d*)", path: "/q/ab12", want: { a: "ab", b: "12" } },
  { route: "/q/(?P<a>\\w{1,3}?)(?P<b>\\w{1,3}?)(?P<c>\\w*)", path: "/q/abcd", want: { a: "a", b: "b", c: "cd" } },
  { route: "/q/(?P<a>a|ab)(?P<b>c|bcd)(?P<c>d*)", path: "/q/abcd", want: { a: "a", b: "bcd", c: "" } },
  { route: "/q/(?:(?P<a>\\d),?)+", path: "/q/1,2,3", want: { a: "3" } },
  { route: "/q/(?:(?P<a>\\d+)|(?P<b>\\w+))", path: "/q/1b", want: { b: "1b" } },
  { route: "/q/(?P<a>(?P<b>x)y)", path: "/q/XY", want: { a: "XY", b: "X" } },
  { route: "/q/(?P<a>.+)/(?P<b>.+)", path: "/q/a/b/c", want: { a: "a/b", b: "c" } },
  { route: "/q/(?P<a>.+?)/(?P<b>.+)", path: "/q/a/b/c", want: { a: "a", b: "b/c" } },
  { route: "/q\\.\\-\\/(?P<a>~_%)", path: "/q.-/~_%", want: { a: "~_%" } },
  { route: "/v1.0/(?P<a>é|💡)", path: "/V1x0/💡", want: { a: "💡" } },
  { route: "/a$", path: "/a", want: {} },
  { route: "^/a/(?P<b>c)$", path: "/a/c", want: { b: "c" } },
  { route: "/a/^b", path: "/a/b", want: undefined },
])("the path $path on the route $route has the variables $want", ({ route, path, want }) => {
  expect(matched(route, path)).toEqual(want);
});

test("the literal start of paths is reported in lower case", () => {
  expect(compileRoute("/Wp/V2/x?")).toMatchObject({ start: "/wp/v2/", isLiteral: false });
  expect(compileRoute("/Wp/v2\\.x")).toMatchObject({ start: "/wp/v2.x", isLiteral: true });
  expect(compileRoute("/a|/b").start).toBe("");
});
