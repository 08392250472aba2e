import { posix } from "node:path";
import { expect, test } from "vitest";
import { importsOf, sourceFiles } from "./sources.js";

/** Files that need each other because what they read or write is recursive: elements in types in elements. */
const recursive: readonly (readonly string[])[] = [
  ["components/xsd/build-complex-types.ts", "components/xsd/build-elements.ts", "components/xsd/build-particles.ts"],
  ["print/expression-layout.ts", "print/type-layout.ts"],
  ["read/xsd/read-complex-type.ts", "read/xsd/read-element.ts", "read/xsd/read-particle.ts"],
  ["rest/combined.ts", "rest/read-members.ts", "rest/read-value.ts"],
];

type Arrows = ReadonlyMap<string, readonly string[]>;

/** Who imports values of whom, in one package. */
function arrowsOf(base: string): Arrows {
  const files = sourceFiles(base);
  const inside = (path: string) => path.slice(base.length + 1);
  return new Map(
    files.map((file) => {
      const to = importsOf(file)
        .filter(({ specifier, typeOnly }) => specifier.startsWith(".") && !typeOnly)
        .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, ".ts"));
      return [inside(file.path), to.map(inside)] as const;
    }),
  );
}

function reachedFrom(start: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(arrows.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(arrows.get(next) ?? []));
  }
  return reached;
}

/** Files that can reach each other, each circle once. */
function circlesOf(arrows: Arrows): readonly string[] {
  const reach = new Map([...arrows.keys()].map((path) => [path, reachedFrom(path, arrows)]));
  const circles = [...reach].flatMap(([path, reached]) =>
    reached.has(path)
      ? [
          [...reached]
            .filter((other) => reach.get(other)?.has(path))
            .sort()
            .join(", "),
        ]
      : [],
  );
  return [...new Set(circles)];
}

test("files import values of each other in a circle only where what they read is recursive", () => {
  const found = ["xml", "datatypes", "runtime", "generator", "dynamic", "bothends", "e2e"].flatMap((name) =>
    circlesOf(arrowsOf(`packages/${name}/src`)),
  );
  expect(found.sort()).toEqual(recursive.map((circle) => circle.join(", ")));
});
