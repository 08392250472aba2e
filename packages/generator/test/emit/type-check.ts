import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { strict } from "../cases/type-check.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The errors that the compiler reports in the files of a tree. */
export function complaints(tree: ReadonlyMap<string, string>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "emitted-"));
  try {
    for (const [path, text] of tree) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const paths = {
      ...builtDeclarations("runtime"),
      ...builtDeclarations("xml"),
      "@bothends/contract/*": ["./packages/contract/src/*/index.ts", "./packages/contract/src/*.ts"],
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...strict, paths }, include: ["**/*.ts"] }),
    );
    return compile(folder)
      .split("\n")
      .filter((line) => /^[^ ].*error TS\d+/.test(line) && !line.startsWith(".."));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Maps the imports of a package to its built declarations, because the compiler would check its sources again in each
 * run.
 */
function builtDeclarations(name: string): Readonly<Record<string, readonly string[]>> {
  const folder = join(root, "packages", name);
  const { exports }: { readonly exports: Readonly<Record<string, { readonly types: string }>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.fromEntries(
    Object.entries(exports).map(([path, { types }]) => [`@bothends/${name}${path.slice(1)}`, [join(folder, types)]]),
  );
}

function compile(folder: string): string {
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) {
      return String(error.stdout);
    }
    throw error;
  }
}
