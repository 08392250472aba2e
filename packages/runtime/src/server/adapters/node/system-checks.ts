import { open, readFile } from "node:fs/promises";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { blockingCode } from "../../../observe/safe-hooks.js";
import type { Connections } from "./connections.js";

// Checks of the process and its system. They only report problems, because the server cannot correct them.

/**
 * The number of files that a process may need to open besides its connections: for its program, its logs, and
 * connections to other servers.
 */
const otherFileCount = 32;

/**
 * Reports that the process's limit on open files is too low for its limit on connections. When no more files can be
 * opened, libuv closes new connections without an event. The check works only on Linux, which shows the limit of a
 * process. Node has already raised this limit to the highest value that the system allows.
 */
export async function checkOpenFiles(connections: number, onError: OnError | undefined): Promise<void> {
  const text = await readFile("/proc/self/limits", "latin1").catch(() => "");
  const maxFiles = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  if (maxFiles !== undefined && Number(maxFiles) < connections + otherFileCount) {
    report(onError, {
      kind: "config",
      message: `This process can open at most ${maxFiles} files, but limits.connections = ${connections} needs more. Further connections are reset without an error. Raise the limit of the system (ulimit -n, LimitNOFILE), or lower the option "limits.connections".`,
      limit: { name: "connections", value: connections, option: "limits.connections" },
    });
  }
}

/** The time between two checks for a stall of the process, in milliseconds. */
export const stallInterval = 500;
/** The minimum duration of a stall that is reported, in milliseconds. */
const longStallDuration = 2_000;
/** The minimum time between two reports, in milliseconds. */
const stallReportInterval = 60_000;

/**
 * Returns a function that checks whether this process has stalled, that is, could not answer requests for some time. If
 * so, the function reports the stall, and the operations of the requests that were in progress, because one of them may
 * have blocked the process. Reports at most once a minute.
 */
export function createStallCheck(connections: Connections, onError: OnError | undefined): () => void {
  let lastCheckTime = performance.now();
  let lastReport = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const stallDuration = Math.round(now - lastCheckTime - stallInterval);
    lastCheckTime = now;
    const exchanges = stallDuration < longStallDuration ? [] : connections.listActiveExchanges();
    connections.interval += 1;
    if (stallDuration < longStallDuration || now - lastReport < stallReportInterval) {
      return;
    }
    lastReport = now;
    const blocking = blockingCode.find(now - stallDuration - stallInterval, stallDuration / 2);
    if (blocking !== undefined) {
      const { name, advice, duration } = blocking;
      const message = `This process answered no request for ${stallDuration} ms: ${name} blocked it for ${Math.round(duration)} ms. ${advice} This is reported at most once a minute.`;
      report(onError, { kind: "stalled", message });
      return;
    }
    const operations = exchanges.map(({ source }) => source.operation);
    const [operation] = operations;
    const message = `This process answered no request for ${stallDuration} ms: a handler or other code ran for this time without waiting for anything, or the machine is overloaded. ${describeActiveOperations(operations)} This is reported at most once a minute.`;
    report(onError, { kind: "stalled", message, operation: operations.length === 1 ? operation : undefined });
  };
}

/** The maximum number of operations that a report names. */
const maxNamedOperations = 5;

/**
 * Returns a sentence that lists operations, the most frequent first. The operation of a request is undefined if it is
 * not known.
 */
function describeActiveOperations(operations: readonly (string | undefined)[]): string {
  if (operations.length === 0) {
    return "No request was in progress, so code other than a handler ran.";
  }
  const counts = new Map<string, number>();
  for (const operation of operations) {
    const name = operation ?? "other requests";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const texts = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} (${count})`);
  const further = texts.length > maxNamedOperations ? " and others" : "";
  return `In progress at that time: ${texts.slice(0, maxNamedOperations).join(", ")}${further}.`;
}

/** The time between two checks of whether the process can open another file, in milliseconds. */
export const openFilesInterval = 2_000;

/**
 * Returns a function that checks whether the process can open another file, and reports if it cannot. Does not report
 * again until files can be opened again.
 */
export function createOpenFilesCheck(onError: OnError | undefined): () => Promise<void> {
  let isReported = false;
  return async () => {
    try {
      const { devNull } = await import("node:os");
      await (await open(devNull)).close();
      isReported = false;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (isReported || (code !== "EMFILE" && code !== "ENFILE")) {
        return;
      }
      isReported = true;
      const message =
        'This process cannot open any more files. New connections are reset without an error. Raise the limit of the system (ulimit -n, LimitNOFILE), lower the option "limits.connections", or look for files that are not closed.';
      report(onError, { kind: "config", message, error });
    }
  };
}
