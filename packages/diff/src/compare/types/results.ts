import type { Field } from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import type { Records } from "./regroupings.js";
import type { TypeComparison } from "./type-comparison.js";

/**
 * Returns the worst consequences for code if a member is the result of calls in both versions; otherwise undefined.
 * Code receives the result without the object that contains it: the name of the member is not in code, and null
 * represents both an absent member and nil. Ignores changes in the type of the member's values.
 */
export function findResultLimits(
  context: TypeComparison,
  records: Records,
  { before, after, direction }: { readonly before: Field; readonly after: Field; readonly direction: Direction },
): Difference["codeLimits"] {
  const isResult =
    direction === "output" &&
    context.old.resultTypes.has(records.before.id) &&
    context.new.resultTypes.has(records.after.id);
  if (!isResult || isRepeated(before) !== isRepeated(after)) {
    return undefined;
  }
  const [oldMayBeNull, newMayBeNull] = [mayBeNull(before), mayBeNull(after)];
  return [oldMayBeNull && !newMayBeNull ? "breaks" : "none", !oldMayBeNull && newMayBeNull ? "breaks" : "none"];
}

function isRepeated(field: Field): boolean {
  return field.kind === "element" && field.max !== 1;
}

/** Whether the result, or an item of a repeated result, may be null. */
function mayBeNull(field: Field): boolean {
  return field.kind === "element" && (field.nillable || (field.max === 1 && field.min === 0));
}
