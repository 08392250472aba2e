import type { JsonValue } from "@bothends/runtime";
import { checkAnswers, RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { worstOf } from "./proof/call-outcomes.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { answerSchemasOf } from "./proof/packages.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

// Objects that gain or lose a member, and whose schemas have a type for further members or for names that match a
// pattern. Calls show which values are refused.

const integer = { type: "integer" };
const text = { type: "string" };
const count = { type: "integer", maximum: 9 };
const objectOf = (others: object, members: object = {}) => ({
  type: "object",
  properties: { q: text, ...members },
  ...others,
});
const typed = { additionalProperties: integer };
const patterned = { patternProperties: { "^x-": integer } };
const closed = { additionalProperties: false };
const restricted = { ...patterned, ...closed };

interface Case {
  readonly title: string;
  readonly schemas: readonly [before: ObjectSchema, after: ObjectSchema];
}

const others = { typed, patterned, closed, restricted } as const;
const memberTypes = { integer, text, number: { type: "number" }, count, nullable: { type: ["integer", "null"] } };
const cases: readonly Case[] = [
  ...Object.entries(others).flatMap(([kind, keywords]) =>
    Object.entries(memberTypes).flatMap(([type, schema]) =>
      ["n", "x-1"].map((name) => ({
        title: `${kind}: ${name} of type ${type}`,
        schemas: [objectOf(keywords), objectOf(keywords, { [name]: schema })] as const,
      })),
    ),
  ),
  { title: "a closed object with counts", schemas: [objectOf(closed), objectOf(typed)] },
  { title: "a closed object with a pattern", schemas: [objectOf(closed), objectOf(restricted)] },
  { title: "an open object with a pattern", schemas: [objectOf({}), objectOf(patterned)] },
  { title: "a renamed text", schemas: [objectOf(typed, { "x-1": text }), objectOf(typed, { "x-2": text })] },
  { title: "a renamed count", schemas: [objectOf(typed, { "x-1": integer }), objectOf(typed, { "x-2": integer })] },
];

type Sides = readonly [before: Side, after: Side];
const sidesOf = (createSources: (side: 0 | 1) => Sources): Sides => [
  sideOf(createSources(0)),
  sideOf(createSources(1)),
];
const argumentSources = (side: 0 | 1) =>
  indexOf(
    Object.fromEntries(
      cases.map(({ schemas }, index) => [
        `/shop/v1/argument${index}`,
        { methods: ["POST"], args: { q: { ...schemas[side], required: true } } },
      ]),
    ),
  );
const answerSources = (side: 0 | 1) => {
  const routeOf = (index: number) => `/shop/v1/answers${index}/(?P<id>[\\d]+)`;
  return indexOf(
    Object.fromEntries(
      cases.map((_, index) => [routeOf(index), { args: { id: { type: "integer", required: true } } }]),
    ),
    Object.fromEntries(
      cases.map(({ schemas }, index) => [
        routeOf(index),
        { title: `answer${index}x`, type: "object", properties: { q: schemas[side] } },
      ]),
    ),
  );
};
const [argumentSides, answerSides] = [sidesOf(argumentSources), sidesOf(answerSources)];
const checks = ([0, 1] as const).map((side) => checkAnswers(answerSchemasOf(answerSources(side))));
const changesOf = ([before, after]: Sides) => [
  diffContracts(before, after).changes,
  diffContracts(after, before).changes,
];
const [argumentChanges, answerChanges] = [changesOf(argumentSides), changesOf(answerSides)];

const values: readonly JsonValue[] = [
  {},
  { q: "text" },
  ...["n", "x-1"].flatMap((name) => [5, 50, 5.5, "text", "5", null].map((value) => ({ q: "text", [name]: value }))),
];

const isAccepted = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  );

let answer: JsonValue = null;
const argumentRests = argumentSides.map(({ contract }) => restOf(contract));
const answerRests = answerSides.map(({ contract }) => restOf(contract));
const argumentServers = argumentRests.map((rest) => new MemoryServer(rest));
const answerServers = answerRests.map((rest) => new MemoryServer(rest, () => answer));

type Call = readonly [part: "argument" | "answer", index: number, sides: readonly [client: 0 | 1, server: 0 | 1]];

const outcomes = new Map<string, Promise<readonly boolean[]>>();

/** Calls the endpoint of a case with each value, as an argument or as an answer; returns the accepted values. */
function call(...parameters: Call): Promise<readonly boolean[]> {
  const key = JSON.stringify(parameters);
  const outcome = outcomes.get(key) ?? callAll(...parameters);
  outcomes.set(key, outcome);
  return outcome;
}

async function callAll(...[part, index, [client, server]]: Call): Promise<readonly boolean[]> {
  const [rests, servers] = part === "argument" ? [argumentRests, argumentServers] : [answerRests, answerServers];
  const [rest, transport] = [rests[client], servers[server]?.transport];
  const endpoint = rest?.endpoints.find(({ endpoint: { route } }) =>
    new RegExp(`${part}s?${index}(?!\\d)`).test(route),
  );
  if (rest === undefined || transport === undefined || endpoint === undefined) {
    throw new Error(`There is no ${part} ${index}.`);
  }
  const validate = part === "answer" ? checks[client] : undefined;
  const api = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport, validate });
  const accepted: boolean[] = [];
  for (const q of values) {
    answer = { q };
    accepted.push(await isAccepted(api.call(endpoint.descriptor, part === "argument" ? { q } : { id: 1 })));
  }
  return accepted;
}

interface ObjectSchema {
  readonly properties: object;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
}

/**
 * Whether a client may send a value: with names that its schema lists, allows with a type, or allows by a pattern. If
 * an object is open without saying so, clients send names that neither version lists.
 */
function isSent(
  { properties, patternProperties, additionalProperties }: ObjectSchema,
  other: ObjectSchema,
  value: JsonValue,
): boolean {
  return Object.keys(value as object).every(
    (name) =>
      Object.hasOwn(properties, name) ||
      (patternProperties !== undefined && name.startsWith("x-")) ||
      typeof additionalProperties === "object" ||
      (additionalProperties === undefined && !Object.hasOwn(other.properties, name)),
  );
}

/**
 * Whether a server may return a value. The type in code of an object with a pattern allows all names. Servers of a
 * closed object may send other members, which matters only if the other version declares no member for them.
 */
function isReturned(schema: ObjectSchema, other: ObjectSchema, value: JsonValue): boolean {
  const hasSameNames = Object.keys(schema.properties).join() === Object.keys(other.properties).join();
  return isSent(schema, other, value) || schema.patternProperties !== undefined || hasSameNames;
}

const directions = cases.flatMap(({ title, schemas: [before, after] }, index) => [
  { title, index, from: 0, to: 1, before, after } as const,
  { title: `${title}, reversed`, index, from: 1, to: 0, before: after, after: before } as const,
]);

test.each(directions)("an argument: $title", async ({ index, from, to, before, after }) => {
  const changes = argumentChanges[from]?.filter(({ subject }) => subject.includes(`/argument${index} `)) ?? [];
  for (const [party, [schema, otherSchema], client, server] of [
    ["oldClients", [before, after], from, to],
    ["newClients", [after, before], to, from],
  ] as const) {
    const [accepted, read] = [
      await call("argument", index, [client, client]),
      await call("argument", index, [client, server]),
    ];
    const isRefused = values.some(
      (value, each) => isSent(schema, otherSchema, value) && accepted[each] === true && read[each] !== true,
    );
    expect({ party, isRefused: /some|breaks/.test(worstOf(changes, party)) }).toEqual({ party, isRefused });
  }
});

test.each(directions)("an answer: $title", async ({ index, from, to, before, after }) => {
  const changes = answerChanges[from]?.filter(({ subject }) => subject.includes(`answer${index}x.`)) ?? [];
  expect(changes.length).toBeGreaterThan(0);
  for (const [party, [schema, otherSchema], client, server] of [
    ["newClients", [before, after], to, from],
    ["oldClients", [after, before], from, to],
  ] as const) {
    const [accepted, read] = [
      await call("answer", index, [server, server]),
      await call("answer", index, [client, server]),
    ];
    const isRefused = values.some(
      (value, each) => isReturned(schema, otherSchema, value) && accepted[each] === true && read[each] !== true,
    );
    expect({ party, isRefused: worstOf(changes, party) === "some" }).toEqual({ party, isRefused });
  }
});
