import { expect, test } from "vitest";
import type { RestInterface } from "../../../src/model/rest.js";
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

test.each(indexes)("what a site answers is of the types of $title", ({ rest }) => {
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
