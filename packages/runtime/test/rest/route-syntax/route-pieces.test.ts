import { PatternError } from "@bothends/datatypes/pattern";
import { type RoutePiece, splitRoute } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";

/** `/a` {id} <filler> [optional]. */
function shown(pieces: readonly RoutePiece[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === "variable") {
        return `{${piece.variable}}`;
      }
      if (piece.kind === "filler") {
        return `<${piece.text}>`;
      }
      return piece.kind === "optional" ? `[${shown(piece.pieces)}]` : piece.text;
    })
    .join("");
}

test.each([
  { route: "/a/b", want: "/a/b" },
  { route: "/a/(?P<id>[\\d]+)/b", want: "/a/{id}/b" },
  { route: "/a/(?<id>\\d+)-(?'k'\\w+)", want: "/a/{id}-{k}" },
  { route: "/a\\.\\-\\/b/1.0", want: "/a.-/b/1.0" },
  { route: "^/a$", want: "/a" },
  { route: "/a/?", want: "/a" },
  { route: "/a(\\?.*)?", want: "/a" },
  { route: "/a/\\d{3}/[^/]+/[a-z]", want: "/a/<000>/<a>/<a>" },
  { route: "/a/(?:posts|tags|)/(?:post|tag)s", want: "/a/<tags>/<tag>s" },
  { route: "/a/(?:posts)?", want: "/a/<posts>" },
  { route: "/a/(?:posts)?b", want: "/a/b" },
  { route: "/a/(?:b|c)/(?P<id>\\d+)", want: "/a/<b>/{id}" },
  { route: "/a/((?P<id>\\d+)/b)", want: "/a/{id}/b" },
  { route: "/a(?:/(?P<id>\\d+))?", want: "/a[/{id}]" },
  { route: "/a(?:/(?P<id>\\d+)(?:/(?P<k>\\w+))?)?/b", want: "/a[/{id}[/{k}]]/b" },
  { route: "/a(?:/(?P<id>\\d+)){1}", want: "/a/{id}" },
  // An optional slash is written if something follows it.
  { route: "/a/?(?P<u>.+)?", want: "/a[/{u}]" },
  { route: "/a/?(?P<u>\\d+)", want: "/a/{u}" },
  { route: "/a(?:\\/)?(?P<u>\\d+)", want: "/a/{u}" },
  { route: "/a(?:/?(?P<u>\\d+))?", want: "/a[/{u}]" },
  // A variable that may be empty is optional if the route matches without it.
  { route: "/a(?P<s>[\\w/]*)", want: "/a[{s}]" },
  { route: "/a(?P<s>[\\w/]*)?(\\?.*)?", want: "/a[{s}]" },
  { route: "/a/(?P<s>.*)", want: "/a/{s}" },
  { route: "/a/(?P<s>\\d+)?", want: "/a/{s}" },
  { route: "/a/(?P<s>\\d*)/b", want: "/a/{s}/b" },
  { route: "/a/(?P<s>\\d*)x", want: "/a/[{s}]x" },
])("$route is written $want", ({ route, want }) => {
  expect(shown(splitRoute(route) ?? [])).toBe(want);
});

test("a variable has its pattern as the route spells it", () => {
  expect(splitRoute("/a/(?'id'(?:\\d|me){1,3})")?.[1]).toEqual({
    kind: "variable",
    variable: "id",
    pattern: "(?:\\d|me){1,3}",
  });
});

test("a route that no path matches has no pieces", () => {
  expect(splitRoute("/a/^b")).toBeUndefined();
  expect(splitRoute("/a$/b")).toBeUndefined();
});

test.each([
  { route: "/a/(?:(?P<b>c)|d)", offset: 6, fault: "route" },
  { route: "/a/(?P<b>c)+", offset: 3, fault: "route" },
  { route: "/a/(?P<b>c", offset: 3, fault: "group" },
  { route: "/a/(?P<1b>c)", offset: 3, fault: "name" },
  { route: "/a/(?=b)c", offset: 3, fault: undefined },
])("$route is refused at $offset", ({ route, offset, fault }) => {
  let error: unknown;
  try {
    splitRoute(route);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(PatternError);
  expect(error).toMatchObject({ offset, fault });
});
