import { getTextOfPattern, Random } from "@bothends/dynamic/random";
import type { JsonValue } from "@bothends/runtime";
import { compileRoutePattern } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { type CallOutcome, callFirstEndpoint, findProblem, formatChanges, worstOf } from "./proof/call-outcomes.js";
import { sideOf } from "./proof/contracts.js";
import { shown } from "./proof/observed.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

// Edits the patterns of a route's variables at random, and compares the consequences with calls.

const [firstSeed, seedCount] = (process.env["DIFF_ROUTES"] ?? "1,60").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

const patterns = [
  ...["[\\d]+", "\\d+", "[0-9]+", "\\d{1,4}", "\\d{2}", "[1-9][0-9]*", "(?:new|old)", "[a-m]+", "[a-z]+", "[n-z]+"],
  ...[
    "[\\w-]+",
    "[\\w\\-]+",
    "\\w+",
    "[^/]+",
    "[^/.]+",
    "[a-z]{2}",
    "[a-zA-Z0-9_]+",
    "(?:\\d+|[a-z]+)",
    "[a-f0-9-]{4}",
  ],
  ...["[\\s\\S]+", ".+", "[a-z]+(?:-[a-z]+)?", "7", "[A-Z]+", "[\\w]{3,5}", "[^/]+(?:/[^/]+)?"],
];
const types: readonly object[] = [
  {},
  { type: "string" },
  { type: "integer" },
  { type: "string", enum: ["new", "old", "7"] },
  { type: "integer", minimum: 1, maximum: 99 },
  { type: "string", minLength: 3 },
];

interface RouteState {
  /** The pattern of each variable. */
  readonly patterns: readonly string[];
  readonly isLastOptional: boolean;
  /** An optional part with the variable `z`. */
  readonly extra?: { readonly text: string; readonly isFirst: boolean } | undefined;
}

interface RouteEdit {
  readonly routes: readonly [string, string];
  readonly args: Readonly<Record<string, object>>;
  readonly states: readonly [RouteState, RouteState];
  readonly sides: readonly [Side, Side];
  readonly changes: readonly Change[];
}

const names = ["x", "y"];

function formatRoute({ patterns: list, isLastOptional, extra }: RouteState, separator: string): string {
  const parts = list.map((pattern, index) => {
    const text = `${index === 0 ? "/" : separator}(?P<${names[index]}>${pattern})`;
    return isLastOptional && index === list.length - 1 ? `(?:${text})?` : text;
  });
  const pieces = extra?.isFirst === true ? [extra.text, ...parts] : [...parts, extra?.text ?? ""];
  return `/shop/v1/things${pieces.join("")}`;
}

const extras: readonly RouteState["extra"][] = [
  { text: "(?:/of/(?P<z>[a-z]+))?", isFirst: false },
  { text: "(?:/(?P<z>[\\w-]+))?", isFirst: false },
  { text: "(?:/of/(?P<z>[a-z]+))?", isFirst: true },
  { text: "(?:/(?P<z>[\\w-]+))?", isFirst: true },
  { text: "(?:/all)?", isFirst: false },
];

/** Draws the optional parts of both states. Most edits have none. */
function drawExtras(random: Random): readonly [RouteState["extra"], RouteState["extra"]] {
  const [first, second] = [random.pick(extras), random.pick(extras)];
  if (!random.drawBoolean(30)) {
    return [undefined, undefined];
  }
  return (
    random.pick([
      [first, undefined],
      [undefined, first],
      [first, first],
      [first, second],
    ]) ?? [first, second]
  );
}

function createEdit(seed: number): RouteEdit | undefined {
  const random = new Random(seed * 6007);
  const draw = () => random.pick(patterns) ?? "";
  const count = random.drawBoolean(30) ? 2 : 1;
  const start = { patterns: names.slice(0, count).map(draw), isLastOptional: random.drawBoolean(20) };
  const edited = random.drawIntegerBelow(count);
  const end = {
    patterns: start.patterns.map((pattern, index) => (index === edited ? draw() : pattern)),
    isLastOptional: random.drawBoolean(20) ? !start.isLastOptional : start.isLastOptional,
  };
  const separator = random.pick(["/", "/by/", "-", "/"]) ?? "/";
  const [oldExtra, newExtra] = drawExtras(new Random(seed * 7919));
  const states = [
    { ...start, extra: oldExtra },
    { ...end, extra: newExtra },
  ] as const;
  const args = Object.fromEntries(
    names.slice(0, count).flatMap((name): readonly (readonly [string, object])[] => {
      const definition = random.pick(types) ?? {};
      return Object.keys(definition).length === 0 ? [] : [[name, definition]];
    }),
  );
  const routes = [formatRoute(states[0], separator), formatRoute(states[1], separator)] as const;
  try {
    const sides = [sideOf(indexOf({ [routes[0]]: { args } })), sideOf(indexOf({ [routes[1]]: { args } }))] as const;
    return { routes, args, states, sides, changes: diffContracts(sides[0], sides[1]).changes };
  } catch (error) {
    // The interface is refused, for example because no value fits the pattern and the type.
    expect(String(error)).toMatch(/IDX0/);
    return undefined;
  }
}

/** All texts with at most four of these characters. */
const shortTexts = listShortTexts(["7", "a", "n", "-", ".", "/", "0", "A"], 4);

function listShortTexts(characters: readonly string[], length: number): readonly string[] {
  const shorter = length === 1 ? [""] : listShortTexts(characters, length - 1);
  return [...new Set([...shorter, ...shorter.flatMap((text) => characters.map((character) => text + character))])];
}

/** Lists values for a variable that its pattern matches: some that the other version's pattern matches, and others. */
function listValues({ states }: RouteEdit, from: 0 | 1, index: number): readonly string[] {
  const random = new Random(17);
  const [pattern = "", other = ""] = [states[from], states[from === 0 ? 1 : 0]].map((state) => state.patterns[index]);
  const [matcher, otherMatcher] = [compileRoutePattern(pattern), compileRoutePattern(other)];
  const texts = [pattern, other].flatMap((each) =>
    Array.from({ length: 20 }, () => getTextOfPattern(each.replaceAll("(?:", "("), random)),
  );
  const fitting = [...new Set([...namedTexts, ...shortTexts, ...texts])].filter(
    (text) => text !== "" && matcher.test(text),
  );
  const isShared = (text: string) => otherMatcher.test(text);
  const isNumber = (text: string) => String(Number(text)) === text;
  const spread = (list: readonly string[]) => list.filter((_, at) => at % Math.ceil(list.length / 12) === 0);
  return [isShared, (text: string) => !isShared(text)].flatMap((isListed) => {
    const listed = fitting.filter(isListed);
    const named = listed.filter((text) => namedTexts.includes(text));
    return [...new Set([...named, ...listed.filter(isNumber).slice(0, 6), ...spread(listed)])];
  });
}

/** Texts that are always among the values: those of enumerations, and texts that few patterns match. */
const namedTexts = ["7", "12", "12345", "123456", "a\nb", "a//b", "new", "old", "abc", "aaaaaa"];

type PathTexts = Readonly<Record<string, string>>;

async function observe(edit: RouteEdit, from: 0 | 1): Promise<readonly CallOutcome[]> {
  const [client, server] = [edit.sides[from], edit.sides[from === 0 ? 1 : 0]];
  const rest = restOf(client.contract);
  const [same, other] = [new MemoryServer(rest), new MemoryServer(restOf(server.contract))];
  const [endpoint] = rest.endpoints;
  const { patterns: list, isLastOptional, extra } = edit.states[from];
  const call = async (each: MemoryServer, input: Readonly<Record<string, JsonValue>>) => {
    const received = await callFirstEndpoint(rest, each, input);
    return received && shown(received);
  };
  const [firstTexts = [], secondTexts] = list.map((_, index) => listValues(edit, from, index));
  const inputs = firstTexts.flatMap((x): readonly PathTexts[] =>
    secondTexts === undefined ? [{ x }] : secondTexts.map((y) => ({ x, y })),
  );
  const shorter: readonly PathTexts[] = isLastOptional
    ? secondTexts === undefined
      ? [{}]
      : firstTexts.map((x) => ({ x }))
    : [];
  const outcomes: CallOutcome[] = [];
  const withoutExtra = [...inputs, ...shorter];
  const extraTexts =
    extra?.text.includes("<z>") === true ? ["a", "of", ...(extra.text.includes("-") ? ["0"] : [])] : [];
  const withExtra = withoutExtra
    .filter((_, index) => index % 8 === 0)
    .flatMap((texts) => extraTexts.map((z) => ({ ...texts, z })));
  for (const texts of [...withoutExtra, ...withExtra]) {
    const input = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        endpoint?.descriptor.args[name]?.type === "integer" ? Number(text) : text,
      ]),
    );
    const wanted = await call(same, input);
    if (wanted !== undefined) {
      const read = await call(other, input);
      outcomes.push({ outcome: read === undefined ? "refused" : read === wanted ? "same" : "lost", input });
    }
  }
  return outcomes;
}

function judge(
  claim: Level,
  outcomes: readonly CallOutcome[],
  { mayPass, isOptional }: { readonly mayPass: boolean; readonly isOptional: boolean },
): string | undefined {
  return findProblem(claim, outcomes, ({ total, refused, lost }) =>
    claim === "breaks"
      ? refused === total || (isOptional && refused > 0)
      : claim === "some"
        ? mayPass || (refused > 0 && refused < total) || lost > 0
        : claim === "tolerated"
          ? refused === 0 && lost > 0
          : refused === 0 && lost === 0,
  );
}

test("the consequences of random edits of routes are those that calls show", async () => {
  const problems: string[] = [];
  let undecidedCount = 0;
  let editCount = 0;
  for (const seed of seeds) {
    const edit = createEdit(seed);
    if (edit === undefined) {
      continue;
    }
    editCount += 1;
    undecidedCount += edit.changes.some(({ undecided }) => undecided !== undefined) ? 1 : 0;
    for (const [from, party] of [
      [0, "oldClients"],
      [1, "newClients"],
    ] as const) {
      const claim = worstOf(edit.changes, party);
      const mayPass = edit.changes.some((each) => each.consequences[party] === claim && each.undecided !== undefined);
      // A changed type of an optional variable affects only the calls that contain the variable.
      const isOptional = edit.states[from].isLastOptional || edit.states[from].extra !== undefined;
      const problem = judge(claim, await observe(edit, from), { mayPass, isOptional });
      if (problem !== undefined) {
        problems.push(
          [
            `${seed} ${edit.routes.join("  ->  ")} ${JSON.stringify(edit.args)}`,
            ...formatChanges(edit.changes),
            `  ! ${party}: ${problem}`,
          ].join("\n"),
        );
      }
    }
  }
  expect(problems.join("\n")).toBe("");
  // Almost all patterns can be compared.
  expect(undecidedCount).toBeLessThan(editCount / 10);
}, 120_000);
