import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The request that a load generator repeats. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The result of a load: the number of requests, and their times. */
export interface Load {
  readonly requests: number;
  /** The failed requests by kind of error; empty if every answer was successful. */
  readonly failures: readonly Failure[];
  readonly seconds: number;
  /** The 99th percentile of the time until an answer is complete, in milliseconds. */
  readonly p99: number;
}

/**
 * The number of requests that failed with one kind of error. The kind `status` means an answer with status 400 or
 * above.
 */
export interface Failure {
  readonly kind: "connect" | "read" | "write" | "status" | "timeout";
  readonly count: number;
}

/** The server to load, the duration of the load, and its number of connections. */
export interface LoadPlan {
  /** The name of the server in the table, for errors. */
  readonly subject: string;
  readonly port: number;
  readonly seconds: number;
  readonly connections: number;
}

/** A load generator, which repeats one request on each connection. */
export interface LoadGenerator {
  readonly name: string;
  send(request: LoadRequest, plan: LoadPlan): Promise<Load>;
}

const run = promisify(execFile);

/**
 * Returns `wrk` if it is installed, because it uses a tenth of the CPU time of a program on Node, and so disturbs the
 * server less.
 */
export async function loadGenerator(): Promise<LoadGenerator> {
  try {
    await run("wrk", ["-v"]);
  } catch (error) {
    // `wrk -v` prints its version and exits with 1.
    if (!(error instanceof Error && "stdout" in error && String(error.stdout).startsWith("wrk"))) {
      return { name: "a program on node:net", send: sendFromNode };
    }
  }
  return { name: "wrk", send: sendFromWrk };
}

/** The report that the `wrk` script prints on its last line. Times are in microseconds. */
const wrkReport = `done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("\\n[%d, %d, %d, %d, %d, %d, %d, %d]", summary.requests, summary.duration,
    latency:percentile(99), e.connect, e.read, e.write, e.status, e.timeout))
end`;

/** The kinds of errors that `wrk` counts, in the order of the report. */
const errorKinds = ["connect", "read", "write", "status", "timeout"] as const;

async function sendFromWrk(
  { method, path, headers, body }: LoadRequest,
  { port, seconds, connections }: LoadPlan,
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), "bothends-bench-"));
  try {
    const script = join(folder, "request.lua");
    const lines = [
      `wrk.method = ${quoteForLua(method)}`,
      ...Object.entries(headers).map(([name, value]) => `wrk.headers[${quoteForLua(name)}] = ${quoteForLua(value)}`),
      ...(body === undefined ? [] : [`wrk.body = ${quoteForLua(body)}`]),
      wrkReport,
    ];
    writeFileSync(script, lines.join("\n"));
    const url = `http://127.0.0.1:${port}${path}`;
    const { stdout } = await run("wrk", [
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--timeout",
      "30s",
      "-s",
      script,
      url,
    ]);
    const [requests, duration, p99, ...errors] = JSON.parse(stdout.slice(stdout.lastIndexOf("\n")));
    const failures = errorKinds.flatMap((kind, index) => (errors[index] > 0 ? [{ kind, count: errors[index] }] : []));
    return { requests, failures, seconds: duration / 1e6, p99: p99 / 1000 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function quoteForLua(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`;
}

async function sendFromNode(request: LoadRequest, { subject, port, seconds, connections }: LoadPlan): Promise<Load> {
  const message = getMessage(request);
  const start = performance.now();
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, () => sendUntil(start + seconds * 1000, { message, port, times })),
  ).catch((error: unknown) => {
    throw new Error(`${subject}: ${String(error)}`, { cause: error });
  });
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    // There are no failures to count, because an unsuccessful answer ends the load with an error.
    failures: [],
    seconds: (performance.now() - start) / 1000,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}

/** Writes the bytes of a request. */
export function getMessage({ method, path, headers, body = "" }: LoadRequest): Buffer {
  const lines = Object.entries({ Host: "127.0.0.1", "Content-Length": Buffer.byteLength(body), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

interface ConnectionOptions {
  readonly message: Buffer;
  readonly port: number;
  /** Collects the duration of each answer in milliseconds. */
  readonly times: number[];
}

/**
 * Sends requests over one connection, each one after the previous answer. Implements only the part of HTTP that this
 * needs.
 */
function sendUntil(endTime: number, { message, port, times }: ConnectionOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1");
    let remainingBytes = 0;
    let startTime = 0;
    const sendNext = (): void => {
      startTime = performance.now();
      socket.write(message);
    };
    socket.on("error", reject);
    socket.on("connect", sendNext);
    socket.on("data", (chunk) => {
      if (remainingBytes === 0) {
        remainingBytes = findAnswerLength(chunk) ?? Number.NaN;
      }
      if (Number.isNaN(remainingBytes)) {
        return socket.destroy(new Error(`The server answered ${chunk.toString("latin1", 0, 60)}.`));
      }
      remainingBytes -= chunk.length;
      if (remainingBytes > 0) {
        return;
      }
      const now = performance.now();
      times.push(now - startTime);
      if (now < endTime) {
        sendNext();
      } else {
        socket.destroy();
        resolve();
      }
    });
  });
}

/** Returns the length of an answer whose head is in its first chunk; undefined if the answer is unsuccessful. */
function findAnswerLength(chunk: Buffer): number | undefined {
  const end = chunk.indexOf("\r\n\r\n");
  const head = chunk.toString("latin1", 0, Math.max(end, 0));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200") || length === undefined) {
    return undefined;
  }
  return end + 4 + Number(length);
}
