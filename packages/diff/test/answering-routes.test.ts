import { Random } from "@bothends/dynamic/random";
import { RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { type Change, diffContracts, levels, type Side } from "../src/index.js";
import { type EndpointInit, indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";
import { MemoryServer, makeInput, restOf } from "./proof/rest-calls.js";

// Draws the routes of two versions at random, some of which match the same paths. Compares the consequences of removed
// and added routes and methods with what a server of the other version does with their calls.

const [firstSeed, seedCount] = (process.env["DIFF_ANSWERING"] ?? "1,120").split(",").map(Number) as [number, number];

const patterns = [
  "/shop/v1/things/mine",
  "/shop/v1/things/mine/parts",
  "/shop/v1/things/(?P<name>mine|yours)",
  "/shop/v1/things/(?P<name>[a-z]+)",
  "/shop/v1/things/(?P<id>[\\d]+)",
  "/shop/v1/things/(?P<path>.+)",
  "/shop/v1/(?P<kind>[a-z]+)/mine",
  "/shop/v1/(?P<kind>[a-z]+)",
  "/shop/v1/others",
];

function drawArguments(random: Random, pattern: string): NonNullable<EndpointInit["args"]> {
  const candidates = ["q", "page", "name", "kind"].filter((name) => !pattern.includes(`<${name}>`));
  const names = candidates.filter(() => random.drawBoolean(30));
  const definitions: Readonly<Record<string, object>> = {
    q: { type: "string" },
    page: { type: "integer" },
    name: { type: "boolean" },
    kind: { type: "string", enum: ["things", "caps"] },
  };
  return Object.fromEntries(
    names.map((name) => [name, { ...definitions[name], ...(random.drawBoolean(40) && { required: true }) }]),
  );
}

function drawEndpoint(random: Random, pattern: string): EndpointInit {
  return {
    methods: random.pick([["GET"], ["POST"], ["GET", "POST"]]) ?? ["GET"],
    args: drawArguments(random, pattern),
  };
}

type Routes = Readonly<Record<string, EndpointInit>>;

/** The routes of both versions: those of the old version, of which some were removed, changed or added. */
function drawRoutes(random: Random): readonly [Routes, Routes] {
  const drawn = patterns.map((pattern) => [pattern, drawEndpoint(random, pattern)] as const);
  const selectRoutes = () => drawn.filter(() => random.drawBoolean(45));
  const before = selectRoutes();
  const after = selectRoutes().map(([pattern, endpoint]) =>
    random.drawBoolean(20) ? ([pattern, drawEndpoint(random, pattern)] as const) : ([pattern, endpoint] as const),
  );
  const always = [["/shop/v1/info", {}]] as const;
  return [Object.fromEntries([...always, ...before]), Object.fromEntries([...always, ...after])];
}

/** The calls that a change affects: a route, and one method or all. */
function readSubject({ rule, subject }: Change): readonly [route: string, method: string | undefined] {
  const [first = "", second] = subject.split(" ");
  return rule.startsWith("route-") || second === undefined ? [first, undefined] : [second, first];
}

/** Makes calls that reach the handler of a route, and counts those that a server of the other version refuses. */
async function observeCalls(client: Side, server: Side, [route, method]: readonly [string, string | undefined]) {
  const rest = restOf(client.contract);
  const [same, other] = [new MemoryServer(rest), new MemoryServer(restOf(server.contract))];
  let [total, refused] = [0, 0];
  for (const dynamicEndpoint of rest.endpoints.filter(({ endpoint }) => endpoint.route === route)) {
    const { descriptor } = dynamicEndpoint;
    for (const each of descriptor.methods.filter((candidate) => method === undefined || candidate === method)) {
      for (let seed = 1; seed <= 16; seed += 1) {
        const input = makeInput(rest, dynamicEndpoint, new Random(seed));
        const isAnswered = async (memoryServer: MemoryServer) => {
          memoryServer.forgetCall();
          const { transport } = memoryServer;
          const api = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport });
          await api.call(descriptor, input, { method: each }).catch(() => undefined);
          return memoryServer.route !== undefined;
        };
        if ((await isAnswered(same)) && same.route === route) {
          total += 1;
          refused += (await isAnswered(other)) ? 0 : 1;
        }
      }
    }
  }
  return { total, refused };
}

test("the consequences of routes that only one version has are those that calls show", async () => {
  const problems: string[] = [];
  const outcomes = new Map<string, number>();
  for (const seed of Array.from({ length: seedCount }, (_, index) => firstSeed + index)) {
    const routes = drawRoutes(new Random(seed * 6151));
    const [before, after] = routes.map((each) => sideOf(indexOf(each)));
    if (before === undefined || after === undefined) {
      continue;
    }
    const { changes } = diffContracts(before, after);
    for (const change of changes.filter(({ rule }) => /^(route|method)-(removed|added)$/.test(rule))) {
      const [route, method] = readSubject(change);
      const isRemoved = change.rule.endsWith("removed");
      const [client, server] = isRemoved ? [before, after] : [after, before];
      const { total, refused } = await observeCalls(client, server, [route, method]);
      const claim = change.consequences[isRemoved ? "oldClients" : "newClients"];
      const isMatched = /Another route matches/.test(change.message);
      const isPartly = / matches \//.test(change.message);
      const isAnswered = total !== refused;
      const isTolerated = claim === "tolerated" && refused === 0;
      const isRight = isAnswered
        ? (claim === "some" || isTolerated) && isMatched
        : isPartly || !isRemoved || claim === "breaks";
      outcomes.set(
        `${claim} ${isMatched} ${isAnswered}`,
        (outcomes.get(`${claim} ${isMatched} ${isAnswered}`) ?? 0) + 1,
      );
      if (!isRight) {
        const lists = routes.map((each) => `  ${JSON.stringify(each)}`);
        problems.push(
          [`${seed} ${change.message} ${change.rule}`, ...lists, `  ! ${claim}, but ${refused} of ${total} fail`].join(
            "\n",
          ),
        );
      }
    }
  }
  expect(problems.join("\n")).toBe("");
  for (const outcome of ["breaks false false", "breaks true false", "some true true", "tolerated true true"]) {
    expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(2);
  }
}, 300_000);

/** Draws two versions of which a route is renamed, and of which other routes may match its old or new path. */
function drawRenamedRoutes(random: Random): readonly [Routes, Routes] {
  const endpoint: EndpointInit = {
    methods: random.pick([["GET"], ["POST"], ["GET", "POST"]]) ?? ["GET"],
    args: { q: { type: "string" }, ...(random.drawBoolean(50) && { page: { type: "integer", required: true } }) },
  };
  const changed: EndpointInit = { ...endpoint, args: { ...endpoint.args, page: { type: "boolean", required: true } } };
  const general = ["/shop/v1/(?P<name>[a-z]+)", "/shop/v1/(?P<name>col[a-z]+)", "/shop/v1/(?P<path>.+)"];
  const others = general.flatMap((pattern): readonly (readonly [string, EndpointInit])[] => {
    const drawn = random.drawBoolean(50) ? endpoint : drawEndpoint(random, pattern);
    return random.drawBoolean(40) ? [[pattern, drawn]] : [];
  });
  const selectOthers = () => others.filter(() => random.drawBoolean(70));
  return [
    Object.fromEntries([["/shop/v1/info", {}], ["/shop/v1/color", endpoint], ...selectOthers()]),
    Object.fromEntries([
      ["/shop/v1/info", {}],
      ["/shop/v1/colour", random.drawBoolean(60) ? endpoint : changed],
      ...selectOthers(),
    ]),
  ];
}

test("the consequences of renamed routes are those that calls show", async () => {
  const problems: string[] = [];
  const outcomes = new Map<string, number>();
  for (const seed of Array.from({ length: seedCount }, (_, index) => firstSeed + index)) {
    const routes = drawRenamedRoutes(new Random(seed * 4073));
    const [before, after] = routes.map((each) => sideOf(indexOf(each)));
    if (before === undefined || after === undefined) {
      continue;
    }
    const { changes } = diffContracts(before, after);
    const renamed = changes.find(({ rule }) => rule === "route-renamed");
    for (const [party, client, server, route] of [
      ["oldClients", before, after, "/shop/v1/color"],
      ["newClients", after, before, "/shop/v1/colour"],
    ] as const) {
      const { total, refused } = await observeCalls(client, server, [route, undefined]);
      const claim = renamed?.consequences[party] ?? "none";
      const ofRoute = changes.filter(({ rule, operations }) =>
        rule === "route-precedence-changed" ? false : operations.some((each) => renamed?.operations.includes(each)),
      );
      const isWorst = ofRoute.every(({ consequences }) => levels.indexOf(consequences[party]) <= levels.indexOf(claim));
      const isRight =
        claim === "breaks"
          ? refused === total
          : claim === "tolerated"
            ? refused === 0
            : claim === "some" && refused < total;
      outcomes.set(claim, (outcomes.get(claim) ?? 0) + 1);
      if (!isRight || !isWorst || total === 0) {
        const lists = routes.map((each) => `  ${JSON.stringify(each)}`);
        problems.push([`${seed} ${party}: ${claim}, but ${refused} of ${total} fail`, ...lists].join("\n"));
      }
    }
  }
  expect(problems.join("\n")).toBe("");
  for (const outcome of ["breaks", "some", "tolerated"]) {
    expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(9);
  }
}, 300_000);

test("the message about a renamed route names the routes that match its paths", () => {
  const general = "/shop/v1/(?P<name>[a-z]+)";
  const listed = { args: { q: { type: "string" } } };
  const stateOf = (name: string, others: Routes) => sideOf(indexOf({ [`/shop/v1/${name}`]: listed, ...others }));
  const info = { "/shop/v2/info": {} };
  const [before, after] = [stateOf("color", info), stateOf("colour", { ...info, [general]: listed })];
  const describe = (from: Side, to: Side) =>
    diffContracts(from, to).changes.flatMap(({ rule, message, consequences: { oldClients, newClients } }) =>
      rule === "route-renamed" ? [message, oldClients, newClients] : [],
    );
  expect(describe(before, after)).toEqual([
    `/shop/v1/color removed, /shop/v1/colour added: renamed? Another route of the new version matches the old paths: ${general}.`,
    "tolerated",
    "breaks",
  ]);
  expect(describe(after, before)).toEqual([
    `/shop/v1/colour removed, /shop/v1/color added: renamed? Another route of the old version matches the new paths: ${general}.`,
    "breaks",
    "tolerated",
  ]);
});
