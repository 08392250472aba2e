import { fileURLToPath } from "node:url";
import * as operations from "@bothends/client/content/operations";
import { checkAnswers } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import {
  type Call,
  type RecordedCase,
  readExpectedCalls,
  readRecordedCases,
} from "../../src/replay/wordpress/index.js";

/** Tests that recorded answers of WordPress match the types of content objects, which are hand-written. */
const folder = fileURLToPath(new URL("../../recorded/wordpress", import.meta.url));
const calls = readExpectedCalls(folder);
const { contentAnswers } = operations;
const check = checkAnswers(contentAnswers);

interface Endpoint {
  readonly kind: "endpoint";
  readonly name: string;
  readonly route: string;
  readonly methods: readonly string[];
}

const endpoints = Object.values(operations).filter(
  (value): value is Endpoint & typeof value => typeof value === "object" && "kind" in value,
);

/** Returns the name of the operation for a recorded call. */
function operationOf({ method, route }: Call): string | undefined {
  const ourRoute = route.replace("/wp/v2", "/core/v2");
  return endpoints.find((endpoint) => endpoint.route === ourRoute && endpoint.methods.includes(method))?.name;
}

const answered = readRecordedCases(folder).flatMap((recorded: RecordedCase) => {
  const call = calls.get(String(recorded.n));
  const operation = call && operationOf(call);
  const { status, json, path } = recorded;
  if (operation === undefined || json === undefined || status > 299 || /_envelope|_jsonp/.test(path)) {
    return [];
  }
  return [{ n: recorded.n, operation, json, partial: /_fields/.test(path) }];
});

test("the recorded site's answers match the types of its objects", () => {
  const wrong = answered.flatMap(({ n, operation, json, partial }) => {
    const problem = check({ operation, body: json, partial });
    return problem === undefined ? [] : [`${n} ${operation} ${problem.path}: ${problem.message}`];
  });
  expect(wrong).toEqual([]);
});

test("the recording has complete answers of all typed operations except three", () => {
  const typed = Object.keys(contentAnswers.endpoints);
  const seen = new Set(answered.filter(({ partial }) => !partial).map(({ operation }) => operation));
  expect(typed.filter((operation) => !seen.has(operation))).toEqual([
    "core.media.get",
    "core.media.delete",
    "core.media.postProcess.create",
  ]);
  expect(answered.length).toBeGreaterThan(150);
});
