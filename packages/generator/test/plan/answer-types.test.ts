import { expect, test } from "vitest";
import { planAnswers } from "../../src/plan/answer-types.js";
import { Scope } from "../../src/plan/typescript-names.js";
import { lowered } from "../lower/lower-index.js";

const everywhere = ["view", "edit", "embed"];
const context = { type: "string", enum: everywhere, default: "view" };

interface Given {
  readonly properties: object;
  readonly endpoints?: readonly object[];
  readonly taken?: readonly string[];
}

/** The types of an index with one route, as `name: how it is written`. */
function planned({ properties, endpoints = [{ methods: ["GET"], args: { context } }], taken = [] }: Given) {
  const schema = { title: "note", type: "object", properties };
  const index = {
    namespaces: ["notes/v1"],
    routes: { "/notes/v1/notes/(?P<id>\\d+)": { namespace: "notes/v1", methods: ["GET"], endpoints, schema } },
  };
  const { interface: rest } = lowered(index);
  if (rest === undefined) {
    throw new Error("The index cannot be read.");
  }
  const { objects, endpoints: answers, typeNames } = planAnswers(rest, new Scope(taken));
  const types = [...objects.values()].flatMap((object) =>
    object.types.map(({ name, form }) => {
      const base = form.kind === "whole" ? "" : ` ${typeNames.get(form.base)}`;
      const members = form.kind === "only" || form.kind === "without" ? ` ${form.names.join(" ")}` : "";
      return `${name}: ${form.kind}${base}${members}`;
    }),
  );
  const contexts = [...objects.values()].flatMap((object) => object.contexts ?? []);
  const answer = [...answers.values()].map(({ type }) => (type.kind === "named" ? typeNames.get(type.id) : type.kind));
  return { types, contexts: contexts.map(({ name }) => name), answer };
}

const id = { type: "integer", context: everywhere };
const raw = { type: "string", context: ["edit"] };
const text = { type: "string", context: ["view", "edit"] };

test("an object has one name in all contexts that show the same members", () => {
  expect(planned({ properties: { id } })).toEqual({ types: ["Note: whole"], contexts: [], answer: ["Note"] });
});

test("an object has a type for each context, based on the type for `view`", () => {
  expect(planned({ properties: { id, raw, text } })).toEqual({
    types: ["Note: whole", "NoteForEdit: extended Note", "NoteForEmbed: without Note text"],
    contexts: ["NoteContexts"],
    answer: ["Note"],
  });
});

test("the values of a map are those of the context", () => {
  const values = { type: "object", properties: { raw, text } };
  const byName = { type: "object", additionalProperties: values, context: everywhere };
  expect(planned({ properties: { id, byName } }).types).toEqual([
    "Note: whole",
    "NoteForEdit: whole",
    "NoteForEmbed: whole",
  ]);
});

test("if `edit` is the only context, the type for `edit` has the plain name", () => {
  const args = { context: { ...context, default: "edit", enum: ["edit"] } };
  expect(planned({ properties: { id, raw }, endpoints: [{ methods: ["GET"], args }] }).types).toEqual(["Note: whole"]);
});

test("a context of the request in which the object has no members has a type", () => {
  expect(planned({ properties: { raw } })).toEqual({
    types: ["Note: whole", "NoteForEdit: extended Note"],
    contexts: ["NoteContexts"],
    answer: ["Note"],
  });
});

test("an endpoint whose context is not known answers an object in any context", () => {
  const endpoints = [
    { methods: ["GET"], args: { context } },
    { methods: ["POST"], args: {} },
  ];
  expect(planned({ properties: { id, raw }, endpoints })).toMatchObject({
    types: ["Note: whole", "NoteForEdit: extended Note", "NoteInAnyContext: extended Note"],
    answer: ["Note", "NoteInAnyContext"],
  });
});

test("a name that another declaration has gets a number", () => {
  const taken = ["NoteForEdit", "NoteForEmbed"];
  expect(planned({ properties: { id, raw, text }, taken }).types).toEqual([
    "Note: whole",
    "NoteForEdit2: extended Note",
    "NoteForEmbed2: without Note text",
  ]);
});
