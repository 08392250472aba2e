import { suggestName } from "@bothends/xml";
import type { Config, ResponseConfig, RestInterfaceConfig } from "../../model/config.js";
import type { Contract } from "../../model/index.js";
import type { AnswerType, ConfiguredAnswer, EmbeddedResources, Endpoint, JsonType } from "../../model/rest.js";
import { AnswerSchemas } from "../../read/rest/answer-schemas.js";
import type { AnswerDefinition, Index, Endpoint as IndexEndpoint, Route } from "../../read/rest/documents.js";
import { Diagnostics } from "../../source/diagnostics.js";
import { shortenDescription } from "../../source/source-limits.js";
import type { Sources } from "../../source/sources.js";
import { findAnswerType, findInitialContext, listCollectionRoutes } from "./endpoint-conventions.js";
import { listSegments, listStaticSegments } from "./endpoint-paths.js";
import { formatContent, lowerAnnotations, lowerAnswerSchema, type SchemaContext } from "./json-types.js";
import { isBuiltin, linkDefinitions, linksId } from "./wordpress/answer-notation.js";
import { createCoreAnswers, formatWildcardPath } from "./wordpress/core-routes.js";
import { embeddedRelations } from "./wordpress/known-routes.js";

interface AnswersContext extends SchemaContext {
  readonly index: Index;
  readonly routes: readonly Route[];
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
  readonly config: RestInterfaceConfig;
  readonly sources: Sources;
}

/** The types of answers, and the endpoints to which they belong. */
export interface Answers {
  readonly types: readonly AnswerType[];
  /** The type of each endpoint's answer; endpoints without a schema are absent. */
  readonly typesByEndpoint: ReadonlyMap<IndexEndpoint, JsonType>;
  /**
   * The `context` of each endpoint's answers for requests without the argument `context`. Endpoints for which it is
   * unknown are absent.
   */
  readonly contexts: ReadonlyMap<IndexEndpoint, string>;
  /** The entries of `responses` that describe the answers of endpoints. */
  readonly configuredAnswers: ReadonlyMap<IndexEndpoint, ConfiguredAnswer>;
  readonly embedded: EmbeddedResources | undefined;
}

/**
 * Determines the answer types. A schema that `bothends.json` names takes precedence over the schema of a route in the
 * index.
 */
export function lowerAnswers(context: AnswersContext): Answers {
  const { routes, diagnostics } = context;
  const schemas = new AnswerSchemas(context.sources, diagnostics);
  const types = new AnswerTypes(schemas, context);
  const responses = readResponses(context);
  const collections = listCollectionRoutes(routes);
  const readSchema = memoize((route: Route) => readRouteSchema(route, schemas, context));
  const isDescribed = ({ schema, endpoints }: Route) =>
    schema !== undefined || endpoints.some((endpoint) => responses.has(endpoint));
  const findCoreAnswers = createCoreAnswers(context.index.routes, readSchema, isDescribed);
  const typesByEndpoint = new Map<IndexEndpoint, JsonType>();
  const contexts = new Map<IndexEndpoint, string>();
  const configuredAnswers = new Map<IndexEndpoint, ConfiguredAnswer>();
  for (const route of routes) {
    const coreAnswers = findCoreAnswers(route);
    const routeDefinition = coreAnswers?.definition ?? readSchema(route);
    for (const endpoint of route.endpoints) {
      const response = responses.get(endpoint);
      const definition =
        response === undefined ? routeDefinition : schemas.readFile(response.path, response.pointer, response.span);
      if (definition === undefined) {
        continue;
      }
      const type = types.referTo(definition, { route, isSchemaOfRoute: response === undefined });
      const answer =
        response?.subject === "answer"
          ? type
          : coreAnswers === undefined
            ? findAnswerType(type, { definition, endpoint, route, collections })
            : coreAnswers.createAnswer(type, endpoint);
      if (answer !== undefined) {
        typesByEndpoint.set(endpoint, answer);
        if (response !== undefined) {
          configuredAnswers.set(endpoint, { key: response.key, schema: definition.id, span: response.span });
        }
        const initialContextOfAnswer = findInitialContext(endpoint) ?? coreAnswers?.findContext(endpoint);
        if (initialContextOfAnswer !== undefined) {
          contexts.set(endpoint, initialContextOfAnswer);
        }
      }
    }
  }
  schemas.reportRestrictingKeywords();
  const referencedTypes = types.listTypesReferencedBy([...typesByEndpoint.values()]);
  const hasLinks = referencedTypes.some(({ id }) => id === linksId);
  return {
    types: referencedTypes,
    typesByEndpoint,
    contexts,
    configuredAnswers,
    embedded: hasLinks ? findEmbeddedResources(routes, typesByEndpoint) : undefined,
  };
}

function findEmbeddedResources(
  routes: readonly Route[],
  answers: ReadonlyMap<IndexEndpoint, JsonType>,
): EmbeddedResources | undefined {
  const listObjectTypes = (collection: string): readonly JsonType[] => {
    const route = routes.find((route) => formatWildcardPath(route) === `/wp/v2/${collection}/*`);
    const endpoint = route?.endpoints.find(({ methods }) => methods.includes("GET"));
    const answer = endpoint && answers.get(endpoint);
    return answer?.kind === "named" ? [answer] : [];
  };
  const relations = embeddedRelations.flatMap(({ name, collections, isList }) => {
    const [firstType, ...otherTypes] = collections.flatMap(listObjectTypes);
    if (firstType === undefined) {
      return [];
    }
    const type: JsonType = otherTypes.length === 0 ? firstType : { kind: "union", members: [firstType, ...otherTypes] };
    return [{ name, type: isList ? ({ kind: "array", items: type } as const) : type }];
  });
  return relations.length === 0 ? undefined : { links: linksId, relations };
}

function memoize<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const entry = values.get(key) ?? { value: read(key) };
    values.set(key, entry);
    return entry.value;
  };
}

/**
 * Reads the schema of a route in the index. Errors in the schema become warnings, because clients can call endpoints
 * without a schema.
 */
function readRouteSchema(
  { key, schema }: Route,
  schemas: AnswerSchemas,
  { index, diagnostics }: AnswersContext,
): AnswerDefinition | undefined {
  if (schema === undefined) {
    return undefined;
  }
  const schemaDiagnostics = new Diagnostics();
  const definition = schemas.readIndexSchema(index.source.path, schema, schemaDiagnostics);
  const errors = schemaDiagnostics.all.filter(({ severity }) => severity === "error");
  const schemaError = errors.find(({ code }) => code !== "IDX011");
  if (schemaError !== undefined) {
    diagnostics.warning("ANS007", schemaError.span, {
      message: `The schema of ${key} is ignored: ${schemaError.message}`,
    });
    return undefined;
  }
  // The remaining errors are IDX011: a part of the schema has the wrong JSON type. That part is ignored, so it accepts
  // any value.
  for (const { span, message } of errors) {
    diagnostics.warning("IDX018", span, { message: `${message} It is ignored.` });
  }
  return definition;
}

/** A schema in `bothends.json` that describes either an endpoint's answer or the resource of its route. */
interface Response extends ResponseConfig {
  readonly subject: "answer" | "object";
}

/**
 * Finds the schema in `responses` for each endpoint. A schema for the answer takes precedence over a schema for the
 * resource that the route serves.
 */
function readResponses(context: AnswersContext): ReadonlyMap<IndexEndpoint, Response> {
  const { config, index, routes } = context;
  const keys = listResponseKeys(context, routes);
  const responses = new Map<IndexEndpoint, Response>();
  for (const subject of ["answer", "object"] as const) {
    for (const [endpoint, response] of collectResponses(subject, keys, context)) {
      if (!responses.has(endpoint)) {
        responses.set(endpoint, response);
      }
    }
  }
  const allKeys = routes.length === index.routes.length ? keys : listResponseKeys(context, index.routes);
  for (const { key, keySpan } of config.responses) {
    if (!allKeys.has(key)) {
      context.diagnostics.warning("ANS008", keySpan, {
        message: `"${key}" is not an operation, a group of operations or a route of ${config.name}, so the schema is not used.`,
        help: suggestName(key, allKeys.keys()),
      });
    }
  }
  return responses;
}

function collectResponses(
  subject: Response["subject"],
  endpointsByKey: ReadonlyMap<string, KeyEndpoints>,
  { config, diagnostics }: AnswersContext,
): ReadonlyMap<IndexEndpoint, Response> {
  const responses = new Map<IndexEndpoint, Response>();
  const repeatedResponses = new Map<ResponseConfig, string>();
  for (const response of config.responses) {
    for (const endpoint of endpointsByKey.get(response.key)?.[subject] ?? []) {
      const earlierResponse = responses.get(endpoint);
      if (earlierResponse !== undefined) {
        repeatedResponses.set(response, earlierResponse.key);
      }
      responses.set(endpoint, { ...response, subject });
    }
  }
  for (const [{ key, keySpan }, earlierKey] of repeatedResponses) {
    diagnostics.error("ANS009", keySpan, { message: `"${key}" and "${earlierKey}" describe the same answer.` });
  }
  return responses;
}

/**
 * The endpoints of a key of `responses`: under `answer` if its schema describes their answers, and under `object` if it
 * describes the resource of their route.
 */
type KeyEndpoints = Readonly<Record<Response["subject"], IndexEndpoint[]>>;

/**
 * Returns the possible keys of `responses`. The keys `core.blocks.get` (an operation) and `GET /core/v2/blocks`
 * describe an answer. The keys `core.blocks` (a group of operations) and `/core/v2/blocks` describe the resource that
 * the routes serve.
 */
function listResponseKeys({ operations }: AnswersContext, routes: readonly Route[]): ReadonlyMap<string, KeyEndpoints> {
  const keys = new Map<string, KeyEndpoints>();
  const add = (key: string, subject: Response["subject"], endpoint: IndexEndpoint): void => {
    const endpoints = keys.get(key) ?? { answer: [], object: [] };
    endpoints[subject].push(endpoint);
    keys.set(key, endpoints);
  };
  for (const route of routes) {
    for (const endpoint of route.endpoints) {
      const words = operations.get(endpoint) ?? [];
      if (words.length > 0) {
        add(words.join("."), "answer", endpoint);
      }
      if (words.length > 1) {
        add(words.slice(0, -1).join("."), "object", endpoint);
      }
      for (const method of endpoint.methods) {
        add(`${method} ${route.key}`, "answer", endpoint);
      }
      add(route.key, "object", endpoint);
    }
  }
  return keys;
}

/** A route whose answers a schema describes. */
interface SchemaUse {
  readonly route: Route;
  /**
   * Whether the schema is the route's schema in the index; false for a schema in a file, and for a definition to which
   * another schema refers.
   */
  readonly isSchemaOfRoute: boolean;
}

/**
 * Collects the named answer types. Routes with equal schemas share a type: an index repeats the schema of a collection
 * for its items.
 */
class AnswerTypes {
  readonly #schemas: AnswerSchemas;
  readonly #context: AnswersContext;
  readonly #types = new Map<string, AnswerType>();
  /**
   * Maps the content of each type to the type's id. The content is the JSON of the type's words and structure or, for a
   * schema that does not belong to a route, the id of its definition.
   */
  readonly #idsByContent = new Map<string, string>();

  constructor(schemas: AnswerSchemas, context: AnswersContext) {
    this.#schemas = schemas;
    this.#context = context;
  }

  /** Returns a reference to the type of a definition. Defines this type, and the types to which it refers. */
  referTo(definition: AnswerDefinition, use: SchemaUse): JsonType {
    const type = this.#define(definition, use);
    const pendingIds = [...listReferencedIds(type.type)];
    for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
      const newDefinition = this.#types.has(id)
        ? undefined
        : (this.#schemas.findDefinition(id) ?? linkDefinitions.get(id));
      if (newDefinition !== undefined) {
        pendingIds.push(...listReferencedIds(this.#define(newDefinition, { ...use, isSchemaOfRoute: false }).type));
      }
    }
    return { kind: "named", id: type.id };
  }

  #define({ id, name, schema }: AnswerDefinition, { route, isSchemaOfRoute }: SchemaUse): AnswerType {
    const existingType = this.#types.get(id);
    if (existingType !== undefined) {
      return existingType;
    }
    const type = lowerAnswerSchema(schema, this.#context);
    const words = name === "" && isSchemaOfRoute ? findLastStaticSegment(route) : name;
    const content = isSchemaOfRoute ? JSON.stringify([words, formatContent(type)]) : id;
    const documentation = shortenDescription(schema.description, this.#context.limits.descriptionChars);
    const namespace = (isSchemaOfRoute ? route.key.split("/")[1] : undefined) ?? "";
    const equalType = this.#types.get(this.#idsByContent.get(content) ?? "");
    const span = isBuiltin(schema) ? route.span : schema.span;
    const annotations = lowerAnnotations(schema);
    const definedType = equalType ?? { id, words, type, annotations, documentation, span, namespace };
    this.#idsByContent.set(content, definedType.id);
    this.#types.set(id, definedType);
    return definedType;
  }

  /** Returns the types to which answers refer, directly or indirectly, in the order of the first references. */
  listTypesReferencedBy(answers: readonly JsonType[]): readonly AnswerType[] {
    const referencedTypes = new Map<string, AnswerType>();
    const pendingIds = answers.flatMap(listReferencedIds).reverse();
    for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
      const type = this.#types.get(id);
      if (type !== undefined && !referencedTypes.has(type.id)) {
        referencedTypes.set(type.id, type);
        pendingIds.push(...[...listReferencedIds(type.type)].reverse());
      }
    }
    return [...referencedTypes.values()];
  }
}

function findLastStaticSegment({ path }: Route): string {
  return listStaticSegments(listSegments(path)).at(-1) ?? "answer";
}

function listReferencedIds(type: JsonType): readonly string[] {
  switch (type.kind) {
    case "named":
      return [type.id];
    case "array":
      return listReferencedIds(type.items);
    case "object": {
      const types = type.properties.map((property) => property.type);
      return [...types, ...(type.additional ? [type.additional] : [])].flatMap(listReferencedIds);
    }
    case "union":
      return type.members.flatMap(listReferencedIds);
    default:
      return [];
  }
}

/** Reports, once per interface, how many endpoints have answers without a schema. */
export function reportUntyped({ interfaces }: Contract, config: Config, diagnostics: Diagnostics): void {
  for (const restInterface of interfaces) {
    const restConfig = config.interfaces.find(({ name }) => name === restInterface.name);
    if (restInterface.kind !== "rest" || restConfig?.kind !== "rest") {
      continue;
    }
    const endpoints = restInterface.endpoints.filter((endpoint) => !isIndex(endpoint));
    const untypedEndpoints = endpoints.filter(({ answer }) => answer === undefined);
    const [firstEndpoint] = untypedEndpoints;
    if (firstEndpoint !== undefined) {
      const example = `${untypedEndpoints.length > 1 ? "for example " : ""}${firstEndpoint.operation.join(".")}`;
      diagnostics.info("ANS001", restConfig.index.span, {
        message: `${untypedEndpoints.length} of ${endpoints.length} endpoints have no schema for their answers (${example}). Calls to them return untyped JSON.`,
        help: "Save the index with its schemas (?context=help), or name JSON Schemas under `responses`.",
      });
    }
  }
}

/** Whether an endpoint is the index of a namespace. The runtime answers it, so it needs no schema. */
function isIndex({ operation, route, namespace }: Endpoint): boolean {
  return operation.at(-1) === "index" && route === `/${namespace}`;
}
