import { Random } from "@bothends/dynamic/random";
import { createValueReader } from "@bothends/generator";
import type { JsonValue } from "@bothends/runtime";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, type Side } from "../src/index.js";
import { listLimits, listValuesOf, type Schema } from "./edits/random-arguments.js";
import { indexOf } from "./pairs/index-document.js";
import { type CallOutcome, callFirstEndpoint, findProblem, formatChanges, worstOf } from "./proof/call-outcomes.js";
import { sideOf } from "./proof/contracts.js";
import { shown } from "./proof/observed.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

// Edits the presence, the defaults, the place and the keywords of an endpoint's arguments at random, and compares the
// consequences with calls. The path variable may have the same name as an argument of the query or the body.

const [firstSeed, seedCount] = (process.env["DIFF_PRESENCE"] ?? "1,80").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

const names = ["a", "b"];
const schemas: readonly Schema[] = [
  { type: "string" },
  { type: "string", minLength: 2 },
  { type: "string", maxLength: 3 },
  { type: "string", enum: ["red", "blue", "7"] },
  { type: "string", format: "date-time" },
  { type: "string", format: "email" },
  { type: "string", pattern: "^[a-z]+$" },
  { type: "string", pattern: "^[a-m0-9]*$" },
  { type: "string", pattern: "[0-9]" },
  { type: "integer" },
  { type: "integer", minimum: 1 },
  { type: "integer", maximum: 5 },
  { type: "number" },
  { type: "boolean" },
  { type: ["string", "null"] },
  { type: "array", items: { type: "integer" } },
  { type: "array", items: { type: "string", pattern: "^[a-z]+$" } },
  { type: "object", properties: { x: { type: "string", pattern: "^[b-t]" } } },
  { type: "object", properties: { x: { type: "string", pattern: "^[a-r]+$", minLength: 2 } } },
];
const defaults: readonly JsonValue[] = ["red", "7", 7, 1, true, "", "abc", null];

interface EndpointState {
  readonly method: string;
  /** The name of the path variable; undefined if the path has none. */
  readonly variable: string | undefined;
  readonly args: Readonly<Record<string, Schema>>;
}

interface PresenceEdit {
  readonly states: readonly [EndpointState, EndpointState];
  readonly sides: readonly [Side, Side];
  readonly changes: readonly Change[];
}

function drawArg(random: Random): Schema {
  return {
    ...random.pick(schemas),
    ...(random.drawBoolean(35) ? { required: true } : {}),
    ...(random.drawBoolean(30) ? { default: random.pick(defaults) ?? null } : {}),
  };
}

function editArg(arg: Schema, random: Random): Schema {
  const { required: isRequired = false, default: value, ...schema } = arg;
  const presence = { ...(isRequired === true && { required: true }), ...(value !== undefined && { default: value }) };
  switch (random.drawIntegerBelow(4)) {
    case 0:
      return { ...arg, required: isRequired !== true };
    case 1:
      return { ...arg, default: random.pick(defaults) ?? null };
    case 2:
      return value === undefined
        ? { ...arg, default: random.pick(defaults) ?? null }
        : { ...schema, ...(isRequired === true && { required: true }) };
    default:
      return { ...random.pick(schemas), ...presence };
  }
}

function drawState(random: Random): EndpointState {
  const args = names.flatMap((name) => (random.drawBoolean(65) ? [[name, drawArg(random)] as const] : []));
  return {
    method: random.drawBoolean(50) ? "GET" : "POST",
    variable: random.drawBoolean(40) ? random.pick(names) : undefined,
    args: Object.fromEntries(args),
  };
}

function editState(state: EndpointState, random: Random): EndpointState {
  const name = random.pick(names) ?? "a";
  const arg = state.args[name];
  if (state.variable !== undefined && random.drawBoolean(35)) {
    return { ...state, variable: state.variable === "a" ? "b" : "a" };
  }
  if (arg === undefined) {
    return { ...state, args: { ...state.args, [name]: drawArg(random) } };
  }
  const { [name]: _, ...rest } = state.args;
  return { ...state, args: random.drawBoolean(20) ? rest : { ...state.args, [name]: editArg(arg, random) } };
}

function sourcesOf({ method, variable, args }: EndpointState) {
  const route = `/shop/v1/things${variable === undefined ? "" : `/(?P<${variable}>[a-z0-9]+)`}`;
  return indexOf({ [route]: { methods: [method], args } });
}

function createEdit(seed: number): PresenceEdit {
  const random = new Random(seed * 4513);
  const before = drawState(random);
  const states = [before, editState(before, random)] as const;
  const sides = [sideOf(sourcesOf(states[0])), sideOf(sourcesOf(states[1]))] as const;
  return { states, sides, changes: diffContracts(sides[0], sides[1]).changes };
}

type Input = Readonly<Record<string, JsonValue>>;

const pathTexts = ["red", "7", "abc", "a", "0", "1", "true", "12345", "9", "a1"];

/** Lists inputs that a server with the same endpoint probably accepts, with and without each optional argument. */
function listInputs({ variable, args }: EndpointState, limits: readonly number[]): readonly Input[] {
  const lists = names.map((name): readonly (readonly (readonly [string, JsonValue])[])[] => {
    const { required: isRequired, default: _, ...schema } = args[name] ?? {};
    const read = createValueReader(name, schema);
    const select = (values: readonly JsonValue[]) => {
      const valid = values.filter((value) => value === null || !("problem" in read(value)));
      return valid
        .filter((_, index) => index % Math.ceil(valid.length / 60) === 0)
        .map((value) => [[name, value] as const]);
    };
    if (name === variable) {
      const isNumber = ["integer", "number"].includes(String(schema["type"]));
      return select(
        pathTexts.flatMap((text): readonly JsonValue[] =>
          isNumber ? (/^\d+$/.test(text) ? [Number(text)] : []) : [text],
        ),
      );
    }
    if (args[name] === undefined) {
      return [[]];
    }
    return [
      ...(isRequired === true ? [] : [[]]),
      ...select(
        [...new Set([...listValuesOf(schema, limits), "abc", "m0", "a1"])].filter(
          (value) => typeof value !== "string" || String(schema["type"]).includes("string"),
        ),
      ),
    ];
  });
  const [first = [], second = []] = lists;
  return first.flatMap((left) => second.map((right) => Object.fromEntries([...left, ...right])));
}

async function observe({ states, sides }: PresenceEdit, from: 0 | 1) {
  const to = from === 0 ? 1 : 0;
  const rest = restOf(sides[from].contract);
  const [same, other] = [new MemoryServer(rest), new MemoryServer(restOf(sides[to].contract))];
  const call = async (server: MemoryServer, variable: string | undefined, input: Input) => {
    const received = await callFirstEndpoint(rest, server, input);
    if (received === undefined) {
      return undefined;
    }
    // Defaults of arguments that the client does not know do not count.
    const known = Object.entries(received).filter(
      ([name]) => name === variable || (name in states[from].args && name !== states[from].variable),
    );
    return shown(Object.fromEntries(known), variable === undefined ? {} : { [variable]: "(path)" });
  };
  const limits = states.flatMap(({ args }) => listLimits(args));
  const outcomes: CallOutcome[] = [];
  for (const input of listInputs(states[from], limits)) {
    const wanted = await call(same, states[from].variable, input);
    if (wanted !== undefined) {
      const read = await call(other, states[to].variable, input);
      outcomes.push({ outcome: read === undefined ? "refused" : read === wanted ? "same" : "lost", input });
    }
  }
  return outcomes;
}

function judge(
  claim: Level,
  outcomes: readonly CallOutcome[],
  {
    mayPass,
    isAlways,
    hasInvalidDefault,
  }: { readonly mayPass: boolean; readonly isAlways: boolean; readonly hasInvalidDefault: boolean },
) {
  return findProblem(claim, outcomes, ({ total, refused, lost }) =>
    claim === "breaks"
      ? refused > 0 && (refused === total || !isAlways)
      : claim === "some"
        ? mayPass || (refused > 0 && refused < total)
        : claim === "tolerated"
          ? refused === 0 && (hasInvalidDefault || lost > 0)
          : refused === 0 && lost === 0,
  );
}

test("the consequences of random edits of arguments' presence are those that calls show", async () => {
  const problems: string[] = [];
  for (const edit of seeds.map(createEdit)) {
    for (const [from, party] of [
      [0, "oldClients"],
      [1, "newClients"],
    ] as const) {
      const claim = worstOf(edit.changes, party);
      const worst = edit.changes.filter((each) => each.consequences[party] === claim);
      const mayPass = worst.some(({ undecided }) => undefined !== undecided);
      // An invalid default counts as the value that a client expects, although no equal server accepts it.
      const hasInvalidDefault = edit.changes.some(({ rule }) => /^default-became-/.test(rule));
      // A change of an optional argument affects only the calls that contain the argument.
      const { args, variable } = edit.states[from];
      const isAlways = Object.entries(args).every(([name, { required }]) => required === true || name === variable);
      const problem = judge(claim, await observe(edit, from), { mayPass, isAlways, hasInvalidDefault });
      if (problem !== undefined) {
        const [before, after] = edit.states.map((state) => JSON.stringify(state));
        problems.push(
          [
            `${edit.states[0].method} ${before}\n  ${after}`,
            ...formatChanges(edit.changes),
            `  ! ${party}: ${problem}`,
          ].join("\n"),
        );
      }
    }
  }
  expect(problems.join("\n")).toBe("");
}, 300_000);
