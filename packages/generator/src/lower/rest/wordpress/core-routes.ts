import type { JsonType } from "../../../model/rest.js";
import type { AnswerDefinition, Endpoint, Route } from "../../../read/discovery/index.js";
import { segmentsOf } from "../route-paths.js";
import { deletedObject } from "../wordpress-conventions.js";
import { always, record, withLinks } from "./answer-notation.js";
import { correctSchema } from "./corrections.js";
import { type CoreRoute, fixedRoutes } from "./fixed-routes.js";
import {
  postTypeOf,
  type RegisteredType,
  revisionOf,
  taxonomyOf,
  type WritableMembers,
  writableMembers,
  writableOf,
} from "./registered-types.js";
import { settingOf } from "./site-objects.js";

/** The object that a route of WordPress is about, and the answers of its endpoints. */
export interface CoreAnswers {
  /** Undefined if only sites know the object, and this one has no schema. */
  readonly definition: AnswerDefinition | undefined;
  answerOf(object: JsonType, endpoint: Endpoint): JsonType | undefined;
  /** The context in which an endpoint without the argument `context` answers. */
  contextOf(endpoint: Endpoint): string | undefined;
}

/**
 * Finds the routes of WordPress. An object is described by the schema that the site has for it, corrected, or else as a site of
 * WordPress 6.1 answers.
 */
export function coreAnswers(
  routes: readonly Route[],
  readSchema: (route: Route) => AnswerDefinition | undefined,
): (route: Route) => CoreAnswers | undefined {
  const coreRoutes = new CoreRoutes(routes);
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
  // Sites give the schema of an autosave the name of the schema of a revision.
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

/** Requests that change an object answer it in the context `edit`, except for an edited image and a deleted menu item. */
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

/** Finds the routes of WordPress itself, and those of the post types and taxonomies that plug-ins register. */
export class CoreRoutes {
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(routes: readonly Route[]) {
    this.#routes = new Map(routes.map((route) => [pathOf(route), route]));
  }

  /** The route of the collection whose objects a route answers too, if it has no schema of its own. */
  collectionOf(route: Route): Route | undefined {
    const base = aliases.get(pathOf(route));
    return base === undefined ? undefined : this.#routes.get(`/wp/v2/${base}`);
  }

  /** Undefined if the route is not WordPress's. */
  find(route: Route): CoreRoute | undefined {
    const path = pathOf(route);
    const fixed = fixedRoutes.get(path);
    if (fixed !== undefined) {
      return fixed;
    }
    if (path === "/wp/v2/settings") {
      return settingsRoute(this.#writable("settings"));
    }
    const sameAs = aliases.get(path);
    if (sameAs !== undefined) {
      const type = this.#type(sameAs);
      return type && registeredRoute(type, false);
    }
    const [, base, item, history, one] =
      /^\/wp\/v2\/([^/*]+)(\/\*)?(?:\/(revisions|autosaves)(\/\*)?)?$/.exec(path) ?? [];
    const type = base === undefined ? undefined : this.#type(base);
    if (type === undefined || (history !== undefined && item === undefined)) {
      return undefined;
    }
    const revision = history === undefined ? type : revisionOf(type, history);
    return revision && registeredRoute(revision, (history === undefined ? item : one) === undefined);
  }

  #type(base: string): RegisteredType | undefined {
    const writable = writableOf(base, this.#writable(base));
    const list = this.#endpoints(`/wp/v2/${base}`).find(({ methods }) => methods.includes("GET"));
    return postTypeOf(base, writable) ?? taxonomyOf(base, writable, list);
  }

  #endpoints(path: string): readonly Endpoint[] {
    return this.#routes.get(path)?.endpoints ?? [];
  }

  /** The arguments with which objects are created, or else changed. */
  #writable(base: string): WritableMembers {
    const endpoints = [`/wp/v2/${base}`, `/wp/v2/${base}/*`].flatMap((path) => this.#endpoints(path));
    return writableMembers(endpoints.find(({ methods }) => methods.includes("POST")));
  }
}

/** The route with `*` for the segments that have variables: `/wp/v2/posts/*`. */
function pathOf({ path }: Route): string {
  return segmentsOf(path)
    .map(({ text, variables }) => `/${variables.length === 0 ? text : "*"}`)
    .join("");
}

/** Routes that answer one object of a type, by the collection of the type. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["/wp/v2/media/*/edit", "media"],
  ["/wp/v2/media/*/post-process", "media"],
  ["/wp/v2/templates/lookup", "templates"],
  // A site looks for a template here, too.
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
