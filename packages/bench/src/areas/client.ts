import type { Group, Subject } from "../measure.js";
import { HostProcess, stopAll } from "../processes.js";

const hosts = {
  "node:http, keep-alive, no XML": "node-http",
  "client on node:http": "client-node-http",
  "fetch, no XML": "fetch",
  "client on fetch": "client-fetch",
};

/** Calls of one SOAP 1.1 operation of a server that answers a constant, compared with calls that ignore the answer. */
export async function client(): Promise<readonly Group[]> {
  const peer = await HostProcess.start("raw-read");
  const started: [string, HostProcess][] = [];
  for (const [name, host] of Object.entries(hosts)) {
    started.push([name, await HostProcess.start(host, `http://127.0.0.1:${peer.port}`)]);
  }
  const group = (width: number, count: number, close?: () => void): Group => ({
    title: `Client, SOAP 1.1, ${width} at a time`,
    unit: "CPU µs",
    subjects: started.map(([name, host]): Subject => ({ name, measure: () => call(host, count, width) })),
    ...(close && { close }),
  });
  const close = (): void => stopAll([peer, ...started.map(([, host]) => host)]);
  return [group(1, 2_000), group(32, 6_000, close)];
}

async function call(host: HostProcess, count: number, width: number) {
  const before = await host.ask({ kind: "cpu" });
  const start = performance.now();
  const after = await host.ask({ kind: "calls", count, width });
  return { cost: (after - before) / count, rate: count / ((performance.now() - start) / 1000) };
}
