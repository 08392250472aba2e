import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./contracts.js";
import { writeModules } from "./packages.js";

const options = {
  target: "es2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["es2023", "dom"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Compiles files in one run of the compiler, and returns the first error of each file that has errors. */
export function compileErrors(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const folder = writeModules(
    new Map([
      ...files,
      ["package.json", '{ "type": "module" }'],
      ["tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] })],
    ]),
  );
  try {
    const errors = new Map<string, string>();
    for (const line of compilerOutput(folder).split("\n")) {
      const [, path, text = ""] = /^([^ (]+)\(\d+,\d+\): error (.*)$/.exec(line) ?? [];
      if (path !== undefined && files.has(path)) {
        errors.set(path, errors.get(path) ?? text);
      }
    }
    return errors;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compilerOutput(folder: string): string {
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : "";
  }
}
