import { expect, test } from "vitest";
import { defaultBuiltins, mappings } from "../../src/plan/builtins.js";
import { reservedNames } from "../../src/plan/typescript-names.js";
import { kindNames, listRuntimeNames, runtimeSymbols, xsModule } from "../../src/print/index.js";
import { complaints } from "../emit/type-check.js";

test.each(Object.entries(runtimeSymbols))(
  "the runtime exports what generated code uses of %s",
  async (module, names) => {
    const exported: object = await import(module);
    expect(names.values.filter((name) => !(name in exported))).toEqual([]);
  },
);

test("the runtime exports the types that generated code uses", () => {
  const files = Object.entries(runtimeSymbols).map(
    ([module, { types }], index) =>
      [`types-${index}.ts`, `export type { ${types.join(", ")} } from ${JSON.stringify(module)};\n`] as const,
  );
  expect(complaints(new Map(files))).toEqual([]);
  const missing = 'export type { Missing } from "@bothends/runtime";\n';
  expect(complaints(new Map([["types.ts", missing]]))).toHaveLength(1);
});

test("no schema type gets a name that generated code imports from the runtime", () => {
  const reserved = new Set(reservedNames);
  expect(listRuntimeNames().filter((name) => !reserved.has(name))).toEqual([]);
});

test("xs/basic exports all names of xs except those that load the code of kinds", async () => {
  const whole: object = await import(xsModule);
  const basic: object = await import(`${xsModule}/basic`);
  expect(
    Object.keys(whole)
      .filter((name) => !(name in basic))
      .sort(),
  ).toEqual([...kindNames].sort());
  expect(Object.keys(basic).filter((name) => !(name in whole))).toEqual([]);
});

test("the runtime has every built-in type, its mapped variants, derivations and facets", async () => {
  const xs: object = await import(xsModule);
  const facets = [
    ["length", "minLength", "maxLength", "totalDigits", "fractionDigits", "pattern", "whiteSpace", "enumeration"],
    ["minInclusive", "maxInclusive", "minExclusive", "maxExclusive"],
    ["restriction", "list", "union"],
  ].flat();
  const mapped = [...mappings.values()].flatMap((each) => [...each.values()].map((mapping) => mapping.descriptor));
  const wanted = [...defaultBuiltins.keys(), ...mapped, ...facets];
  expect(wanted.filter((name) => !(name in xs))).toEqual([]);
});
