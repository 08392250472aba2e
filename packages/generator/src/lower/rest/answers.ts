import { didYouMean } from "@bothends/xml";
import type { Config, ResponseConfig, RestInterfaceConfig } from "../../model/config.js";
import type { Contract, Endpoint } from "../../model/index.js";
import type { AnswerType, JsonType } from "../../model/rest.js";
import {
  type AnswerDefinition,
  AnswerSchemas,
  type Index,
  type Endpoint as IndexEndpoint,
  type Route,
} from "../../read/discovery/index.js";
import { Diagnostics } from "../../source/diagnostics.js";
import { shortened } from "../../source/source-limits.js";
import type { Sources } from "../../source/sources.js";
import { lowerAnswerSchema, type TypeLowering } from "./json-types.js";
import { segmentsOf, staticWords } from "./route-paths.js";
import { answerOfObject, collectionsOf } from "./wordpress-conventions.js";

/** The schema that bothends.json has for an endpoint. */
interface Response extends ResponseConfig {
  /** It is the whole answer; else it is the object that the route is about. */
  readonly whole: boolean;
}

interface ResponsesContext {
  readonly config: RestInterfaceConfig;
  readonly index: Index;
  readonly routes: readonly Route[];
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
  readonly diagnostics: Diagnostics;
}

/**
 * Finds the endpoints that `responses` speaks of. An operation, `core.blocks.get`, or a method and a route has a schema of
 * its whole answer; a group, `core.blocks`, or a route has one of the object that its endpoints are about.
 */
function readResponses(context: ResponsesContext): ReadonlyMap<IndexEndpoint, Response> {
  const { config, index, routes, diagnostics } = context;
  const keys = keysOf(context, routes);
  const found = new Map<IndexEndpoint, Response>();
  const twice = new Map<ResponseConfig, string | undefined>();
  for (const whole of [true, false]) {
    const level = new Map<IndexEndpoint, Response>();
    for (const response of config.responses) {
      for (const endpoint of keys.get(response.key)?.[whole ? "whole" : "objects"] ?? []) {
        if (level.has(endpoint)) twice.set(response, level.get(endpoint)?.key);
        level.set(endpoint, { ...response, whole });
      }
    }
    for (const [endpoint, response] of level) if (!found.has(endpoint)) found.set(endpoint, response);
  }
  for (const [{ key, keySpan }, other] of twice) {
    diagnostics.error("ANS009", keySpan, { message: `"${key}" says again what "${other}" says.` });
  }
  const listed = routes.length === index.routes.length ? keys : keysOf(context, index.routes);
  for (const { key, keySpan } of config.responses) {
    if (listed.has(key)) continue;
    diagnostics.error("ANS008", keySpan, {
      message: `"${key}" is no operation, group of operations or route of ${config.name}.`,
      help: didYouMean(key, listed.keys()),
    });
  }
  return found;
}

interface Named {
  readonly whole: IndexEndpoint[];
  readonly objects: IndexEndpoint[];
}

/** Every key that `responses` may have, with the endpoints it stands for. */
function keysOf({ operations }: ResponsesContext, routes: readonly Route[]): ReadonlyMap<string, Named> {
  const keys = new Map<string, Named>();
  const add = (key: string, kind: keyof Named, endpoint: IndexEndpoint): void => {
    const named = keys.get(key) ?? { whole: [], objects: [] };
    named[kind].push(endpoint);
    keys.set(key, named);
  };
  for (const route of routes) {
    for (const endpoint of route.endpoints) {
      const words = operations.get(endpoint) ?? [];
      if (words.length > 0) add(words.join("."), "whole", endpoint);
      if (words.length > 1) add(words.slice(0, -1).join("."), "objects", endpoint);
      for (const method of endpoint.methods) add(`${method} ${route.key}`, "whole", endpoint);
      add(route.key, "objects", endpoint);
    }
  }
  return keys;
}

/** What endpoints answer, where a schema says it. */
interface Answers {
  readonly types: readonly AnswerType[];
  readonly of: ReadonlyMap<IndexEndpoint, JsonType>;
}

interface AnswersContext extends TypeLowering {
  readonly index: Index;
  readonly routes: readonly Route[];
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
  readonly config: RestInterfaceConfig;
  readonly sources: Sources;
}

/** Types what endpoints answer: by the files that bothends.json names, else by the schema that the index has for the route. */
export function lowerAnswers(context: AnswersContext): Answers {
  const { routes, diagnostics } = context;
  const schemas = new AnswerSchemas(context.sources, diagnostics);
  const types = new AnswerTypes(schemas, context);
  const responses = readResponses(context);
  const collections = collectionsOf(routes);
  const of = new Map<IndexEndpoint, JsonType>();
  for (const route of routes) {
    const ofIndex = routeDefinition(route, schemas, context);
    for (const endpoint of route.endpoints) {
      const response = responses.get(endpoint);
      const definition =
        response === undefined ? ofIndex : schemas.inFile(response.path, response.pointer, response.span);
      if (definition === undefined) continue;
      const object = types.named(definition, response === undefined ? route : undefined);
      const answer =
        response?.whole === true ? object : answerOfObject(object, { definition, endpoint, route, collections });
      if (answer !== undefined) of.set(endpoint, answer);
    }
  }
  schemas.reportBounds();
  return { types: types.reachedFrom([...of.values()]), of };
}

/** The schema of a route in the index. A site's own mistakes keep nobody from calling it. */
function routeDefinition(
  { key, schema }: Route,
  schemas: AnswerSchemas,
  { index, diagnostics }: AnswersContext,
): AnswerDefinition | undefined {
  if (schema === undefined) return undefined;
  const tried = new Diagnostics();
  const definition = schemas.inIndex(index.source.path, schema, tried);
  const wrong = tried.all.find(({ severity }) => severity === "error");
  if (wrong === undefined) return definition;
  diagnostics.warning("ANS007", wrong.span, { message: `The schema of ${key} is left aside: ${wrong.message}` });
  return undefined;
}

/** The named types, each once: a route and its items have the same schema in an index, word for word. */
class AnswerTypes {
  readonly #schemas: AnswerSchemas;
  readonly #lowering: TypeLowering;
  readonly #types = new Map<string, AnswerType>();
  /** Ids by all that a type says; those of equal types are one. */
  readonly #equal = new Map<string, string>();

  constructor(schemas: AnswerSchemas, lowering: TypeLowering) {
    this.#schemas = schemas;
    this.#lowering = lowering;
  }

  /** The type of a definition, and of all that it refers to. */
  named(definition: AnswerDefinition, route: Route | undefined): JsonType {
    const made = this.#make(definition, route);
    const open = [...namedIn(made.type)];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const next = this.#types.has(id) ? undefined : this.#schemas.definition(id);
      if (next !== undefined) open.push(...namedIn(this.#make(next, undefined).type));
    }
    return { kind: "named", id: made.id };
  }

  #make({ id, name, schema }: AnswerDefinition, route: Route | undefined): AnswerType {
    const known = this.#types.get(id);
    if (known !== undefined) return known;
    const type = lowerAnswerSchema(schema, this.#lowering);
    const words = name !== "" || route === undefined ? name : (staticWords(segmentsOf(route.path)).at(-1) ?? "answer");
    const same = route === undefined ? id : JSON.stringify([words, type]);
    const documentation = shortened(schema.description, this.#lowering.limits.descriptionChars);
    const namespace = route?.key.split("/")[1] ?? "";
    const first = this.#types.get(this.#equal.get(same) ?? "");
    const made = first ?? { id, words, type, documentation, span: schema.span, namespace };
    this.#equal.set(same, made.id);
    this.#types.set(id, made);
    return made;
  }

  /** Those that answers hold, in the order in which they are met. */
  reachedFrom(answers: readonly JsonType[]): readonly AnswerType[] {
    const reached = new Map<string, AnswerType>();
    const open = answers.flatMap(namedIn).reverse();
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const type = this.#types.get(id);
      if (type === undefined || reached.has(type.id)) continue;
      reached.set(type.id, type);
      open.push(...[...namedIn(type.type)].reverse());
    }
    return [...reached.values()];
  }
}

/** The ids of the types that a type refers to. */
function namedIn(type: JsonType): readonly string[] {
  switch (type.kind) {
    case "named":
      return [type.id];
    case "array":
      return namedIn(type.items);
    case "object":
      return [
        ...type.properties.map((property) => property.type),
        ...(type.additional ? [type.additional] : []),
      ].flatMap(namedIn);
    case "union":
      return type.members.flatMap(namedIn);
    default:
      return [];
  }
}

/** One note for each interface that has endpoints of whose answers no schema says anything. */
export function reportUntyped({ interfaces }: Contract, config: Config, diagnostics: Diagnostics): void {
  for (const rest of interfaces) {
    if (rest.kind !== "rest") continue;
    const endpoints = rest.endpoints.filter((endpoint) => !isIndex(endpoint));
    const untyped = endpoints.filter(({ answer }) => answer === undefined);
    const own = config.interfaces.find(({ name }) => name === rest.name);
    const [first] = untyped;
    if (first === undefined || own?.kind !== "rest") continue;
    const example = `${first.operation.join(".")}${untyped.length > 1 ? " for one" : ""}`;
    diagnostics.info("ANS001", own.index.span, {
      message: `No schema says what ${untyped.length} of ${endpoints.length} endpoints answer, ${example}; they answer any JSON.`,
      help: "Save the index with its schemas (?context=help), or name JSON Schemas under `responses`.",
    });
  }
}

/** The runtime answers it, from the index. */
function isIndex({ operation, route, namespace }: Endpoint): boolean {
  return operation.at(-1) === "index" && route === `/${namespace}`;
}
