import { expect, test } from "vitest";
import type { Endpoint, JsonType, RestInterface } from "../../../src/model/rest.js";
import { lowered } from "../lower-index.js";
import { answerCheck, indexWithSchemas, operationOf, plainIndex, recordedAnswers } from "./recorded-answers.js";

function interfaceOf(index: unknown): RestInterface {
  const { interface: rest } = lowered(index);
  if (rest === undefined) {
    throw new Error("The index cannot be read.");
  }
  return rest;
}

const indexes = [
  { title: "an index without schemas", rest: interfaceOf(plainIndex) },
  { title: "an index with the schemas of the site", rest: interfaceOf(indexWithSchemas()) },
];

test.each(indexes)("a site's answers match the types of $title", ({ rest }) => {
  const check = answerCheck(rest);
  const wrong = recordedAnswers.flatMap((recorded) => {
    const problem = check(recorded);
    return problem === undefined
      ? []
      : [`${recorded.method} ${recorded.route} ${recorded.context} ${problem.path}: ${problem.message}`];
  });
  expect(wrong).toEqual([]);
});

test.each(indexes)("$title has types for every answer that was recorded", ({ rest }) => {
  const typed = new Set(rest.endpoints.flatMap(({ operation, answer }) => (answer ? [operation.join(".")] : [])));
  const operations = recordedAnswers.map(
    ({ method, route }) => operationOf(rest, method, route) ?? `${method} ${route}`,
  );
  expect(operations.length).toBeGreaterThan(300);
  expect(operations.filter((operation) => !typed.has(operation))).toEqual([]);
});

/** How the members that depend on the context contradict an answer in a context. */
function contextProblems(
  type: JsonType,
  value: unknown,
  { context, path }: { context: string; path: string },
): string[] {
  if (type.kind === "array" && Array.isArray(value)) {
    return value.flatMap((item) => contextProblems(type.items, item, { context, path }));
  }
  if (type.kind === "union") {
    const object = type.members.find(({ kind }) => kind === "object");
    return object === undefined ? [] : contextProblems(object, value, { context, path });
  }
  if (type.kind !== "object" || typeof value !== "object" || value === null || Array.isArray(value)) {
    return [];
  }
  const members = new Map(Object.entries(value));
  return type.properties.flatMap(({ name, type: inner, annotations }) => {
    const contexts = annotations?.contexts;
    const below = contextProblems(inner, members.get(name), { context, path: `${path}.${name}` });
    if (contexts === undefined || contexts.includes(context) === members.has(name)) {
      return below;
    }
    return [`${path}.${name} is ${members.has(name) ? "present" : "absent"} in ${context}`, ...below];
  });
}

/** The objects in an answer: those of a list or of a map, and what was deleted. */
function objectsIn(type: JsonType, value: unknown): readonly unknown[] {
  switch (type.kind) {
    case "array":
      return Array.isArray(value) ? value : [];
    case "union": {
      const deleted = typeof value === "object" && value !== null && "previous" in value ? [value.previous] : [value];
      return deleted;
    }
    case "object":
      if (typeof value !== "object" || value === null) {
        return [];
      }
      return "previous" in value ? [value.previous] : type.additional === undefined ? [] : Object.values(value);
    default:
      return [value];
  }
}

/** The id of the object that an answer is or contains. */
function objectOf(type: JsonType): string | undefined {
  const inner = {
    named: [],
    array: type.kind === "array" ? [type.items] : [],
    union: type.kind === "union" ? type.members : [],
    object:
      type.kind === "object" ? [...type.properties.map((property) => property.type), type.additional ?? type] : [],
  };
  const types = type.kind in inner ? inner[type.kind as keyof typeof inner] : [];
  return type.kind === "named"
    ? type.id
    : types.filter((each) => each !== type).flatMap((each) => objectOf(each) ?? [])[0];
}

function endpointOf({ endpoints }: RestInterface, method: string, route: string): Endpoint | undefined {
  return endpoints.find((endpoint) => endpoint.route === route && endpoint.methods.some((listed) => listed === method));
}

test.each(indexes)("with $title, the context of a request determines the members of its answer", ({ rest }) => {
  const types = new Map(rest.answers.map(({ id, type }) => [id, type]));
  const problems = recordedAnswers.flatMap(({ method, route, context: requested, answer }) => {
    const endpoint = endpointOf(rest, method, route);
    const type = types.get((endpoint?.answer && objectOf(endpoint.answer)) ?? "");
    if (endpoint?.answer === undefined || endpoint.context === undefined || type === undefined) {
      return [];
    }
    const context = method === "GET" ? requested : endpoint.context;
    return objectsIn(endpoint.answer, answer).flatMap((object) =>
      contextProblems(type, object, { context, path: `${method} ${route}` }),
    );
  });
  expect([...new Set(problems)]).toEqual([]);
});
