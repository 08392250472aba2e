import { readFileSync } from "node:fs";
import type { AnswerSchemas, JsonValue } from "@bothends/runtime";
import { type AnswerProblem, checkAnswers } from "@bothends/runtime/client";
import type { Value } from "../../../src/describe/describe.js";
import { describeAnswers } from "../../../src/describe/rest.js";
import type { Endpoint, JsonType, RestInterface } from "../../../src/model/rest.js";

const folder = new URL("../../../../e2e/recorded/wordpress/", import.meta.url);

/** An answer of a live WordPress 6.1, in which long texts are cut and links are left out. */
export interface RecordedAnswer {
  readonly method: string;
  readonly route: string;
  readonly context: string;
  readonly answer: JsonValue;
}

/** The schema that the same site has for its routes. */
export interface RecordedSchema {
  readonly routes: readonly string[];
  readonly schema: { readonly title: string };
}

interface RecordedIndex {
  readonly routes: Readonly<Record<string, object>>;
}

function readRecorded(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8"));
}

export const recordedAnswers = readRecorded("answers.json") as readonly RecordedAnswer[];
export const recordedSchemas = readRecorded("schemas.json") as readonly RecordedSchema[];
/** An index without schemas. */
export const plainIndex = readRecorded("index.json") as RecordedIndex;

/** The index with the schemas that the site has. */
export function indexWithSchemas(): RecordedIndex {
  const schemas = new Map(recordedSchemas.flatMap(({ routes, schema }) => routes.map((route) => [route, schema])));
  const routes = Object.entries(plainIndex.routes).map(([key, route]) => [key, { ...route, schema: schemas.get(key) }]);
  return { ...plainIndex, routes: Object.fromEntries(routes) };
}

/** Checks answers by the types of an interface. */
export function answerCheck(rest: RestInterface): (recorded: RecordedAnswer) => AnswerProblem | undefined {
  const check = checkAnswers(schemasOf(rest));
  return ({ method, route, answer }) =>
    check({ operation: operationOf(rest, method, route) ?? "", body: answer, partial: false });
}

/** Checks a value by a type that refers to no other types. */
export function problemOf(value: unknown, type: JsonType): AnswerProblem | undefined {
  const endpoint = { operation: ["x"], answer: type };
  return checkAnswers(schemasOf({ answers: [], endpoints: [endpoint] }))({
    operation: "x",
    body: value,
    partial: false,
  });
}

interface TypedEndpoints {
  readonly answers: RestInterface["answers"];
  readonly endpoints: readonly Pick<Endpoint, "operation" | "answer">[];
}

function schemasOf(rest: TypedEndpoints): AnswerSchemas {
  const { types, endpoints } = describeAnswers(rest);
  return {
    descriptorFormat: 2,
    types: Object.fromEntries([...types].map(([id, value]) => [id, plain(value)])),
    endpoints: plain(endpoints),
  } as unknown as AnswerSchemas;
}

export function operationOf({ endpoints }: RestInterface, method: string, route: string): string | undefined {
  return endpoints
    .find((endpoint) => endpoint.route === route && endpoint.methods.some((each) => each === method))
    ?.operation.join(".");
}

/** A described value as JSON; references to types of answers are their ids. */
function plain(value: Value): unknown {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value !== "object" || value === null || !("kind" in value)) {
    return value;
  }
  switch (value.kind) {
    case "object":
      return Object.fromEntries(value.members.map(([name, member]) => [name, plain(member)]));
    case "answer":
      return value.id;
    default:
      throw new Error(`The schema of an answer refers to a ${value.kind}.`);
  }
}
