import type { Change } from "../../src/index.js";

/**
 * The changes except names that generated code no longer exports. `exported-names.test.ts` checks these names; other
 * tests use code that imports none of them, or compare the changes of both directions.
 */
export function withoutVanishedNames(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ rule, after }) => rule !== "name-in-code-changed" || after !== undefined);
}
