import type { JsonType } from "../../../model/rest.js";
import type { AnswerDefinition, AnswerProperty, AnswerSchema, Endpoint, Route } from "../../../read/rest/documents.js";
import { createDeletedObject } from "../endpoint-conventions.js";
import { listSegments } from "../endpoint-paths.js";
import { always, nullable, record, withLinks, withValues } from "./answer-notation.js";
import {
  addDefaultWritableMembers,
  type CoreRoute,
  findRevisionType,
  findWritableMembers,
  fixedRoutes,
  type ObjectKind,
  type RegisteredType,
  recognizeCustomPostType,
  recognizePostType,
  recognizeTaxonomy,
  type WritableMembers,
} from "./known-routes.js";
import { createSettingSchema } from "./site-objects.js";

// Determines the answers of WordPress's routes, and corrects the schemas that sites publish for these routes.

/** The resource that a WordPress route serves, and the answers of the route's endpoints. */
export interface CoreAnswers {
  /**
   * The definition of the resource; undefined if only a site can define the resource, and this site publishes no
   * schema.
   */
  readonly definition: AnswerDefinition | undefined;
  createAnswer(object: JsonType, endpoint: Endpoint): JsonType | undefined;
  /**
   * Returns the `context` of an endpoint's answers for requests without the argument `context`; undefined if it is
   * unknown.
   */
  findContext(endpoint: Endpoint): string | undefined;
}

/**
 * Returns a function that finds the answers of WordPress routes. An answer is described by the site's schema, with
 * corrections, or by the schema of WordPress 6.1 if the site publishes none. If `isDescribed` is true for a route of a
 * post type outside `/wp/v2`, the function returns no answers for it.
 */
export function createCoreAnswers(
  routes: readonly Route[],
  readSchema: (route: Route) => AnswerDefinition | undefined,
  isDescribed: (route: Route) => boolean,
): (route: Route) => CoreAnswers | undefined {
  const coreRoutes = new CoreRoutes(routes, isDescribed);
  return (route) => {
    const coreRoute = coreRoutes.find(route);
    if (coreRoute === undefined) {
      return undefined;
    }
    const definition = findDefinition(coreRoute, route, readSchema(coreRoutes.findCollection(route) ?? route));
    const definitionWithLinks =
      definition && (coreRoute.hasLinks ? { ...definition, schema: withLinks(definition.schema) } : definition);
    return {
      definition: definitionWithLinks,
      createAnswer: (...args) => findAnswerType(coreRoute, ...args),
      findContext: getAnswerContext(coreRoute, route),
    };
  };
}

function findDefinition(
  core: CoreRoute,
  route: Route,
  siteSchema: AnswerDefinition | undefined,
): AnswerDefinition | undefined {
  if (siteSchema === undefined) {
    return core.isDescribedBySites ? undefined : { id: `WordPress#${route.key}`, name: core.name, schema: core.schema };
  }
  // Distinguishes the schemas of an autosave and a revision, which sites publish under the same name.
  const name = core.name.endsWith("-autosave") ? siteSchema.name.replace(/-revision$/, "-autosave") : siteSchema.name;
  return {
    ...siteSchema,
    name: name === "" ? core.name : name,
    schema: withUnsetMeta(correctSchema(siteSchema.schema, core)),
  };
}

function findAnswerType(core: CoreRoute, object: JsonType, { methods }: Endpoint): JsonType | undefined {
  const allowsOnly = (...verbs: readonly string[]) => methods.every((method) => verbs.includes(method));
  if (allowsOnly("DELETE")) {
    return getDeletion(core, object);
  }
  return allowsOnly("GET") && core.readForm !== "object" ? createCollectionType(core.readForm, object) : object;
}

/**
 * Returns the context of a route's answers: `edit` if the request changes an object, except that it is `view` for an
 * edited image and for a deleted menu item. Undefined for GET.
 */
function getAnswerContext({ kind }: CoreRoute, route: Route): CoreAnswers["findContext"] {
  return ({ methods }) => {
    if (methods.includes("GET")) {
      return undefined;
    }
    const answersInView =
      formatWildcardPath(route) === "/wp/v2/media/*/edit" ||
      (kind === "menu item" && methods.every((method) => method === "DELETE"));
    return answersInView ? "view" : "edit";
  };
}

function createCollectionType(read: "list" | "map", object: JsonType): JsonType {
  return read === "list" ? { kind: "array", items: object } : { kind: "object", properties: [], additional: object };
}

function getDeletion({ deletion }: CoreRoute, object: JsonType): JsonType {
  switch (deletion) {
    case "deleted":
      return createDeletedObject(object);
    case "trashed or deleted":
      return { kind: "union", members: [object, createDeletedObject(object)] };
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

/** Recognizes the routes of WordPress, and the routes of post types and taxonomies that plug-ins register. */
export class CoreRoutes {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #isDescribed: (route: Route) => boolean;

  constructor(routes: readonly Route[], isDescribed: (route: Route) => boolean = () => false) {
    this.#routes = new Map(routes.map((route) => [formatWildcardPath(route), route]));
    this.#isDescribed = isDescribed;
  }

  /**
   * If a route has no separate schema, returns the route of the collection to which the route's objects belong;
   * otherwise undefined. For example, an edited image belongs to `media`.
   */
  findCollection(route: Route): Route | undefined {
    const base = aliases.get(formatWildcardPath(route));
    return base === undefined ? undefined : this.#routes.get(`/wp/v2/${base}`);
  }

  /** Finds the answers of a route; undefined if the route does not belong to WordPress. */
  find(route: Route): CoreRoute | undefined {
    const path = formatWildcardPath(route);
    const fixedRoute = fixedRoutes.get(path);
    if (fixedRoute !== undefined) {
      return fixedRoute;
    }
    if (path === "/wp/v2/settings") {
      return createSettingsRoute(this.#listWritableMembers(path));
    }
    const aliasedCollection = aliases.get(path);
    if (aliasedCollection !== undefined) {
      const registeredType = this.#findType("/wp/v2", aliasedCollection);
      return registeredType && findRegisteredRoute(registeredType, false);
    }
    const [, namespace = "", base, item, history, historyItem] =
      /^(\/[^*]+?)\/([^/*]+)(\/\*)?(?:\/(revisions|autosaves)(\/\*)?)?$/.exec(path) ?? [];
    const registeredType = base === undefined ? undefined : this.#findType(namespace, base);
    if (registeredType === undefined || (history !== undefined && item === undefined)) {
      return undefined;
    }
    const revision = history === undefined ? registeredType : findRevisionType(registeredType, history);
    return revision && findRegisteredRoute(revision, (history === undefined ? item : historyItem) === undefined);
  }

  /**
   * Finds the post type or taxonomy of a collection. Outside `/wp/v2`, a collection is a post type if it has autosaves.
   */
  #findType(namespace: string, base: string): RegisteredType | undefined {
    const path = `${namespace}/${base}`;
    if (namespace === "/wp/v2") {
      const writableMembers = addDefaultWritableMembers(base, this.#listWritableMembers(path));
      const list = this.#listEndpointsAt(path).find(({ methods }) => methods.includes("GET"));
      return recognizePostType(base, writableMembers) ?? recognizeTaxonomy(base, writableMembers, list);
    }
    const collection = this.#routes.get(path);
    const isPostType = collection !== undefined && this.#routes.has(`${path}/*/autosaves`);
    return isPostType && !this.#isDescribed(collection)
      ? recognizeCustomPostType(base, this.#listWritableMembers(path))
      : undefined;
  }

  #listEndpointsAt(path: string): readonly Endpoint[] {
    return this.#routes.get(path)?.endpoints ?? [];
  }

  /**
   * Returns the arguments of the endpoints that create objects of a collection; if there are none, of the endpoints
   * that change such objects.
   */
  #listWritableMembers(path: string): WritableMembers {
    const listWritingEndpoints = (route: string) =>
      this.#listEndpointsAt(route).filter(({ methods }) => methods.some((method) => writingMethods.has(method)));
    const creatingEndpoints = listWritingEndpoints(path);
    return findWritableMembers(creatingEndpoints.length > 0 ? creatingEndpoints : listWritingEndpoints(`${path}/*`));
  }
}

const writingMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Formats the path of a route, with `*` in place of each segment that contains a variable: `/wp/v2/posts/*`. */
export function formatWildcardPath({ path }: Route): string {
  return listSegments(path)
    .map(({ text, variables }) => `/${variables.length === 0 ? text : "*"}`)
    .join("");
}

/** Maps the paths of some routes to the collections whose objects these routes return. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["/wp/v2/media/*/edit", "media"],
  ["/wp/v2/media/*/post-process", "media"],
  ["/wp/v2/templates/lookup", "templates"],
  // This route returns the same objects as the route for templates.
  ["/wp/v2/template-parts/lookup", "templates"],
]);

function findRegisteredRoute(
  { name, kind, members, hasTrash, isDescribedBySites }: RegisteredType,
  isCollection: boolean,
): CoreRoute {
  return {
    name,
    kind,
    schema: record(members),
    isDescribedBySites,
    readForm: isCollection ? "list" : "object",
    deletion: hasTrash ? "trashed or deleted" : "deleted",
    hasLinks: true,
  };
}

function createSettingsRoute(writableMembers: WritableMembers): CoreRoute {
  const schema = record(
    Object.fromEntries(
      Object.entries(writableMembers).map(([name, value]) => [name, always(createSettingSchema(name, value))]),
    ),
  );
  return {
    name: "settings",
    kind: "settings",
    schema,
    isDescribedBySites: false,
    readForm: "object",
    deletion: "deleted",
    hasLinks: false,
  };
}

/**
 * A correction of a member for which the answers of WordPress 6.1 differ from the schemas that sites publish.
 * `posts.ts` and `site-objects.ts` describe the correct member.
 */
export interface Correction {
  readonly kinds: readonly ObjectKind[];
  /** The names that lead to the member; `*` means all members, or the items of a list. */
  readonly member: readonly string[];
  readonly correct: CorrectProperty;
}

/**
 * Corrects a member of a site's schema. `describedProperty` is the same member in the generator's description;
 * undefined if the description does not contain it.
 */
type CorrectProperty = (property: AnswerProperty, describedProperty: AnswerProperty | undefined) => AnswerProperty;

const revisions = ["revision", "block revision", "menu item revision"] as const;

/** Members for which the answers contradict the sites' schemas. */
export const contradictedMembers: readonly Correction[] = [
  createCorrection(["post", "template", "attachment"], "status", addValues),
  createCorrection(["attachment"], "post", addNull),
  createCorrection(revisions, "date", addNull),
  createCorrection(revisions, "date_gmt", addNull),
  createCorrection(revisions, "content.protected", correctPresence),
  createCorrection(revisions, "excerpt.protected", correctPresence),
  createCorrection(["menu item revision"], "guid", correctType),
  createCorrection(["template"], "origin", addNull),
  createCorrection(["global styles"], "id", correctType),
  createCorrection(["search result"], "type", correctType),
  createCorrection(["search result"], "subtype", correctPresence),
  createCorrection(["plugin"], "author", correctType),
  createCorrection(["settings"], "*", addNull),
  createCorrection(["block type"], "variations.*.*", correctDescribedPresence),
  createCorrection(["block pattern"], "*", correctDescribedPresence),
];

/**
 * Members that the sites' schemas describe incompletely: some schemas do not say that every answer contains the member.
 */
export const completedMembers: readonly Correction[] = [
  createCorrection(revisions, "content.block_version", correctPresence),
  createCorrection(["block revision"], "title", correctType),
  createCorrection(["block revision"], "content", correctType),
  createCorrection(["menu item", "menu item revision"], "title", correctType),
  createCorrection(["menu item"], "menus", correctPresence),
  createCorrection(["template"], "title", correctType),
  createCorrection(["template"], "content", correctType),
  createCorrection(["template"], "is_custom", correctPresence),
  createCorrection(["global styles"], "title", correctType),
  createCorrection(["application password"], "password", correctPresence),
  createCorrection(["plugin", "theme", "settings", "health test"], "*", correctDescribedPresence),
  createCorrection(["plugin"], "description.*", correctDescribedPresence),
  createCorrection(["theme"], "*.*", correctDescribedPresence),
  createCorrection(["attachment"], "media_details", correctType),
  createCorrection(["type", "taxonomy"], "visibility.*", correctDescribedPresence),
  createCorrection(["health test"], "badge.*", correctDescribedPresence),
];

/** The corrections of WordPress's schemas. */
export const corrections: readonly Correction[] = [...contradictedMembers, ...completedMembers];

function createCorrection(kinds: readonly ObjectKind[], path: string, correct: CorrectProperty): Correction {
  return { kinds, member: path.split("."), correct };
}

/**
 * Corrects the information about which answers contain the member: all answers, some answers, or those in the contexts
 * that WordPress declares for the member.
 */
function correctPresence(property: AnswerProperty, describedProperty: AnswerProperty | undefined): AnswerProperty {
  if (describedProperty?.isListed === true) {
    return { ...property, isListed: true };
  }
  return describedProperty?.schema.contexts === undefined
    ? { ...property, isListed: false, isMarked: false, schema: { ...property.schema, contexts: undefined } }
    : { ...property, schema: { ...property.schema, contexts: describedProperty.schema.contexts } };
}

/**
 * Corrects the information about which answers contain the member. A member that a plug-in added has no description,
 * and does not change.
 */
function correctDescribedPresence(
  property: AnswerProperty,
  describedProperty: AnswerProperty | undefined,
): AnswerProperty {
  return describedProperty === undefined ? property : correctPresence(property, describedProperty);
}

function addNull(property: AnswerProperty, describedProperty: AnswerProperty | undefined): AnswerProperty {
  const hasNull = describedProperty?.schema.types?.includes("null") === true;
  return hasNull ? { ...property, schema: nullable(property.schema) } : property;
}

function addValues(property: AnswerProperty, describedProperty: AnswerProperty | undefined): AnswerProperty {
  const { schema } = property;
  return schema.enum === undefined
    ? property
    : { ...property, schema: withValues(schema, describedProperty?.schema.enum ?? []) };
}

/** Corrects the type of the member. Keeps the contexts and the description from the site. */
function correctType(property: AnswerProperty, describedProperty: AnswerProperty | undefined): AnswerProperty {
  const { description, contexts, readOnly, span } = property.schema;
  return {
    ...property,
    schema: { ...(describedProperty?.schema ?? property.schema), description, contexts, readOnly, span },
  };
}

/** Corrects the members of a site's schema that differ from the site's answers. */
export function correctSchema(
  schema: AnswerSchema,
  { kind, schema: describedSchema }: Pick<CoreRoute, "kind" | "schema">,
  list = corrections,
): AnswerSchema {
  return list
    .filter(({ kinds }) => kinds.includes(kind))
    .reduce(
      (correctedSchema, { member, correct }) => correctMember(correctedSchema, { describedSchema, member, correct }),
      schema,
    );
}

/**
 * Allows null for members of `meta` with an enumeration. Until such a member is set, WordPress returns null, because
 * the default, an empty string, is not one of the enumerated values.
 */
function withUnsetMeta(schema: AnswerSchema): AnswerSchema {
  const correct: CorrectProperty = (property) =>
    property.schema.enum === undefined ? property : { ...property, schema: nullable(property.schema) };
  return correctMember(schema, { describedSchema: undefined, member: ["meta", "*"], correct });
}

interface MemberCorrection extends Pick<Correction, "member" | "correct"> {
  readonly describedSchema: AnswerSchema | undefined;
}

function correctMember(schema: AnswerSchema, { describedSchema, member, correct }: MemberCorrection): AnswerSchema {
  const [name, ...remainingNames] = member;
  if (name === "*" && schema.items !== undefined) {
    return {
      ...schema,
      items: correctMember(schema.items, { describedSchema: describedSchema?.items, member: remainingNames, correct }),
    };
  }
  const properties = schema.properties.map((property) => {
    if (name !== "*" && property.name !== name) {
      return property;
    }
    const counterpart = describedSchema?.properties.find((other) => other.name === property.name);
    return remainingNames.length === 0
      ? correct(property, counterpart)
      : {
          ...property,
          schema: correctMember(property.schema, {
            describedSchema: counterpart?.schema,
            member: remainingNames,
            correct,
          }),
        };
  });
  return { ...schema, properties };
}
