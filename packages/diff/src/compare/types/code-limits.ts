import { type Field, planRecordTyping, type RecordType } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import { type Direction, findBestLevel } from "../../rules/rule.js";
import type { CodeLimits, Difference } from "../difference.js";
import type { TypeComparison } from "./type-comparison.js";

/** Two versions of a record. */
interface Records {
  readonly before: RecordType;
  readonly after: RecordType;
}

/** Returns the limits that apply to a difference: those of a member, and those that the difference already has. */
export function joinCodeLimits(limits: CodeLimits, difference: CodeLimits): CodeLimits {
  const { codeLimits } = limits;
  const [write = "breaks", read = "breaks"] = difference.codeLimits ?? [];
  return codeLimits === undefined
    ? difference
    : { ...limits, codeLimits: [findBestLevel(write, codeLimits[0]), findBestLevel(read, codeLimits[1])] };
}

/**
 * Returns the worst consequences for code of a matched member's name and absence; nothing if code needs no other
 * limits than those of the rules.
 */
export function findCodeLimits(
  context: TypeComparison,
  records: Records,
  { before, after, direction }: { readonly before: Field; readonly after: Field; readonly direction: Direction },
): CodeLimits {
  const resultLimits = findResultLimits(context, records, { before, after, direction });
  const wrapper = context.old.plan?.types.get(records.before.id)?.name;
  return resultLimits === undefined && before.key === after.key
    ? findOptionLimits(context, records, { key: after.key, direction })
    : { codeLimits: resultLimits, ...(resultLimits?.includes("some") && wrapper && { wrapperTypes: [wrapper] }) };
}

/**
 * Returns the worst consequences for code if a member is an argument that both versions have as an option of the
 * client: code that sets the option does not pass the argument.
 */
export function findOptionLimits(
  context: TypeComparison,
  { before, after }: Records,
  { key, direction }: { readonly key: string; readonly direction: Direction },
): CodeLimits {
  const isArgument =
    direction === "input" && context.old.inputTypes.has(before.id) && context.new.inputTypes.has(after.id);
  return isArgument ? findLimitsOfArgument(context, key) : {};
}

/** Like `findOptionLimits`, for an argument of any protocol. */
export function findLimitsOfArgument({ old: oldSide, new: newSide }: TypeComparison, key: string): CodeLimits {
  return [oldSide, newSide].every(({ interface: { ambient } }) => ambient.includes(key))
    ? { clientOption: key, codeLimits: ["some", "breaks"] }
    : {};
}

/**
 * Returns the worst consequences for code if a member is the result of calls in both versions; otherwise undefined.
 * Code receives the result without the object that contains it: the name of the member is only in the exported type of
 * this object, which code may name, and null represents both an absent member and nil. Ignores changes in the type of
 * the member's values.
 */
function findResultLimits(
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
  // The compiler accepts null in the version whose HTTP answers may be nil, but SOAP answers cannot contain it.
  const isOldNullable = context.old.nillableResultTypes.has(records.before.id) && !isRepeated(before);
  const isNewNullable = context.new.nillableResultTypes.has(records.after.id) && !isRepeated(after);
  return [
    oldMayBeNull && !newMayBeNull && !isNewNullable ? "breaks" : "some",
    !oldMayBeNull && newMayBeNull && !isOldNullable ? "breaks" : "some",
  ];
}

function isRepeated(field: Field): boolean {
  return field.kind === "element" && field.max !== 1;
}

/** Whether the result, or an item of a repeated result, may be null. */
function mayBeNull(field: Field): boolean {
  return field.kind === "element" && (field.nillable || (field.max === 1 && field.min === 0));
}

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

/**
 * Limits the consequences of a member that became optional in a branch of a choice: code that reads the member without
 * checking which branch a value has already handles its absence.
 */
export function limitAbsence(
  { before }: Pick<Records, "before">,
  differences: readonly Difference[],
): readonly Difference[] {
  const keys = new Set(
    planRecordTyping(before)
      .choices.flat()
      .flatMap((alternative) => [...alternative]),
  );
  return differences.map((difference) => {
    const { rule, subject, codeLimits: [write, read] = ["breaks", "breaks"] } = difference;
    const isInBranch = rule === "member-became-optional" && keys.has(subject.replace(/^.*\./, ""));
    return isInBranch ? { ...difference, codeLimits: [write, findBestLevel(read, "some")] } : difference;
  });
}

/** Whether the own members of a record have alternatives, so that its TypeScript type is a union and no interface. */
function hasUnion(record: RecordType): boolean {
  return planRecordTyping(record).choices.length > 0;
}
