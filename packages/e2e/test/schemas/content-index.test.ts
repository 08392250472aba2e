import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";

interface Arg {
  readonly required: boolean;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly items?: { readonly type: string; readonly enum?: readonly string[] };
}
interface Route {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: Readonly<Record<string, Arg>> }[];
  readonly _links?: { readonly self: string };
}
const index: { readonly namespaces: readonly string[]; readonly routes: Readonly<Record<string, Route>> } = JSON.parse(
  readFileSync(join(root, "schemas/content/index.json"), "utf8"),
);
const routes = Object.entries(index.routes);
const id = "(?P<id>[\\d]+)";

function args(route: string, method: string): Readonly<Record<string, Arg>> {
  const endpoint = index.routes[route]?.endpoints.find((candidate) => candidate.methods.includes(method));
  if (endpoint === undefined) {
    throw new Error(`no ${method} ${route}`);
  }
  return endpoint.args;
}

const languages = "translation_language";
const without = (names: readonly string[]) => names.filter((name) => name !== languages);

test("the index has its nine members, and seven namespaces in their order", () => {
  expect(Object.keys(index)).toEqual([
    ...[
      "name",
      "description",
      "url",
      "home",
      "gmt_offset",
      "timezone_string",
      "namespaces",
      "authentication",
      "routes",
    ],
  ]);
  expect(index.namespaces).toEqual([
    ...["oembed/1.0", "translation/v1", "forms/v1", "seo/v1", "seo/v1/account", "translation/st/v1", "core/v2"],
  ]);
});

test("there are 71 methods of routes and 8 index documents", () => {
  const indexes = new Set(["/", ...index.namespaces.map((namespace) => `/${namespace}`)]);
  const count = (routes: readonly [string, Route][]) =>
    routes.reduce((sum, [, route]) => sum + route.methods.length, 0);
  expect(count(routes.filter(([path]) => !indexes.has(path)))).toBe(71);
  expect(count(routes.filter(([path]) => indexes.has(path)))).toBe(8);
});

const table: readonly (readonly [route: string, methods: string])[] = [
  ["/oembed/1.0/embed", "GET"],
  ["/oembed/1.0/proxy", "GET"],
  ["/translation/v1/custom-xml-config", "GET POST"],
  ["/translation/v1/custom-xml-config/validate", "POST"],
  ["/translation/v1/updates", "POST"],
  ["/translation/v1/item-sections/populated", "GET"],
  ["/translation/v1/posts", "GET"],
  ["/translation/v1/posts/count", "GET"],
  ["/translation/v1/posts/hierarchical", "GET"],
  ["/translation/v1/posts/taxonomies", "GET"],
  ["/translation/v1/posts/terms", "GET"],
  ["/translation/v1/send-to-translation/validate-translation-options", "POST"],
  ["/translation/v1/send-to-translation/default-batch-name", "GET"],
  ["/translation/v1/send-to-translation/validate-batch-name", "POST"],
  ["/translation/v1/set-review-translation-option", "POST"],
  ["/translation/v1/translate-everything/enable", "POST"],
  ["/translation/v1/translate-everything/disable", "POST"],
  ["/translation/st/v1/strings/settings", "POST GET"],
  ["/translation/st/v1/strings/itemscount", "GET"],
  ["/translation/st/v1/strings", "GET"],
  ["/translation/st/v1/strings/filters", "GET"],
  ["/translation/st/v1/string-packages", "GET"],
  ["/translation/st/v1/strings/processstringsqueue", "POST"],
  ["/translation/st/v1/import_mo_strings", "POST"],
  ["/translation/st/v1/pre_generate_mo_files", "POST"],
  ["/translation/st/v1/settings", "POST"],
  ["/forms/v1/contact-forms", "GET POST"],
  [`/forms/v1/contact-forms/${id}`, "GET POST PUT PATCH DELETE"],
  [`/forms/v1/contact-forms/${id}/feedback`, "POST"],
  [`/forms/v1/contact-forms/${id}/refill`, "GET"],
  ["/seo/v1/configurator", "GET POST"],
  ["/seo/v1/reindex_posts", "GET"],
  ["/seo/v1/site_analysis", "GET"],
  ["/seo/v1/indexables/(?P<object_type>[\\w]+)/(?P<object_id>[\\d]+)", "GET PATCH"],
  ["/seo/v1/file_size", "GET"],
  ["/seo/v1/statistics", "GET"],
  ["/seo/v1/account/connect", "POST"],
  ["/core/v2/media", "GET POST"],
  [`/core/v2/media/${id}`, "GET POST PUT PATCH DELETE"],
  [`/core/v2/media/${id}/post-process`, "POST"],
  ["/core/v2/blocks", "GET POST"],
  [`/core/v2/blocks/${id}`, "GET POST PUT PATCH DELETE"],
  [`/core/v2/blocks/${id}/autosaves`, "GET POST"],
  [`/core/v2/blocks/(?P<parent>[\\d]+)/autosaves/${id}`, "GET"],
  ["/core/v2/project", "GET POST"],
  [`/core/v2/project/${id}`, "GET POST PUT PATCH DELETE"],
];

test.each(table)("%s has the methods %s, in that order", (route, methods) => {
  expect(index.routes[route]?.methods.join(" ")).toBe(methods);
  expect(index.routes[route]?.endpoints.flatMap((endpoint) => endpoint.methods).join(" ")).toBe(methods);
});

test("there are no other routes", () => {
  const known = new Set([
    "/",
    ...index.namespaces.map((namespace) => `/${namespace}`),
    ...table.map(([route]) => route),
  ]);
  expect(routes.map(([path]) => path).filter((path) => !known.has(path))).toEqual([]);
});

test("a route belongs to the longest namespace that begins it", () => {
  for (const [path, route] of routes) {
    const longest = index.namespaces
      .filter((namespace) => path === `/${namespace}` || path.startsWith(`/${namespace}/`))
      .sort((a, b) => b.length - a.length)[0];
    expect(route.namespace, path).toBe(longest ?? "");
  }
});

test("the arguments of a namespace index have its namespace and context as defaults", () => {
  for (const namespace of index.namespaces) {
    expect(args(`/${namespace}`, "GET")["namespace"]).toEqual({ required: false, default: namespace });
    expect(args(`/${namespace}`, "GET")["context"]).toEqual({ required: false, default: "view" });
  }
  expect(args("/", "GET")["context"]).toEqual({ required: false, default: "view" });
});

test("every endpoint accepts the language, and arguments have at most six keys, in order", () => {
  const order = ["required", "default", "enum", "description", "type", "items"];
  for (const [path, route] of routes) {
    for (const endpoint of route.endpoints) {
      expect(endpoint.args[languages], path).toMatchObject({ required: false, type: "string", enum: ["en", "pt-pt"] });
      for (const arg of Object.values(endpoint.args)) {
        expect(Object.keys(arg)).toEqual(order.filter((key) => key in arg));
        expect(typeof arg.required).toBe("boolean");
      }
    }
  }
});

test("the link self is the route's address if the route has no group", () => {
  for (const [path, route] of routes) {
    expect(route._links?.self, path).toBe(path.includes("(?P<") ? undefined : `https://content.example/en/api${path}`);
  }
});

// The writable fields, each with its type and the objects that have it.
const writable: readonly (readonly [field: string, type: string, media: boolean, blocks: boolean, project: boolean])[] =
  [
    ["date", "string,null", true, true, true],
    ["date_gmt", "string,null", true, true, true],
    ["slug", "string", true, true, true],
    ["status", "string", true, true, true],
    ["password", "string", false, true, true],
    ["title", "object", true, true, true],
    ["content", "object", false, true, true],
    ["template", "string", true, true, true],
    ["author", "integer", true, false, true],
    ["excerpt", "object", false, false, true],
    ["featured_media", "integer", false, false, true],
    ["comment_status", "string", true, false, true],
    ["ping_status", "string", true, false, true],
    ["meta", "object", true, false, true],
    ["project_category", "array", false, false, true],
    ["project_tag", "array", false, false, true],
    ["alt_text", "string", true, false, false],
    ["caption", "object", true, false, false],
    ["description", "object", true, false, false],
    ["post", "integer", true, false, false],
  ];

test.each(writable)(
  "%s is %s; written on media: %s, blocks: %s, project: %s",
  (field, type, media, blocks, project) => {
    const expected = { media, blocks, project };
    for (const [kind, has] of Object.entries(expected)) {
      for (const [route, method] of [
        [`/core/v2/${kind}`, "POST"],
        [`/core/v2/${kind}/${id}`, "POST"],
        [`/core/v2/${kind}/${id}`, "PATCH"],
      ] as const) {
        const arg = args(route, method)[field];
        expect(arg !== undefined, `${method} ${route}`).toBe(has);
        if (arg !== undefined) {
          expect([arg.type].flat().join(",")).toBe(type);
        }
      }
    }
  },
);

test("nothing else can be written", () => {
  for (const [column, kind] of ["media", "blocks", "project"].entries()) {
    const fields = writable.filter((row) => row[column + 2] === true).map(([field]) => field);
    expect(without(Object.keys(args(`/core/v2/${kind}`, "POST")))).toEqual(fields);
    expect(without(Object.keys(args(`/core/v2/${kind}/${id}`, "PUT")))).toEqual(["id", ...fields]);
  }
  const blocks = writable.filter((row) => row[3]).map(([field]) => field);
  expect(without(Object.keys(args(`/core/v2/blocks/${id}/autosaves`, "POST")))).toEqual(["parent", ...blocks]);
});

const listing = "context page per_page search after before exclude include offset order orderby slug status".split(" ");
const lists: readonly (readonly [route: string, method: string, names: readonly string[]])[] = [
  ["/core/v2/media", "GET", []],
  ["/core/v2/blocks", "GET", listing],
  [
    "/core/v2/project",
    "GET",
    [
      ...listing,
      ..."author author_exclude project_category project_category_exclude project_tag project_tag_exclude".split(" "),
    ],
  ],
  [`/core/v2/media/${id}`, "GET", ["id", "context"]],
  [`/core/v2/blocks/${id}`, "GET", ["id", "context", "password"]],
  [`/core/v2/project/${id}`, "GET", ["id", "context"]],
  [`/core/v2/project/${id}`, "DELETE", ["id", "force"]],
  [`/core/v2/blocks/${id}/autosaves`, "GET", ["parent", "context"]],
  [`/core/v2/blocks/(?P<parent>[\\d]+)/autosaves/${id}`, "GET", ["parent", "id", "context"]],
  [`/core/v2/media/${id}/post-process`, "POST", ["id", "action"]],
  ["/oembed/1.0/embed", "GET", ["url", "format", "maxwidth"]],
  ["/oembed/1.0/proxy", "GET", ["url", "format", "maxwidth", "maxheight", "discover"]],
  ["/translation/st/v1/settings", "POST", ["group", "key", "data"]],
  ["/translation/st/v1/import_mo_strings", "POST", ["plugins", "themes", "other"]],
  ["/translation/st/v1/strings/settings", "POST", ["autoregisterType", "shouldRegisterBackendStrings"]],
  ["/translation/st/v1/strings/settings", "GET", []],
  [
    "/translation/st/v1/string-packages",
    "GET",
    "type title sourceLanguageCode targetLanguageCode translationStatuses limit offset sorting".split(" "),
  ],
  ...["/translation/st/v1/strings", "/translation/st/v1/strings/itemscount"].map(
    (route) =>
      [
        route,
        "GET",
        "kind type source domain translationPriority title sourceLanguageCode targetLanguageCode translationStatuses limit offset sorting".split(
          " ",
        ),
      ] as const,
  ),
];

test.each(lists)("%s %s accepts its arguments in order", (route, method, names) => {
  expect(without(Object.keys(args(route, method)))).toEqual(names);
});

test("untyped arguments stay untyped", () => {
  const untyped = routes.flatMap(([path, route]) =>
    route.endpoints.flatMap((endpoint) =>
      Object.entries(endpoint.args).flatMap(([name, arg]) =>
        arg.type === undefined && name !== "context" && name !== "namespace" ? [`${path} ${name}`] : [],
      ),
    ),
  );
  expect(untyped).toEqual([
    "/oembed/1.0/embed url",
    "/oembed/1.0/embed format",
    "/oembed/1.0/embed maxwidth",
    "/translation/st/v1/strings/itemscount sorting",
    "/translation/st/v1/strings sorting",
    "/translation/st/v1/string-packages sorting",
    "/translation/st/v1/settings group",
    "/translation/st/v1/settings key",
    "/translation/st/v1/settings data",
  ]);
});

test("five statuses can be written and thirteen can be filtered by; the filter is an array whose default is a string", () => {
  expect(args("/core/v2/blocks", "POST")["status"]?.enum).toHaveLength(5);
  const filter = args("/core/v2/project", "GET")["status"];
  expect(filter).toMatchObject({ type: "array", default: "publish" });
  expect(filter?.items?.enum).toHaveLength(13);
});

test("required arguments are the specified ones", () => {
  const required = routes.flatMap(([path, route]) =>
    route.endpoints.flatMap((endpoint) =>
      Object.entries(endpoint.args).flatMap(([name, arg]) => (arg.required ? [`${path} ${name}`] : [])),
    ),
  );
  expect(required).toEqual([
    "/oembed/1.0/embed url",
    "/oembed/1.0/proxy url",
    "/translation/st/v1/settings group",
    "/translation/st/v1/settings key",
    "/translation/st/v1/settings data",
    "/seo/v1/file_size url",
    `/core/v2/media/${id}/post-process action`,
  ]);
});
