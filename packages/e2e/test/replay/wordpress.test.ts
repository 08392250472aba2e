import { fileURLToPath } from "node:url";
import type { JsonValue } from "@bothends/runtime";
import { RestAnswer, type RestContext, restAnswer, type ServerAnswer } from "@bothends/runtime/server";
import { expect, test } from "vitest";
import {
  type GeneratedSite,
  generateSite,
  readDeviations,
  readExpectedCalls,
  readRecordedCases,
  replay,
  reportLines,
} from "../../src/replay/wordpress/index.js";

const folder = fileURLToPath(new URL("../../recorded/wordpress", import.meta.url));
const site = await generateSite(`${folder}/index.json`);
const cases = readRecordedCases(folder);
const calls = readExpectedCalls(folder);
const deviations = readDeviations(new URL("../../src/replay/wordpress/deviations.json", import.meta.url));

test("the generated server makes the same calls as the recorded site, with the same input, and gives the same answers", async () => {
  const report = await replay(site, { cases, calls, deviations });
  console.log(reportLines(report).join("\n"));
  expect(report.failingCases).toEqual([]);
  expect(report.staleDeviations).toEqual([]);
  expect(report.exactCases.length + report.acceptedCases.length).toBe(500);
});

type Input = Record<string, JsonValue>;
type Handler = (input: Input, context: RestContext) => unknown;

/** Returns the site with changed handlers. */
function withHandlers(change: (handler: Handler) => Handler): GeneratedSite {
  const changed = (tree: object): object =>
    Object.fromEntries(
      Object.entries(tree).map(([name, node]) => [name, typeof node === "function" ? change(node) : changed(node)]),
    );
  return { ...site, routes: (handlers, options) => site.routes(changed(handlers), options) };
}

const withInput = (change: (input: Input) => Input) =>
  withHandlers((handler) => (input, context) => handler(change(input), context));

/** Returns the site with changed answers. */
function withAnswers(change: (answer: ServerAnswer) => object): GeneratedSite {
  return {
    ...site,
    routes: (handlers, options) => {
      const { name, answer } = site.routes(handlers, options);
      return {
        name,
        async answer(request) {
          const found = await answer(request);
          return found && { ...found, ...change(found) };
        },
      };
    },
  };
}

const asText = (value: JsonValue): JsonValue => (typeof value === "number" ? String(value) : value);
const mapped = (input: Input, change: (value: JsonValue) => JsonValue) =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, change(value)]));

test.each([
  ["leaves numbers as text", 150, withInput((input) => mapped(input, asText))],
  ["gives no defaults", 100, withInput(({ context: _, page: __, ...input }) => input)],
  ["hands on what the index does not know", 150, withInput((input) => ({ ...input, bogus_param: "1" }))],
  [
    "leaves a list as text",
    80,
    withInput((input) => mapped(input, (value) => (Array.isArray(value) ? value.join() : value))),
  ],
  [
    "reaches another route",
    200,
    withHandlers(
      (handler) => (input, context) => handler(input, Object.assign(Object.create(context), { route: "/wp/v2/posts" })),
    ),
  ],
  [
    "takes every method for GET",
    70,
    withHandlers(
      (handler) => (input, context) => handler(input, Object.assign(Object.create(context), { method: "GET" })),
    ),
  ],
  [
    "forgets how many there are",
    80,
    withHandlers((handler) => (input, context) => {
      const answer = handler(input, context);
      return answer instanceof RestAnswer ? restAnswer({ ...answer, total: undefined }) : answer;
    }),
  ],
  ["calls no handler", 200, withHandlers(() => () => null)],
  ["sends another status", 500, withAnswers(({ status }) => ({ status: status + 1 }))],
  [
    "leaves out a header",
    400,
    withAnswers(({ headers }) => ({ headers: headers.filter(([name]) => name !== "Allow") })),
  ],
] as const)("a server that %s fails", async (_, least, broken) => {
  const { failingCases } = await replay(broken, { cases, calls, deviations });
  expect(failingCases.length).toBeGreaterThanOrEqual(least);
});

test("a deviation that no longer occurs fails, and so does one that differs from its description", async () => {
  const [deviation] = deviations.values();
  if (deviation === undefined) {
    throw new Error("There is no deviation.");
  }
  const listedCase = cases.filter(({ n }) => n === 4);
  const listed = new Map([["4", { ...deviation, case: "4" }]]);
  expect((await replay(site, { cases: listedCase, calls, deviations: listed })).staleDeviations).toEqual(["4"]);
  const wrongCase = cases.filter(({ n }) => n === 176);
  const wrong = new Map([["176", { ...deviation, case: "176", instead: { input: { id: 6, context: "view" } } }]]);
  expect((await replay(site, { cases: wrongCase, calls, deviations: wrong })).failingCases).toHaveLength(1);
});
