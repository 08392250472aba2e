import type { AnswerSchema, Endpoint, Schema } from "../../../read/discovery/index.js";
import { anything, inView, type Member, type Members, sometimes, withValues } from "./answer-notation.js";
import { fixedRoutes, type ObjectKind } from "./fixed-routes.js";
import * as posts from "./posts.js";
import { supportedTermMembers, termMembers } from "./site-objects.js";

/** A post type or a taxonomy. Its writable members show which members its objects have. */
export interface RegisteredType {
  readonly name: string;
  readonly kind: ObjectKind;
  readonly members: Members;
  /** The members of its revisions; undefined if it has none. */
  readonly revision: Members | undefined;
  /** Whether objects can be moved to the trash. */
  readonly hasTrash: boolean;
  /** Whether answers have a type only if the site publishes a schema. */
  readonly isDescribedBySites: boolean;
}

/** Types that have a different name in routes. */
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

/** The first steps of WordPress's routes below `/wp/v2/`. */
const ownSteps: ReadonlySet<string | undefined> = new Set([
  ...typeNames.keys(),
  ...[...fixedRoutes.keys()].filter((path) => path.startsWith("/wp/v2/")).map((path) => path.split("/")[3]),
  ...["settings", "block-directory", "font-collections", "font-families", "pattern-directory"],
]);

/** Whether WordPress itself registers a route, or one above it. Plug-ins register their post types below `/wp/v2/` too. */
export function isOwnRoute(route: string): boolean {
  const [, vendor, version, step] = route.split("/");
  return vendor === "wp" && version === "v2" && ownSteps.has(step);
}

function nameOf(base: string): string {
  return typeNames.get(base) ?? base;
}

/** The writable members of WordPress's own types, for indexes without the arguments of their endpoints. */
const usuallyWritable: ReadonlyMap<string, string> = new Map([
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

/** The writable members of a type: the arguments in the index, and the usual ones if these are not arguments of such objects. */
export function writableOf(base: string, args: WritableMembers): WritableMembers {
  const usual = usuallyWritable.get(base)?.split(" ") ?? [];
  const isComplete = usual.length === 0 || Object.hasOwn(args, "status") || Object.hasOwn(args, "name");
  return isComplete ? args : { ...Object.fromEntries(usual.map((name) => [name, anything])), ...args };
}

/** Post types and taxonomies of WordPress, recognized by their path whatever arguments plug-ins add. */
const ownPostTypes: ReadonlySet<string> = new Set(["posts", "pages", "navigation"]);
const ownTaxonomies: ReadonlySet<string> = new Set(["categories", "tags"]);

/** Recognizes WordPress's post types by their routes, and those of plug-ins by their dates and statuses. */
export function postTypeOf(base: string, writable: WritableMembers): RegisteredType | undefined {
  switch (base) {
    case "media":
      return postType(base, writable, { kind: "attachment", members: posts.attachmentMembers });
    case "menu-items":
      return {
        ...postType(base, writable, { kind: "menu item", members: posts.menuItemMembers }),
        hasTrash: false,
      };
    case "templates":
    case "template-parts":
      return postType(base, writable, { kind: "template", members: posts.templateMembers });
    case "blocks":
      return {
        ...postType(base, writable, { kind: "post", members: { ...posts.postMembers, ...posts.blockMembers } }),
        revision: { ...posts.revisionMembers, ...posts.blockRevisionMembers },
      };
  }
  return ownPostTypes.has(base)
    ? postType(base, writable, { kind: "post", members: { ...posts.postMembers, ...viewable(base) } })
    : customPostTypeOf(base, writable);
}

/** Recognizes the post types of plug-ins by the arguments that all post types have. */
export function customPostTypeOf(base: string, writable: WritableMembers): RegisteredType | undefined {
  const isPostType = ["date_gmt", "slug", "status"].every((name) => Object.hasOwn(writable, name));
  return isPostType
    ? postType(base, writable, { kind: "post", members: { ...posts.postMembers, ...viewable(base) } })
    : undefined;
}

function postType(
  base: string,
  writable: WritableMembers,
  { kind, members }: { readonly kind: ObjectKind; readonly members: Members },
): RegisteredType {
  const revised = Object.entries(posts.revisedMembers).filter(([name]) => Object.hasOwn(writable, name));
  return {
    name: nameOf(base),
    kind,
    members: withWritable(members, posts.supportedMembers, writable),
    revision: { ...posts.revisionMembers, ...Object.fromEntries(revised) },
    hasTrash: true,
    isDescribedBySites: false,
  };
}

/** An index does not show whether a plug-in's objects have pages. WordPress's own do, except the navigation. */
function viewable(base: string): Members {
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
export function taxonomyOf(
  base: string,
  writable: WritableMembers,
  list: Endpoint | undefined,
): RegisteredType | undefined {
  const isTaxonomy = ownTaxonomies.has(base) || (Object.hasOwn(writable, "name") && isListOfTerms(list));
  if (!isTaxonomy) {
    return undefined;
  }
  const members = withWritable(termMembers, supportedTermMembers, writable);
  return {
    name: nameOf(base),
    kind: "other",
    members,
    revision: undefined,
    hasTrash: false,
    isDescribedBySites: false,
  };
}

/**
 * The members common to all objects of a kind, the supported ones, and those added by plug-ins, with the types of their
 * arguments.
 */
function withWritable(members: Members, supported: Members, writable: WritableMembers): Members {
  const added = Object.entries(writable).filter(([name]) => !Object.hasOwn(members, name));
  const all = {
    ...members,
    ...Object.fromEntries(added.map(([name, schema]) => [name, supported[name] ?? addedMember(schema)])),
  };
  return Object.fromEntries(Object.entries(all).map(([name, member]) => [name, asWritten(name, member, writable)]));
}

/** A member with the description of the argument of the same name, and with the site's additional statuses. */
function asWritten(name: string, { schema, ...member }: Member, writable: WritableMembers): Member {
  const written = writable[name];
  const described = { ...schema, description: written?.description };
  return { ...member, schema: name === "status" ? withValues(described, written?.enum ?? []) : described };
}

/** Lists of numbers are the terms of a taxonomy. The contexts of the other members are unknown. */
function addedMember(schema: AnswerSchema): Member {
  const isTerms = schema.types?.join() === "array" && schema.items?.types?.join() === "integer";
  return isTerms ? inView(schema) : sometimes(schema);
}

/** The revisions or autosaves of a post type; undefined for taxonomies, which have none. */
export function revisionOf({ name, kind, revision }: RegisteredType, history: string): RegisteredType | undefined {
  if (revision === undefined) {
    return undefined;
  }
  const isAutosave = history === "autosaves";
  return {
    name: `${name}-${isAutosave ? "autosave" : "revision"}`,
    kind: kind === "menu item" ? "menu item revision" : name === "wp_block" ? "block revision" : "revision",
    members: isAutosave ? { ...revision, ...posts.autosaveMembers } : revision,
    revision: undefined,
    hasTrash: false,
    // WordPress 6.1 finds no revisions of templates.
    isDescribedBySites: kind === "template",
  };
}

function isListOfTerms(list: Endpoint | undefined): boolean {
  return list?.args.some(({ name }) => name === "hide_empty") === true;
}

/** The writable members of an object, by name. */
export type WritableMembers = Readonly<Record<string, AnswerSchema>>;

/**
 * The arguments of endpoints as members of the objects that they create. An index describes arguments even if it contains no
 * schemas.
 */
export function writableMembers(endpoints: readonly Endpoint[]): WritableMembers {
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
      listed: false,
      marked: false,
      schema: answerSchema(property.schema),
    })),
    alternatives: (schema.alternatives ?? []).map(answerSchema),
  };
}
