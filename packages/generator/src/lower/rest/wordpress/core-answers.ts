import type { JsonType } from "../../../model/rest.js";
import type { AnswerDefinition, Endpoint, Route } from "../../../read/discovery/index.js";
import { deletedObject } from "../wordpress-conventions.js";
import { CoreRoutes } from "./core-routes.js";
import { correctSchema } from "./corrections.js";
import type { CoreRoute } from "./fixed-routes.js";

/** The object that a route of WordPress is about, and the answers of its endpoints. */
export interface CoreAnswers {
  /** Undefined if only sites know the object, and this one has no schema. */
  readonly definition: AnswerDefinition | undefined;
  answerOf(object: JsonType, endpoint: Endpoint): JsonType | undefined;
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
    return { definition, answerOf: (...args) => answerOf(core, ...args) };
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
