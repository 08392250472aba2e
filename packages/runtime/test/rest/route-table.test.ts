import { expect, test } from "vitest";
import { findNeedlessEscapes, readRoutePath } from "../../src/rest/route-paths.js";
import { RouteTable } from "../../src/rest/route-syntax/route-table.js";

/** `/a/<id:[0-9]+>/b` as a route. */
function route(name: string) {
  const pattern = name.replace(/<(\w+):([^<>]*)>/g, "(?P<$1>$2)");
  return { name, pattern, methods: [name.includes("post") ? "POST" : "GET"] };
}

function found(routes: readonly string[], path: string, max = 256) {
  const table = new RouteTable(routes.map(route), max);
  const match = table.find(path, "GET");
  return match === undefined ? [] : [[match.route.name, Object.fromEntries(match.variables)]];
}

const id = "<id:[\\d]+>";
const cases = [
  { routes: ["/"], path: "/", want: [["/", {}]] },
  { routes: ["/a/b"], path: "/A/b", want: [["/a/b", {}]] },
  { routes: ["/a/b"], path: "/a", want: [] },
  { routes: ["/a/b"], path: "//a/b", want: [] },
  { routes: [`/a/${id}`], path: "/a/0004", want: [[`/a/${id}`, { id: "0004" }]] },
  { routes: [`/a/${id}`], path: "/a/x", want: [] },
  { routes: [`/a/${id}`], path: "/a/", want: [] },
  { routes: [`/a/${id}/b`], path: "/a/1/B", want: [[`/a/${id}/b`, { id: "1" }]] },
  { routes: [`/a/x-${id}.json`], path: "/a/X-12.JSON", want: [[`/a/x-${id}.json`, { id: "12" }]] },
  {
    routes: ["/a/<id:\\w+>", "/a/me"],
    path: "/a/me",
    want: [["/a/me", {}]],
  },
  { routes: ["/a/<id:\\w+>", "/a/me"], path: "/a/you", want: [["/a/<id:\\w+>", { id: "you" }]] },
  // Paths that two routes match go to the earlier one, unless the later one would then match no path.
  { routes: ["/a/<x:[a-m]+>", "/a/<y:[k-z]+>"], path: "/a/k", want: [["/a/<x:[a-m]+>", { x: "k" }]] },
  { routes: ["/a/<x:\\w+>", "/a/<y:[a-z\\d_]+>"], path: "/a/k", want: [["/a/<x:\\w+>", { x: "k" }]] },
  { routes: ["/a/<x:.+>", "/b", `/a/${id}/c`, `/a/${id}`], path: "/a/1/c", want: [[`/a/${id}/c`, { id: "1" }]] },
  { routes: ["/a/<x:.+>", "/b", `/a/${id}/c`, `/a/${id}`], path: "/a/1", want: [[`/a/${id}`, { id: "1" }]] },
  { routes: ["/a/<x:.+>", "/b", "/a/<y:\\w+>", `/a/${id}`], path: "/a/1", want: [[`/a/${id}`, { id: "1" }]] },
  { routes: ["/a/<x:post.+>", "/a/<y:poster>"], path: "/a/poster", want: [] },
  {
    routes: ["/a/me", "/a/<id:\\w+>"],
    path: "/a/me",
    want: [["/a/me", {}]],
  },
  {
    routes: [`/a/${id}`, `/a/b/${id}`, "/<x:.+>"],
    path: "/a/b/1",
    want: [[`/a/b/${id}`, { id: "1" }]],
  },
  { routes: ["/a/<x:post>", `/a/<y:[a-z]+>`], path: "/a/post", want: [["/a/<y:[a-z]+>", { y: "post" }]] },
  { routes: ["/a/post", `/a/<y:[a-z]+>`], path: "/a/post", want: [["/a/<y:[a-z]+>", { y: "post" }]] },
  {
    routes: ["/t/<x:[\\w/]+>/<y:[\\w/]+>"],
    path: "/t/a/b/c",
    want: [["/t/<x:[\\w/]+>/<y:[\\w/]+>", { x: "a/b", y: "c" }]],
  },
  { routes: ["/t/<x:[a-z]+><y:\\d*>"], path: "/t/ab12", want: [["/t/<x:[a-z]+><y:\\d*>", { x: "ab", y: "12" }]] },
  { routes: ["/t/<x:[a-z]+>"], path: "/t/ABC", want: [["/t/<x:[a-z]+>", { x: "ABC" }]] },
  { routes: ["<x:/.*>"], path: "/t/ABC", want: [["<x:/.*>", { x: "/t/ABC" }]] },
  { routes: ["/a/b/"], path: "/a/b", want: [["/a/b/", {}]] },
  { routes: ["/a/b/?", "/a/b"], path: "/a/b", want: [["/a/b/?", {}]] },
  { routes: ["/a/b", "/a/b/?"], path: "/a/b", want: [["/a/b", {}]] },
  { routes: ["/a/b/?<x:.+>?"], path: "/a/b", want: [["/a/b/?<x:.+>?", {}]] },
  { routes: ["/a/b/?<x:.+>?"], path: "/A/B/C/d", want: [["/a/b/?<x:.+>?", { x: "C/d" }]] },
  { routes: ["/a/v1.0"], path: "/a/V1-0", want: [["/a/v1.0", {}]] },
  { routes: ["/a(?:/b)?"], path: "/a", want: [["/a(?:/b)?", {}]] },
];

test.each(cases)("$path leads to $want", ({ routes, path, want }) => {
  expect(found(routes, path)).toEqual(want);
});

test("text longer than a variable allows matches no route", () => {
  expect(found([`/a/${id}`], `/a/${"1".repeat(256)}`)).toHaveLength(1);
  expect(found([`/a/${id}`], `/a/${"1".repeat(257)}`)).toEqual([]);
});

test.each([
  ["a value that is too long", `/a/${"1".repeat(257)}`, true],
  ["a value with slashes that is too long", `/f/${"ab/".repeat(100)}c`, true],
  ["a value as long as allowed", `/a/${"1".repeat(256)}`, false],
  ["a long value that does not match", `/a/${"x".repeat(257)}`, false],
  ["a long path of another route", `/f/a?${"b".repeat(300)}`, false],
])("a path with %s is told from a path without a route", (_, path, isTooLong) => {
  const table = new RouteTable([`/a/${id}`, "/f/(?P<path>[a-z/]+)"].map(route), 256);
  expect(table.isTooLong(path)).toBe(isTooLong);
});

/** The names of the routes that a path with escapes matches. */
function foundEscaped(routes: readonly string[], rawPath: string): readonly string[] {
  const table = new RouteTable(routes.map(route), 256);
  const match = table.find(readRoutePath(rawPath) ?? "", "GET", findNeedlessEscapes(rawPath));
  return match === undefined ? [] : [match.route.name];
}

const slug = "/books/<slug:[^/]+>";
const media = "/media/<path:.+>";
const pair = "/items/<a:[a-z]+>-<b:[^/]+>";
const pre = "/pre-<c:[\\w-]+>/list";

test.each([
  ["/users/<id:[\\d]+|me>", "/users/%6De"],
  ["/users/<id:[\\d]+|me>", "/users/%31%32"],
  ["/(?P<kind>books|pages)/by/<who:[^/]+>", "/b%6Foks/by/%61"],
  ["/x/<path:(?:pages|books)/.+>", "/x/p%61ges/1"],
  [slug, "/books/book%73"],
  [slug, "/books/caf%C3%A9%3A%61/"],
  [slug, "/books/\u{1F600}%61"],
  [slug, "/books/%F0%9F%98%80%61"],
  [media, "/media/a/%77p/v2/tags"],
  [media, "/media/%6Dedia/media"],
  [pair, "/items/a-%61"],
  [pair, "/items/aa-a%61"],
  [pair, "/items/%69tems-a"],
  [pre, "/pre-%65/list"],
  [pre, "/pre-pre%2Dlist/list"],
])("an escape in the value of a variable matches: %s, %s", (pattern, path) => {
  expect(foundEscaped([pattern], path)).toEqual([pattern]);
});

test.each([
  ["/foo\\.bar/<id:.+>", "/foo.b%61r/a"],
  ["/foo\\.bar/<id:.+>", "/foo.b%61r/foo.bar"],
  ["/foo\\.bar/<id:.+>", "/foo%2Ebar/."],
  ["/foo\\.bar/<id:.+>", "/%66oo.bar/%61"],
  [pre, "/pr%65-e/list"],
  [pre, "/%70re-p/list"],
  [pre, "/pre%2Dx/list"],
  [pre, "/pre-s/li%73t"],
  [pair, "/items/a%2Db"],
  [pair, "/it%65ms/a-e"],
  [media, "/m%65dia/media"],
  [media, "/m%65dia/e"],
  [slug, "/%F0%9F%98%80/%70"],
  [slug, "/bo%6Fks/books"],
  ["/(?:books|pages)/<id:\\d+>", "/p%61ges/1"],
  ["/(books|pages)/<id:\\d+>", "/p%61ges/1"],
  ["/a(?:/b)?/<id:\\w+>", "/a/%62/c"],
  ["/tags", "/t%61gs"],
  ["/[a-z]+", "/t%61gs"],
])("an escape in a literal does not match: %s, %s", (pattern, path) => {
  expect(foundEscaped([pattern], path)).toEqual([]);
  expect(foundEscaped([pattern], decodeURIComponent(path))).toEqual(path.includes("%F0") ? [] : [pattern]);
});

test("an escape of a literal route does not match, even if a variable of a later route has this value", () => {
  expect(foundEscaped(["/users/me", "/users/<id:\\w+>"], "/users/%6De")).toEqual([]);
});
