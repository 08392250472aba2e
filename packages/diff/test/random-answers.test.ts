import { Random } from "@bothends/dynamic/random";
import { DecodeError, type JsonValue } from "@bothends/runtime";
import { checkAnswers, RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { type Change, describeRule, diffContracts, type Level, rules, type Side } from "../src/index.js";
import { drawAnswer, editAnswer } from "./edits/random-answers.js";
import { isSchema, listLimits, listValuesOf, type Schema } from "./edits/random-arguments.js";
import { indexOf } from "./pairs/index-document.js";
import { observeCode } from "./proof/argument-programs.js";
import { worstOf } from "./proof/call-outcomes.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { answerSchemasOf } from "./proof/packages.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

const [firstSeed, seedCount] = (process.env["DIFF_ANSWERS"] ?? "1,80").split(",").map(Number) as [number, number];
const route = "/shop/v1/things/(?P<id>[\\d]+)";
const id = { type: "integer", required: true };
const context = { type: "string", enum: ["view", "edit"], default: "view" };

interface Edit {
  readonly seed: number;
  readonly schemas: readonly [Schema, Schema];
  readonly sources: readonly [Sources, Sources];
  readonly sides: readonly [Side, Side];
  readonly changes: readonly Change[];
}

function createEdit(seed: number): Edit {
  const random = new Random(seed * 7919);
  const before = drawAnswer(random);
  const schemas = [before, editAnswer(before, random)] as const;
  const [oldSources, newSources] = schemas.map((q) =>
    indexOf(
      { [route]: { args: { id, context } } },
      {
        [route]: {
          $schema: "http://json-schema.org/draft-04/schema#",
          title: "thing",
          type: "object",
          properties: { q },
        },
      },
    ),
  ) as [Sources, Sources];
  const sides = [sideOf(oldSources), sideOf(newSources)] as const;
  const { changes } = diffContracts(sides[0], sides[1]);
  return { seed, schemas, sources: [oldSources, newSources], sides, changes };
}

/** Omits `required` where only some contexts contain a property, because answers may then lack it. */
function withoutRequired(schema: JsonValue): JsonValue {
  if (!isSchema(schema)) {
    return Array.isArray(schema) ? schema.map(withoutRequired) : schema;
  }
  const entries = Object.entries(schema).map(([name, value]) => [name, withoutRequired(value)] as const);
  const { context: contexts } = schema;
  const isPartial = Array.isArray(contexts) && contexts.length < context.enum.length;
  return Object.fromEntries(entries.filter(([name]) => !(isPartial && name === "required")));
}

/** Answers with values of one version, which a client of the same version and one of the other version check. */
async function observe({ schemas, sides, sources }: Edit, from: 0 | 1) {
  const to = from === 0 ? 1 : 0;
  let answer: JsonValue = null;
  const server = new MemoryServer(restOf(sides[from].contract), () => answer);
  const callers = ([from, to, undefined] as const).map((checkedSide) => {
    const rest = restOf(sides[checkedSide ?? to].contract);
    const api = new RestClient(rest.descriptor, {
      siteUrl: "http://site.example",
      transport: server.transport,
      validate: checkedSide === undefined ? undefined : checkAnswers(answerSchemasOf(sources[checkedSide])),
    });
    const [endpoint] = rest.endpoints;
    return async () => {
      try {
        await (endpoint && api.call(endpoint.descriptor, { id: 1 }));
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
        return false;
      }
    };
  });
  const outcomes: { isRefused: boolean; value: JsonValue }[] = [];
  const values = listValuesOf(withoutRequired(schemas[from]) as Schema, [...new Set(schemas.flatMap(listLimits))]);
  const step = Math.ceil(values.length / 300);
  for (const value of values.filter((_, index) => index % step === 0)) {
    answer = { q: value };
    // A client of the other version that does not check answers returns each of them.
    expect(await callers[2]?.()).toBe(true);
    if ((await callers[0]?.()) === true) {
      outcomes.push({ isRefused: (await callers[1]?.()) !== true, value });
    }
  }
  return outcomes;
}

function judge(claim: Level, outcomes: Awaited<ReturnType<typeof observe>>): string | undefined {
  const refused = outcomes.filter(({ isRefused }) => isRefused);
  const accepted = outcomes.filter(({ isRefused }) => !isRefused);
  const isRight = claim === "some" ? refused.length > 0 : claim !== "breaks" && refused.length === 0;
  const example = (list: typeof outcomes) => JSON.stringify(list[0]?.value);
  return isRight || outcomes.length === 0
    ? undefined
    : `${claim}, but ${refused.length} refused (${example(refused)}), ${accepted.length} accepted (${example(accepted)})`;
}

async function findCallProblems(edit: Edit): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [from, party] of [
    [0, "newClients"],
    [1, "oldClients"],
  ] as const) {
    const claim = worstOf(edit.changes, party);
    // The calls use the default context. In other contexts, answers may lack a member.
    const isOnlyContexts = edit.changes.every(
      ({ rule, consequences }) => consequences[party] !== claim || rule === "member-contexts-changed",
    );
    const problem = isOnlyContexts && claim === "some" ? undefined : judge(claim, await observe(edit, from));
    problems.push(...(problem === undefined ? [] : [`${party}: ${problem}`]));
  }
  return problems;
}

const condition = "only with the option `validate`";

/** A change that only checking clients notice says so, and so does the page of its rule. */
function findReasonProblems({ changes }: Edit): readonly string[] {
  return changes.flatMap(({ rule, direction, reason, consequences: { oldClients, newClients } }) => {
    const isRefused = direction === "output" && [oldClients, newClients].includes("some");
    const description = rules.filter(({ id }) => id === rule).map(describeRule);
    return reason.includes(condition) === isRefused && (!isRefused || description.join().includes(condition))
      ? []
      : [`${rule}: ${reason}`];
  });
}

function findCodeProblems(edits: readonly Edit[]): ReadonlyMap<number, readonly string[]> {
  const outcomes = observeCode(new Map(edits.map(({ seed, sources }) => [String(seed), sources])), "answer");
  return new Map(
    edits.map(({ seed, changes }) => {
      const { writeError, readError, failingPrograms = [] } = outcomes.get(String(seed)) ?? {};
      const [callers, handlers] = [worstOf(changes, "callers"), worstOf(changes, "handlers")];
      // Literals and reads of a removed member no longer compile, and code that handles every value of an enumeration
      // needs a branch for an added one. The programs show neither, and use no parts of values.
      const isShown = changes.every(
        ({ rule, subject }) => !/^member-removed|^member-renamed|^enum-value/.test(rule) && subject.endsWith(".q"),
      );
      const isRead = readError !== undefined || failingPrograms.length > 0;
      const agrees =
        callers === "none" ? !isRead : !isShown || (callers === "breaks" ? readError !== undefined : isRead);
      const isWritten = writeError === undefined;
      // Nor do the programs list the values of an enumeration that became another type.
      const mayList = handlers === "some" && changes.some(({ rule }) => rule === "enum-opened");
      return [
        seed,
        [
          ...((handlers === "none") === isWritten || (isWritten && (!isShown || mayList))
            ? []
            : [`handlers: ${handlers}, but ${writeError ?? "no error"}`]),
          ...(agrees
            ? []
            : [
                `callers: ${callers}, but ${readError ?? "assignable"}; ${failingPrograms.length} programs fail: ${failingPrograms[0]}`,
              ]),
        ],
      ];
    }),
  );
}

test("the consequences of random edits of answers are those that checked answers and the compiler show", async () => {
  const edits = Array.from({ length: seedCount }, (_, index) => createEdit(firstSeed + index));
  const codeProblems = findCodeProblems(edits);
  const problems: string[] = [];
  for (const edit of edits) {
    const found = [
      ...(await findCallProblems(edit)),
      ...findReasonProblems(edit),
      ...edit.changes.flatMap(findContradictions),
      ...(codeProblems.get(edit.seed) ?? []),
    ];
    if (found.length > 0) {
      const changes = edit.changes.map(
        ({ message, consequences: c }) =>
          `    ${message} [${[c.oldClients, c.newClients, c.callers, c.handlers].join(" ")}]`,
      );
      problems.push(
        [
          String(edit.seed),
          ...edit.schemas.map((each) => `  ${JSON.stringify(each)}`),
          ...changes,
          ...found.map((each) => `  ! ${each}`),
        ].join("\n"),
      );
    }
  }
  expect(problems.join("\n")).toBe("");
}, 600_000);
