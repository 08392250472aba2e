import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Random } from "@bothends/dynamic/random";
import { listGoodCalls, Outcomes, requestSlowAnswer, runClient } from "./load.js";
import { RawConnection } from "./raw-connection.js";
import type { CallCounts, ServerReport } from "./server.js";

/** The load of a run, and its limits. */
export interface SoakSettings {
  /** The name of the server. */
  readonly platform: string;
  readonly seconds: number;
  readonly connections: number;
  readonly seed: number;
  /** Called ten times, each time with a line about the progress. */
  readonly onProgress: (line: string) => void;
}

/** The problems that were found; empty if the server passed. */
export type SoakProblems = readonly string[];

/** The time in milliseconds in which the server must stop. Its slowest answers take 2 seconds. */
const maxStopTime = 7_000;

/**
 * Sends valid requests and faults to a server, observes its heap, and stops the server before it has answered all
 * requests.
 */
export async function soak({ platform, seconds, connections, seed, onProgress }: SoakSettings): Promise<SoakProblems> {
  const server = new SoakedServer(platform);
  try {
    const port = await server.waitForPort();
    const [calls, outcomes] = [await listGoodCalls(), new Outcomes()];
    let isRunning = true;
    const clients = Array.from({ length: connections }, (_, index) =>
      runClient({ port, calls, outcomes, random: new Random(seed * 1_000 + index), isRunning: () => isRunning }),
    );
    const heaps = await watchHeap(server, outcomes, { seconds, onProgress });
    isRunning = false;
    await Promise.all(clients);
    const stopped = server.waitForCounts();
    const { missingAnswers, signalledAt } = await stopUnderLoad(server, port);
    const code = await server.exitCode();
    const stopTime = performance.now() - signalledAt;
    return [
      ...outcomes.wrongAnswers.slice(0, 20),
      ...server.internalIncidents.slice(0, 20),
      ...findHeapProblems(heaps),
      ...(missingAnswers === 0 ? [] : [`${missingAnswers} requests that were complete at SIGTERM were not answered.`]),
      ...(stopTime <= maxStopTime ? [] : [`The server stopped ${Math.round(stopTime)} ms after SIGTERM.`]),
      ...(code === 0
        ? findCountProblems(await stopped, outcomes)
        : [`The server ended with exit code ${code} after SIGTERM.`]),
      ...(outcomes.rightAnswers === 0 ? ["No request was answered."] : []),
    ];
  } finally {
    server.process.kill("SIGKILL");
  }
}

/** Sends SIGTERM while 20 connections each wait for two slow answers. Returns the number of missing answers. */
async function stopUnderLoad(
  server: SoakedServer,
  port: number,
): Promise<{ readonly missingAnswers: number; readonly signalledAt: number }> {
  const connections = Array.from({ length: 20 }, () => new RawConnection(port));
  for (const connection of connections) {
    connection.write(requestSlowAnswer({ time: 2_000 }).repeat(2));
  }
  await wait(1_000);
  const signalledAt = performance.now();
  server.process.kill("SIGTERM");
  let missingAnswers = 0;
  for (const connection of connections) {
    for (let count = 0; count < 2; count += 1) {
      const answer = await connection.readNextAnswer();
      missingAnswers += answer?.status === 200 && answer.body === "slow" ? 0 : 1;
    }
    connection.destroy();
  }
  return { missingAnswers, signalledAt };
}

/** Reports calls that did not begin once, end once and have one event, and answers without an event. */
function findCountProblems({ begun, ended, events, completed }: CallCounts, outcomes: Outcomes): SoakProblems {
  const answered = outcomes.rightAnswers + outcomes.refusedRequests;
  return [
    ...(begun === ended && begun === events ? [] : [`${begun} calls began, ${ended} ended, and ${events} had events.`]),
    ...(completed >= answered ? [] : [`${answered} requests were answered, but only ${completed} events say so.`]),
  ];
}

/** Measures the heap after garbage collection ten times. Skips the first sixth of the time, while caches are filled. */
async function watchHeap(
  server: SoakedServer,
  outcomes: Outcomes,
  { seconds, onProgress }: Pick<SoakSettings, "seconds" | "onProgress">,
): Promise<readonly number[]> {
  const samples = 10;
  const heaps: number[] = [];
  await wait((seconds * 1000) / 6);
  for (let count = 0; count < samples; count += 1) {
    const { bytes, delay } = await server.measureHeap();
    heaps.push(bytes);
    const { rightAnswers, refusedRequests, sentFaults, wrongAnswers } = outcomes;
    onProgress(
      `${rightAnswers} right, ${refusedRequests} refused, ${wrongAnswers.length} wrong, ${sentFaults} faults; heap ${(bytes / 1e6).toFixed(1)} MB, event loop p99 ${delay.toFixed(0)} ms`,
    );
    await wait((seconds * 5000) / 6 / samples);
  }
  return heaps;
}

/**
 * Reports growth of the heap. The median of the last three samples may exceed that of the first three by a tenth plus 2
 * MB.
 */
function findHeapProblems(heaps: readonly number[]): SoakProblems {
  const computeMedian = (values: readonly number[]) => [...values].sort((a, b) => a - b)[1] ?? 0;
  const [begin, end] = [computeMedian(heaps.slice(0, 3)), computeMedian(heaps.slice(-3))];
  return end <= begin * 1.1 + 2e6
    ? []
    : [`The retained heap grew from ${(begin / 1e6).toFixed(1)} to ${(end / 1e6).toFixed(1)} MB.`];
}

class SoakedServer {
  readonly process: ChildProcess;
  readonly internalIncidents: string[] = [];
  readonly #exit: Promise<unknown[]>;

  constructor(platform: string) {
    const program = fileURLToPath(new URL("server.js", import.meta.url));
    this.process = fork(program, [platform], { execArgv: ["--expose-gc"] });
    this.#exit = once(this.process, "exit");
    this.process.on("message", (report: ServerReport) => {
      if (report.kind === "internal") {
        this.internalIncidents.push(report.message);
      }
    });
  }

  async waitForPort(): Promise<number> {
    const report = await this.#waitForReport("listening");
    return report.port;
  }

  async measureHeap(): Promise<{ readonly bytes: number; readonly delay: number }> {
    const report = this.#waitForReport("heap");
    this.process.send("heap");
    return await report;
  }

  /** Waits until the server has stopped without an error. */
  async waitForCounts(): Promise<CallCounts> {
    return await this.#waitForReport("stopped");
  }

  async exitCode(): Promise<unknown> {
    const [code] = await this.#exit;
    return code;
  }

  async #waitForReport<Kind extends ServerReport["kind"]>(
    kind: Kind,
  ): Promise<Extract<ServerReport, { readonly kind: Kind }>> {
    for (;;) {
      const [report] = (await once(this.process, "message")) as [ServerReport];
      if (isOfKind(report, kind)) {
        return report;
      }
    }
  }
}

function isOfKind<Kind extends ServerReport["kind"]>(
  report: ServerReport,
  kind: Kind,
): report is Extract<ServerReport, { readonly kind: Kind }> {
  return report.kind === kind;
}
