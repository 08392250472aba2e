import { identifierText, literalText } from "./escape.js";
import type { Layout } from "./fragment.js";
import { objectEntries } from "./groups.js";
import type { CodeSymbol, Module } from "./symbols.js";

/** The file that imports or re-exports. */
export interface Here {
  /** The npm name of its package. */
  readonly package: string;
  readonly path: string;
}

/** The import statements for the symbols a file uses, packages first, each list sorted. */
export function importLayouts(symbols: Iterable<CodeSymbol>, here: Here): readonly Layout[] {
  return inOrder(bySpecifier(symbols, here)).flatMap(([specifier, names]) => importsOf(specifier, names));
}

/** `export type { … } from` and `export { … } from`, for each module. */
export function reexportLayouts(symbols: Iterable<CodeSymbol>, here: Here): readonly Layout[] {
  return inOrder(bySpecifier(symbols, here)).flatMap(([specifier, names]) => {
    const types = names.filter((symbol) => symbol.kind === "type").map((symbol) => identifierText(symbol.name));
    const values = names.filter((symbol) => symbol.kind === "value").map((symbol) => identifierText(symbol.name));
    return [
      ...(types.length === 0 ? [] : [namesFrom("export type", types, specifier)]),
      ...(values.length === 0 ? [] : [namesFrom("export", values, specifier)]),
    ];
  });
}

function importsOf(specifier: string, symbols: readonly CodeSymbol[]): readonly Layout[] {
  const namespaces = unique(symbols.flatMap((symbol) => symbol.namespace ?? []));
  const names = symbols.filter((symbol) => symbol.namespace === undefined);
  const statements: Layout[] = namespaces.map(
    (name) => `import * as ${identifierText(name)} from ${literalText(specifier)};`,
  );
  if (names.length === 0) {
    return statements;
  }
  if (names.every((symbol) => symbol.kind === "type")) {
    return [
      ...statements,
      namesFrom("import type", unique(names.map((symbol) => identifierText(symbol.name))), specifier),
    ];
  }
  const spelled = names.map((symbol) =>
    symbol.kind === "type" ? `type ${identifierText(symbol.name)}` : identifierText(symbol.name),
  );
  return [...statements, namesFrom("import", unique(spelled), specifier)];
}

function namesFrom(head: string, names: readonly string[], specifier: string): Layout {
  return [`${head} `, { kind: "group", style: objectEntries, items: names }, ` from ${literalText(specifier)};`];
}

function bySpecifier(symbols: Iterable<CodeSymbol>, here: Here): Map<string, CodeSymbol[]> {
  const byModule = new Map<Module, CodeSymbol[]>();
  for (const symbol of symbols) {
    const names = byModule.get(symbol.module);
    if (names === undefined) {
      byModule.set(symbol.module, [symbol]);
    } else {
      names.push(symbol);
    }
  }
  const modules = new Map<string, CodeSymbol[]>();
  for (const [module, names] of byModule) {
    const specifier = specifierOf(module, here);
    if (specifier !== undefined) {
      modules.set(specifier, [...(modules.get(specifier) ?? []), ...names]);
    }
  }
  return modules;
}

/** Packages before files, then by text; within a module by name, whatever its case. */
function inOrder(modules: Map<string, CodeSymbol[]>): readonly (readonly [string, readonly CodeSymbol[]])[] {
  const rank = (specifier: string): number => (specifier.startsWith(".") ? 1 : 0);
  return [...modules]
    .map(([specifier, symbols]) => [specifier, byName(symbols)] as const)
    .sort(([a], [b]) => rank(a) - rank(b) || byText(a, b));
}

function byName(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  return symbols
    .map((symbol) => ({ symbol, lower: symbol.name.toLowerCase() }))
    .sort((a, b) => byText(a.lower, b.lower) || byText(a.symbol.name, b.symbol.name))
    .map(({ symbol }) => symbol);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** undefined: the symbol is declared in this very file. */
function specifierOf(module: Module, here: Here): string | undefined {
  if (module.kind === "package") {
    return module.specifier;
  }
  if (module.package !== here.package) {
    return module.entry;
  }
  return module.path === here.path ? undefined : relativeSpecifier(here.path, module.path);
}

function relativeSpecifier(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1);
  const steps = to.split("/");
  let shared = 0;
  while (shared < folders.length && folders[shared] === steps[shared]) {
    shared += 1;
  }
  const up = folders.length - shared;
  const down = steps.slice(shared).join("/").replace(/\.ts$/, ".js");
  return `${up === 0 ? "./" : "../".repeat(up)}${down}`;
}
