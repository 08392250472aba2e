import type { RestInterfaceConfig } from "../model/config.js";
import type { AnswerType, JsonType } from "../model/rest.js";
import {
  type AnswerDefinition,
  AnswerSchemas,
  type Endpoint,
  type Index,
  type Route,
} from "../read/discovery/index.js";
import { Diagnostics } from "../source/diagnostics.js";
import { shortened } from "../source/limits.js";
import type { Sources } from "../source/sources.js";
import { answerOfObject, collectionsOf } from "./answer-rules.js";
import { lowerAnswerSchema } from "./answer-types.js";
import { readResponses } from "./discovery-responses.js";
import { segmentsOf, staticWords } from "./discovery-segments.js";
import type { TypeLowering } from "./discovery-types.js";

/** What endpoints answer, where a schema says it. */
export interface Answers {
  readonly types: readonly AnswerType[];
  readonly of: ReadonlyMap<Endpoint, JsonType>;
}

interface AnswersContext extends TypeLowering {
  readonly index: Index;
  readonly routes: readonly Route[];
  readonly operations: ReadonlyMap<Endpoint, readonly string[]>;
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
  const of = new Map<Endpoint, JsonType>();
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
