import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { isSchema, type Schema } from "./edits/random-arguments.js";
import { createAnswer, drawObject, editContexts, listSent, words } from "./edits/random-contexts.js";
import { indexOf } from "./pairs/index-document.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// Edits the argument `context` of endpoints at random, and compares the consequences for code with those that the
// compiler shows: code of callers reads each member, code of handlers omits each member, and both use the named types.

const [firstSeed, seedCount] = (process.env["DIFF_ANSWER_CONTEXTS"] ?? "1,16").split(",").map(Number) as [
  number,
  number,
];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

/** The definition of the argument `context`: absent, any text, or an enumeration, with and without a default. */
type Context = Schema | undefined;
const paths = { get: "/shop/v1/things/(?P<id>[\\d]+)", list: "/shop/v1/things" };
type Name = keyof typeof paths;
type Contexts = Readonly<Record<Name, Context>>;

function drawContext(random: Random): Context {
  if (random.drawBoolean(25)) {
    return undefined;
  }
  const listed = words.filter(() => random.drawBoolean(70));
  const initial = random.pick(listed.length === 0 ? words : listed);
  return {
    type: "string",
    ...(listed.length > 0 && random.drawBoolean(75) && { enum: listed }),
    ...(initial !== undefined && random.drawBoolean(70) && { default: initial }),
  };
}

interface Edit {
  readonly seed: number;
  readonly schemas: readonly [Schema, Schema];
  readonly contexts: readonly [Contexts, Contexts];
  readonly sources: readonly [Sources, Sources];
  readonly changes: readonly Change[];
}

function createEdit(seed: number): Edit {
  const random = new Random(seed * 4409);
  const before = drawObject(random);
  const schemas = [before, random.drawBoolean(15) ? editContexts(before, random) : before] as const;
  const contexts: Contexts = { get: drawContext(random), list: drawContext(random) };
  const edited = { ...contexts, [random.pick(["get", "list"]) ?? ""]: drawContext(random) };
  const [oldSources, newSources] = [contexts, edited].map(({ get, list }, side) => {
    const schema = { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", ...schemas[side] };
    return indexOf(
      {
        [paths.list]: { args: { page: { type: "integer" }, ...(list && { context: list }) } },
        [paths.get]: { args: { id: { type: "integer" }, ...(get && { context: get }) } },
      },
      { [paths.list]: schema, [paths.get]: schema },
    );
  }) as [Sources, Sources];
  const { changes } = diffContracts(sideOf(oldSources), sideOf(newSources));
  return { seed, schemas, contexts: [contexts, edited], sources: [oldSources, newSources], changes };
}

/** All members of a schema, by their paths, and a member of each nested object that the schema does not declare. */
function listMembers({ properties, items }: Schema): readonly string[] {
  if (isSchema(items)) {
    return listMembers(items);
  }
  return Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, property]) => [
    name,
    ...(isSchema(property) ? listMembers(property).map((path) => `${name}.${path}`) : []),
    ...(isSchema(property) && listMembers(property).length > 0 ? [`${name}.another`] : []),
  ]);
}

/** Code that reads a member of a value of a type, and that needs the member if the type says that it is present. */
function readMember(schema: Schema, type: string, path: string): string {
  const [name = "", ...rest] = path.split(".");
  const property = isSchema(schema["properties"]) ? schema["properties"][name] : undefined;
  const isList = isSchema(property) && isSchema(property["items"]);
  if (rest.length === 0) {
    return `(${type})["${name}"]`;
  }
  const inner = `NonNullable<(${type})["${name}"]>`;
  const items = isSchema(property) && isSchema(property["items"]) ? property["items"] : property;
  return readMember(isSchema(items) ? items : {}, isList ? `${inner}[number]` : inner, rest.join("."));
}

/** Whether both versions accept a context of an endpoint. */
function isAccepted(contexts: Edit["contexts"], name: Name, context: string): boolean {
  return contexts.every((each) => {
    const listed = each[name]?.["enum"];
    return each[name] !== undefined && (!Array.isArray(listed) || listed.includes(context));
  });
}

/** Whether a change is about the members of answers in code. */
function isRelevant({ rule }: Change): boolean {
  return rule === "answer-contexts-changed" || rule.startsWith("member-");
}

/** The programs of callers and of handlers, by name. */
function listPrograms({ schemas: [schema], contexts, changes }: Edit): ReadonlyMap<string, string> {
  const imports = `import type { ApiClient, Thing } from "./client/src/api/index.js";
import type { ApiHandlers } from "./server/src/api/index.js";
export type Both = [ApiClient, ApiHandlers];
declare const api: ApiClient;`;
  const programs = new Map<string, string>();
  const members = listMembers(schema);
  const answers = [undefined, ...words].flatMap((context) =>
    [undefined, ...(context === undefined ? members : listSent(schema, context))].map((omitted) =>
      JSON.stringify(createAnswer(schema, context, omitted)),
    ),
  );
  const openAnswers = answers.map((answer) => answer.replaceAll("{}", '{"another":1}'));
  const addReads = (key: string, declaration: string, type: string) => {
    for (const path of members) {
      const read = readMember(schema, type, path);
      programs.set(`callers-${key}-${path}`, `${imports}\n${declaration}\nexport type Read = ${read};`);
      programs.set(
        `callers-${key}-${path}-needed`,
        `${imports}\n${declaration}\ndeclare const v: ${read};\nexport const w: {} = v;`,
      );
    }
  };
  // TypeScript refuses members that a declared type lacks, but not in values that a function returns.
  const addWrites = (key: string, type: string, write: (answer: string) => string) => {
    for (const [index, answer] of [...new Set([...answers, ...openAnswers])].map(write).entries()) {
      programs.set(`handlers-${key}-${index}-typed`, `${imports}\nexport const v: ${type} = ${answer};`);
      programs.set(
        `handlers-${key}-${index}-returned`,
        `${imports}\nexport const f: () => ${type} = () => (${answer});`,
      );
    }
  };
  for (const name of ["get", "list"] as const) {
    const required = name === "get" ? "id: 1, " : "";
    for (const context of [undefined, ...words.filter((word) => isAccepted(contexts, name, word))]) {
      const call = `api.shop.things.${name}({ ${required}${context === undefined ? "" : `context: "${context}"`} })`;
      const declaration = `const answer = await ${call};`;
      addReads(`${name}-${context}`, declaration, name === "get" ? "typeof answer" : "typeof answer[number]");
    }
    const handled = `Awaited<ReturnType<ApiHandlers["shop"]["things"]["${name}"]>>`;
    addWrites(name, handled, (answer) => (name === "get" ? answer : `[${answer}]`));
  }
  addReads("Thing", "", "Thing");
  addWrites("Thing", "Thing", (answer) => answer);
  for (const { vanishedNames = [], consequences } of changes.filter(isRelevant)) {
    for (const vanished of vanishedNames) {
      const imported = (end: string) => `export type { ${vanished} } from "./${end}/src/api/index.js";`;
      if (consequences.callers === "breaks") {
        programs.set(`callers-${vanished}`, imported("client"));
      }
      if (consequences.handlers === "breaks") {
        programs.set(`handlers-${vanished}-returned`, imported("server"));
      }
    }
  }
  return programs;
}

test("the consequences of random edits of the argument `context` are those that the compiler shows", () => {
  const edits = seeds.map(createEdit);
  const files = new Map<string, string>();
  for (const edit of edits) {
    for (const [side, sources] of edit.sources.entries()) {
      for (const [path, text] of [...modulesIn(`${edit.seed}/${side}`, sources)]) {
        files.set(path, text);
      }
      for (const [name, text] of listPrograms(edit)) {
        files.set(`${edit.seed}/${side}/${name}.ts`, text);
      }
    }
  }
  const errors = compileErrors(files);
  const problems: string[] = [];
  const outcomes = new Set<string>();
  for (const edit of edits) {
    const { seed, schemas, contexts, changes } = edit;
    const isRefused = (side: 0 | 1, name: string) => errors.has(`${seed}/${side}/${name}.ts`);
    const failing = [...listPrograms(edit).keys()].filter(
      (name) => isRefused(1, name) && !isRefused(0, name.replace(/returned$/, "typed")),
    );
    for (const party of ["callers", "handlers"] as const) {
      const claim = worstOf(changes.filter(isRelevant), party);
      outcomes.add(`${party} ${claim}`);
      const found = failing.filter((name) => name.startsWith(party));
      // Objects without members in a context may have any members. Other tests are about edits of schemas.
      const hasOpenObject = words.some((word) => JSON.stringify(createAnswer(schemas[0], word)).includes("{}"));
      const isOnlyMay = claim === "some" && (party === "callers" || hasOpenObject || schemas[0] !== schemas[1]);
      const isBroken = !isOnlyMay && (party === "callers" || found.some((name) => name.endsWith("returned")));
      const want = found.length === 0 ? "none" : isBroken ? "breaks" : "some";
      if (claim !== want) {
        const shown = changes.map(({ message, consequences: c }) => `    ${message} [${c.callers} ${c.handlers}]`);
        const lines = [...schemas, ...contexts].map((each) => `  ${JSON.stringify(each)}`);
        const [first = ""] = found;
        const reason = `${first} ${errors.get(`${seed}/1/${first}.ts`)}`;
        problems.push([`${seed}`, ...lines, ...shown, `  ! ${party}: ${claim}, not ${want} ${reason}`].join("\n"));
      }
    }
  }
  expect(problems.join("\n")).toBe("");
  expect([...outcomes].sort()).toEqual([
    "callers breaks",
    "callers none",
    "callers some",
    "handlers breaks",
    "handlers none",
    "handlers some",
  ]);
}, 300_000);

const scalars = ["integer", "string", "boolean"].map((type) => ({ type }));
const objects = [
  { type: "object", properties: { x: { type: "string" } } },
  { type: "object", properties: { x: { type: "string" }, y: { type: "integer" } }, required: ["x"] },
  { type: "object", properties: { x: { type: "string", context: ["view"] } } },
];
const replacements = scalars.flatMap((before) =>
  objects.flatMap((after) => [
    { before, after },
    { before: { type: "array", items: before }, after: { type: "array", items: after } },
  ]),
);

test("code of handlers compiles as reported if a value became an object", () => {
  const schemas = (q: object) => ({
    $schema: "http://json-schema.org/draft-04/schema#",
    title: "thing",
    type: "object",
    properties: {
      q,
      edited: { type: "string", context: ["edit"] },
      slug: { type: "string", context: ["view", "edit"] },
    },
  });
  const context = { type: "string", enum: ["view", "edit"], default: "view" };
  const sourcesOf = (q: object) =>
    indexOf({ [paths.get]: { args: { id: { type: "integer" }, context } } }, { [paths.get]: schemas(q) });
  const texts: Readonly<Record<string, string>> = { integer: "1", string: '"text"', boolean: "true" };
  const files = new Map<string, string>();
  for (const [index, { before, after }] of replacements.entries()) {
    const value = "items" in before ? `[${texts[before.items.type]}]` : texts[before.type];
    const answer = `{ q: ${value}, slug: "a" }`;
    for (const [path, text] of modulesIn(`${index}`, sourcesOf(after))) {
      files.set(path, text);
    }
    files.set(
      `${index}/returned.ts`,
      `import type { ApiHandlers } from "./server/src/api/index.js";
export const get: ApiHandlers["shop"]["things"]["get"] = () => (${answer});`,
    );
    files.set(
      `${index}/typed.ts`,
      `import type { Thing } from "./server/src/api/index.js";\nexport const v: Thing = ${answer};`,
    );
  }
  const errors = compileErrors(files);
  const levelsOf = replacements.map(({ before, after }, index) => {
    const { changes } = diffContracts(sideOf(sourcesOf(before)), sideOf(sourcesOf(after)));
    const [isRefused, isTypeRefused] = ["returned", "typed"].map((name) => errors.has(`${index}/${name}.ts`));
    const want = isRefused ? "breaks" : isTypeRefused ? "some" : "none";
    return { before, after, claim: worstOf(changes, "handlers"), want };
  });
  expect(levelsOf.filter(({ claim, want }) => claim !== want)).toEqual([]);
  expect(new Set(levelsOf.map(({ want }) => want))).toEqual(new Set(["breaks", "some"]));
}, 300_000);
