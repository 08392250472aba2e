import { type LoadRequest, load } from "../load.js";
import type { Group, Subject } from "../measure.js";
import { listingTarget, soapHeaders, soapPath, soapRequest } from "../payload.js";
import { HostProcess, stopAll } from "../processes.js";

const count = 8_000;

interface Served {
  readonly title: string;
  /** The names of hosts by their titles in the table. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly request: Omit<LoadRequest, "port">;
}

/** One SOAP 1.1 operation, compared with a server that reads the request and answers a constant. */
export const server = () =>
  group({
    title: "Server, SOAP 1.1, 50 connections",
    hosts: { "body read, constant answer": "raw-read", soapRoutes: "soap-routes" },
    request: { method: "POST", path: soapPath, headers: soapHeaders, body: soapRequest },
  });

/** A listing with 13 arguments and 10 items, compared with `JSON.stringify` of the items. */
export const rest = () =>
  group({
    title: "Server, REST listing, 50 connections",
    hosts: { "JSON.stringify alone": "raw-json", restRoutes: "rest-routes" },
    request: { method: "GET", path: listingTarget, headers: {}, body: undefined },
  });

async function group({ title, hosts, request }: Served): Promise<readonly Group[]> {
  const started: HostProcess[] = [];
  const subjects: Subject[] = [];
  for (const [name, host] of Object.entries(hosts)) {
    const process = await HostProcess.start(host);
    started.push(process);
    subjects.push({ name, measure: () => serve(process, request) });
  }
  return [{ title, unit: "CPU µs", subjects, close: () => stopAll(started) }];
}

async function serve(host: HostProcess, request: Omit<LoadRequest, "port">) {
  const before = await host.ask({ kind: "cpu" });
  const start = performance.now();
  await load(count, { ...request, port: host.port });
  const seconds = (performance.now() - start) / 1000;
  return { cost: ((await host.ask({ kind: "cpu" })) - before) / count, rate: count / seconds };
}
