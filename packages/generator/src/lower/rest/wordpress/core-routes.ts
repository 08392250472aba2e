import type { JsonType } from "../../../model/rest.js";
import type { AnswerDefinition, AnswerProperty, AnswerSchema, Endpoint, Route } from "../../../read/discovery/index.js";
import { segmentsOf } from "../route-paths.js";
import { deletedObject } from "../wordpress-conventions.js";
import {
  always,
  integerOrText,
  type Member,
  nullable,
  record,
  scalar,
  text,
  withLinks,
  withValues,
} from "./answer-notation.js";
import { type CoreRoute, fixedRoutes, type ObjectKind } from "./fixed-routes.js";
import { attachmentMembers, blockRevisionMembers, menuItemMembers, revisionMembers, templateMembers } from "./posts.js";
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
    return core.schema && { id: `WordPress#${route.key}`, name: core.name, schema: core.schema };
  }
  // Sites give an autosave's schema the name of the revision's schema.
  const name = core.name.endsWith("-autosave") ? siteSchema.name.replace(/-revision$/, "-autosave") : siteSchema.name;
  return { ...siteSchema, name: name === "" ? core.name : name, schema: correctSchema(siteSchema.schema, core.kind) };
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
      pathOf(route) === "/wp/v2/media/*/edit" ||
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
    this.#routes = new Map(routes.map((route) => [pathOf(route), route]));
    this.#isDescribed = isDescribed;
  }

  /** The route of the collection whose objects a route also returns, if it has no schema of its own. */
  collectionOf(route: Route): Route | undefined {
    const base = aliases.get(pathOf(route));
    return base === undefined ? undefined : this.#routes.get(`/wp/v2/${base}`);
  }

  /** Undefined if the route is not one of WordPress's. */
  find(route: Route): CoreRoute | undefined {
    const path = pathOf(route);
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
function pathOf({ path }: Route): string {
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

function registeredRoute({ name, kind, members, hasTrash }: RegisteredType, isCollection: boolean): CoreRoute {
  return {
    name,
    kind,
    schema: members && record(members),
    read: isCollection ? "list" : "object",
    deletion: hasTrash ? "trashed or deleted" : "deleted",
    linked: true,
  };
}

function settingsRoute(writable: WritableMembers): CoreRoute {
  const schema = record(
    Object.fromEntries(Object.entries(writable).map(([name, value]) => [name, always(settingOf(name, value))])),
  );
  return { name: "settings", kind: "settings", schema, read: "object", deletion: "deleted", linked: false };
}

type Correct = (property: AnswerProperty) => AnswerProperty;

/** A member for which a site's schema differs from its answers. */
export interface Correction {
  readonly kinds: readonly ObjectKind[];
  /** The names that lead to the member; `*` means all members, or the items of a list. */
  readonly member: readonly string[];
  readonly correct: Correct;
}

/** Answers may lack the member although their context shows it. */
const optional: Correct = (property) => ({
  ...property,
  listed: false,
  marked: false,
  schema: { ...property.schema, contexts: undefined },
});

/** Answers always contain the member, although the schema does not say so. */
const present: Correct = (property) => ({ ...property, listed: true });

const orNull: Correct = (property) => ({ ...property, schema: nullable(property.schema) });

function also(...values: readonly string[]): Correct {
  return (property) => ({ ...property, schema: alsoAllowing(property.schema, values) });
}

function alsoAllowing(schema: AnswerSchema, values: readonly string[]): AnswerSchema {
  return schema.enum === undefined ? schema : withValues(schema, values.map(scalar));
}

/** Replaces the type, keeping the site's contexts and description. */
function as(member: Pick<Member, "schema"> | undefined): Correct {
  return (property) => {
    const { description, contexts, readOnly, span } = property.schema;
    const schema = member?.schema ?? property.schema;
    return { ...property, schema: { ...schema, description, contexts, readOnly, span } };
  };
}

const revisions = ["revision", "block revision", "menu item revision"] as const;

/** Answers of WordPress 6.1 that contradict the site's schemas. */
export const contradicted: readonly Correction[] = [
  at(["post", "template"], "status", also("trash")),
  at(["attachment"], "status", also("inherit", "trash")),
  at(["attachment"], "post", orNull),
  at(revisions, "date", orNull),
  at(revisions, "date_gmt", orNull),
  at(revisions, "content.protected", optional),
  at(revisions, "excerpt.protected", optional),
  at(["menu item revision"], "guid", as(revisionMembers["guid"])),
  at(["template"], "origin", orNull),
  at(["global styles"], "id", as({ schema: integerOrText })),
  at(["search result"], "type", as({ schema: text })),
  at(["search result"], "subtype", optional),
  at(["plugin"], "author", as({ schema: text })),
  at(["settings"], "*", setting),
  at(["block type"], "variations.*.*", optional),
  at(["block pattern"], "*", optional),
];

/**
 * What is known about the answers of WordPress 6.1 beyond the site's schemas: members that a context lacks, or that all answers contain.
 */
export const completed: readonly Correction[] = [
  at(revisions, "content.block_version", optional),
  at(["block revision"], "title", as(blockRevisionMembers["title"])),
  at(["block revision"], "content", as(blockRevisionMembers["content"])),
  at(["menu item", "menu item revision"], "title", as(menuItemMembers["title"])),
  at(["menu item"], "menus", optional),
  at(["template"], "title", as(templateMembers["title"])),
  at(["template"], "content", as(templateMembers["content"])),
  at(["template"], "is_custom", optional),
  at(["global styles"], "title", as(templateMembers["title"])),
  at(["application password"], "password", optional),
  at(["plugin"], "*", present),
  at(["plugin"], "description.*", present),
  at(["theme"], "*", present),
  at(["theme"], "theme_supports", optional),
  at(["theme"], "*.raw", present),
  at(["theme"], "*.rendered", present),
  at(["attachment"], "media_details", as(attachmentMembers["media_details"])),
  at(["type", "taxonomy"], "visibility.*", present),
  at(["health test"], "*", present),
  at(["health test"], "badge.*", present),
  at(["block type"], "variations.*.name", present),
  at(["block type"], "variations.*.title", present),
  at(["block pattern"], "name", present),
  at(["block pattern"], "title", present),
  at(["block pattern"], "content", present),
];

export const corrections: readonly Correction[] = [...contradicted, ...completed];

function at(kinds: readonly ObjectKind[], path: string, correct: Correct): Correction {
  return { kinds, member: path.split("."), correct };
}

function setting(property: AnswerProperty): AnswerProperty {
  return { ...property, listed: true, schema: settingOf(property.name, property.schema) };
}

/** A site's schema, corrected where its answers differ. */
export function correctSchema(schema: AnswerSchema, kind: ObjectKind, list = corrections): AnswerSchema {
  return list
    .filter(({ kinds }) => kinds.includes(kind))
    .reduce((corrected, { member, correct }) => correctMember(corrected, member, correct), schema);
}

function correctMember(schema: AnswerSchema, [name, ...rest]: readonly string[], correct: Correct): AnswerSchema {
  if (name === "*" && schema.items !== undefined) {
    return { ...schema, items: correctMember(schema.items, rest, correct) };
  }
  const properties = schema.properties.map((property) => {
    if (name !== "*" && property.name !== name) {
      return property;
    }
    return rest.length === 0
      ? correct(property)
      : { ...property, schema: correctMember(property.schema, rest, correct) };
  });
  return { ...schema, properties };
}
