import { compileErrors } from "./compile.js";
import type { Sources } from "./contracts.js";
import { generatedFrom } from "./packages.js";

/** The values whose types the programs use: those that clients send, or those that they receive. */
export type Part = "arguments" | "answer";

/** The generated types of the only endpoint of an index. The arguments or the answer have the type `Whole`. */
function typesOf(sources: Sources, part: Part): string {
  const file = part === "arguments" ? ".types.ts" : "/answers.ts";
  const [, text] = [...generatedFrom(sources)].find(([path]) => path.endsWith(file)) ?? [];
  if (text === undefined) {
    throw new Error("No types were generated.");
  }
  return text
    .replaceAll(/export interface \w+/g, "export interface Whole")
    .replace(/export type \w+/, "export type Whole");
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
    'export const r = v === "another text";',
    'export const r = typeof v !== "object" || v === null ? undefined : v["another"];',
    'export const r = typeof v !== "object" || v === null || !("length" in v) ? undefined : v[0]?.["another"];',
    "export const r = v === -12345;",
    "export const r = v === true;",
    "export const r = v === false;",
    ...Object.entries(scalarUses).map(([condition, use]) => `export const r = ${condition} ? ${use} : undefined;`),
    ...subsets.flatMap((excluded) =>
      uses.map((use) => `export const r = ${[...excluded, "v === null"].join(" || ")} ? undefined : ${use};`),
    ),
    ...names.map(
      (name) => `export const r = typeof v !== "object" || v === null || "${name}" in v ? undefined : v.join("");`,
    ),
    ...names.map(
      (name) =>
        `type Item = Extract<Extract<Old["q"], readonly unknown[]>[number], { readonly ${name}?: unknown }>; export const r: Item["${name}"] | undefined = typeof v === "object" && v !== null && "length" in v ? v[0]?.${name} : undefined;`,
    ),
    ...names.map(
      (name) =>
        `export const r: Extract<Old["q"], { readonly ${name}?: unknown }>["${name}"] | undefined = typeof v === "object" && v !== null && "${name}" in v ? v.${name} : undefined;`,
    ),
  ];
}

/** Programs that write objects with members of several names and types. */
function listWritePrograms(names: readonly string[]): readonly string[] {
  const objects = [...names, "another"].flatMap((name) => [`{ ${name}: "text" }`, `{ ${name}: 5 }`]);
  return objects.flatMap((object) => [object, `[${object}]`]);
}

/** What a changed type of the argument or member `q` does to code. */
export interface CodeOutcome {
  /** Why an old value cannot be used as a new one; undefined if it can. */
  readonly writeError: string | undefined;
  /** Why a new value cannot be used as an old one; undefined if it can. */
  readonly readError: string | undefined;
  /** Programs that read values, and that compile with the old type, but not with the new one. */
  readonly failingPrograms: readonly string[];
  /** Objects that are values of the old type, but not of the new one. */
  readonly failingWrites: readonly string[];
}

/** Compiles code that uses the argument or member `q` of the only endpoint, whose type changed. */
export function observeCode(
  versions: ReadonlyMap<string, readonly [before: Sources, after: Sources]>,
  part: Part = "arguments",
): ReadonlyMap<string, CodeOutcome> {
  const imports = 'import type { Whole as Old } from "./old.js";\nimport type { Whole as New } from "./new.js";\n';
  const files = new Map<string, string>();
  const programs = new Map<string, readonly string[]>();
  const writes = new Map<string, readonly string[]>();
  for (const [key, [before, after]] of versions) {
    const declare = (type: string) =>
      `${imports}export type Both = [Old, New]; declare const v: Exclude<${type}["q"], undefined>;`;
    const [oldTypes, newTypes] = [typesOf(before, part), typesOf(after, part)];
    const names = new Set(
      [...`${oldTypes}${newTypes}`.matchAll(/readonly (\w+)\??:/g)].flatMap(([, name]) =>
        name === undefined || name === "q" ? [] : [name],
      ),
    );
    programs.set(key, listReadPrograms([...names]));
    writes.set(key, listWritePrograms([...names]));
    files.set(`${key}/old.ts`, oldTypes);
    files.set(`${key}/new.ts`, newTypes);
    files.set(`${key}/write.ts`, `${declare("Old")} export const w: New["q"] = v;`);
    files.set(`${key}/read.ts`, `${declare("New")} export const w: Old["q"] = v;`);
    programs.get(key)?.forEach((program, index) => {
      files.set(`${key}/old-${index}.ts`, `${declare("Old")} ${program}`);
      files.set(`${key}/new-${index}.ts`, `${declare("New")} ${program}`);
    });
    writes.get(key)?.forEach((value, index) => {
      files.set(`${key}/old-write-${index}.ts`, `${declare("Old")} export const w: Old["q"] = ${value};`);
      files.set(`${key}/new-write-${index}.ts`, `${declare("New")} export const w: New["q"] = ${value};`);
    });
  }
  const errors = compileErrors(files);
  const listFailing = (key: string, texts: readonly string[] = [], suffix = "") =>
    texts.filter(
      (_, index) => !errors.has(`${key}/old-${suffix}${index}.ts`) && errors.has(`${key}/new-${suffix}${index}.ts`),
    );
  return new Map(
    [...versions.keys()].map((key) => [
      key,
      {
        writeError: errors.get(`${key}/write.ts`),
        readError: errors.get(`${key}/read.ts`),
        failingPrograms: listFailing(key, programs.get(key)),
        failingWrites: listFailing(key, writes.get(key), "write-"),
      },
    ]),
  );
}
