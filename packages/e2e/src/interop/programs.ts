import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program and its input. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The text for its standard input. */
  readonly input?: string;
}

/** The running programs, which are killed when this process ends normally. */
const runningPrograms = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of runningPrograms) {
    kill(child, "SIGKILL");
  }
});

/** Kills a program and all programs that it started. They form one process group. */
function kill({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, signal);
    }
  } catch {
    // Ignores a program that has already ended.
  }
}

/** Runs a program to its end, and returns its output. If it fails, the error contains its standard error. */
export async function runProgram(program: Program): Promise<string> {
  const runningProgram = startProgram(program);
  runningProgram.child.stdin?.end(program.input ?? "");
  const code = await runningProgram.ended;
  if (code === 0) {
    return runningProgram.output();
  }
  throw new Error(
    `${program.command} ended with exit code ${code}: ${runningProgram.errorOutput().trim().slice(-600)}`,
  );
}

/** A program that serves until it is stopped. */
export interface Daemon {
  stop(): Promise<void>;
}

/** Starts a server and waits until `ready` resolves to true. */
export async function startDaemon(program: Program, ready: () => Promise<boolean>): Promise<Daemon> {
  const runningProgram = startProgram(program);
  let code: number | undefined;
  runningProgram.ended.then(
    (end) => {
      code = end;
    },
    () => {
      code = -1;
    },
  );
  const stopProgram = async () => {
    kill(runningProgram.child, "SIGTERM");
    const timer = setTimeout(() => kill(runningProgram.child, "SIGKILL"), 5000);
    await runningProgram.ended.catch(() => {});
    clearTimeout(timer);
  };
  for (let waited = 0; !(await ready()); waited += 50) {
    if (code === undefined && waited < 30_000) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    await stopProgram();
    throw new Error(`${program.command} did not start to serve: ${runningProgram.errorOutput().trim().slice(-600)}`);
  }
  return { stop: stopProgram };
}

function startProgram({ command, args, env }: Program) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  runningPrograms.add(child);
  const output: Buffer[] = [];
  const errorChunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errorChunks.push(chunk));
  // Ignores errors of standard input, because a program that ends early may leave its input unread.
  child.stdin.on("error", () => {});
  const exitCode = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? -1));
  }).finally(() => runningPrograms.delete(child));
  return {
    child,
    ended: exitCode,
    output: () => Buffer.concat(output).toString("utf8"),
    errorOutput: () => Buffer.concat([...errorChunks, ...output]).toString("utf8"),
  };
}

/** Finds a free port of the loopback address. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") {
    throw new Error("The server has no port.");
  }
  return address.port;
}

/** Whether a server at an address answers, with any status. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

const folders = new Set<string>();
process.on("exit", () => {
  // A server that has just been killed may still have open files.
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
});

/** Creates a folder that is removed when this process ends. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "peer-"));
  folders.add(folder);
  return folder;
}
