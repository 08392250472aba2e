import type { Method } from "@bothends/runtime";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level } from "../src/index.js";
import { type EndpointInit, indexOf } from "./pairs/index-document.js";
import { settings } from "./pairs/rest.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";
import { callRest } from "./proof/rest-calls.js";

// One endpoint moves to another route, and the setting `names` keeps its name, so that code may still compile.

const [left, right] = ["/shop/v1/left", "/shop/v1/right"];
const item = (route: string) => `${route}/(?P<q>[\\d]+)`;

/** The definitions of the argument `q`, a value of it, and how handlers use it. */
const definitions = {
  absent: undefined,
  optional: { definition: { type: "string" }, value: '"a"', use: "q?.trim()" },
  required: { definition: { type: "string", required: true }, value: '"a"', use: "q.trim()" },
  default: { definition: { type: "string", default: "b" }, value: '"a"', use: "q?.trim()" },
  integer: { definition: { type: "integer" }, value: "1", use: "q?.toFixed()" },
  long: { definition: { type: "string", maxLength: 9 }, value: '"a"', use: "q?.trim()" },
  list: { definition: { type: "array", items: { type: "boolean" } }, value: "[true]", use: "q?.map((each) => !each)" },
  object: { definition: { type: "object", properties: { a: { type: "integer" } } }, value: "{ a: 1 }", use: "q?.a" },
  inPath: { definition: { type: "integer" }, value: "1", use: "q.toFixed()" },
} as const;
type Kind = keyof typeof definitions;
const kinds = Object.keys(definitions) as Kind[];

interface State {
  /** The route that has the endpoint. */
  readonly route: string;
  readonly kind: Kind;
  readonly method: Method;
  /** Whether a route has another endpoint, with which it exists in both versions. */
  readonly hasOthers: boolean;
  readonly sources: Sources;
}

const name = "shop.moved.make";

function createSources(routes: Parameters<typeof indexOf>[0], names: Readonly<Record<string, string>>): Sources {
  const config = JSON.parse(settings({ path: "/api" }));
  config.packages.contract.name = "api-contract";
  config.interfaces.api.names = names;
  return { ...indexOf({ "/shop/v1/info": {}, ...routes }), "bothends.json": JSON.stringify(config) };
}

function createState({ route, kind, method, hasOthers }: Omit<State, "sources">): State {
  const found = definitions[kind];
  const path = kind === "inPath" ? item(route) : route;
  const endpoint = { methods: [method], args: { other: {}, ...(found && { q: found.definition }) } };
  const others = hasOthers ? [left, right].flatMap((each) => [each, item(each)]) : [];
  const routes: Record<string, EndpointInit[]> = Object.fromEntries(others.map((each) => [each, [{}]]));
  routes[path] = [...(routes[path] ?? []), endpoint];
  const sources = createSources(routes, { [`${method} ${path}`]: name });
  return { route: path, kind, method, hasOthers, sources };
}

const create = (route: string, kind: Kind, method: Method = "POST", hasOthers = true) =>
  createState({ route, kind, method, hasOthers });
const pairs: readonly (readonly [State, State])[] = [
  ...kinds.flatMap((before) => kinds.map((after) => [create(left, before), create(right, after)] as const)),
  // Another method, and routes that only one version has.
  ...(["PUT", "POST"] as const).map((method) => [create(left, "optional"), create(right, "optional", method)] as const),
  ...kinds.map((kind) => [create(left, "optional", "POST", false), create(right, kind, "PUT", false)] as const),
];

function programsOf({ kind, method }: State): Readonly<Record<"callers" | "handlers", readonly string[]>> {
  const found = definitions[kind];
  const isOptional = found !== undefined && kind !== "required" && kind !== "inPath";
  const inputs = [...(found === undefined ? [] : [`{ q: ${found.value} }`]), ...(found && !isOptional ? [] : ["{}"])];
  const head = 'import type { ApiClient } from "./client/src/api/index.js";';
  return {
    callers: inputs.map(
      (input) =>
        `${head}\nexport const use = (client: ApiClient) => client.shop.moved.make(${input}, { method: "${method}" });`,
    ),
    handlers: [
      `import type { ApiHandlers } from "./server/src/api/index.js";
export const handlers: ApiHandlers["shop"]["moved"] = { make: ({ ${found ? "q" : ""} }) => String(${found?.use ?? 1}) };`,
    ],
  };
}

/** The changes of the endpoint. */
const changesOf = ([before, after]: readonly [State, State]): readonly Change[] =>
  diffContracts(sideOf(before.sources), sideOf(after.sources)).changes.filter(({ operations }) =>
    operations.includes(name),
  );

test("code of an endpoint that moved to another route fails exactly where the diff says so", () => {
  const states = [...new Map(pairs.flat().map((state) => [JSON.stringify(state), state])).values()];
  const folderOf = (state: State) => `${states.findIndex((each) => JSON.stringify(each) === JSON.stringify(state))}`;
  const files = new Map(states.flatMap((state) => [...modulesIn(folderOf(state), state.sources)]));
  const parties = ["callers", "handlers"] as const;
  for (const [before, after] of pairs) {
    for (const party of parties) {
      programsOf(before)[party].forEach((text, index) => {
        const name = `${party}-${folderOf(before)}-${index}.ts`;
        files.set(`${folderOf(before)}/${name}`, text);
        files.set(`${folderOf(after)}/${name}`, text);
      });
    }
  }
  const errors = compileErrors(files);
  const claims = pairs.flatMap((pair) => {
    const [before, after] = pair;
    return parties.map((party) => {
      const paths = programsOf(before)[party].map((_, index) => `${party}-${folderOf(before)}-${index}.ts`);
      expect([before.kind, paths.flatMap((path) => errors.get(`${folderOf(before)}/${path}`) ?? [])]).toEqual([
        before.kind,
        [],
      ]);
      const failing = paths.flatMap((path) => errors.get(`${folderOf(after)}/${path}`) ?? []);
      // A call with the option `method` compiles, but throws an error.
      const isRefused = party === "callers" && before.method !== after.method;
      const want = failing.length > 0 ? ["some", "breaks"] : isRefused ? ["some"] : ["none"];
      const claim: Level = worstOf(changesOf(pair), party);
      const title = `${before.kind} ${before.method} ${before.route} -> ${after.kind} ${after.method} ${after.route}`;
      return { title, party, claim, want, failing };
    });
  });
  expect(claims.filter(({ claim, want }) => !want.includes(claim))).toEqual([]);
  expect(new Set(claims.map(({ want }) => want.join()))).toEqual(new Set(["none", "some", "some,breaks"]));
}, 300_000);

test("calls of an endpoint that moved to another route fail, and the diff names the changes of its arguments", async () => {
  for (const pair of pairs) {
    const [before, after] = pair;
    const changes = changesOf(pair);
    for (const [party, client, server] of [
      ["oldClients", before, after],
      ["newClients", after, before],
    ] as const) {
      const routes = new Set([client.route]);
      const outcomes = await callRest(sideOf(client.sources).contract, sideOf(server.sources).contract, { routes });
      const failing = outcomes.filter(
        ({ operation, observed: { errors, total } }) => operation === name && errors === total,
      );
      expect([failing.length, worstOf(changes, party)]).toEqual([1, party === "oldClients" ? "breaks" : "some"]);
    }
    const ofArgument = changes.filter(({ subject }) => subject.endsWith(" q"));
    const isSame = before.kind === after.kind || [before.kind, after.kind].every((kind) => kind === "absent");
    expect([before.kind, after.kind, ofArgument.length > 0]).toEqual([before.kind, after.kind, !isSame]);
    expect(ofArgument.flatMap(({ consequences: { oldClients, newClients } }) => [oldClients, newClients])).toEqual(
      ofArgument.flatMap(() => ["none", "none"]),
    );
  }
});

test("a change names the other route of the endpoint, and explains its consequences", () => {
  const messages = changesOf([create(left, "optional"), create(right, "required")]).map(({ message }) => message);
  expect(messages).toEqual([
    `POST ${left}: A route lost a method. In code, POST ${right} has its name now.`,
    `POST ${right} q: An optional argument became required.`,
    `POST ${right}: A route gained a method. In code, POST ${left} had its name before.`,
  ]);
});

test("a removed route of which only one endpoint moved still breaks code of the others", () => {
  const post = { methods: ["POST"], args: { a: {}, b: {} } };
  const before = createSources({ [left]: [{}, post], [right]: [{}] }, { [`POST ${left}`]: name });
  const after = createSources({ [right]: [{}, post] }, { [`POST ${right}`]: name });
  const levelsOf = (from: Sources, to: Sources, id: string) => {
    const found = diffContracts(sideOf(from), sideOf(to)).changes.find(({ rule }) => rule === id);
    return [found?.consequences.callers, found?.consequences.handlers];
  };
  expect(levelsOf(before, after, "route-removed")).toEqual(["some", "some"]);
  expect(levelsOf(after, before, "route-added")).toEqual(["none", "breaks"]);
});
