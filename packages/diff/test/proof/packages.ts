import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Diagnostics, generate } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import type { AnswerSchemas } from "@bothends/runtime";
import { configOf, readerOf, root, type Sources } from "./contracts.js";

const templates = readFolder(join(root, "templates"));

const packages = new WeakMap<Sources, ReadonlyMap<string, string>>();

/** The generated packages of sources, as files by path. They are generated once, because many tests use one pair. */
export function generatedFrom(sources: Sources): ReadonlyMap<string, string> {
  const known = packages.get(sources) ?? generateFrom(sources);
  packages.set(sources, known);
  return known;
}

function generateFrom(sources: Sources): ReadonlyMap<string, string> {
  const config = configOf(sources, new Diagnostics());
  const tree = config === undefined ? [] : [...generate({ readFile: readerOf(sources), templates, config }).tree];
  return new Map(tree.flatMap(([path, text]) => (typeof text === "string" ? [[path, text]] : [])));
}

/** The schemas with which generated clients check answers. */
export function answerSchemasOf(sources: Sources): AnswerSchemas {
  const text = [...generatedFrom(sources).values()].find((each) => each.includes(": AnswerSchemas ="));
  const [, literal] = /: AnswerSchemas = (\{[\s\S]*?\n\});/.exec(text ?? "") ?? [];
  return new Function(`return ${literal};`)() as AnswerSchemas;
}

/** The modules of the generated packages, for a folder. They import each other by relative paths. */
export function modulesIn(folder: string, sources: Sources): ReadonlyMap<string, string> {
  const modules = [...generatedFrom(sources)].filter(([path]) => /^(contract|client|server)\/src\/.*\.ts$/.test(path));
  return new Map(
    modules.map(([path, text]) => [
      `${folder}/${path}`,
      text.replace(/"api-contract\/([^"]+)"/g, (_, module: string) => {
        const up = "../".repeat(path.split("/").length - 1);
        return `"${up}contract/src/${module.includes("/") ? module : `${module}/index`}.js"`;
      }),
    ]),
  );
}

/** Writes modules into a new folder, in which they find the runtime, and returns the folder. */
export function writeModules(modules: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "diff-packages-"));
  for (const [path, text] of modules) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, "node_modules/@bothends"), { recursive: true });
  for (const name of ["runtime", "datatypes", "xml"]) {
    symlinkSync(join(root, "packages", name), join(folder, "node_modules/@bothends", name), "dir");
  }
  return folder;
}
