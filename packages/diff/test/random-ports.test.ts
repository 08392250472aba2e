import { Random } from "@bothends/dynamic/random";
import { ConfigError } from "@bothends/runtime";
import { ServiceClient } from "@bothends/runtime/client";
import { type Routes, soapRoutes } from "@bothends/runtime/server";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, levels, type Side } from "../src/index.js";
import {
  createPorts,
  editPorts,
  formatPorts,
  type PortInit,
  type Protocol,
  sourcesOfPorts,
} from "./edits/random-ports.js";
import { dynamicContractOf, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";

// Edits the ports of a service at random, and compares the consequences with calls of clients that choose no port, a
// protocol, or a port by its name.

const [firstSeed, seedCount] = (process.env["DIFF_PORTS"] ?? "1,40").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

/** A version of the service, with its client and its servers. */
interface Version {
  readonly ports: readonly PortInit[];
  readonly side: Side;
  readonly soap: ReturnType<typeof soapOf>;
  /** The routes of generated code, which answer at the first port of each protocol. */
  readonly generated: readonly Routes[];
  /** A deployment that also answers at the paths of the other ports. */
  readonly complete: readonly Routes[];
}

function soapOf({ contract }: Side) {
  const [soap] = dynamicContractOf(contract).interfaces;
  const [service] = soap?.kind === "soap" ? soap.services : [];
  const [operation] = service?.operations ?? [];
  if (soap?.kind !== "soap" || service === undefined || operation === undefined || soap.services.length > 1) {
    throw new Error("The ports are not one service.");
  }
  return { soap, service, operation };
}

function createVersion(ports: readonly PortInit[]): Version {
  const side = sideOf(sourcesOfPorts(ports));
  const { soap, service, operation } = soapOf(side);
  const routesAt = (options: { readonly path?: string }) =>
    soapRoutes(
      {
        service: service.descriptor,
        operations: { ask: operation.descriptor },
        handlers: { ask: () => "because" },
        settings: soap.settings,
      },
      options,
    );
  const generated = [routesAt({})];
  const complete = [...generated, ...new Set(ports.map(({ path }) => path))].map((each) =>
    typeof each === "string" ? routesAt({ path: each }) : each,
  );
  return { ports, side, soap: { soap, service, operation }, generated, complete };
}

/** The options with which a client chooses a port. */
interface Use {
  readonly protocol?: Protocol;
  readonly port?: string;
}

function listUses({ ports }: Version): readonly Use[] {
  return [
    {},
    ...[...new Set(ports.map(({ protocol }) => protocol))].map((protocol) => ({ protocol })),
    ...ports.map(({ name }) => ({ port: name })),
  ];
}

/** The names of the renamed ports in the other version. */
type Renames = ReadonlyMap<string, string>;

/** Whether both versions have the port that clients use in this way, even if its name changed. */
function isCommonUse({ protocol, port = "" }: Use, [client, server]: readonly [Version, Version], renames: Renames) {
  const findPort = ({ ports }: Version, portName: string) => ports.find(({ name }) => name === portName);
  const hasProtocol = ({ ports }: Version) =>
    protocol === undefined || ports.some((each) => each.protocol === protocol);
  return (
    hasProtocol(server) && findPort(client, port)?.protocol === findPort(server, renames.get(port) ?? port)?.protocol
  );
}

interface CallOutcome {
  /** The address that the client calls; undefined if it refuses its options. */
  readonly url: URL | undefined;
  readonly isAnswered: boolean;
}

async function call(
  { soap: { soap, service, operation } }: Version,
  routes: readonly Routes[],
  use: Use,
  callOptions?: { readonly extraSoapHeaders: readonly [] },
) {
  let url: URL | undefined;
  const inner = memoryTransport(routes);
  const transport: typeof inner = {
    send(request, ...others) {
      url = new URL(request.url);
      return inner.send(request, ...others);
    },
  };
  const outcome: Promise<unknown> = new ServiceClient(service.descriptor, { transport, ...use }, soap.settings).call(
    operation.descriptor,
    { q: "why" },
    callOptions,
  );
  const isAnswered = await outcome.then(
    (answer) => answer === "because",
    (error: unknown) => {
      if (url === undefined && !(error instanceof ConfigError)) {
        throw error;
      }
      return false;
    },
  );
  return { url, isAnswered } satisfies CallOutcome;
}

/**
 * How a server of the other version affects the clients of a version: which of the uses that its own server answers
 * fail. Clients that choose nothing count as all clients. A deployment that answers at all ports counts only for ports
 * of both versions.
 */
async function observeClients(client: Version, server: Version, renames: Renames): Promise<Level> {
  const outcomes = listUses(client).map(async (use) => {
    const isAnswered = async (routes: readonly Routes[]) => (await call(client, routes, use)).isAnswered;
    const works = await isAnswered(client.generated);
    const isCommon = isCommonUse(use, [client, server], renames);
    const fails =
      (works && !(await isAnswered(server.generated))) || (isCommon && !(await isAnswered(server.complete)));
    return { counts: works || isCommon, fails, isDefault: Object.keys(use).length === 0 };
  });
  const counted = (await Promise.all(outcomes)).filter(({ counts }) => counts);
  const failed = counted.filter(({ fails }) => fails);
  const doAllFail = failed.length === counted.length || failed.some(({ isDefault }) => isDefault);
  return failed.length === 0 ? "none" : doAllFail ? "breaks" : "some";
}

/** Whether the new client refuses options of the old one, or headers that the old one sends. */
async function observeCallers(before: Version, after: Version): Promise<boolean> {
  const outcomes = await Promise.all(listUses(before).map((use) => call(after, after.generated, use)));
  const [oldOutcome, newOutcome] = await Promise.all(
    [before, after].map((version) => call(version, version.generated, {}, { extraSoapHeaders: [] })),
  );
  const refusesHeaders = oldOutcome?.url !== undefined && newOutcome?.url === undefined;
  return refusesHeaders || outcomes.some(({ url }) => url === undefined);
}

/** The parts of the called addresses that differ in a use of both versions, as the rules that report them. */
async function observeAddresses(before: Version, after: Version): Promise<ReadonlySet<string>> {
  const uses = listUses(before).filter((use) => isCommonUse(use, [before, after], new Map()));
  const rules = uses.map(async (use) => {
    const [from, to] = await Promise.all([before, after].map((version) => call(version, version.generated, use)));
    const parts = ["protocol", "host", "pathname"] as const;
    const names = ["scheme", "host", "path"];
    // A client without options may use another protocol, whose address is compared with that of the same protocol.
    return Object.keys(use).length === 0
      ? []
      : parts.flatMap((part, index) =>
          getPart(from?.url, part) === getPart(to?.url, part) ? [] : [`address-${names[index]}-changed`],
        );
  });
  return new Set((await Promise.all(rules)).flat());
}

function getPart(url: URL | undefined, part: "protocol" | "host" | "pathname"): string | undefined {
  return part === "pathname" ? url?.pathname.replace(/\/Ask$/, "") : url?.[part];
}

/** The worst claim about calls. A claim about the scheme of addresses depends on the deployment. */
function claimOf(changes: readonly Change[], party: "oldClients" | "newClients"): Level {
  const claims = changes
    .filter(({ rule, consequences }) => rule !== "address-scheme-changed" && consequences[party] !== "tolerated")
    .map(({ consequences }) => levels.indexOf(consequences[party]));
  return levels[Math.max(0, ...claims)] ?? "none";
}

async function findProblems(before: Version, after: Version): Promise<readonly string[]> {
  const { changes } = diffContracts(before.side, after.side);
  const rules = new Set<string>(changes.map(({ rule }) => rule));
  const renamed = changes.flatMap(({ rule, before: from = "", after: to = "" }) =>
    rule === "port-renamed" ? [[from, to] as const] : [],
  );
  const [renames, newRenames] = [new Map(renamed), new Map(renamed.map(([from, to]) => [to, from]))];
  const problems: string[] = [];
  const expectClaim = (party: string, claim: unknown, observed: unknown) => {
    if (claim !== observed) {
      problems.push(`${party}: ${claim}, but ${observed}`);
    }
  };
  expectClaim("old clients", claimOf(changes, "oldClients"), await observeClients(before, after, renames));
  expectClaim("new clients", claimOf(changes, "newClients"), await observeClients(after, before, newRenames));
  const isClaimed = changes.some(({ consequences }) => consequences.callers !== "none");
  expectClaim("callers", isClaimed, await observeCallers(before, after));
  const observedRules = await observeAddresses(before, after);
  for (const rule of ["address-scheme-changed", "address-host-changed", "address-path-changed"]) {
    // The two names of a renamed port, and the two versions of SOAP, are different uses.
    const isMatched = rules.has("port-renamed") || rules.has("soap-version-changed");
    if (!isMatched || observedRules.has(rule)) {
      expectClaim(rule, rules.has(rule), observedRules.has(rule));
    }
  }
  expectClaim("handlers", changes.filter(({ consequences }) => consequences.handlers !== "none").length, 0);
  expectClaim("service", rules.has("service-renamed") || rules.has("name-in-code-changed"), false);
  const header = `${formatPorts(before.ports)} -> ${formatPorts(after.ports)}`;
  const messages = changes.map(({ message, consequences }) => `${message} ${Object.values(consequences).join(" ")}`);
  return problems.length === 0 ? [] : [[header, ...problems, ...messages].join("\n  ")];
}

test.each(seeds)("the consequences of edited ports are those of calls (seed %i)", async (seed) => {
  const random = new Random(seed * 7919);
  const ports = createPorts(random);
  const edited = editPorts(random, ports);
  const [before, after] = [ports, random.drawBoolean(40) ? editPorts(random, edited) : edited].map(createVersion);
  if (before === undefined || after === undefined) {
    throw new Error("There are no versions.");
  }
  expect([...(await findProblems(before, after)), ...(await findProblems(after, before))]).toEqual([]);
});
