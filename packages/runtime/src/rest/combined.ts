import type { JsonValue } from "../descriptor.js";
import { listed, Problem } from "./problem.js";
import { readValue, type ValuePlace } from "./read-value.js";
import type { Alternatives, Schema } from "./schema.js";
import { isObject } from "./values.js";

interface Failure {
  readonly schema: Schema;
  readonly position: number;
  readonly problem: Problem;
}

interface Match {
  readonly schema: Schema;
  readonly position: number;
  readonly value: JsonValue;
}

/** Reads a value by the alternative that it fits: exactly one of `oneOf`, the first of `anyOf`. */
export function readAlternatives(
  value: JsonValue,
  { kind, schemas }: Alternatives,
  place: ValuePlace,
): Match | Problem {
  const { name, items } = place;
  const failures: Failure[] = [];
  const matches: Match[] = [];
  const before = items.count;
  let most = before;
  for (const [position, schema] of schemas.entries()) {
    items.resetTo(before);
    const read = readValue(value, schema, place);
    most = Math.max(most, items.count);
    if (read instanceof Problem) failures.push({ schema, position, problem: read });
    else matches.push({ schema, position, value: read });
  }
  // All alternatives read the same items, which count once.
  items.resetTo(most);
  const [first, second] = matches;
  if (first === undefined) return noneFits(value, failures, name);
  return kind === "anyOf" || second === undefined ? first : severalFit(matches, name);
}

function severalFit(matches: readonly Match[], name: string): Problem {
  const titles = titlesOf(matches.map(({ schema }) => schema));
  const message =
    titles === undefined
      ? `${name} matches more than one of the expected formats.`
      : `${name} matches ${listed(titles)}, but should match only one.`;
  return new Problem(name, "rest_one_of_multiple_matches", message, {
    positions: matches.map(({ position }) => position),
  });
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
  return new Problem(name, "rest_no_matching_schema", message);
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
  return new Problem(name, "rest_no_matching_schema", `${name} ${what}. Reason: ${found.message}`, { position });
}

function titlesOf(schemas: readonly Schema[]): readonly string[] | undefined {
  const titles = schemas.flatMap((schema) => schema.title ?? []);
  return titles.length === schemas.length ? titles : undefined;
}
