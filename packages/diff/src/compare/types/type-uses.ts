import { planRecordTyping, type RecordType } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Difference } from "../difference.js";
import type { Records } from "./regroupings.js";

/** The rules about changes that can make the TypeScript type of an object a union, the most likely cause first. */
const causes: readonly RuleId[] = [
  "choice-branch-added",
  "sequence-to-choice",
  "content-model-changed",
  "member-added-required",
  "member-added-optional",
  "member-moved",
  "group-became-optional",
  "member-became-optional",
];

/**
 * Marks the differences that made the TypeScript type of a record a union: code that extends the type no longer
 * compiles.
 */
export function markTypeUses({ before, after }: Records, differences: readonly Difference[]): readonly Difference[] {
  if (hasUnion(before) || !hasUnion(after)) {
    return differences;
  }
  const cause = causes.find((rule) => differences.some((difference) => difference.rule === rule));
  return differences.map((difference) =>
    difference.rule === cause ? { ...difference, affectsTypeUses: true } : difference,
  );
}

/** Whether the own members of a record have alternatives, so that its TypeScript type is a union and no interface. */
function hasUnion(record: RecordType): boolean {
  return planRecordTyping(record).choices.length > 0;
}
