import type { Group, Sample, Subject } from "../measure.js";
import { hasPeers } from "../peers.js";
import { HostProcess, stopAll } from "../processes.js";

const hosts: readonly (readonly [name: string, host: string])[] = [
  ["node:http, keep-alive, no XML", "node-http"],
  ["Bothends on node:http", "client-node-http"],
  ["fetch, no XML", "fetch"],
  ["fetch with a signal, no XML", "fetch-with-signal"],
  ["Bothends on fetch", "client-fetch"],
  ...(hasPeers
    ? ([
        ["undici, no XML", "undici"],
        ["node-soap", "node-soap-client"],
        ["strong-soap", "strong-soap-client"],
      ] as const)
    : []),
];

/**
 * Measures clients that call a SOAP 1.1 operation. The server answers a constant, and the baseline is a client that
 * does not decode the answer.
 */
export async function measureClient(): Promise<readonly Group[]> {
  const server = await HostProcess.start("raw-read");
  const startedHosts: [string, HostProcess][] = [];
  for (const [name, host] of hosts) {
    startedHosts.push([name, await HostProcess.start(host, `http://127.0.0.1:${server.port}`)]);
  }
  const createCallGroup = (width: number, count: number, close?: () => void): Group => ({
    id: `client-${width}`,
    title: `Client, SOAP 1.1, ${width === 1 ? "one call at a time" : `${width} concurrent calls`}`,
    unit: "CPU µs",
    baseline: "A client on node:http with keep-alive that sends a constant and reads the answer as text.",
    subjects: startedHosts.map(([name, host]): Subject => ({ name, measure: () => measureCalls(host, count, width) })),
    ...(close && { close }),
  });
  const close = (): void => stopAll([server, ...startedHosts.map(([, host]) => host)]);
  return [createCallGroup(1, 1_000), createCallGroup(32, 4_000, close)];
}

async function measureCalls(host: HostProcess, count: number, width: number): Promise<Sample> {
  const stateBefore = await host.ask({ kind: "state" });
  const start = performance.now();
  const stateAfter = await host.ask({ kind: "calls", count, width });
  return {
    cost: (stateAfter.cpu - stateBefore.cpu) / count,
    rate: count / ((performance.now() - start) / 1000),
    p99: stateAfter.p99,
    delay: stateAfter.delay,
    memory: stateAfter.memory,
  };
}
