import { posix } from "node:path";
import { expect, test } from "vitest";
import { importsOf, sourceFiles } from "./sources.js";

const packages = [
  "xml",
  "datatypes",
  "runtime",
  "generator",
  "diff",
  "dynamic",
  "bothends",
  "otel",
  "pack",
  "e2e",
  "bench",
];

/** The files that each file of a package imports, including imports of types. */
type Imports = ReadonlyMap<string, readonly string[]>;

function importsIn(base: string): Imports {
  const inside = (path: string) => path.slice(base.length + 1);
  return new Map(
    sourceFiles(base).map((file) => {
      const imported = importsOf(file)
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, ".ts"));
      return [inside(file.path), imported.map(inside)] as const;
    }),
  );
}

function reachedFrom(start: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!reached.has(next)) {
      reached.add(next);
      open.push(...(imports.get(next) ?? []));
    }
  }
  return reached;
}

/** Returns the groups of files that import each other, directly or indirectly, each group once. */
function cyclesOf(imports: Imports): readonly string[] {
  const reach = new Map([...imports.keys()].map((path) => [path, reachedFrom(path, imports)]));
  const cycles = [...reach].flatMap(([path, reached]) => {
    if (!reached.has(path)) {
      return [];
    }
    const group = [...reached].filter((other) => reach.get(other)?.has(path));
    return [group.sort().join(", ")];
  });
  return [...new Set(cycles)];
}

test.each(packages)("no files of %s import each other in a cycle, types included", (name) => {
  expect(cyclesOf(importsIn(`packages/${name}/src`))).toEqual([]);
});
