import { expect, test } from "vitest";
import { mappings, ordinaryBuiltins } from "../../src/plan/builtins.js";
import { reservedNames } from "../../src/plan/reserved.js";
import { runtimeNames, xsModule } from "../../src/print/index.js";

test("no schema takes a name that generated code imports from the runtime", () => {
  const reserved = new Set(reservedNames);
  expect(runtimeNames().filter((name) => !reserved.has(name))).toEqual([]);
});

test("the runtime has every built-in type, its mapped variants, derivations and facets", async () => {
  const xs: object = await import(xsModule);
  const facets = [
    ["length", "minLength", "maxLength", "totalDigits", "fractionDigits", "pattern", "whiteSpace", "enumeration"],
    ["minInclusive", "maxInclusive", "minExclusive", "maxExclusive"],
    ["restriction", "list", "union"],
  ].flat();
  const mapped = [...mappings.values()].flatMap((each) => [...each.values()].map((mapping) => mapping.descriptor));
  const wanted = [...ordinaryBuiltins.keys(), ...mapped, ...facets];
  expect(wanted.filter((name) => !(name in xs))).toEqual([]);
});
