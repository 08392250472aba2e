import type { Group, Sample, Subject } from "../measure.js";
import { hasPeers } from "../peers.js";
import { HostProcess } from "../processes.js";

/** A subject: its name in the table, and the names of a server and of a request. */
type CallSubject = readonly [name: string, server: string, request: string];

/** Measures servers over sockets in memory. Without the time in the kernel, the ratios are higher and vary less. */
export function measureServerCalls(): readonly Group[] {
  return [
    group(
      {
        id: "calls",
        title: "Server, calls over sockets in memory",
        baseline: "A server on node:http that reads the request's body and answers a constant.",
      },
      [
        ["body read, constant answer", "raw-read", "soap11"],
        ["Bothends, SOAP 1.1", "soap-routes", "soap11"],
        ["Bothends, SOAP 1.2", "soap-routes", "soap12"],
        ["Bothends, HTTP GET", "soap-routes", "httpGet"],
        ["Bothends, HTTP POST", "soap-routes", "httpPost"],
      ],
    ),
    group(
      {
        id: "calls-rest",
        title: "Server, REST listing over sockets in memory",
        baseline:
          "A server on node:http that answers JSON.stringify of ten items, without reading the 13 arguments. Bothends caches the arguments of repeated queries, so its second row sends 10,000 different queries. Of the two programs with Fastify, only the second answers with the seven headers of a WordPress listing, and checks its dates and its lists separated by commas.",
      },
      [
        ["JSON.stringify", "raw-json", "listing"],
        ["Bothends", "rest-routes", "listing"],
        ["Bothends, different queries", "rest-routes", "listings"],
        ...(hasPeers
          ? ([
              ["Fastify with schemas", "fastify-listing", "listing"],
              ["Fastify with WordPress's headers and checks", "fastify-wordpress-listing", "listing"],
            ] as const)
          : []),
      ],
    ),
  ];
}

function group(init: Pick<Group, "id" | "title" | "baseline">, calls: readonly CallSubject[]): Group {
  const subjects = calls.map(
    ([name, server, request]): Subject => ({ name, measure: measureLowest(`${server} ${request}`) }),
  );
  return { ...init, unit: "CPU µs", subjects };
}

const slices = 40;
const count = 300;
/** The number of calls after which the code of a server is optimized. */
const warmingCount = 12_000;

/**
 * Returns a function that measures many short runs in a new process, and returns the lowest cost so far: other load on
 * the machine slows down only some of the runs, and processes of the same program differ by up to 10 %.
 */
function measureLowest(argument: string): () => Promise<Sample> {
  let cost = Number.POSITIVE_INFINITY;
  return async () => {
    const host = await HostProcess.start("calls-in-memory", argument);
    try {
      await host.ask({ kind: "calls", count: warmingCount, width: 20 });
      for (let slice = 0; slice < slices; slice += 1) {
        const stateBefore = await host.ask({ kind: "state" });
        const stateAfter = await host.ask({ kind: "calls", count, width: 20 });
        cost = Math.min(cost, (stateAfter.cpu - stateBefore.cpu) / count);
      }
    } finally {
      host.stop();
    }
    return { cost };
  };
}
