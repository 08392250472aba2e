import { type ChildProcess, execFile, execFileSync, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { HostCommand, HostReport, HostState } from "./hosts/protocol.js";
import type { Sample } from "./measure.js";

/** A subject in a separate process, so that its processor time can be measured separately. */
export class HostProcess {
  readonly #child: ChildProcess;
  /** The port of its server; undefined for a client. */
  readonly port: number | undefined;

  private constructor(child: ChildProcess, port: number | undefined) {
    this.#child = child;
    this.port = port;
  }

  /** Starts a host on the second processor, if there is one, because the load generator uses the first. */
  static async start(name: string, argument = ""): Promise<HostProcess> {
    // Reads the log lines that a host may write to standard output, as a log collector does.
    const child = fork(join(import.meta.dirname, "hosts", "main.js"), [name, argument], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    child.stdout?.resume();
    const ready = await awaitReport(child);
    pinToProcessor(child.pid ?? 0, 1);
    return new HostProcess(child, ready.kind === "ready" ? ready.port : undefined);
  }

  /** Sends a command, and returns the state of the process after the command has ended. */
  async ask(order: HostCommand): Promise<HostState> {
    const answered = awaitReport(this.#child);
    this.#child.send(order);
    const report = await answered;
    if (report.kind === "failed") {
      throw new Error(report.message);
    }
    return report.kind === "state" ? report : { cpu: 0, memory: 0, delay: 0, p99: 0 };
  }

  stop(): void {
    if (this.#child.connected) {
      this.#child.disconnect();
    }
  }
}

export function stopAll(hosts: readonly HostProcess[]): void {
  for (const host of hosts) {
    host.stop();
  }
}

function awaitReport(child: ChildProcess): Promise<HostReport> {
  return new Promise((resolve, reject) => {
    const rejectExit = (code: number | null) =>
      reject(new Error(`A process under measurement ended with exit code ${code}.`));
    child.once("exit", rejectExit);
    child.once("message", (report: HostReport) => {
      child.removeListener("exit", rejectExit);
      resolve(report);
    });
  });
}

/** Pins a process to one processor. Does nothing if the machine has only one processor or no program `taskset`. */
function pinToProcessor(pid: number, processor: number): void {
  try {
    execFileSync("taskset", ["-a", "-p", "-c", String(processor), String(pid)], { stdio: "ignore" });
  } catch {}
}

const run = promisify(execFile);
export const workspace = join(import.meta.dirname, "..", "..", "..");
/**
 * Code that prints the processor time and the peak memory of its process on a separate line at the end of the process.
 */
const reportUsage = `process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.stdout.write("\\n" + JSON.stringify([userCPUTime + systemCPUTime, maxRSS / 1024])); });`;

/** Measures a complete Node process that runs code in a folder: startup, imports, work. The cost is in milliseconds. */
export function measureNodeProcess(code: string, folder = workspace): Promise<Sample> {
  return measureProcess(["--input-type=module", "--eval", `${reportUsage}\n${code}`], folder);
}

/** Writes code into a file of a folder, as the main module of a program, and returns a function that measures it. */
export function createProgram(name: string, code: string, folder: string): () => Promise<Sample> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `${code}\n${reportUsage}`);
  return () => measureProcess([file], folder);
}

async function measureProcess(args: readonly string[], folder: string): Promise<Sample> {
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 64_000_000 });
  const [cost, memory] = JSON.parse(stdout.slice(stdout.lastIndexOf("\n")));
  return { cost: cost / 1000, memory };
}

/** Measures a complete Node process that runs a file with arguments. */
export function measureCommand(file: string, args: readonly string[]): Promise<Sample> {
  const argv = [file, ...args].map((argument) => JSON.stringify(argument)).join(", ");
  return measureNodeProcess(`process.argv.splice(1, 0, ${argv}); await import(${JSON.stringify(file)});`);
}
