import type { AnswerSchema, AnswerSchemas } from "../descriptor.js";
import { ConfigError } from "../errors.js";

/** The maximum depth of an answer. An answer that is nested more deeply probably contains itself, and is refused. */
const maxDepth = 128;

/**
 * Checks the body of an answer. Returns undefined if the body matches its schema, or if the endpoint has no schema for
 * answers.
 */
export type AnswerCheck = (answer: AnswerToCheck) => AnswerProblem | undefined;

/** An answer to check against its schema. */
export interface AnswerToCheck {
  /** The name of the endpoint in the generated code: `core.posts.list`. */
  readonly operation: string;
  readonly body: unknown;
  /** Whether the caller selected some members of the body. If so, the other members may be missing. */
  readonly partial: boolean;
}

/** A value in an answer that does not match its schema. */
export interface AnswerProblem {
  /**
   * The path of the invalid value as a JSON pointer (RFC 6901): `/0/title/rendered`. Empty if the whole body is
   * invalid.
   */
  readonly path: string;
  readonly message: string;
}

/**
 * Returns a function that checks answers against their schemas. Members outside the schema are allowed, because
 * plug-ins add them.
 */
export function checkAnswers(schemas: AnswerSchemas): AnswerCheck {
  if (schemas.descriptorFormat !== 2) {
    throw new ConfigError(
      "The generated code is for a different version of @bothends/runtime. Generate the code again.",
    );
  }
  return ({ operation, body, partial }) => {
    const schema = findOwnProperty(schemas.endpoints, operation);
    return schema === undefined
      ? undefined
      : findProblem(body, { schema, schemas, partial, results: new Map(), path: "", depth: 0 });
  };
}

interface CheckContext {
  readonly schema: AnswerSchema;
  readonly schemas: AnswerSchemas;
  readonly partial: boolean;
  readonly results: Results;
  readonly path: string;
  readonly depth: number;
}

/**
 * The results of earlier checks, by list of alternatives and by value. Recursive schemas often check the same value
 * again.
 */
type Results = Map<readonly AnswerSchema[], Map<unknown, Result>>;

interface Result {
  /** The path at which the value was checked. */
  readonly path: string;
  readonly problem?: AnswerProblem;
  /** True while the check is still running. A running check is found only if the value or its type contains itself. */
  readonly inProgress?: true;
}

function findProblem(value: unknown, context: CheckContext): AnswerProblem | undefined {
  const { schema, schemas, path, depth } = context;
  if (depth > maxDepth) {
    return findTooDeepProblem(path);
  }
  const { named, anyOf } = schema;
  if (named !== undefined) {
    const type = findOwnProperty(schemas.types, named);
    return type === undefined ? undefined : findProblem(value, { ...context, schema: type, depth: depth + 1 });
  }
  if (anyOf !== undefined) {
    return findProblemOfAlternatives(value, anyOf, context);
  }
  const { type } = schema;
  const types = typeof type === "string" ? [type] : (type ?? []);
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) {
    return { path, message: `The value is of type ${getKind(value)}, not ${types.join(" or ")}.` };
  }
  if (schema.enum !== undefined && !schema.enum.some((allowedValue) => allowedValue === value)) {
    const allowedTexts = schema.enum.slice(0, 12).map((allowedValue) => JSON.stringify(allowedValue));
    return {
      path,
      message: `The value is not one of ${allowedTexts.join(", ")}${schema.enum.length > 12 ? ", …" : ""}.`,
    };
  }
  return Array.isArray(value) ? findProblemOfItems(value, context) : findProblemOfMembers(value, context);
}

/**
 * Checks a value against several alternatives. Returns undefined if the value matches at least one of them; otherwise,
 * returns the problem with the deepest path.
 */
function findProblemOfAlternatives(
  value: unknown,
  anyOf: readonly AnswerSchema[],
  context: CheckContext,
): AnswerProblem | undefined {
  const { results, path } = context;
  const values: Map<unknown, Result> = results.get(anyOf) ?? new Map();
  results.set(anyOf, values);
  const earlierResult = values.get(value);
  if (earlierResult !== undefined) {
    if (earlierResult.inProgress === true && earlierResult.path !== path) {
      return findTooDeepProblem(path);
    }
    return (
      earlierResult.problem && {
        ...earlierResult.problem,
        path: path + earlierResult.problem.path.slice(earlierResult.path.length),
      }
    );
  }
  // Stored before the alternatives are checked: an alternative that refers back to this check at the same path matches
  // nothing, instead of being checked forever.
  const noMatchProblem = { path, message: "The value matches none of the alternatives." };
  values.set(value, { path, problem: noMatchProblem, inProgress: true });
  let deepestProblem: AnswerProblem | undefined;
  for (const schema of anyOf) {
    const problem = findProblem(value, { ...context, schema, depth: context.depth + 1 });
    if (problem === undefined) {
      values.set(value, { path });
      return undefined;
    }
    if (deepestProblem === undefined || problem.path.length > deepestProblem.path.length) {
      deepestProblem = problem;
    }
  }
  values.set(value, { path, ...(deepestProblem && { problem: deepestProblem }) });
  return deepestProblem;
}

function findTooDeepProblem(path: string): AnswerProblem {
  return { path, message: `The answer is nested deeper than ${maxDepth} levels.` };
}

function findProblemOfItems(list: readonly unknown[], context: CheckContext): AnswerProblem | undefined {
  const { items } = context.schema;
  if (items === undefined) {
    return undefined;
  }
  for (const [index, item] of list.entries()) {
    const problem = findProblem(item, { ...createMemberContext(context, String(index)), schema: items });
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

function findProblemOfMembers(value: unknown, context: CheckContext): AnswerProblem | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { properties = {}, additional } = context.schema;
  for (const [name, schema] of Object.entries(properties)) {
    const member: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (member === undefined) {
      if (schema.required !== true || context.partial) {
        continue;
      }
      return { path: createMemberContext(context, name).path, message: "The member is missing." };
    }
    const problem = findProblem(member, { ...createMemberContext(context, name), schema });
    if (problem !== undefined) {
      return problem;
    }
  }
  if (additional === undefined) {
    return undefined;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || Object.hasOwn(properties, name)) {
      continue;
    }
    const problem = findProblem(member, { ...createMemberContext(context, name), schema: additional });
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

function createMemberContext(context: CheckContext, name: string): Omit<CheckContext, "schema"> {
  const pointerToken = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return { ...context, path: `${context.path}/${pointerToken}`, depth: context.depth + 1 };
}

/**
 * Whether a value has a JSON Schema type. An empty list also counts as an object, because PHP writes an empty object as
 * `[]`.
 */
function isOfType(value: unknown, type: string): boolean {
  const kind = getKind(value);
  if (type === "number") {
    return kind === "number" || kind === "integer";
  }
  return kind === type || (type === "object" && Array.isArray(value) && value.length === 0);
}

function getKind(value: unknown): string {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "array";
  }
  return Number.isInteger(value) ? "integer" : typeof value;
}

function findOwnProperty<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
