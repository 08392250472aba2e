import type { JsonValue } from "../descriptor.js";
import { listed, type Problem, problem } from "./problem.js";
import type { Schema } from "./schema.js";
import { validate } from "./validate.js";
import { isObject } from "./values.js";

interface Failure {
  readonly schema: Schema;
  readonly position: number;
  readonly problem: Problem;
}

/** The first alternative that a value fits. */
export function matchingAlternative(value: JsonValue, alternatives: readonly Schema[]): Schema | undefined {
  return alternatives.find((schema) => validate(value, schema, "") === undefined);
}

/** `anyOf`: at least one alternative must fit. */
export function anyOfProblem(value: JsonValue, alternatives: readonly Schema[], name: string): Problem | undefined {
  const { failures, matches } = tried(value, alternatives, name);
  return matches.length > 0 ? undefined : noneFits(value, failures, name);
}

/** `oneOf`: exactly one alternative must fit. */
export function oneOfProblem(value: JsonValue, alternatives: readonly Schema[], name: string): Problem | undefined {
  const { failures, matches } = tried(value, alternatives, name);
  if (matches.length === 1) return undefined;
  if (matches.length === 0) return noneFits(value, failures, name);

  const titles = titlesOf(matches.map((position) => alternatives[position]));
  const message =
    titles === undefined
      ? `${name} matches more than one of the expected formats.`
      : `${name} matches ${listed(titles)}, but should match only one.`;
  return problem("rest_one_of_multiple_matches", message, { positions: matches });
}

function tried(
  value: JsonValue,
  alternatives: readonly Schema[],
  name: string,
): { readonly failures: readonly Failure[]; readonly matches: readonly number[] } {
  const failures: Failure[] = [];
  const matches: number[] = [];
  for (const [position, schema] of alternatives.entries()) {
    const found = validate(value, schema, name);
    if (found === undefined) matches.push(position);
    else failures.push({ schema, position, problem: found });
  }
  return { failures, matches };
}

/** Blames the alternative that was most likely meant, as WordPress does; all of them where none stands out. */
function noneFits(value: JsonValue, failures: readonly Failure[], name: string): Problem {
  const [first, second] = failures;
  if (first !== undefined && second === undefined) return because(first, name);

  // A wrong type of the whole value says that the alternative was not meant.
  const close = failures.filter(({ problem: found }) => {
    const param = isObject(found.data) ? found.data["param"] : undefined;
    return found.code !== "rest_invalid_type" || (param !== undefined && param !== name);
  });
  const [likely, alsoLikely] = close;
  if (likely !== undefined && alsoLikely === undefined) return because(likely, name);
  const closest = likely?.schema.types?.includes("object") === true ? mostProperties(value, close) : undefined;
  if (closest !== undefined) return because(closest, name);

  const titles = titlesOf(failures.map((failure) => failure.schema));
  const message =
    titles === undefined
      ? `${name} does not match any of the expected formats.`
      : `${name} is not a valid ${listed(titles)}.`;
  return problem("rest_no_matching_schema", message);
}

function mostProperties(value: JsonValue, failures: readonly Failure[]): Failure | undefined {
  let most = 0;
  let result: Failure | undefined;
  for (const failure of failures) {
    const shared = isObject(value)
      ? Object.keys(value).filter((name) => failure.schema.properties.has(name)).length
      : 0;
    if (shared > most) {
      most = shared;
      result = failure;
    }
  }
  return result;
}

function because({ schema, position, problem: found }: Failure, name: string): Problem {
  const what = schema.title === undefined ? "does not match the expected format" : `is not a valid ${schema.title}`;
  return problem("rest_no_matching_schema", `${name} ${what}. Reason: ${found.message}`, { position });
}

function titlesOf(schemas: readonly (Schema | undefined)[]): readonly string[] | undefined {
  const titles = schemas.flatMap((schema) => schema?.title ?? []);
  return titles.length === schemas.length ? titles : undefined;
}
