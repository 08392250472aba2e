import type { AnswerSchema } from "../../../read/discovery/documents.js";
import { type Members, record } from "./answer-notation.js";
import * as posts from "./posts.js";
import * as site from "./site-objects.js";

/** The kinds of objects whose schemas are corrected in the same way. */
export type ObjectKind =
  | "post"
  | "attachment"
  | "revision"
  | "block revision"
  | "menu item"
  | "menu item revision"
  | "template"
  | "global styles"
  | "application password"
  | "search result"
  | "block type"
  | "block pattern"
  | "plugin"
  | "theme"
  | "settings"
  | "type"
  | "taxonomy"
  | "health test"
  | "other";

/** The answers of a WordPress route: the schema of its object, and the forms in which GET and DELETE return it. */
export interface CoreRoute {
  /** The name of the object's type. It equals the title of the schema on sites that publish one. */
  readonly name: string;
  readonly kind: ObjectKind;
  /** The schema of the object. It is used if a site publishes no schema, and to correct the schemas of sites. */
  readonly schema: AnswerSchema;
  /** Whether the answers get a type only if the site publishes a schema. */
  readonly isDescribedBySites: boolean;
  /** The answer to GET: an object, a list of objects, or a map of objects by name. */
  readonly readForm: "object" | "list" | "map";
  /**
   * The answer to DELETE. `deleted`: the deleted object in the member `previous`. `trashed or deleted`: that, or the object that is now in
   * the trash. `count`: the number of deleted objects.
   */
  readonly deletion: "deleted" | "trashed or deleted" | "count";
  /** Whether answers have `_links`. */
  readonly hasLinks: boolean;
}

/** The routes whose objects are the same on all sites. */
export const fixedRoutes: ReadonlyMap<string, CoreRoute> = new Map([
  ...collection("users", "user", site.userMembers),
  ...singleRoute("users/me", "user", site.userMembers, { hasLinks: true }),
  ...applicationPasswordRoutes("users/*/application-passwords"),
  ...collection("comments", "comment", site.commentMembers, { deletion: "trashed or deleted" }),
  ...collection("types", "type", site.typeMembers, { kind: "type", readForm: "map" }),
  ...collection("statuses", "status", site.statusMembers, { readForm: "map" }),
  ...collection("taxonomies", "taxonomy", site.taxonomyMembers, { kind: "taxonomy", readForm: "map" }),
  ...collection("search", "search-result", site.searchResultMembers, { kind: "search result" }),
  ...collection("plugins", "plugin", site.pluginMembers, { kind: "plugin" }),
  ...collection("themes", "theme", site.themeMembers, { kind: "theme" }),
  ...collection("menus", "nav_menu", site.menuMembers),
  ...collection("menu-locations", "menu-location", site.menuLocationMembers, { readForm: "map" }),
  ...collection("sidebars", "sidebar", site.sidebarMembers),
  ...collection("widgets", "widget", site.widgetMembers, { deletion: "trashed or deleted" }),
  ...collection("widget-types", "widget-type", site.widgetTypeMembers),
  ...singleRoute("widget-types/*/encode", "widget-form", site.widgetFormMembers),
  ...singleRoute("widget-types/*/render", "widget-preview", site.widgetPreviewMembers),
  ...blockTypes(),
  ...singleRoute("block-renderer/*", "rendered-block", site.renderedBlockMembers),
  ...listOnly("block-patterns/patterns", "block-pattern", site.blockPatternMembers, { kind: "block pattern" }),
  ...listOnly("block-patterns/categories", "block-pattern-category", site.blockPatternCategoryMembers),
  ...singleRoute("global-styles/*", "wp_global_styles", posts.globalStylesMembers, {
    kind: "global styles",
    hasLinks: true,
  }),
  ...singleRoute("global-styles/themes/*", "theme-styles", posts.themeStylesMembers, { hasLinks: true }),
  ...listOnly("global-styles/themes/*/variations", "theme-style-variation", posts.styleVariationMembers),
  ...healthTests(),
  ...routeAt("/wp-site-health/v1/directory-sizes", route("directory-sizes", site.directorySizeMembers)),
  ...routeAt("/wp-block-editor/v1/url-details", route("url-details", site.urlDetailsMembers)),
  ...routeAt("/oembed/1.0/embed", route("oembed", site.oembedMembers)),
  ...routeAt("/oembed/1.0/proxy", route("oembed", site.oembedMembers)),
  ...routeAt("/batch/v1", route("batch-answer", site.batchMembers)),
]);

/**
 * The link relations whose targets can be embedded, and the collections to which the targets belong. `isList`: whether a relation
 * embeds more than one object.
 */
export const embeddedRelations: readonly {
  readonly name: string;
  readonly collections: readonly string[];
  readonly isList: boolean;
}[] = [
  { name: "author", collections: ["users"], isList: false },
  { name: "wp:featuredmedia", collections: ["media"], isList: false },
  { name: "wp:term", collections: ["categories", "tags"], isList: true },
  { name: "replies", collections: ["comments"], isList: true },
];

type RouteEntry = readonly [path: string, route: CoreRoute];
type Differences = Partial<Pick<CoreRoute, "kind" | "readForm" | "deletion" | "hasLinks">>;

function route(name: string, members: Members, differences: Differences = {}): CoreRoute {
  const schema = record(members);
  const defaults = {
    kind: "other",
    isDescribedBySites: false,
    readForm: "object",
    deletion: "deleted",
    hasLinks: false,
  } as const;
  return { ...defaults, name, schema, ...differences };
}

function routeAt(path: string, coreRoute: CoreRoute): readonly RouteEntry[] {
  return [[path, coreRoute]];
}

function singleRoute(
  path: string,
  name: string,
  members: Members,
  differences: Differences = {},
): readonly RouteEntry[] {
  return routeAt(`/wp/v2/${path}`, route(name, members, differences));
}

function listOnly(path: string, name: string, members: Members, differences: Differences = {}): readonly RouteEntry[] {
  return singleRoute(path, name, members, { readForm: "list", ...differences });
}

/** The routes of a collection and of its items. */
function collection(
  path: string,
  name: string,
  members: Members,
  differences: Differences = {},
): readonly RouteEntry[] {
  return [
    ...listOnly(path, name, members, { hasLinks: true, ...differences }),
    ...singleRoute(`${path}/*`, name, members, { hasLinks: true, ...differences, readForm: "object" }),
  ];
}

function applicationPasswordRoutes(path: string): readonly RouteEntry[] {
  const differences = { kind: "application password", hasLinks: true } as const;
  const name = "application-password";
  return [
    ...listOnly(path, name, site.applicationPasswordMembers, { ...differences, deletion: "count" }),
    ...singleRoute(`${path}/*`, name, site.applicationPasswordMembers, differences),
    ...singleRoute(`${path}/introspect`, name, site.applicationPasswordMembers, differences),
  ];
}

/** The routes of block types: all, those of a namespace, and one by namespace and name. */
function blockTypes(): readonly RouteEntry[] {
  const differences = { kind: "block type", hasLinks: true } as const;
  const name = "block-type";
  return [
    ...listOnly("block-types", name, site.blockTypeMembers, differences),
    ...listOnly("block-types/*", name, site.blockTypeMembers, differences),
    ...singleRoute("block-types/*/*", name, site.blockTypeMembers, differences),
  ];
}

function healthTests(): readonly RouteEntry[] {
  const tests =
    "authorization-header background-updates dotorg-communication https-status loopback-requests page-cache";
  const test = route("wp-site-health-test", site.healthTestMembers, { kind: "health test" });
  return tests.split(" ").flatMap((name) => routeAt(`/wp-site-health/v1/tests/${name}`, test));
}
