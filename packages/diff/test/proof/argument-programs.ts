import { join } from "node:path";
import { Diagnostics, generate } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { compileErrors } from "./compile.js";
import { configOf, readerOf, root, type Sources } from "./contracts.js";

const templates = readFolder(join(root, "templates"));

/** The generated types of the only endpoint of an index. The arguments have the type `Arguments`. */
function typesOf(sources: Sources): string {
  const config = configOf(sources, new Diagnostics());
  const tree = config && generate({ readFile: readerOf(sources), templates, config }).tree;
  const [, text] = [...(tree ?? [])].find(([path]) => path.endsWith(".types.ts")) ?? [];
  if (text === undefined) {
    throw new Error("No types were generated.");
  }
  return String(text).replaceAll(/export interface \w+/g, "export interface Arguments");
}

const scalarUses = {
  'typeof v === "string"': "v.trim()",
  'typeof v === "number"': "v.toFixed()",
  'typeof v === "boolean"': "v.valueOf()",
};

const itemUses = [
  'v.map((item) => (typeof item === "string" ? item.trim() : undefined))',
  'v.map((item) => (typeof item === "number" ? item.toFixed() : undefined))',
];

/**
 * Programs that a handler may contain. Each uses the values of some types in a union: one scalar type, or those that
 * remain after scalar types were excluded.
 */
function listReadPrograms(names: readonly string[]): readonly string[] {
  const tests = Object.keys(scalarUses);
  const subsets = [
    [],
    ...tests.map((each) => [each]),
    tests.slice(1),
    tests.slice(0, 2),
    [...tests.slice(0, 1), ...tests.slice(2)],
    tests,
  ];
  const uses = [
    ...Object.values(scalarUses),
    'v.join("")',
    ...itemUses,
    ...names.flatMap((name) => [`v.${name}`, `(typeof v.${name} === "number" ? v.${name}.toFixed() : undefined)`]),
  ];
  return [
    ...Object.entries(scalarUses).map(([condition, use]) => `export const r = ${condition} ? ${use} : undefined;`),
    ...subsets.flatMap((excluded) =>
      uses.map((use) => `export const r = ${[...excluded, "v === null"].join(" || ")} ? undefined : ${use};`),
    ),
    ...names.map(
      (name) => `export const r = typeof v !== "object" || v === null || "${name}" in v ? undefined : v.join("");`,
    ),
    ...names.map(
      (name) =>
        `export const r: Extract<Old["q"], { readonly ${name}?: unknown }>["${name}"] | undefined = typeof v === "object" && v !== null && "${name}" in v ? v.${name} : undefined;`,
    ),
  ];
}

/** What a changed type of the argument `q` does to code. */
export interface CodeOutcome {
  /** Why an old value cannot be used as a new one; undefined if it can. */
  readonly writeError: string | undefined;
  /** Why a new value cannot be used as an old one; undefined if it can. */
  readonly readError: string | undefined;
  /** Programs that compile with the old type, but not with the new one. */
  readonly failingPrograms: readonly string[];
}

/** Compiles code that uses the argument `q` of the only endpoint, which has another type in the new version. */
export function observeCode(
  versions: ReadonlyMap<string, readonly [before: Sources, after: Sources]>,
): ReadonlyMap<string, CodeOutcome> {
  const imports =
    'import type { Arguments as Old } from "./old.js";\nimport type { Arguments as New } from "./new.js";\n';
  const files = new Map<string, string>();
  const programs = new Map<string, readonly string[]>();
  for (const [key, [before, after]] of versions) {
    const declare = (type: string) => `${imports}export type Both = [Old, New]; declare const v: ${type}["q"];`;
    const [oldTypes, newTypes] = [typesOf(before), typesOf(after)];
    const names = new Set([...oldTypes.matchAll(/readonly (\w+)\??:/g)].map(([, name = ""]) => name));
    programs.set(key, listReadPrograms([...names]));
    files.set(`${key}/old.ts`, oldTypes);
    files.set(`${key}/new.ts`, newTypes);
    files.set(`${key}/write.ts`, `${declare("Old")} export const w: New["q"] = v;`);
    files.set(`${key}/read.ts`, `${declare("New")} export const w: Old["q"] = v;`);
    programs.get(key)?.forEach((program, index) => {
      files.set(`${key}/old-${index}.ts`, `${declare("Old")} ${program}`);
      files.set(`${key}/new-${index}.ts`, `${declare("New")} ${program}`);
    });
  }
  const errors = compileErrors(files);
  return new Map(
    [...versions.keys()].map((key) => [
      key,
      {
        writeError: errors.get(`${key}/write.ts`),
        readError: errors.get(`${key}/read.ts`),
        failingPrograms: (programs.get(key) ?? []).filter(
          (_, index) => !errors.has(`${key}/old-${index}.ts`) && errors.has(`${key}/new-${index}.ts`),
        ),
      },
    ]),
  );
}
