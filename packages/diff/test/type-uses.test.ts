import type { TypeDefinition } from "@bothends/generator";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { memberPairs } from "./pairs/members.js";
import { typePairs } from "./pairs/types.js";
import { compileErrors } from "./proof/compile.js";
import { diffOf, type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom, modulesIn } from "./proof/packages.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

// Code can use an exported type without a value of it: it extends the type of an object, or lists the values of an
// enumeration. Callers and handlers may do so with every type, whichever side sends its values.

const pairs = [...memberPairs, ...typePairs].flatMap(({ rule, title = "", old, new: new_ }) => [
  { title: `${rule} ${title}`, old, new: new_ },
  { title: `${rule} ${title}, swapped`, old: new_, new: old },
]);

function typesOf(sources: Sources): string {
  const [, text = ""] = [...generatedFrom(sources)].find(([path]) => path.endsWith("/types.ts")) ?? [];
  return text;
}

/** The exported types of a version, by their names. */
function typesByName({ contract, plan }: Side): ReadonlyMap<string, TypeDefinition> {
  const [soap] = contract.interfaces;
  const [planned] = plan?.interfaces ?? [];
  if (soap?.kind !== "soap" || planned?.kind !== "soap") {
    throw new Error("There is no SOAP interface.");
  }
  return new Map(
    soap.types.flatMap((type) => {
      const found = planned.types.get(type.id);
      return found === undefined || found.isInline ? [] : [[found.name, type] as const];
    }),
  );
}

function listPrograms(sources: { readonly old: Sources; readonly new: Sources }): ReadonlyMap<string, string> {
  const [oldTypes, newTypes] = [typesByName(sideOf(sources.old)), typesByName(sideOf(sources.new))];
  return new Map(
    [...oldTypes].flatMap(([name, type]): readonly (readonly [string, string])[] => {
      if (!newTypes.has(name)) {
        return [];
      }
      if (type.kind === "enumeration") {
        const members = type.values.map(({ text }) => `${JSON.stringify(text)}: 1`).join(", ");
        return [[name, `export const labels: Record<Extract<Version.${name}, string>, number> = { ${members} };`]];
      }
      return [[name, `export interface Extended extends Version.${name} { readonly more?: number }`]];
    }),
  );
}

test("code that extends types or lists their values may break wherever the compiler refuses it", () => {
  const files = new Map<string, string>();
  for (const [index, pair] of pairs.entries()) {
    files.set(`${index}/old.ts`, typesOf(pair.old));
    files.set(`${index}/new.ts`, typesOf(pair.new));
    for (const [name, text] of listPrograms(pair)) {
      for (const version of ["old", "new"]) {
        files.set(`${index}/${version}-${name}.ts`, `import type * as Version from "./${version}.js";\n${text}\n`);
      }
    }
  }
  const errors = compileErrors(files);
  const problems = pairs.flatMap((pair, index) => {
    const changes: readonly Change[] = withoutVanishedNames(diffOf(pair.old, pair.new).changes);
    const failing = [...listPrograms(pair).keys()].filter(
      (name) => errors.has(`${index}/new-${name}.ts`) && !errors.has(`${index}/old-${name}.ts`),
    );
    // A choice that is said to affect such code does.
    const isClaimed = changes.some(({ rule, reason }) => /choice/.test(rule) && reason.includes("`implements`"));
    if (isClaimed && failing.length === 0) {
      return [`${pair.title}: no type fails`];
    }
    const first = errors.get(`${index}/new-${failing[0]}.ts`);
    return (["input", "output"] as const).flatMap((direction) => {
      const found = changes.filter((change) => change.direction === undefined || change.direction === direction);
      const unaffected = (["callers", "handlers"] as const).filter((party) =>
        found.every(({ consequences }) => consequences[party] === "none" || consequences[party] === "tolerated"),
      );
      const shown = found.map(({ rule, consequences: c }) => `${rule} ${c.callers} ${c.handlers}`).join(", ");
      return failing.length === 0 || found.length === 0 || unaffected.length === 0
        ? []
        : [`${pair.title}, ${direction}: ${unaffected} of ${failing}: ${first} [${shown}]`];
    });
  });
  expect(problems).toEqual([]);
}, 300_000);

test("code that extends the object of an answer may break if its type becomes a union", () => {
  const path = "/shop/v1/things/(?P<id>[\\d]+)";
  const stateOf = (types: readonly string[]) =>
    indexOf(
      { [path]: { args: { id: { type: "integer" } } } },
      {
        [path]: {
          $schema: "http://json-schema.org/draft-04/schema#",
          title: "thing",
          type: types,
          properties: { name: { type: "string" } },
        },
      },
    );
  const versions = [["object"], ["object", "string"], ["object", "null"]].map(stateOf);
  const program =
    'import type { Thing } from "./server/src/api/index.js";\nexport interface Extended extends Thing { readonly more?: number }\n';
  const files = versions.flatMap((sources, index) => [
    ...modulesIn(`${index}`, sources),
    [`${index}/extended.ts`, program] as const,
  ]);
  const errors = compileErrors(new Map(files));
  expect([...errors.keys()]).toEqual(["1/extended.ts", "2/extended.ts"]);
  const [before, ...others] = versions.map(sideOf);
  for (const after of others) {
    const { changes } = before === undefined ? { changes: [] } : diffContracts(before, after);
    expect(changes.map(({ consequences }) => consequences.handlers)).toEqual(["some"]);
    expect(changes[0]?.reason).toContain("`extends`");
  }
});
