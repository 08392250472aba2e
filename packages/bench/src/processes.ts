import { type ChildProcess, execFile, fork } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Order, Report } from "./hosts/protocol.js";
import type { Sample } from "./measure.js";

/** A subject in a separate process, so that its processor time is measured alone. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly port: number | undefined;

  private constructor(child: ChildProcess, port: number | undefined) {
    this.#child = child;
    this.port = port;
  }

  static async start(name: string, argument = ""): Promise<HostProcess> {
    const child = fork(join(import.meta.dirname, "hosts", "main.js"), [name, argument]);
    const ready = await nextReport(child);
    return new HostProcess(child, ready.kind === "ready" ? ready.port : undefined);
  }

  /** Sends an order, and returns the total processor time of the process. */
  async ask(order: Order): Promise<number> {
    const answered = nextReport(this.#child);
    this.#child.send(order);
    const report = await answered;
    return report.kind === "cpu" ? report.microseconds : 0;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

export function stopAll(hosts: readonly HostProcess[]): void {
  for (const host of hosts) {
    host.stop();
  }
}

function nextReport(child: ChildProcess): Promise<Report> {
  return new Promise((resolve, reject) => {
    const failed = (code: number | null) => reject(new Error(`A host ended with exit code ${code}.`));
    child.once("exit", failed);
    child.once("message", (report: Report) => {
      child.removeListener("exit", failed);
      resolve(report);
    });
  });
}

const run = promisify(execFile);

/** The processor time of a whole Node process that runs code, in microseconds: start, imports, work. */
export async function nodeProcess(code: string): Promise<Sample> {
  const reportTime = `process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stdout.write("\\n" + (user + system)); });`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", `${reportTime}\n${code}`], {
    cwd: join(import.meta.dirname, "..", "..", ".."),
  });
  return { cost: Number(stdout.slice(stdout.lastIndexOf("\n"))) };
}

/** Code that imports modules, resolved from this package. */
export function importing(modules: readonly string[]): string {
  return modules.map((module) => `await import(${JSON.stringify(import.meta.resolve(module))});`).join("\n");
}
