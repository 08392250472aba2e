import type { JsonType } from "../../../model/rest.js";
import type { AnswerDefinition, AnswerProperty, AnswerSchema, Endpoint, Route } from "../../../read/discovery/index.js";
import { segmentsOf } from "../route-paths.js";
import { deletedObject } from "../wordpress-conventions.js";
import { always, nullable, record, withLinks, withValues } from "./answer-notation.js";
import { type CoreRoute, fixedRoutes, type ObjectKind } from "./fixed-routes.js";
import {
  customPostTypeOf,
  postTypeOf,
  type RegisteredType,
  revisionOf,
  taxonomyOf,
  type WritableMembers,
  writableMembers,
  writableOf,
} from "./registered-types.js";
import { settingOf } from "./site-objects.js";

// The answers of routes whose objects WordPress registers, and corrections of the schemas that sites publish for them.

/** The object of a WordPress route, and the answers of its endpoints. */
export interface CoreAnswers {
  /** Undefined if only sites can define the object, and this site publishes no schema. */
  readonly definition: AnswerDefinition | undefined;
  answerOf(object: JsonType, endpoint: Endpoint): JsonType | undefined;
  /** The context of an endpoint's answers without the argument `context`. */
  contextOf(endpoint: Endpoint): string | undefined;
}

/**
 * Finds the routes of WordPress. The type of an object is the site's schema, corrected, or else that of WordPress 6.1. Routes in
 * other namespaces that `isDescribed` accepts have types of their own.
 */
export function coreAnswers(
  routes: readonly Route[],
  readSchema: (route: Route) => AnswerDefinition | undefined,
  isDescribed: (route: Route) => boolean,
): (route: Route) => CoreAnswers | undefined {
  const coreRoutes = new CoreRoutes(routes, isDescribed);
  return (route) => {
    const core = coreRoutes.find(route);
    if (core === undefined) {
      return undefined;
    }
    const definition = definitionOf(core, route, readSchema(coreRoutes.collectionOf(route) ?? route));
    const linked = definition && (core.linked ? { ...definition, schema: withLinks(definition.schema) } : definition);
    return { definition: linked, answerOf: (...args) => answerOf(core, ...args), contextOf: contextAt(core, route) };
  };
}

function definitionOf(
  core: CoreRoute,
  route: Route,
  siteSchema: AnswerDefinition | undefined,
): AnswerDefinition | undefined {
  if (siteSchema === undefined) {
    return core.isDescribedBySites ? undefined : { id: `WordPress#${route.key}`, name: core.name, schema: core.schema };
  }
  // Sites give an autosave's schema the name of the revision's schema.
  const name = core.name.endsWith("-autosave") ? siteSchema.name.replace(/-revision$/, "-autosave") : siteSchema.name;
  return {
    ...siteSchema,
    name: name === "" ? core.name : name,
    schema: withUnsetMeta(correctSchema(siteSchema.schema, core)),
  };
}

function answerOf(core: CoreRoute, object: JsonType, { methods }: Endpoint): JsonType | undefined {
  const isOnly = (...verbs: readonly string[]) => methods.every((method) => verbs.includes(method));
  if (isOnly("DELETE")) {
    return deletionOf(core, object);
  }
  return isOnly("GET") && core.read !== "object" ? severalOf(core.read, object) : object;
}

/** Requests that change an object return it in the context `edit`, except for an edited image and a deleted menu item. */
function contextAt({ kind }: CoreRoute, route: Route): CoreAnswers["contextOf"] {
  return ({ methods }) => {
    if (methods.includes("GET")) {
      return undefined;
    }
    const isView =
      wildcardPath(route) === "/wp/v2/media/*/edit" ||
      (kind === "menu item" && methods.every((method) => method === "DELETE"));
    return isView ? "view" : "edit";
  };
}

function severalOf(read: "list" | "map", object: JsonType): JsonType {
  return read === "list" ? { kind: "array", items: object } : { kind: "object", properties: [], additional: object };
}

function deletionOf({ deletion }: CoreRoute, object: JsonType): JsonType {
  switch (deletion) {
    case "deleted":
      return deletedObject(object);
    case "trashed or deleted":
      return { kind: "union", members: [object, deletedObject(object)] };
    case "count":
      return {
        kind: "object",
        properties: [
          { name: "deleted", required: true, type: { kind: "boolean" }, documentation: undefined },
          { name: "count", required: true, type: { kind: "integer" }, documentation: undefined },
        ],
      };
  }
}

/** Finds the routes of WordPress, and those of the post types and taxonomies that plug-ins register. */
export class CoreRoutes {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #isDescribed: (route: Route) => boolean;

  constructor(routes: readonly Route[], isDescribed: (route: Route) => boolean = () => false) {
    this.#routes = new Map(routes.map((route) => [wildcardPath(route), route]));
    this.#isDescribed = isDescribed;
  }

  /** The route of the collection whose objects a route also returns, if it has no schema of its own. */
  collectionOf(route: Route): Route | undefined {
    const base = aliases.get(wildcardPath(route));
    return base === undefined ? undefined : this.#routes.get(`/wp/v2/${base}`);
  }

  /** Undefined if the route is not one of WordPress's. */
  find(route: Route): CoreRoute | undefined {
    const path = wildcardPath(route);
    const fixed = fixedRoutes.get(path);
    if (fixed !== undefined) {
      return fixed;
    }
    if (path === "/wp/v2/settings") {
      return settingsRoute(this.#writable(path));
    }
    const sameAs = aliases.get(path);
    if (sameAs !== undefined) {
      const type = this.#type("/wp/v2", sameAs);
      return type && registeredRoute(type, false);
    }
    const [, namespace = "", base, item, history, historyItem] =
      /^(\/[^*]+?)\/([^/*]+)(\/\*)?(?:\/(revisions|autosaves)(\/\*)?)?$/.exec(path) ?? [];
    const type = base === undefined ? undefined : this.#type(namespace, base);
    if (type === undefined || (history !== undefined && item === undefined)) {
      return undefined;
    }
    const revision = history === undefined ? type : revisionOf(type, history);
    return revision && registeredRoute(revision, (history === undefined ? item : historyItem) === undefined);
  }

  /** A post type can have a namespace other than WordPress's. It then has autosaves, as all post types do. */
  #type(namespace: string, base: string): RegisteredType | undefined {
    const path = `${namespace}/${base}`;
    if (namespace === "/wp/v2") {
      const writable = writableOf(base, this.#writable(path));
      const list = this.#endpoints(path).find(({ methods }) => methods.includes("GET"));
      return postTypeOf(base, writable) ?? taxonomyOf(base, writable, list);
    }
    const collection = this.#routes.get(path);
    const isPostType = collection !== undefined && this.#routes.has(`${path}/*/autosaves`);
    return isPostType && !this.#isDescribed(collection) ? customPostTypeOf(base, this.#writable(path)) : undefined;
  }

  #endpoints(path: string): readonly Endpoint[] {
    return this.#routes.get(path)?.endpoints ?? [];
  }

  /** The arguments for creating objects, or else for changing them. */
  #writable(path: string): WritableMembers {
    const writing = (route: string) =>
      this.#endpoints(route).filter(({ methods }) => methods.some((method) => writingMethods.has(method)));
    const creating = writing(path);
    return writableMembers(creating.length > 0 ? creating : writing(`${path}/*`));
  }
}

const writingMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The route with `*` for segments that contain variables: `/wp/v2/posts/*`. */
export function wildcardPath({ path }: Route): string {
  return segmentsOf(path)
    .map(({ text, variables }) => `/${variables.length === 0 ? text : "*"}`)
    .join("");
}

/** Routes that return one object of a type, by the type's collection. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["/wp/v2/media/*/edit", "media"],
  ["/wp/v2/media/*/post-process", "media"],
  ["/wp/v2/templates/lookup", "templates"],
  // Sites also look up a template here.
  ["/wp/v2/template-parts/lookup", "templates"],
]);

function registeredRoute(
  { name, kind, members, hasTrash, isDescribedBySites }: RegisteredType,
  isCollection: boolean,
): CoreRoute {
  return {
    name,
    kind,
    schema: record(members),
    isDescribedBySites,
    read: isCollection ? "list" : "object",
    deletion: hasTrash ? "trashed or deleted" : "deleted",
    linked: true,
  };
}

function settingsRoute(writable: WritableMembers): CoreRoute {
  const schema = record(
    Object.fromEntries(Object.entries(writable).map(([name, value]) => [name, always(settingOf(name, value))])),
  );
  return {
    name: "settings",
    kind: "settings",
    schema,
    isDescribedBySites: false,
    read: "object",
    deletion: "deleted",
    linked: false,
  };
}

/**
 * A member for which the answers of WordPress 6.1 differ from the schemas of sites. The correct member is that of the object which
 * comes with the generator (`posts.ts` and `site-objects.ts`).
 */
export interface Correction {
  readonly kinds: readonly ObjectKind[];
  /** The names that lead to the member; `*` means all members, or the items of a list. */
  readonly member: readonly string[];
  readonly correct: Correct;
}

/** Returns the member of a site's schema with a property of the described member, which is undefined if there is none. */
type Correct = (property: AnswerProperty, described: AnswerProperty | undefined) => AnswerProperty;

const revisions = ["revision", "block revision", "menu item revision"] as const;

/** Answers that contradict the site's schemas. */
export const contradicted: readonly Correction[] = [
  at(["post", "template", "attachment"], "status", addValues),
  at(["attachment"], "post", addNull),
  at(revisions, "date", addNull),
  at(revisions, "date_gmt", addNull),
  at(revisions, "content.protected", presence),
  at(revisions, "excerpt.protected", presence),
  at(["menu item revision"], "guid", type),
  at(["template"], "origin", addNull),
  at(["global styles"], "id", type),
  at(["search result"], "type", type),
  at(["search result"], "subtype", presence),
  at(["plugin"], "author", type),
  at(["settings"], "*", addNull),
  at(["block type"], "variations.*.*", presenceOfDescribed),
  at(["block pattern"], "*", presenceOfDescribed),
];

/** What is known beyond the site's schemas: members that a context lacks, or that all answers contain. */
export const completed: readonly Correction[] = [
  at(revisions, "content.block_version", presence),
  at(["block revision"], "title", type),
  at(["block revision"], "content", type),
  at(["menu item", "menu item revision"], "title", type),
  at(["menu item"], "menus", presence),
  at(["template"], "title", type),
  at(["template"], "content", type),
  at(["template"], "is_custom", presence),
  at(["global styles"], "title", type),
  at(["application password"], "password", presence),
  at(["plugin", "theme", "settings", "health test"], "*", presenceOfDescribed),
  at(["plugin"], "description.*", presenceOfDescribed),
  at(["theme"], "*.*", presenceOfDescribed),
  at(["attachment"], "media_details", type),
  at(["type", "taxonomy"], "visibility.*", presenceOfDescribed),
  at(["health test"], "badge.*", presenceOfDescribed),
];

export const corrections: readonly Correction[] = [...contradicted, ...completed];

function at(kinds: readonly ObjectKind[], path: string, correct: Correct): Correction {
  return { kinds, member: path.split("."), correct };
}

/** Whether answers contain the member: always, in the contexts that the site states, or sometimes. */
function presence(property: AnswerProperty, described: AnswerProperty | undefined): AnswerProperty {
  if (described?.listed === true) {
    return { ...property, listed: true };
  }
  return described?.schema.contexts === undefined
    ? { ...property, listed: false, marked: false, schema: { ...property.schema, contexts: undefined } }
    : { ...property, schema: { ...property.schema, contexts: described.schema.contexts } };
}

/** Changes only the members that WordPress describes, so that those of plug-ins keep the contexts of the site. */
function presenceOfDescribed(property: AnswerProperty, described: AnswerProperty | undefined): AnswerProperty {
  return described === undefined ? property : presence(property, described);
}

function addNull(property: AnswerProperty, described: AnswerProperty | undefined): AnswerProperty {
  const hasNull = described?.schema.types?.includes("null") === true;
  return hasNull ? { ...property, schema: nullable(property.schema) } : property;
}

function addValues(property: AnswerProperty, described: AnswerProperty | undefined): AnswerProperty {
  const { schema } = property;
  return schema.enum === undefined
    ? property
    : { ...property, schema: withValues(schema, described?.schema.enum ?? []) };
}

/** The type, with the contexts and the description of the site. */
function type(property: AnswerProperty, described: AnswerProperty | undefined): AnswerProperty {
  const { description, contexts, readOnly, span } = property.schema;
  return { ...property, schema: { ...(described?.schema ?? property.schema), description, contexts, readOnly, span } };
}

/** A site's schema, corrected where its answers differ. */
export function correctSchema(
  schema: AnswerSchema,
  { kind, schema: described }: Pick<CoreRoute, "kind" | "schema">,
  list = corrections,
): AnswerSchema {
  return list
    .filter(({ kinds }) => kinds.includes(kind))
    .reduce((corrected, { member, correct }) => correctMember(corrected, { described, member, correct }), schema);
}

/** An enumerated member of `meta` is null until it is set: the empty text is not one of its values. */
function withUnsetMeta(schema: AnswerSchema): AnswerSchema {
  const correct: Correct = (property) =>
    property.schema.enum === undefined ? property : { ...property, schema: nullable(property.schema) };
  return correctMember(schema, { described: undefined, member: ["meta", "*"], correct });
}

interface MemberCorrection extends Pick<Correction, "member" | "correct"> {
  readonly described: AnswerSchema | undefined;
}

function correctMember(schema: AnswerSchema, { described, member, correct }: MemberCorrection): AnswerSchema {
  const [name, ...rest] = member;
  if (name === "*" && schema.items !== undefined) {
    return { ...schema, items: correctMember(schema.items, { described: described?.items, member: rest, correct }) };
  }
  const properties = schema.properties.map((property) => {
    if (name !== "*" && property.name !== name) {
      return property;
    }
    const counterpart = described?.properties.find((other) => other.name === property.name);
    return rest.length === 0
      ? correct(property, counterpart)
      : {
          ...property,
          schema: correctMember(property.schema, { described: counterpart?.schema, member: rest, correct }),
        };
  });
  return { ...schema, properties };
}
