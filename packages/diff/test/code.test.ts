import { join } from "node:path";
import { Diagnostics, generate } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, levels } from "../src/index.js";
import { memberPairs } from "./pairs/members.js";
import type { Pair } from "./pairs/pair.js";
import { typePairs } from "./pairs/types.js";
import { compileErrors } from "./proof/compile.js";
import { configOf, readerOf, root, type Sources, sideOf } from "./proof/contracts.js";
import { type Program, typePrograms } from "./proof/type-programs.js";

const pairs = [...memberPairs, ...typePairs];
const templates = readFolder(join(root, "templates"));

/** The generated file with the types. */
function typesOf(sources: Sources): string {
  const config = configOf(sources, new Diagnostics());
  const tree = config && generate({ readFile: readerOf(sources), templates, config }).tree;
  const [, text] = [...(tree ?? [])].find(([path]) => path.endsWith("/types.ts")) ?? [];
  if (text === undefined) {
    throw new Error("No types were generated.");
  }
  return text;
}

const imports = 'import type * as Old from "./old.js";\nimport type * as New from "./new.js";\n';

/** The programs of a pair, each in the strictest form that compiles if nothing changes. */
function usable(pairsOf: readonly Pair[]) {
  const modules = new Map<string, string>();
  const baseline = new Map<string, string>();
  const programs = pairsOf.flatMap((pair, index) => {
    modules.set(`${index}/old.ts`, typesOf(pair.old));
    modules.set(`${index}/new.ts`, typesOf(pair.new));
    const { write, read } = typePrograms(sideOf(pair.old));
    return (["write", "read"] as const).flatMap((use) =>
      (use === "write" ? write : read).map((program, number) => {
        const path = `${index}/${use}-${number}`;
        const unchanged = (text: string) => `${imports}${text.replaceAll("New.", "Old.")}`;
        baseline.set(`${path}-strict.ts`, unchanged(program.strict));
        baseline.set(`${path}-plain.ts`, unchanged(program.plain));
        return { pair, use, path, program };
      }),
    );
  });
  const failing = compileErrors(new Map([...modules, ...baseline]));
  const chosen = programs.flatMap((each) => {
    const form: keyof Program | undefined = !failing.has(`${each.path}-strict.ts`)
      ? "strict"
      : !failing.has(`${each.path}-plain.ts`)
        ? "plain"
        : undefined;
    return form === undefined ? [] : [{ ...each, text: `${imports}${each.program[form]}` }];
  });
  return { modules, chosen };
}

function codeLevel(changes: readonly Change[], party: "callers" | "handlers"): Level {
  return levels[Math.max(0, ...changes.map(({ consequences }) => levels.indexOf(consequences[party])))] ?? "none";
}

test("programs that use the old types fail against the new ones exactly where the rules predict it", () => {
  const { modules, chosen } = usable(pairs);
  expect(chosen.length).toBeGreaterThan(4 * pairs.length);
  const files = new Map(chosen.map(({ path, text }) => [`${path}.ts`, text]));
  const errors = compileErrors(new Map([...modules, ...files]));
  const problems = pairs.flatMap((pair) => {
    // Clients write the input, and handlers read it.
    const input = diffContracts(sideOf(pair.old), sideOf(pair.new)).changes.filter(
      ({ direction }) => direction !== "output",
    );
    return (["write", "read"] as const).flatMap((use) => {
      const paths = chosen.filter((each) => each.pair === pair && each.use === use).map(({ path }) => `${path}.ts`);
      const found = paths.flatMap((path) => errors.get(path) ?? []);
      const claim = codeLevel(input, use === "write" ? "callers" : "handlers");
      const isUndecided = input.some(({ undecided }) => undecided !== undefined);
      const agrees = isUndecided || (claim === "none" ? found.length === 0 : claim === "tolerated" || found.length > 0);
      return agrees
        ? []
        : [`${pair.rule} (${pair.title ?? ""}), ${use}: ${claim}, but ${found.join("; ") || "no error"}`];
    });
  });
  expect(problems).toEqual([]);
}, 300_000);
