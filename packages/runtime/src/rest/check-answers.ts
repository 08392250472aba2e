import type { AnswerSchema, AnswerSchemas } from "../descriptor.js";
import { ConfigError } from "../errors.js";

/** Deeper answers are taken for circular ones. */
const maxDepth = 128;

/** Looks at the body of an answer; undefined: it is as the schemas say, or they say nothing of it. */
export type AnswerCheck = (answer: AnswerToCheck) => AnswerProblem | undefined;

export interface AnswerToCheck {
  /** The endpoint, as code names it. */
  readonly operation: string;
  readonly body: unknown;
  /** The caller chose some members: the others may be missing. */
  readonly partial: boolean;
}

export interface AnswerProblem {
  /** Where it is, as a JSON pointer (RFC 6901): `/0/title/rendered`; "" is the whole answer. */
  readonly path: string;
  readonly message: string;
}

/**
 * A check of answers against the types that the schemas give them. Members that the schemas do not have are no problem:
 * plug-ins add their own.
 */
export function checkAnswers(schemas: AnswerSchemas): AnswerCheck {
  if (schemas.descriptorFormat !== 1) {
    throw new ConfigError("The generated code is for another version of the runtime: generate it again.");
  }
  return ({ operation, body, partial }) => {
    const schema = ownMember(schemas.endpoints, operation);
    return schema === undefined
      ? undefined
      : problemOf(body, { schema, schemas, partial, judged: new Map(), path: "", depth: 0 });
  };
}

interface Place {
  readonly schema: AnswerSchema;
  readonly schemas: AnswerSchemas;
  readonly partial: boolean;
  readonly judged: Judged;
  readonly path: string;
  readonly depth: number;
}

/** What became of values by the alternatives they were held against: schemas that refer to themselves ask again and again. */
type Judged = Map<readonly AnswerSchema[], Map<unknown, Judgement>>;

interface Judgement {
  readonly at: string;
  readonly problem?: AnswerProblem;
  /** It is not made yet: the value that is being judged holds itself, or its type does. */
  readonly open?: true;
}

function problemOf(value: unknown, place: Place): AnswerProblem | undefined {
  const { schema, schemas, path, depth } = place;
  if (depth > maxDepth) return tooDeep(path);
  const { named, anyOf } = schema;
  if (named !== undefined) {
    const type = ownMember(schemas.types, named);
    return type === undefined ? undefined : problemOf(value, { ...place, schema: type, depth: depth + 1 });
  }
  if (anyOf !== undefined) return problemOfAll(value, anyOf, place);
  const { type } = schema;
  const types = typeof type === "string" ? [type] : (type ?? []);
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) {
    return { path, message: `The value is of type ${kindOf(value)}, not ${types.join(" or ")}.` };
  }
  if (schema.enum !== undefined && !schema.enum.some((allowed) => allowed === value)) {
    const shown = schema.enum.slice(0, 12).map((allowed) => JSON.stringify(allowed));
    return { path, message: `The value is none of ${shown.join(", ")}${schema.enum.length > 12 ? ", …" : ""}.` };
  }
  return Array.isArray(value) ? problemOfItems(value, place) : problemOfMembers(value, place);
}

/** Undefined where one of the alternatives fits; else what is wrong with the one that fits longest. */
function problemOfAll(value: unknown, anyOf: readonly AnswerSchema[], place: Place): AnswerProblem | undefined {
  const { judged, path } = place;
  const values: Map<unknown, Judgement> = judged.get(anyOf) ?? new Map();
  judged.set(anyOf, values);
  const known = values.get(value);
  if (known !== undefined) {
    if (known.open === true && known.at !== path) return tooDeep(path);
    return known.problem && { ...known.problem, path: path + known.problem.path.slice(known.at.length) };
  }
  // Alternatives that lead back to themselves allow nothing by that.
  const none = { path, message: "The value is none of the alternatives." };
  values.set(value, { at: path, problem: none, open: true });
  let deepest: AnswerProblem | undefined;
  for (const schema of anyOf) {
    const problem = problemOf(value, { ...place, schema, depth: place.depth + 1 });
    if (problem === undefined) {
      values.set(value, { at: path });
      return undefined;
    }
    if (deepest === undefined || problem.path.length > deepest.path.length) deepest = problem;
  }
  values.set(value, { at: path, ...(deepest && { problem: deepest }) });
  return deepest;
}

function tooDeep(path: string): AnswerProblem {
  return { path, message: `The answer is nested deeper than ${maxDepth} levels.` };
}

function problemOfItems(list: readonly unknown[], place: Place): AnswerProblem | undefined {
  const { items } = place.schema;
  if (items === undefined) return undefined;
  for (const [index, item] of list.entries()) {
    const problem = problemOf(item, { ...below(place, String(index)), schema: items });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfMembers(value: unknown, place: Place): AnswerProblem | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { properties = {}, additional } = place.schema;
  for (const [name, schema] of Object.entries(properties)) {
    const member: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (member === undefined) {
      if (schema.required !== true || place.partial) continue;
      return { path: below(place, name).path, message: "The member is missing." };
    }
    const problem = problemOf(member, { ...below(place, name), schema });
    if (problem !== undefined) return problem;
  }
  if (additional === undefined) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || Object.hasOwn(properties, name)) continue;
    const problem = problemOf(member, { ...below(place, name), schema: additional });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function below(place: Place, name: string): Omit<Place, "schema"> {
  const step = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...place, path: `${place.path}/${step}`, depth: place.depth + 1 };
}

/** PHP writes an empty object as `[]`. */
function isOfType(value: unknown, type: string): boolean {
  const kind = kindOf(value);
  if (type === "number") return kind === "number" || kind === "integer";
  return kind === type || (type === "object" && Array.isArray(value) && value.length === 0);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function ownMember<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
