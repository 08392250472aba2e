import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The strict options with which generated code must compile. */
export const strict = {
  target: "es2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["es2023", "dom"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The packages of a tree by folder. They import each other by name. */
export interface Tree {
  /** A unique folder for this tree. */
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Compiles the packages of many trees in one run, and returns the errors in these packages. */
export function complaints(repository: string, trees: readonly Tree[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "goldens-"));
  try {
    write(folder, "package.json", JSON.stringify({ type: "module" }));
    write(
      folder,
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { ...strict, customConditions: ["@bothends/source"] },
        include: ["*/*/*/src", "*/*/*/*/*/src"],
      }),
    );
    for (const name of ["runtime", "datatypes", "xml"]) {
      link(join(repository, "packages", name), join(folder, "node_modules/@bothends", name));
    }
    for (const { name, files } of trees) {
      for (const [path, text] of files) {
        write(folder, `${name}/${path}`, text);
        if (path.endsWith("/package.json")) {
          link(join(folder, name, dirname(path)), join(folder, name, "node_modules", JSON.parse(text).name));
        }
      }
    }
    return compile(repository, folder)
      .split("\n")
      .filter((line) => /^[^ ].*error TS\d+/.test(line) && !line.startsWith(".."));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "dir");
}

function compile(repository: string, folder: string): string {
  try {
    return execFileSync(join(repository, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) {
      return String(error.stdout);
    }
    throw error;
  }
}
