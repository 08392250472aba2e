import type { AnswerSchema, Endpoint, Schema } from "../../../read/rest/documents.js";
import { anything, inView, type Member, type Members, record, sometimes, withValues } from "./answer-notation.js";
import * as posts from "./posts.js";
import * as site from "./site-objects.js";

// The routes of WordPress: first the routes of all sites, then the routes of registered post types and taxonomies.

/** Kinds of objects. The schemas of all objects of a kind get the same corrections. */
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

/**
 * The answers of a WordPress route: the schema of its object, and the ways in which GET and DELETE return the object.
 */
export interface CoreRoute {
  /** The name of the object's type; on sites that publish a schema, the title of the schema. */
  readonly name: string;
  readonly kind: ObjectKind;
  /**
   * The schema of the object. It is used for sites that publish no schema, and to correct the schemas that sites
   * publish.
   */
  readonly schema: AnswerSchema;
  /** Whether the answers get a type only if the site publishes a schema. */
  readonly isDescribedBySites: boolean;
  /** The answer to GET: an object, a list of objects, or a map of objects by name. */
  readonly readForm: "object" | "list" | "map";
  /**
   * The answer to DELETE. `deleted`: the deleted object in the member `previous`. `trashed or deleted`: either that, or
   * the object that was moved to the trash. `count`: the number of deleted objects.
   */
  readonly deletion: "deleted" | "trashed or deleted" | "count";
  /** Whether answers have `_links`. */
  readonly hasLinks: boolean;
}

/** The routes whose objects are the same on all sites. */
export const fixedRoutes: ReadonlyMap<string, CoreRoute> = new Map([
  ...collection("users", "user", site.userMembers),
  ...createSingleRoute("users/me", "user", site.userMembers, { hasLinks: true }),
  ...listApplicationPasswordRoutes("users/*/application-passwords"),
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
  ...createSingleRoute("widget-types/*/encode", "widget-form", site.widgetFormMembers),
  ...createSingleRoute("widget-types/*/render", "widget-preview", site.widgetPreviewMembers),
  ...listBlockTypeRoutes(),
  ...createSingleRoute("block-renderer/*", "rendered-block", site.renderedBlockMembers),
  ...createListRoute("block-patterns/patterns", "block-pattern", site.blockPatternMembers, { kind: "block pattern" }),
  ...createListRoute("block-patterns/categories", "block-pattern-category", site.blockPatternCategoryMembers),
  ...createSingleRoute("global-styles/*", "wp_global_styles", posts.globalStylesMembers, {
    kind: "global styles",
    hasLinks: true,
  }),
  ...createSingleRoute("global-styles/themes/*", "theme-styles", posts.themeStylesMembers, { hasLinks: true }),
  ...createListRoute("global-styles/themes/*/variations", "theme-style-variation", posts.styleVariationMembers),
  ...listHealthTestRoutes(),
  ...listRoutesAt("/wp-site-health/v1/directory-sizes", route("directory-sizes", site.directorySizeMembers)),
  ...listRoutesAt("/wp-block-editor/v1/url-details", route("url-details", site.urlDetailsMembers)),
  ...listRoutesAt("/oembed/1.0/embed", route("oembed", site.oembedMembers)),
  ...listRoutesAt("/oembed/1.0/proxy", route("oembed", site.oembedMembers)),
  ...listRoutesAt("/batch/v1", route("batch-answer", site.batchMembers)),
]);

/**
 * The link relations whose targets can be embedded, and the collections to which the targets belong. `isList` says
 * whether a relation may embed several objects.
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

function listRoutesAt(path: string, coreRoute: CoreRoute): readonly RouteEntry[] {
  return [[path, coreRoute]];
}

function createSingleRoute(
  path: string,
  name: string,
  members: Members,
  differences: Differences = {},
): readonly RouteEntry[] {
  return listRoutesAt(`/wp/v2/${path}`, route(name, members, differences));
}

function createListRoute(
  path: string,
  name: string,
  members: Members,
  differences: Differences = {},
): readonly RouteEntry[] {
  return createSingleRoute(path, name, members, { readForm: "list", ...differences });
}

/** Returns the routes of a collection and of its items. */
function collection(
  path: string,
  name: string,
  members: Members,
  differences: Differences = {},
): readonly RouteEntry[] {
  return [
    ...createListRoute(path, name, members, { hasLinks: true, ...differences }),
    ...createSingleRoute(`${path}/*`, name, members, { hasLinks: true, ...differences, readForm: "object" }),
  ];
}

function listApplicationPasswordRoutes(path: string): readonly RouteEntry[] {
  const differences = { kind: "application password", hasLinks: true } as const;
  const name = "application-password";
  return [
    ...createListRoute(path, name, site.applicationPasswordMembers, { ...differences, deletion: "count" }),
    ...createSingleRoute(`${path}/*`, name, site.applicationPasswordMembers, differences),
    ...createSingleRoute(`${path}/introspect`, name, site.applicationPasswordMembers, differences),
  ];
}

/**
 * Returns the routes of block types: all block types, those of a namespace, and one block type by namespace and name.
 */
function listBlockTypeRoutes(): readonly RouteEntry[] {
  const differences = { kind: "block type", hasLinks: true } as const;
  const name = "block-type";
  return [
    ...createListRoute("block-types", name, site.blockTypeMembers, differences),
    ...createListRoute("block-types/*", name, site.blockTypeMembers, differences),
    ...createSingleRoute("block-types/*/*", name, site.blockTypeMembers, differences),
  ];
}

function listHealthTestRoutes(): readonly RouteEntry[] {
  const tests =
    "authorization-header background-updates dotorg-communication https-status loopback-requests page-cache";
  const test = route("wp-site-health-test", site.healthTestMembers, { kind: "health test" });
  return tests.split(" ").flatMap((name) => listRoutesAt(`/wp-site-health/v1/tests/${name}`, test));
}

/** A post type or a taxonomy, with the members of its objects. */
export interface RegisteredType {
  readonly name: string;
  readonly kind: ObjectKind;
  readonly members: Members;
  /** The members of the type's revisions; undefined if objects of the type have no revisions. */
  readonly revision: Members | undefined;
  /** Whether objects can be moved to the trash. */
  readonly hasTrash: boolean;
  /** Whether answers have a type only if the site publishes a schema. */
  readonly isDescribedBySites: boolean;
}

/** The names of those post types and taxonomies whose routes use a different name, keyed by the name in the route. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ["posts", "post"],
  ["pages", "page"],
  ["media", "attachment"],
  ["blocks", "wp_block"],
  ["navigation", "wp_navigation"],
  ["templates", "wp_template"],
  ["template-parts", "wp_template_part"],
  ["menu-items", "nav_menu_item"],
  ["categories", "category"],
  ["tags", "tag"],
]);

/** The first segments below `/wp/v2/` in the routes of WordPress. */
const wordPressSegments: ReadonlySet<string | undefined> = new Set([
  ...typeNames.keys(),
  ...[...fixedRoutes.keys()].filter((path) => path.startsWith("/wp/v2/")).map((path) => path.split("/")[3]),
  ...["settings", "block-directory", "font-collections", "font-families", "pattern-directory"],
]);

/** Whether a route belongs to WordPress. All other routes below `/wp/v2/` belong to post types of plug-ins. */
export function isWordPressRoute(route: string): boolean {
  const [, vendor, version, segment] = route.split("/");
  return vendor === "wp" && version === "v2" && wordPressSegments.has(segment);
}

/**
 * The members that requests can set in WordPress's own collections, keyed by collection. Used for indexes that do not
 * list arguments.
 */
const defaultWritableMembers: ReadonlyMap<string, string> = new Map([
  [
    "posts",
    "date_gmt slug status password title content author excerpt featured_media comment_status ping_status format meta sticky " +
      "template categories tags",
  ],
  [
    "pages",
    "date_gmt slug status password parent title content author excerpt featured_media comment_status ping_status menu_order " +
      "meta template",
  ],
  ["blocks", "date_gmt slug status password title content template"],
  ["navigation", "date_gmt slug status password title content template"],
  [
    "media",
    "date_gmt slug status title author comment_status ping_status meta template alt_text caption description post",
  ],
  ["categories", "name slug parent meta"],
  ["tags", "name slug meta"],
]);

/**
 * If an index lists no arguments for one of WordPress's own collections, adds the members that requests can set by
 * default.
 */
export function addDefaultWritableMembers(base: string, args: WritableMembers): WritableMembers {
  const defaultNames = defaultWritableMembers.get(base)?.split(" ") ?? [];
  const isComplete = defaultNames.length === 0 || Object.hasOwn(args, "status") || Object.hasOwn(args, "name");
  return isComplete ? args : { ...Object.fromEntries(defaultNames.map((name) => [name, anything])), ...args };
}

/** Post types of WordPress that are recognized only by path, because plug-ins may add arguments to them. */
const wordPressPostTypes: ReadonlySet<string> = new Set(["posts", "pages", "navigation"]);
/** Taxonomies of WordPress that are recognized only by path, because plug-ins may add arguments to them. */
const wordPressTaxonomies: ReadonlySet<string> = new Set(["categories", "tags"]);

/**
 * Recognizes the post types of WordPress by their routes, and the post types of plug-ins by their dates and statuses.
 */
export function recognizePostType(base: string, writableMembers: WritableMembers): RegisteredType | undefined {
  switch (base) {
    case "media":
      return createPostType(base, writableMembers, { kind: "attachment", members: posts.attachmentMembers });
    case "menu-items":
      return {
        ...createPostType(base, writableMembers, { kind: "menu item", members: posts.menuItemMembers }),
        hasTrash: false,
      };
    case "templates":
    case "template-parts":
      return createPostType(base, writableMembers, { kind: "template", members: posts.templateMembers });
    case "blocks":
      return {
        ...createPostType(base, writableMembers, {
          kind: "post",
          members: { ...posts.postMembers, ...posts.blockMembers },
        }),
        revision: { ...posts.revisionMembers, ...posts.blockRevisionMembers },
      };
  }
  return wordPressPostTypes.has(base)
    ? createPostType(base, writableMembers, {
        kind: "post",
        members: { ...posts.postMembers, ...getMembersOfViewable(base) },
      })
    : recognizeCustomPostType(base, writableMembers);
}

/** Recognizes the post types of plug-ins by the arguments that all post types have. */
export function recognizeCustomPostType(base: string, writable: WritableMembers): RegisteredType | undefined {
  const isPostType = ["date_gmt", "slug", "status"].every((name) => Object.hasOwn(writable, name));
  return isPostType
    ? createPostType(base, writable, { kind: "post", members: { ...posts.postMembers, ...getMembersOfViewable(base) } })
    : undefined;
}

function createPostType(
  base: string,
  writable: WritableMembers,
  { kind, members }: { readonly kind: ObjectKind; readonly members: Members },
): RegisteredType {
  const revisedMembers = Object.entries(posts.revisedMembers).filter(([name]) => Object.hasOwn(writable, name));
  return {
    name: getTypeName(base),
    kind,
    members: withWritable(members, posts.supportedMembers, writable),
    revision: { ...posts.revisionMembers, ...Object.fromEntries(revisedMembers) },
    hasTrash: true,
    isDescribedBySites: false,
  };
}

function getTypeName(base: string): string {
  return typeNames.get(base) ?? base;
}

/**
 * Returns the members of objects that have a page on the site. In WordPress, posts, pages and media have a page, and
 * navigation menus do not. For types of plug-ins, these members are optional, because an index does not show whether
 * the objects have a page.
 */
function getMembersOfViewable(base: string): Members {
  if (base === "navigation") {
    return {};
  }
  if (base === "posts" || base === "pages") {
    return posts.viewableMembers;
  }
  return Object.fromEntries(
    Object.entries(posts.viewableMembers).map(([name, { schema }]) => [
      name,
      sometimes({ ...schema, contexts: undefined }),
    ]),
  );
}

/** Recognizes taxonomies by arguments that only term lists have. */
export function recognizeTaxonomy(
  base: string,
  writable: WritableMembers,
  list: Endpoint | undefined,
): RegisteredType | undefined {
  const isTaxonomy = wordPressTaxonomies.has(base) || (Object.hasOwn(writable, "name") && isListOfTerms(list));
  if (!isTaxonomy) {
    return undefined;
  }
  const members = withWritable(site.termMembers, site.supportedTermMembers, writable);
  return {
    name: getTypeName(base),
    kind: "other",
    members,
    revision: undefined,
    hasTrash: false,
    isDescribedBySites: false,
  };
}

/**
 * Returns the members that all objects of a kind have, and the other members that requests can set. Each of these other
 * members is either in `supportedMembers` or added by a plug-in.
 */
function withWritable(members: Members, supportedMembers: Members, writable: WritableMembers): Members {
  const addedEntries = Object.entries(writable).filter(([name]) => !Object.hasOwn(members, name));
  const allMembers = {
    ...members,
    ...Object.fromEntries(
      addedEntries.map(([name, schema]) => [name, findMember(supportedMembers, name) ?? createAddedMember(schema)]),
    ),
  };
  return Object.fromEntries(
    Object.entries(allMembers).map(([name, member]) => [name, withArgumentDescription(name, member, writable)]),
  );
}

/** Returns the member with a name from an index. The name may be that of a method of all objects: `toString`. */
function findMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/**
 * Sets the description and position of a member to those of the argument with the same name. Adds the site's additional
 * statuses to the member `status`.
 */
function withArgumentDescription(
  name: string,
  { schema, ...member }: Member,
  writableMembers: WritableMembers,
): Member {
  const writtenMember = findMember(writableMembers, name);
  const span = writtenMember?.span ?? schema.span;
  const describedSchema = { ...schema, description: writtenMember?.description, span };
  return {
    ...member,
    schema: name === "status" ? withValues(describedSchema, writtenMember?.enum ?? []) : describedSchema,
  };
}

/**
 * Returns a member that a plug-in adds. A list of numbers is taken to be a list of terms; for all other members, the
 * contexts are unknown.
 */
function createAddedMember(schema: AnswerSchema): Member {
  const isTermList = schema.types?.join() === "array" && schema.items?.types?.join() === "integer";
  return isTermList ? inView(schema) : sometimes(schema);
}

/** Returns the type of a post type's revisions or autosaves; undefined for a taxonomy, which has neither. */
export function findRevisionType(
  { name, kind, revision }: RegisteredType,
  historySegment: string,
): RegisteredType | undefined {
  if (revision === undefined) {
    return undefined;
  }
  const isAutosave = historySegment === "autosaves";
  return {
    name: `${name}-${isAutosave ? "autosave" : "revision"}`,
    kind: kind === "menu item" ? "menu item revision" : name === "wp_block" ? "block revision" : "revision",
    members: isAutosave ? { ...revision, ...posts.autosaveMembers } : revision,
    revision: undefined,
    hasTrash: false,
    // WordPress 6.1 does not return revisions of templates, so only the schema of a site can describe them.
    isDescribedBySites: kind === "template",
  };
}

function isListOfTerms(list: Endpoint | undefined): boolean {
  return list?.args.some(({ name }) => name === "hide_empty") === true;
}

/** The members of an object that requests can set, by name. */
export type WritableMembers = Readonly<Record<string, AnswerSchema>>;

/** Converts the arguments of endpoints to members of the objects that the endpoints create. */
export function findWritableMembers(endpoints: readonly Endpoint[]): WritableMembers {
  return Object.fromEntries(
    endpoints.flatMap(({ args }) => args.map(({ name, schema }) => [name, answerSchema(schema)] as const)),
  );
}

function answerSchema(schema: Schema): AnswerSchema {
  return {
    ...anything,
    span: schema.span,
    description: schema.description,
    types: schema.types,
    enum: schema.enum,
    items: schema.items && answerSchema(schema.items),
    properties: schema.properties.map((property) => ({
      name: property.name,
      isListed: false,
      isMarked: false,
      schema: answerSchema(property.schema),
    })),
    alternatives: (schema.alternatives ?? []).map(answerSchema),
  };
}
