import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sample } from "./subject.js";

const run = promisify(execFile);

/** The processor time, in microseconds, of a whole Node process that runs a module: start, imports, work. */
export async function nodeProcess(code: string): Promise<Sample> {
  const told = `process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stdout.write("\\n" + (user + system)); });`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", `${told}\n${code}`], {
    cwd: join(import.meta.dirname, "..", "..", ".."),
  });
  return { cost: Number(stdout.slice(stdout.lastIndexOf("\n"))) };
}

/** Code that imports modules as this package would. */
export function importing(modules: readonly string[]): string {
  return modules.map((module) => `await import(${JSON.stringify(import.meta.resolve(module))});`).join("\n");
}
