import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { strict } from "../../../generator/test/cases/type-check.js";
import { Project } from "../battery/project.js";
import { root } from "../house/sources.js";

// Compiles generated packages, the vendored runtime's declarations and scaffolded servers with all strict options.

const corpora = join(root, "../shared/corpora");

interface Sources {
  readonly name: string;
  /** The folder to copy. */
  readonly folder: string;
  readonly interfaces: Readonly<Record<string, object>>;
}

const repositorySources: Sources = {
  name: "the interfaces of this repository",
  folder: join(root, "schemas"),
  interfaces: JSON.parse(readFileSync(join(root, "bothends.json"), "utf8")).interfaces,
};
const corpus: readonly Sources[] = [
  {
    name: "a WSDL with many groups and choices",
    folder: join(corpora, "wsdl/gowsdl/fixtures"),
    interfaces: { ec2: { wsdl: ["schemas/ec2.wsdl"] } },
  },
  {
    name: "a WSDL with imports and wildcards",
    folder: join(corpora, "wsdl/onvif"),
    interfaces: { doors: { wsdl: ["schemas/wsdl/ver10/pacs/doorcontrol.wsdl"] } },
  },
  {
    name: "an index with several plugins",
    folder: join(corpora, "discovery"),
    interfaces: { site: { index: "schemas/ldnwebperf.json" } },
  },
];
const present = [repositorySources, ...corpus].filter(({ folder }) => existsSync(folder));
for (const { name } of corpus.filter((sources) => !present.includes(sources))) {
  console.warn(`Not compiled, because ${corpora} is missing: ${name}.`);
}

test.each(present)(
  "$name: all generated code compiles with the strictest options",
  { timeout: 120_000 },
  async ({ folder, interfaces }) => {
    const parts = ["contract", "client", "server"];
    const packages = parts.map((part) => [part, { path: `generated/${part}`, name: `@x/${part}` }]);
    const config = { packages: Object.fromEntries(packages), runtime: { path: "generated/runtime" }, interfaces };
    const project = new Project({ "bothends.json": JSON.stringify(config) });
    cpSync(folder, join(project.path, "schemas"), { recursive: true });
    const scaffolded = await project.run("scaffold", "server", "mine");
    expect(scaffolded.code, scaffolded.err).toBe(0);

    const links: Readonly<Record<string, string>> = {
      ...Object.fromEntries(parts.map((part) => [`@x/${part}`, join(project.path, "generated", part)])),
      "@bothends/runtime": join(project.path, "generated/runtime"),
      "@types/node": join(root, "node_modules/@types/node"),
    };
    for (const [name, target] of Object.entries(links)) {
      const path = join(project.path, "node_modules", name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path);
    }
    // Without the option `dom`, the declarations of the runtime must not need the types of a browser.
    const options = { lib: ["es2023"], types: ["node"], skipLibCheck: false, customConditions: ["@bothends/source"] };
    project.write("package.json", JSON.stringify({ type: "module" }));
    project.write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { ...strict, ...options },
        include: [...parts.map((part) => `generated/${part}/src`), "generated/runtime/dist/**/*.d.ts", "mine/src"],
      }),
    );
    expect(complaintsIn(project)).toEqual([]);
  },
);

function complaintsIn(project: Project): readonly string[] {
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", ".", "--pretty", "false"], {
      cwd: project.path,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return [];
  } catch (error) {
    if (error instanceof Error && "stdout" in error) {
      return String(error.stdout).trimEnd().split("\n");
    }
    throw error;
  }
}
