import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./child.js";

const sources = fileURLToPath(new URL("../../peers/mono/", import.meta.url));

/** Compiles C# of `peers/mono`: a library or, by its name, a program. */
export async function compile(output: string, names: readonly string[], libraries: readonly string[]): Promise<void> {
  await runProgram({
    command: "mcs",
    args: [
      `-out:${output}`,
      `-target:${output.endsWith(".exe") ? "exe" : "library"}`,
      ...libraries.map((library) => `-r:${library}.dll`),
      ...names.map((name) => `${sources}${name}`),
    ],
  });
}

/** Compiles the services of `peers/mono` into a folder and with them the program that serves it, and gives its path. */
export async function buildAsmx(folder: string): Promise<string> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  await mkdir(join(folder, "api"));
  for (const file of ["web.config", "api/reg.asmx", "api/bespokeapi.asmx"]) {
    await copyFile(`${sources}${file}`, join(folder, file));
  }
  await compile(join(bin, "services.dll"), ["services.cs", "records.cs"], ["System.Web", "System.Web.Services"]);
  await compile(join(bin, "host.exe"), ["host.cs"], ["System.Web"]);
  return join(bin, "host.exe");
}
