import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { type EndpointInit, indexOf } from "./pairs/index-document.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Routes that moved to another namespace or below another path.

type Routes = Readonly<Record<string, EndpointInit>>;

/** Returns the added, removed, renamed and moved routes, such as `/shop/v1/caps → /core/v2/caps`, and the moves. */
function changesOf(before: Sources, after: Sources) {
  const { changes, moves, possibleMoves } = diffContracts(sideOf(before), sideOf(after));
  const routes = changes
    .filter(({ rule }) => /^(?:route-(?:added|removed|renamed|version-changed)|(?:method|argument)-)/.test(rule))
    .map(({ rule, subject, before: from, after: to }) =>
      rule === "route-renamed" || rule === "route-version-changed"
        ? `${from} → ${to}`
        : `${rule} ${subject.replace(/ \w+$/, "")}`,
    );
  const format = (list: typeof moves) => list.map((move) => `${move.before} → ${move.after}`).sort();
  return { routes: routes.sort(), moves: format(moves), possibleMoves: format(possibleMoves) };
}

const endpointOf = (...names: readonly string[]): EndpointInit => ({
  args: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const post = (...names: readonly string[]): EndpointInit => ({ ...endpointOf(...names), methods: ["POST"] });
/** The endpoint that lists the routes of a namespace. */
const list = endpointOf("namespace", "context");
const kept: Routes = { "/core/v2": list, "/core/v2/posts": endpointOf("page", "search") };
const id = "(?P<id>[\\d]+)";

const cases: readonly {
  readonly title: string;
  readonly before: Routes;
  readonly after: Routes;
  readonly want: readonly string[];
  readonly possible?: readonly string[];
}[] = [
  {
    title: "to a namespace that both versions have",
    before: { "/seo/v1/file_size": endpointOf("path") },
    after: { "/core/v2/file_size": endpointOf("path") },
    want: ["/seo/v1/file_size → /core/v2/file_size"],
  },
  {
    title: "without arguments",
    before: { "/seo/v1/file_size": {} },
    after: { "/core/v2/file_size": {} },
    want: ["/seo/v1/file_size → /core/v2/file_size"],
  },
  {
    title: "with a variable",
    before: { [`/seo/v1/files/${id}`]: endpointOf("id", "unit") },
    after: { "/core/v2/files/(?P<file>[\\d]+)": endpointOf("file", "unit") },
    want: [`/seo/v1/files/${id} → /core/v2/files/(?P<file>[\\d]+)`],
  },
  {
    title: "with a further argument",
    before: { "/seo/v1/file_size": endpointOf("path") },
    after: { "/core/v2/file_size": endpointOf("path", "unit") },
    want: ["/seo/v1/file_size → /core/v2/file_size", "argument-added-optional GET /core/v2/file_size"],
  },
  {
    title: "below another path of its namespace",
    before: { "/seo/v1/tools/file_size": {} },
    after: { "/seo/v1/file_size": {} },
    want: ["/seo/v1/tools/file_size → /seo/v1/file_size"],
  },
  {
    title: "below another path of another namespace",
    before: { "/seo/v1/tools/file_size": endpointOf("path") },
    after: { "/core/v2/media/files/file_size": endpointOf("path") },
    want: ["/seo/v1/tools/file_size → /core/v2/media/files/file_size"],
  },
  {
    title: "not below another path of another namespace, if only its name is equal",
    before: { "/seo/v1/tools/list": {} },
    after: { "/core/v2/media/list": {} },
    want: ["route-added /core/v2/media/list", "route-removed /seo/v1/tools/list"],
  },
  {
    title: "not if its method differs",
    before: { "/seo/v1/file_size": endpointOf("path") },
    after: { "/core/v2/file_size": post("path") },
    want: ["route-added /core/v2/file_size", "route-removed /seo/v1/file_size"],
  },
  {
    title: "not if its arguments differ",
    before: { "/seo/v1/settings": endpointOf("title", "robots") },
    after: { "/core/v2/settings": endpointOf("language", "theme") },
    want: ["route-added /core/v2/settings", "route-removed /seo/v1/settings"],
  },
  {
    title: "not if a variable above its name is missing",
    before: { [`/seo/v1/sites/${id}/file_size`]: endpointOf("id", "path") },
    after: { "/core/v2/file_size": endpointOf("path") },
    want: ["route-added /core/v2/file_size", `route-removed /seo/v1/sites/${id}/file_size`],
  },
  {
    title: "perhaps, if a route that both versions have is equal",
    before: { "/seo/v1/settings": endpointOf("title"), "/seo/v1/all": {}, "/forms/v1/settings": endpointOf("title") },
    after: { "/core/v2/settings": endpointOf("title"), "/seo/v1/all": {}, "/forms/v1/settings": endpointOf("title") },
    want: ["route-added /core/v2/settings", "route-removed /seo/v1/settings"],
    possible: ["seo.settings.get → core.settings.get"],
  },
  {
    title: "to one of two namespaces, which are equally likely",
    before: { "/seo/v1/settings": endpointOf("title"), "/seo/v1/all": {} },
    after: { "/core/v2/settings": endpointOf("title"), "/mail/v1/settings": endpointOf("title"), "/seo/v1/all": {} },
    want: ["route-added /core/v2/settings", "route-added /mail/v1/settings", "route-removed /seo/v1/settings"],
    possible: ["seo.settings.get → core.settings.get", "seo.settings.get → mail.settings.get"],
  },
  {
    title: "with its whole namespace to another version",
    before: { "/seo/v1": list, "/seo/v1/file_size": endpointOf("path"), "/seo/v1/check": post("url") },
    after: { "/seo/v2": list, "/seo/v2/file_size": endpointOf("path", "unit"), "/seo/v2/check": post("url") },
    want: ["argument-added-optional GET /seo/v2/file_size", "seo/v1 → seo/v2"],
  },
  {
    title: "with its whole namespace to another version, in which a route is renamed",
    before: { "/seo/v1": list, "/seo/v1/file_size": endpointOf("path"), "/seo/v1/color": post("url") },
    after: { "/seo/v2": list, "/seo/v2/file_size": endpointOf("path"), "/seo/v2/colour": post("url") },
    want: ["/seo/v1/color → /seo/v2/colour", "seo/v1 → seo/v2"],
  },
  {
    title: "with its whole namespace to a new one",
    before: { "/seo/v1": list, "/seo/v1/file_size": endpointOf("path"), "/seo/v1/check": post("url") },
    after: { "/search/v2": list, "/search/v2/file_size": endpointOf("path"), "/search/v2/check": post("url") },
    want: ["/seo/v1 → /search/v2", "/seo/v1/check → /search/v2/check", "/seo/v1/file_size → /search/v2/file_size"],
  },
  {
    title: "with its namespace, of which some routes changed, and one was renamed",
    before: {
      "/seo/v1": list,
      "/seo/v1/file_size": endpointOf("path"),
      "/seo/v1/check": post("url"),
      "/seo/v1/settings": endpointOf("title"),
      "/seo/v1/color": endpointOf("hue"),
      "/seo/v1/old": endpointOf("x", "y"),
    },
    after: {
      "/core/v2/file_size": endpointOf("path"),
      "/core/v2/check": post("url"),
      "/core/v2/settings": endpointOf("name"),
      "/core/v2/colour": endpointOf("hue"),
      "/core/v2/another": endpointOf("z"),
    },
    want: [
      "/seo/v1/check → /core/v2/check",
      "/seo/v1/color → /core/v2/colour",
      "/seo/v1/file_size → /core/v2/file_size",
      "/seo/v1/settings → /core/v2/settings",
      "argument-renamed GET /core/v2/settings",
      "route-added /core/v2/another",
      "route-removed /seo/v1",
      "route-removed /seo/v1/old",
    ],
  },
  {
    title: "to two namespaces",
    before: {
      "/seo/v1/file_size": endpointOf("path"),
      "/seo/v1/check": post("url"),
      "/seo/v1/settings": endpointOf("title"),
    },
    after: {
      "/core/v2/file_size": endpointOf("path"),
      "/site/v1/check": post("url"),
      "/site/v1/settings": endpointOf("title"),
    },
    want: [
      "/seo/v1/check → /site/v1/check",
      "/seo/v1/file_size → /core/v2/file_size",
      "/seo/v1/settings → /site/v1/settings",
    ],
  },
  {
    title: "with other routes, whose new paths show which of two equal routes it is",
    before: {
      "/seo/v1/a": endpointOf("a"),
      "/seo/v1/b": endpointOf("b"),
      "/seo/v1/settings": endpointOf("title"),
      "/mail/v1/c": endpointOf("c"),
      "/mail/v1/d": endpointOf("d"),
      "/mail/v1/settings": endpointOf("title"),
    },
    after: {
      "/core/v2/a": endpointOf("a"),
      "/core/v2/b": endpointOf("b"),
      "/core/v2/settings": endpointOf("title"),
      "/site/v3/c": endpointOf("c"),
      "/site/v3/d": endpointOf("d"),
      "/site/v3/settings": endpointOf("title"),
    },
    want: [
      "/mail/v1/c → /site/v3/c",
      "/mail/v1/d → /site/v3/d",
      "/mail/v1/settings → /site/v3/settings",
      "/seo/v1/a → /core/v2/a",
      "/seo/v1/b → /core/v2/b",
      "/seo/v1/settings → /core/v2/settings",
    ],
  },
  {
    title: "with the routes of two paths, whose last names are equal",
    before: {
      [`/seo/v1/pages/${id}/checks`]: endpointOf("id", "url"),
      [`/seo/v1/posts/${id}/checks`]: endpointOf("id", "url"),
    },
    after: {
      [`/core/v2/pages/${id}/checks`]: endpointOf("id", "url"),
      [`/core/v2/posts/${id}/checks`]: endpointOf("id", "url"),
    },
    want: [
      `/seo/v1/pages/${id}/checks → /core/v2/pages/${id}/checks`,
      `/seo/v1/posts/${id}/checks → /core/v2/posts/${id}/checks`,
    ],
  },
];

const reversed = (pair: string) => pair.split(" → ").reverse().join(" → ");
const mirrored = (text: string) =>
  text.includes(" → ")
    ? reversed(text)
    : text.replace(/-(added|removed)/, (_, word) => (word === "added" ? "-removed" : "-added"));

describe("a route moved", () => {
  test.each(cases)("$title", ({ before, after, want, possible = [] }) => {
    const [oldIndex, newIndex] = [indexOf({ ...kept, ...before }), indexOf({ ...kept, ...after })];
    const changes = changesOf(oldIndex, newIndex);
    expect(changes).toMatchObject({ routes: want, possibleMoves: possible });
    const swapped = changesOf(newIndex, oldIndex);
    const omitRoutes = (texts: readonly string[]) => texts.map((text) => text.replace(/ GET .*/, "")).sort();
    expect(omitRoutes(swapped.routes)).toEqual(omitRoutes(want.map(mirrored)));
    expect(swapped.moves).toEqual(changes.moves.map(reversed).sort());
    expect(swapped.possibleMoves).toEqual(possible.map(reversed).sort());
  });
});

describe("the answers of a moved route", () => {
  const answer = (...names: readonly string[]) => ({
    title: "thing",
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  });
  const stateOf = (namespace: string, ...names: readonly string[]) => {
    const route = `/${namespace}/sizes/${id}`;
    return indexOf({ ...kept, [route]: endpointOf("id", "path") }, { [route]: answer(...names) });
  };

  test("may have further members", () => {
    const [before, after] = [stateOf("seo/v1", "bytes"), stateOf("core/v2", "bytes", "unit")];
    expect(changesOf(before, after).routes).toEqual([`/seo/v1/sizes/${id} → /core/v2/sizes/${id}`]);
  });

  test("show that it is another route if no member is the same", () => {
    const [before, after] = [stateOf("seo/v1", "bytes"), stateOf("core/v2", "width", "height")];
    expect(changesOf(before, after).routes).toEqual([
      `route-added /core/v2/sizes/${id}`,
      `route-removed /seo/v1/sizes/${id}`,
    ]);
  });
});
