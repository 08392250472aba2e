import { expect, test } from "vitest";
import { lowerAnswerSchema } from "../../../src/lower/rest/json-types.js";
import {
  CoreRoutes,
  type Correction,
  completedMembers,
  contradictedMembers,
  corrections,
  correctSchema,
} from "../../../src/lower/rest/wordpress/core-routes.js";
import type { JsonType } from "../../../src/model/rest.js";
import { readJsonDocument } from "../../../src/read/rest/documents.js";
import { readAnswerSchema } from "../../../src/read/rest/read-answer-schema.js";
import { readIndex } from "../../../src/read/rest/read-index.js";
import { Diagnostics } from "../../../src/source/diagnostics.js";
import { Sources } from "../../../src/source/sources.js";
import { plainIndex, problemOf, recordedAnswers, recordedSchemas } from "./recorded-answers.js";

const diagnostics = new Diagnostics();
const bytes = new TextEncoder().encode(JSON.stringify(plainIndex));
const sources = new Sources({ readFile: () => ({ kind: "file", bytes }), diagnostics });
const source = { path: "index.json", text: "" };
const index = readIndex({ path: "index.json", span: { source, start: 0, end: 0 } }, sources, diagnostics);
const coreRoutes = new CoreRoutes(index?.routes ?? []);

/** The objects that the site answered, with the schema that it has for them. */
const objects = recordedSchemas.flatMap(({ routes, schema }) => {
  const route = index?.routes.find(({ key }) => key === routes[0]);
  const core = route && coreRoutes.find(route);
  const node = readJsonDocument({ path: "schema.json", text: JSON.stringify(schema) }, sources.limits, diagnostics);
  if (core === undefined || node === undefined) {
    return [];
  }
  const reading = { diagnostics, isUserFile: false, foundRestrictions: new Map(), refer: () => undefined };
  const answers = recordedAnswers.filter((recorded) => routes.includes(recorded.route));
  const values = answers.flatMap(({ answer }) => objectsIn(answer));
  return [{ core, title: schema.title, schema: readAnswerSchema(node, reading), values }];
});

function objectsIn(answer: unknown): readonly object[] {
  if (typeof answer !== "object" || answer === null) {
    return [];
  }
  if (Array.isArray(answer)) {
    return answer.flatMap(objectsIn);
  }
  if ("deleted" in answer) {
    return "previous" in answer ? objectsIn(answer.previous) : [];
  }
  // An object has texts; a map has only objects.
  const values = Object.values(answer);
  return values.every((value) => typeof value === "object" && value !== null) ? values.flatMap(objectsIn) : [answer];
}

/** The types of all objects of the site with these corrections of its schemas. */
function typesWith(list: readonly Correction[]): readonly JsonType[] {
  return objects.map(({ schema, core }) =>
    lowerAnswerSchema(correctSchema(schema, core, list), { diagnostics, limits: sources.limits }),
  );
}

function problemsOf(types: readonly JsonType[]): readonly string[] {
  return objects.flatMap(({ title, values }, at) => {
    const type = types[at] ?? { kind: "any" };
    const problems = values.flatMap((value) => problemOf(value, type) ?? []);
    return problems.map(({ path, message }) => `${title}${path}: ${message}`);
  });
}

const types = typesWith(corrections);

test("the site's answers match its corrected types", () => {
  expect(objects.length).toBeGreaterThan(40);
  expect(problemsOf(types)).toEqual([]);
});

function without(row: Correction): readonly JsonType[] {
  return typesWith(corrections.filter((other) => other !== row));
}

function titled(rows: readonly Correction[]) {
  return rows.map((row) => ({ row, title: `${row.member.join(".")} of ${row.kinds.join(" and ")}` }));
}

test.each(titled(contradictedMembers))("$title: the answers of the site contradict its schema", ({ row }) => {
  expect(problemsOf(without(row))).not.toEqual([]);
});

test.each(titled(completedMembers))("$title: its type is more exact than the schema of the site", ({ row }) => {
  expect(without(row)).not.toEqual(types);
});
