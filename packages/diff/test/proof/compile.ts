import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./contracts.js";

const options = {
  target: "es2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  customConditions: ["@bothends/source"],
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
  const folder = mkdtempSync(join(tmpdir(), "diff-types-"));
  try {
    const all = new Map([
      ...files,
      ["package.json", '{ "type": "module" }'],
      ["tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] })],
    ]);
    for (const [path, text] of all) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    mkdirSync(join(folder, "node_modules/@bothends"), { recursive: true });
    for (const name of ["runtime", "datatypes", "xml"]) {
      symlinkSync(join(root, "packages", name), join(folder, "node_modules/@bothends", name), "dir");
    }
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
