import { rmSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@bothends/dynamic/random";
import type { SoapClientOptions } from "@bothends/runtime/client";
import type { Routes } from "@bothends/runtime/server";
import { afterAll, expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { type PortInit, type Protocol, protocols, sourcesOfPorts } from "./edits/random-ports.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";
import { modulesIn, writeModules } from "./proof/packages.js";

// Draws services with random ports in random orders, one of whose operations only some ports have. Generated clients
// that choose no protocol call generated servers of the other version, and the diff must predict the outcomes.

const [firstSeed, seedCount] = (process.env["DIFF_DEFAULTS"] ?? "1,30").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

function shuffle<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items.reduce<readonly Item[]>(
    (shuffled, item) => shuffled.toSpliced(random.drawIntegerBelow(shuffled.length + 1), 0, item),
    [],
  );
}

interface Version {
  /** The protocols of the ports, in the order of the WSDL. */
  readonly order: readonly Protocol[];
  /** The protocols whose ports have no operation `Tell`. */
  readonly omitting: readonly Protocol[];
}

function drawVersion(random: Random): Version {
  const order = shuffle(random, protocols).slice(0, 1 + random.drawIntegerBelow(protocols.length));
  return { order, omitting: drawOmitting(random, order) };
}

function drawOmitting(random: Random, order: readonly Protocol[]): readonly Protocol[] {
  const omitting = order.filter(() => random.drawBoolean(25));
  return omitting.length < order.length ? omitting : [];
}

/** Changes the order of the ports, or draws other ports. */
function editVersion(random: Random, { order, omitting }: Version): Version {
  return random.drawBoolean(40) ? { order: shuffle(random, order), omitting } : drawVersion(random);
}

function sourcesOf({ order, omitting }: Version): Sources {
  const ports = order.map(
    (protocol): PortInit => ({ name: protocol, protocol, scheme: "http", host: "s.example", path: "/s" }),
  );
  const { "s.wsdl": text = "" } = sourcesOfPorts(ports, [{ name: "Ask" }, { name: "Tell" }]);
  return {
    "s.wsdl": omitting.reduce(
      (whole, protocol) =>
        whole.replace(new RegExp(`(<binding name="${protocol}".*?)<operation name="Tell">.*?(</binding>)`), "$1$2"),
      text,
    ),
  };
}

/** The generated packages of a version. */
interface Packages {
  readonly client: { readonly SClient: new (options: SoapClientOptions) => Client };
  readonly server: { readonly sRoutes: (handlers: object) => Routes };
}

type Client = Readonly<Record<"ask" | "tell", (input: object, options?: object) => Promise<unknown>>>;

const drawn = seeds.map((seed) => {
  const random = new Random(seed * 6007);
  const before = drawVersion(random);
  return { seed, versions: [before, editVersion(random, before)].map((version) => sourcesOf(version)) };
});

const folder = writeModules(
  new Map(
    drawn.flatMap(({ seed, versions }) =>
      versions.flatMap((sources, index) => [...modulesIn(`${seed}/${index}`, sources)]),
    ),
  ),
);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function importPackages(path: string): Promise<Packages> {
  const [client, server] = await Promise.all(
    ["client", "server"].map((name) => import(join(folder, path, name, "src/api/index.ts"))),
  );
  return { client, server };
}

interface CallOutcome {
  /** The protocol of the request; undefined if the client refuses the call. */
  readonly protocol: Protocol | undefined;
  readonly isAnswered: boolean;
}

async function call(
  client: Packages,
  server: Packages,
  { method, options }: { readonly method: "ask" | "tell"; readonly options?: object },
): Promise<CallOutcome> {
  let protocol: Protocol | undefined;
  const inner = memoryTransport([server.server.sRoutes({ ask: () => "because", tell: () => "because" })]);
  const transport: typeof inner = {
    send(request, ...others) {
      protocol = findProtocol(request.method, new Headers(request.headers).get("Content-Type") ?? "");
      return inner.send(request, ...others);
    },
  };
  const answer = new client.client.SClient({ transport })[method]({ q: "why" }, options);
  const isAnswered = await answer.then(
    (value) => value === "because",
    () => false,
  );
  return { protocol, isAnswered };
}

function findProtocol(method: string, contentType: string): Protocol {
  if (method === "GET") {
    return "httpGet";
  }
  return contentType.includes("urlencoded") ? "httpPost" : contentType.includes("soap+xml") ? "soap12" : "soap11";
}

/** Compares the changes of an operation with calls in both directions, and returns the contradictions. */
async function findProblems(
  changes: readonly Change[],
  [before, after]: readonly [Packages, Packages],
  method: "ask" | "tell",
): Promise<readonly string[]> {
  const operation = method === "ask" ? "Ask" : "Tell";
  const changesOfOperation = changes.filter(
    ({ operations }) => operations.length === 0 || operations.includes(operation),
  );
  const claims = (party: keyof Change["consequences"], level: string) =>
    changesOfOperation.some(({ consequences }) => consequences[party] === level);
  const [oldClient, newClient, oldOptions, newOptions] = await Promise.all([
    call(before, after, { method }),
    call(after, before, { method }),
    call(before, before, { method, options: { extraSoapHeaders: [] } }),
    call(after, after, { method, options: { extraSoapHeaders: [] } }),
  ]);
  const found = changesOfOperation.filter(({ rule }) => rule === "default-protocol-changed");
  const isVersionReplaced = changesOfOperation.some(({ rule }) => rule === "soap-version-changed");
  const claimed = found.map((change) => `${change.before} -> ${change.after}`);
  const observed = oldClient.protocol === newClient.protocol ? [] : [`${oldClient.protocol} -> ${newClient.protocol}`];
  const facts: readonly (readonly [subject: string, claim: unknown, observation: unknown])[] = [
    ["old clients", claims("oldClients", "breaks"), !oldClient.isAnswered],
    ["new clients", claims("newClients", "breaks"), !newClient.isAnswered],
    // A replaced version of SOAP is reported instead.
    ["default", claimed.join(), claimed.length === 0 && isVersionReplaced ? "" : observed.join()],
    [
      "headers",
      found.some(({ consequences }) => consequences.callers !== "none"),
      oldOptions.isAnswered && !newOptions.isAnswered,
    ],
  ];
  return facts.flatMap(([subject, claim, observation]) =>
    claim === observation ? [] : [`${operation}, ${subject}: ${claim}, but ${observation}`],
  );
}

test.each(drawn)(
  "the effects of a changed default protocol are those of calls (seed $seed)",
  async ({ seed, versions }) => {
    const [before, after] = await Promise.all([importPackages(`${seed}/0`), importPackages(`${seed}/1`)]);
    const [oldSources, newSources] = versions;
    if (oldSources === undefined || newSources === undefined) {
      throw new Error("There are no versions.");
    }
    const { changes } = diffContracts(sideOf(oldSources), sideOf(newSources));
    const problems = [
      ...(await findProblems(changes, [before, after], "ask")),
      ...(await findProblems(changes, [before, after], "tell")),
    ];
    const messages = changes.map(({ message, consequences }) => `${message} ${Object.values(consequences).join(" ")}`);
    expect(problems.length === 0 ? [] : [...problems, ...messages]).toEqual([]);
  },
);
