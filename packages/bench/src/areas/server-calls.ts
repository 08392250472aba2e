import type { Group, Sample, Subject } from "../measure.js";
import { hasPeers } from "../peers.js";
import { HostProcess, stopAll } from "../processes.js";

/** A subject: its name, and the names of a server and of the request to it. */
type Called = readonly [name: string, server: string, request: string];

/** Server calls without the kernel. They cost less than calls over the network, so their ratios are higher and vary less. */
export async function serverCalls(): Promise<readonly Group[]> {
  return [
    await group(
      {
        id: "calls",
        title: "Server, calls over sockets in memory",
        limit: "A server on node:http that reads the request's body and answers a constant.",
      },
      [
        ["body read, constant answer", "raw-read", "soap11"],
        ["Bothends, SOAP 1.1", "soap-routes", "soap11"],
        ["Bothends, SOAP 1.2", "soap-routes", "soap12"],
        ["Bothends, HTTP GET", "soap-routes", "httpGet"],
        ["Bothends, HTTP POST", "soap-routes", "httpPost"],
      ],
    ),
    await group(
      {
        id: "calls-rest",
        title: "Server, REST listing over sockets in memory",
        limit: "A server on node:http that answers JSON.stringify of ten items, without reading the 13 arguments.",
      },
      [
        ["JSON.stringify", "raw-json", "listing"],
        ["Bothends", "rest-routes", "listing"],
        ...(hasPeers ? ([["Fastify with schemas", "fastify-listing", "listing"]] as const) : []),
      ],
    ),
  ];
}

async function group(init: Pick<Group, "id" | "title" | "limit">, called: readonly Called[]): Promise<Group> {
  const hosts = await Promise.all(
    called.map(([, server, request]) => HostProcess.start("calls-in-memory", `${server} ${request}`)),
  );
  const subjects = hosts.map((host, index): Subject => ({ name: called[index]?.[0] ?? "", measure: lowestOf(host) }));
  return { ...init, unit: "CPU µs", subjects, close: () => stopAll(hosts) };
}

const slices = 40;
const count = 300;

/**
 * Measures the lowest cost of many short slices, including earlier rounds: other load on the machine disturbs only some of them.
 */
function lowestOf(host: HostProcess): () => Promise<Sample> {
  let cost = Number.POSITIVE_INFINITY;
  return async () => {
    for (let slice = 0; slice < slices; slice += 1) {
      const before = await host.ask({ kind: "state" });
      const after = await host.ask({ kind: "calls", count, width: 20 });
      cost = Math.min(cost, (after.cpu - before.cpu) / count);
    }
    return { cost };
  };
}
