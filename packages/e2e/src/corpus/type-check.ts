import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JobProblem } from "./job.js";

const repository = join(import.meta.dirname, "..", "..", "..", "..");

/** The compiler flags with which generated code must compile. */
const flags = {
  target: "es2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["es2023"],
  types: [],
  customConditions: ["@bothends/source"],
  noEmit: true,
  declaration: true,
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
  erasableSyntaxOnly: true,
  forceConsistentCasingInFileNames: true,
  skipLibCheck: true,
};

/** The type errors in the output of jobs, by the job's number. */
export type TypeErrors = ReadonlyMap<number, readonly JobProblem[]>;

/** Type-checks the packages of all jobs in a few runs of the compiler, against the built runtime. */
export async function checkTypes(output: string, ids: readonly number[], perRun: number): Promise<TypeErrors> {
  const writtenIds = ids.filter((id) => existsSync(join(output, String(id))));
  linkPackages(output, writtenIds);
  const errors = new Map<number, JobProblem[]>();
  for (let start = 0; start < writtenIds.length; start += perRun) {
    const config = join(output, `tsconfig.${start}.json`);
    const include = writtenIds.slice(start, start + perRun).map((id) => `${id}/*/src`);
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...flags, paths: listBuiltPaths() }, include }));
    for (const line of (await compile(config, output)).split("\n")) {
      addError(line, errors);
    }
  }
  return errors;
}

/** Links package names to folders: `@corpus/j7-contract` to `7/contract`. */
function linkPackages(output: string, ids: readonly number[]): void {
  const scopeFolder = join(output, "node_modules", "@corpus");
  mkdirSync(scopeFolder, { recursive: true });
  for (const id of ids) {
    for (const packageFolder of readdirSync(join(output, String(id)))) {
      const path = join(scopeFolder, `j${id}-${packageFolder}`);
      if (!existsSync(path)) {
        symlinkSync(join(output, String(id), packageFolder), path);
      }
    }
  }
}

/** Returns the compiler option `paths`, with which imports of the runtime resolve to built files instead of sources. */
function listBuiltPaths(): Readonly<Record<string, readonly string[]>> {
  return { ...listBuiltExports("runtime"), ...listBuiltExports("datatypes"), ...listBuiltExports("xml") };
}

function listBuiltExports(name: string): Readonly<Record<string, readonly string[]>> {
  const folder = join(repository, "packages", name);
  const { exports }: { exports: Readonly<Record<string, { readonly types: string }>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.fromEntries(
    Object.entries(exports).map(([path, { types }]) => [`@bothends/${name}${path.slice(1)}`, [join(folder, types)]]),
  );
}

function compile(config: string, folder: string): Promise<string> {
  return new Promise((resolve) => {
    const tsc = join(repository, "node_modules", ".bin", "tsc");
    const child = spawn(tsc, ["-p", config, "--pretty", "false"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    child.stdout.on("data", (data: Buffer) => {
      text += data.toString("utf8");
    });
    child.stderr.on("data", (data: Buffer) => {
      text += data.toString("utf8");
    });
    child.on("close", (code) =>
      resolve(code === 0 || text !== "" ? text : `The compiler ended with exit code ${code}.`),
    );
  });
}

function addError(line: string, errors: Map<number, JobProblem[]>): void {
  if (line === "" || line.startsWith(" ")) {
    return;
  }
  const [, id, code] = /^(\d+)\/.*error (TS\d+)/.exec(line) ?? [];
  const job = id === undefined ? -1 : Number(id);
  const problem = { kind: `type-error.${code ?? "compiler"}`, text: line };
  errors.set(job, [...(errors.get(job) ?? []), problem]);
}
