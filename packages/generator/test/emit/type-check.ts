import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
      "@bothends/runtime": [join(root, "packages/runtime/src/index.ts")],
      "@bothends/runtime/xs": [join(root, "packages/runtime/src/xs.ts")],
      "@bothends/runtime/xs/basic": [join(root, "packages/runtime/src/xs-basic.ts")],
      "@bothends/runtime/client": [join(root, "packages/runtime/src/client/index.ts")],
      "@bothends/runtime/rest-client": [join(root, "packages/runtime/src/client/rest/index.ts")],
      "@bothends/runtime/rest": [join(root, "packages/runtime/src/rest/index.ts")],
      "@bothends/runtime/rest-server": [join(root, "packages/runtime/src/server/rest/index.ts")],
      "@bothends/runtime/segment-names": [join(root, "packages/runtime/src/rest/segment-names.ts")],
      "@bothends/runtime/soap-server": [join(root, "packages/runtime/src/server/soap/index.ts")],
      "@bothends/runtime/server": [join(root, "packages/runtime/src/server/index.ts")],
      "@bothends/xml": [join(root, "packages/xml/src/index.ts")],
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
