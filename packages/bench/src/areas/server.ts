import { setTimeout } from "node:timers/promises";
import { type Load, type LoadPlan, type LoadRequest, loadGenerator } from "../load.js";
import type { Group, Sample, Subject } from "../measure.js";
import { requests, soapHeaders, soapRequest } from "../payload.js";
import { hasPeers } from "../peers.js";
import { HostProcess, stopAll } from "../processes.js";

/** A server to measure: its name in the table, the name of its host, and the host's argument. */
interface ServerSubject {
  readonly name: string;
  readonly host: string;
  readonly argument?: string;
  /** The request to the server. Default: the request of the group. */
  readonly request?: LoadRequest;
  /**
   * Whether the server belongs to another project. If so, the table counts its failed requests; otherwise, a failed
   * request ends the run.
   */
  readonly isPeer?: true;
}

interface ServerGroup
  extends Pick<Group, "id" | "title" | "baseline" | "turns">,
    Partial<Pick<LoadPlan, "seconds" | "connections">> {
  readonly servers: readonly ServerSubject[];
  readonly request: LoadRequest;
  /**
   * The time in milliseconds after each load in which a server does the work that it has postponed, such as writing log
   * lines. The processor time of this work counts. Default: 0.
   */
  readonly pause?: number;
}

const { soap11, soap12, httpGet, httpPost } = requests;
const baselineServer: ServerSubject = { name: "body read, constant answer", host: "raw-read" };
const readsBody = "A server on node:http that reads the request's body and answers a constant.";
const peers = (servers: readonly ServerSubject[]): readonly ServerSubject[] =>
  hasPeers ? servers.map((peer) => ({ ...peer, isPeer: true })) : [];

/**
 * Measures one operation over each protocol. The baseline is a server that reads the request and answers a constant.
 */
export const measureServer = () =>
  measureGroups([
    {
      id: "server",
      title: "Server, SOAP 1.1, 50 connections",
      baseline: `${readsBody} The calibration rows do a fixed amount of work in addition. If such a row costs more than the first row and this work together, the load generator caused the difference.`,
      servers: [
        baselineServer,
        { name: "calibration, + 20 µs", host: "raw-read-work", argument: "20" },
        { name: "calibration, + 60 µs", host: "raw-read-work", argument: "60" },
        { name: "Bothends", host: "soap-routes" },
        ...peers([
          { name: "node-soap", host: "node-soap-server" },
          { name: "strong-soap", host: "strong-soap-server" },
        ]),
      ],
      request: soap11,
    },
    {
      id: "server-protocols",
      title: "Server, other protocols, 50 connections",
      baseline: readsBody,
      servers: [
        { ...baselineServer, request: soap12 },
        { name: "Bothends, SOAP 1.2", host: "soap-routes", request: soap12 },
        { name: "Bothends, HTTP GET", host: "soap-routes", request: httpGet },
        { name: "Bothends, HTTP POST", host: "soap-routes", request: httpPost },
      ],
      request: soap12,
    },
    {
      id: "server-many",
      title: "Server with many services or operations, SOAP 1.1",
      baseline: "Bothends with one service of one operation.",
      servers: [
        { name: "one service", host: "soap-routes" },
        { name: "ten services", host: "soap-routes-many", argument: "10" },
        { name: "1,000 operations", host: "soap-routes-wide", argument: "1000", request: wideRequest },
      ],
      request: soap11,
    },
    createLargeAnswerGroup(100_000, "100 KB"),
    // Uses few connections, so that each of them receives several complete answers in the available time.
    { ...createLargeAnswerGroup(10_000_000, "10 MB"), seconds: 6, connections: 4 },
  ]);

const wideRequest: LoadRequest = {
  method: "POST",
  path: "/",
  headers: { ...soapHeaders, SOAPAction: '"urn:shop/Find500"' },
  body: soapRequest.replace(/<CheckUSA.*CheckUSA>/, '<Find500 xmlns="urn:shop"><Key>ABC1234</Key></Find500>'),
};

function createLargeAnswerGroup(bytes: number, title: string): ServerGroup {
  return {
    id: `server-${bytes}`,
    title: `Server, SOAP 1.1, answers of ${title}`,
    baseline: "A server on node:http that answers the same bytes as a constant.",
    servers: [
      { name: "constant answer", host: "raw-read-large", argument: String(bytes) },
      { name: "Bothends", host: "soap-routes-large", argument: String(bytes) },
    ],
    request: soap11,
  };
}

/** Measures an operation while all its calls are observed. Each observer has processes of its own. */
export const measureObservation = () =>
  measureGroups([
    {
      id: "observe",
      title: "Server, SOAP 1.1, observed",
      baseline:
        "Bothends without observers. The second row measures the same program again, so its ratio shows how large a difference by chance can be. Each server has its own processes, and the servers are measured in turns of one second. In the rows “OpenTelemetry by hand”, the handler itself creates a span with OpenTelemetry's SDK: with 11 attributes of the semantic conventions, without attributes, or with all attributes of @bothends/otel. A traced call cannot cost less than such a span, so the ratio to one of these rows shows the cost that Bothends adds, which includes the event of the call. Only the row with metrics has a MeterProvider.",
      servers: [
        observed("not observed", "none"),
        observed("not observed, again", "none"),
        observed("onCall that does nothing", "hook"),
        observed("lineLogger, JSON", "json"),
        observed("lineLogger, text", "text"),
        observed("OpenTelemetry by hand, every call a span", "span by hand"),
        observed("OpenTelemetry by hand, spans without attributes", "empty span by hand"),
        observed("OpenTelemetry by hand, spans with the same attributes", "same span by hand"),
        observed("OpenTelemetry, every call a span", "spans"),
        observed("OpenTelemetry, with its context", "spans in context"),
        observed("OpenTelemetry, spans and metrics", "spans and metrics"),
        observed("OpenTelemetry, one call in twenty a span", "sampled spans"),
        observed("OpenTelemetry, sampling: 0.05", "sampled by option"),
      ],
      request: soap11,
      seconds: 1,
      turns: 10,
      pause: 60,
    },
  ]);

function observed(name: string, observer: string): ServerSubject {
  return { name, host: "soap-routes-observed", argument: observer };
}

/** Measures a listing with 13 arguments and 10 items. The baseline is `JSON.stringify` of the items. */
export const measureRestServers = () =>
  measureGroups([
    {
      id: "rest",
      title: "Server, REST listing, 50 connections",
      baseline: "A server on node:http that answers JSON.stringify of ten items, without reading the 13 arguments.",
      servers: [
        { name: "JSON.stringify", host: "raw-json" },
        { name: "Bothends", host: "rest-routes" },
        ...peers([
          { name: "Fastify with schemas", host: "fastify-listing" },
          { name: "Fastify with WordPress's headers and checks", host: "fastify-wordpress-listing" },
          { name: "Hono with zod", host: "hono-listing" },
        ]),
      ],
      request: requests.listing,
    },
  ]);

/** Measures the memory after each of ten minutes of lookups, during which it must not grow. */
export async function measureMemoryGrowth(): Promise<readonly Group[]> {
  const generator = await loadGenerator();
  const host = await HostProcess.start("soap-routes");
  const minute = (index: number): Subject => ({
    name: `minute ${index + 1}`,
    measure: () =>
      measureLoad(host, async (port) => {
        const load = await generator.send(soap11, { subject: "Bothends", port, seconds: 60, connections: 50 });
        requireSuccess(load, `minute ${index + 1}`);
        return load;
      }),
  });
  return [
    {
      id: "flat",
      title: "Server, SOAP 1.1, ten minutes",
      unit: "CPU µs",
      baseline: "The first minute of the same process.",
      subjects: Array.from({ length: 10 }, (_, index) => minute(index)),
      isExact: true,
      close: () => host.stop(),
    },
  ];
}

async function measureGroups(serverGroups: readonly ServerGroup[]): Promise<readonly Group[]> {
  const generator = await loadGenerator();
  return serverGroups.map(({ servers, request: groupRequest, seconds = 2, connections = 50, pause, ...group }) => {
    const processes = new Map<ServerSubject, ServerProcess>();
    const subjects = servers.map((server): Subject => {
      const plan = { subject: `${group.title}: ${server.name}`, seconds, connections };
      const send = async (port: number): Promise<Load> => {
        const load = await generator.send(server.request ?? groupRequest, { ...plan, port });
        if (server.isPeer === undefined) {
          requireSuccess(load, plan.subject);
        }
        if (pause !== undefined) {
          await setTimeout(pause);
        }
        return load;
      };
      const measure = async (): Promise<Sample> => {
        const current = await getNextProcess(server, processes.get(server), send);
        processes.set(server, current);
        return measureLoad(current.host, send);
      };
      return { name: server.name, measure };
    });
    const close = async (): Promise<void> => stopAll([...processes.values()].map(({ host }) => host));
    return { ...group, unit: "CPU µs", subjects, close };
  });
}

/** A process of a server, and the number of its measurements. */
interface ServerProcess {
  readonly host: HostProcess;
  readonly measurements: number;
}

/**
 * The number of measurements after which a process is replaced. Processes of the same program differ by up to 20 % for
 * as long as they run, so measurements of a single process would not show a difference of a few percent.
 */
const maxMeasurements = 3;

/**
 * Returns the process for the next measurement: the current process, or a new one that has answered requests before.
 */
async function getNextProcess(
  { host: name, argument }: ServerSubject,
  current: ServerProcess | undefined,
  send: SendLoad,
): Promise<ServerProcess> {
  if (current !== undefined && current.measurements < maxMeasurements) {
    return { host: current.host, measurements: current.measurements + 1 };
  }
  const host = await HostProcess.start(name, argument);
  if (current !== undefined) {
    current.host.stop();
    await send(host.port ?? 0);
  }
  return { host, measurements: 1 };
}

/** Throws an error if requests failed. The error names the server, and the kinds of failures with their counts. */
function requireSuccess({ requests, failures }: Load, subject: string): void {
  if (failures.length > 0) {
    const counts = failures.map(({ kind, count }) => `${count} ${kind}`).join(", ");
    throw new Error(`${subject}: some of ${requests} requests failed, by kind of error: ${counts}.`);
  }
}

type SendLoad = (port: number) => Promise<Load>;

async function measureLoad(host: HostProcess, send: SendLoad): Promise<Sample> {
  const stateBefore = await host.ask({ kind: "state" });
  const { requests, failures, seconds: elapsed, p99 } = await send(host.port ?? 0);
  const stateAfter = await host.ask({ kind: "state" });
  return {
    cost: (stateAfter.cpu - stateBefore.cpu) / requests,
    rate: requests / elapsed,
    p99,
    failed: failures.reduce((sum, { count }) => sum + count, 0),
    delay: stateAfter.delay,
    memory: stateAfter.memory,
  };
}
