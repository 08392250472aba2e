import type { JsonValue } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { indexOf } from "./pairs/index-document.js";
import { type CodeOutcome, observeCode, type Part } from "./proof/argument-programs.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

// Objects whose schemas list no members, or allow members that they do not list.

const any = { type: "object" };
const texts = { type: "object", additionalProperties: { type: "string" } };
const text = { type: "object", properties: { a: { type: "string" } } };
const required = { type: "object", properties: { a: { type: "string", required: true } } };
const count = { type: "object", properties: { a: { type: "string" }, n: { type: "integer" } } };
const open = { ...text, additionalProperties: { type: "string" } };
const anyOthers = { ...text, additionalProperties: true };
const closed = { ...text, additionalProperties: false };
const openCounts = { ...text, additionalProperties: { type: "integer" } };
const lengthened = { type: "object", properties: { a: { type: "string", minLength: 3 } } };
const listOf = (items: object) => ({ type: "array", items });
const nullable = (schema: object) => ({ ...schema, type: ["object", "null"] });

interface Case {
  readonly title: string;
  readonly schemas: readonly [before: object, after: object];
  /** Whether the case is only about answers: the types of arguments ignore the schema of additional members. */
  readonly isAnswer?: true;
}

const cases: readonly Case[] = [
  { title: "an object without members that gets one", schemas: [any, text] },
  { title: "an object without members that gets a required one", schemas: [any, required] },
  { title: "an object without members that gets a limited one", schemas: [any, lengthened] },
  { title: "an object without members that gets two", schemas: [any, count] },
  { title: "an object with texts that gets members", schemas: [texts, count] },
  { title: "a nullable object that gets a required member", schemas: [nullable(any), nullable(required)] },
  { title: "a list of objects that get a member", schemas: [listOf(any), listOf(text)] },
  { title: "an object that allows members of any type", schemas: [text, anyOthers], isAnswer: true },
  { title: "an object that refuses other members", schemas: [anyOthers, closed], isAnswer: true },
  { title: "a list of objects that allow others", schemas: [listOf(text), listOf(anyOthers)], isAnswer: true },
  { title: "a nullable object that allows others", schemas: [nullable(text), nullable(anyOthers)], isAnswer: true },
  {
    title: "an object that allows others and gets one",
    schemas: [text, { ...count, additionalProperties: {} }],
    isAnswer: true,
  },
  { title: "an object that allows other members", schemas: [text, open], isAnswer: true },
  { title: "an object with additional counts", schemas: [open, openCounts], isAnswer: true },
  { title: "an object with texts in place of a member", schemas: [text, texts], isAnswer: true },
  { title: "an object with a member in place of others", schemas: [any, open], isAnswer: true },
];
const directedCases = cases.flatMap(({ title, schemas: [before, after], isAnswer }) => [
  { title, before, after, isAnswer },
  { title: `${title}, reversed`, before: after, after: before, isAnswer },
]);

const item = "/shop/v1/things/(?P<id>[\\d]+)";
const sourcesOf: Readonly<Record<Part, (q: object) => Sources>> = {
  arguments: (q) => indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { ...q, required: true } } } }),
  answer: (q) =>
    indexOf(
      { [item]: { args: { id: { type: "integer", required: true } } } },
      {
        [item]: {
          $schema: "http://json-schema.org/draft-04/schema#",
          title: "thing",
          type: "object",
          properties: { q },
        },
      },
    ),
};

const outcomes = new Map<Part, ReadonlyMap<string, CodeOutcome>>();

/** Compiles the code of all cases in one run of the compiler. */
function outcomeOf(title: string, part: Part): CodeOutcome | undefined {
  const keyOf = (text: string) => text.replaceAll(/[ ,]+/g, "-");
  const found =
    outcomes.get(part) ??
    observeCode(
      new Map(
        directedCases
          .filter(({ isAnswer }) => part === "answer" || isAnswer === undefined)
          .map(({ title, before, after }) => [keyOf(title), [sourcesOf[part](before), sourcesOf[part](after)]]),
      ),
      part,
    );
  outcomes.set(part, found);
  return found.get(keyOf(title));
}

function changesOf(part: Part, before: object, after: object): readonly Change[] {
  return diffContracts(sideOf(sourcesOf[part](before)), sideOf(sourcesOf[part](after))).changes;
}

function worstOf(changes: readonly Change[], party: keyof Change["consequences"]): Level {
  return findWorstLevel(changes.map(({ consequences }) => consequences[party]));
}

function levelOfCode(error: string | undefined, memberErrors: readonly string[], programs: readonly string[]): Level {
  return error !== undefined || memberErrors.length > 0 ? "breaks" : programs.length > 0 ? "some" : "none";
}

const codeCases = directedCases.flatMap((each) =>
  (each.isAnswer === undefined ? (["arguments", "answer"] as const) : (["answer"] as const)).map((part) => ({
    ...each,
    part,
  })),
);

test.each(codeCases)(
  "$title ($part) has the code consequences that the compiler shows",
  (each) => {
    const { title, part, before, after } = each;
    const changes = changesOf(part, before, after);
    const [writer, reader] =
      part === "arguments" ? (["callers", "handlers"] as const) : (["handlers", "callers"] as const);
    const { writeError, readError, failingPrograms = [], failingWrites = [] } = outcomeOf(title, part) ?? {};
    // Programs that read a member as its old type.
    const memberErrors = failingPrograms.filter((program) => program.includes('Extract<Old["q"],'));
    expect({ writer: worstOf(changes, writer), reader: worstOf(changes, reader) }).toEqual({
      writer: levelOfCode(writeError, [], failingWrites),
      reader: levelOfCode(readError, memberErrors, failingPrograms),
    });
  },
  300_000,
);

const members: readonly JsonValue[] = ["text", "", "x", 5, true, ["x"], { b: "x" }];
const objects: readonly JsonValue[] = [
  {},
  ...["a", "n", "other"].flatMap((name) => members.map((value) => ({ [name]: value }))),
  { a: "text", n: 5 },
];

/** The values that an endpoint receives; undefined for values that its server refuses. */
async function send(from: Sources, to: Sources, values: readonly JsonValue[]) {
  const [rest, server] = [restOf(sideOf(from).contract), new MemoryServer(restOf(sideOf(to).contract))];
  const api = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport: server.transport });
  const received: unknown[] = [];
  for (const q of values) {
    const answer = await api.call(rest.endpoints[0]?.descriptor as never, { q } as never).then(
      () => server.received?.input["q"],
      () => undefined,
    );
    received.push(answer);
  }
  return received;
}

/** Whether the generated type of an object allows a value. An object with listed members has no others. */
function isTyped(schema: { readonly properties?: object }, value: JsonValue): boolean {
  const { properties } = schema;
  return properties === undefined || Object.keys(value as object).every((name) => Object.hasOwn(properties, name));
}

const callCases = directedCases.filter(({ isAnswer, before }) => isAnswer === undefined && !("items" in before));

test.each(callCases)("$title has the consequences for calls that requests show", async ({ before, after }) => {
  const [oldSources, newSources] = [sourcesOf.arguments(before), sourcesOf.arguments(after)];
  const changes = changesOf("arguments", before, after);
  for (const [party, schema, client, server] of [
    ["oldClients", before, oldSources, newSources],
    ["newClients", after, newSources, oldSources],
  ] as const) {
    const typed = objects.filter((value) => isTyped(schema, value));
    const accepted = await send(client, client, typed);
    const values = typed.filter((_, index) => accepted[index] !== undefined);
    const refused = (await send(client, server, values)).filter((value) => value === undefined);
    const level = worstOf(changes, party);
    const isRefused = level === "some" || level === "breaks";
    expect({ party, isRefused, isEachRefused: level === "breaks", values: values.length > 0 }).toEqual({
      party,
      isRefused: refused.length > 0,
      isEachRefused: refused.length === values.length,
      values: true,
    });
  }
});

/** An index whose answers have the schema itself, so that the type has a name. */
const rootOf = (schema: object) =>
  indexOf(
    { [item]: { args: { id: { type: "integer", required: true } } } },
    { [item]: { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", ...schema } },
  );

test.each([
  ["allows other members", text, anyOthers],
  ["no longer allows other members", anyOthers, text],
  ["refuses other members", anyOthers, closed],
  ["has fewer members", { ...text, maxProperties: 9 }, { ...text, maxProperties: 5 }],
  ["lists its keywords", text, { ...closed, minProperties: 1 }],
])("an object that %s has the same consequences with and without a name", (_, before, after) => {
  const [named, nested] = [
    diffContracts(sideOf(rootOf(before)), sideOf(rootOf(after))).changes,
    changesOf("answer", before, after),
  ].map((changes) => changes.map((each) => [each.rule, each.before, each.after, ...Object.values(each.consequences)]));
  expect(named?.length).toBeGreaterThan(0);
  expect(named?.map(String).sort()).toEqual(nested?.map(String).sort());
});
