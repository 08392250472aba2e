import type { Field, MaxOccurs, WildcardNamespaces } from "@bothends/generator";
import { getRule, type RuleId } from "../../rules/index.js";
import { type Direction, getConsequences } from "../../rules/rule.js";
import type { CodeLimits, Difference, MovedDeclaration } from "../difference.js";
import type { SoapSide } from "../soap-side.js";
import { joinCodeLimits } from "./code-limits.js";
import {
  chooseAbsenceVariant,
  chooseFixedVariant,
  findConstraintDifferences,
  limitToFixedValues,
  type ValueTexts,
} from "./constraints.js";
import { type Bounds, formatBounds, type Requirement } from "./content-model.js";
import type { MatchedField, NamedField } from "./match-fields.js";
import {
  computeEffectiveType,
  type EffectiveType,
  formatType,
  readsAnyWords,
  readsEmptyText,
} from "./simple/effective-type.js";
import { findValueDifferences } from "./simple/simple-types.js";
import { omitPair, type ReportTarget, type TypeComparison } from "./type-comparison.js";

interface MatchedNamedField extends MatchedField {
  readonly before: NamedField;
  readonly after: NamedField;
  /** Whether readers require elements in the order of the schema, for each version. */
  readonly isOrdered: { readonly before: boolean; readonly after: boolean };
  /**
   * Whether the same messages are valid in both versions although the bounds of the member differ. This is possible if
   * the group that contains the member repeats.
   */
  readonly hasSameMessages: (before: Bounds, after: Bounds) => boolean;
  /** The declaration that moved to another namespace together with the member. */
  readonly moved: MovedDeclaration | undefined;
  readonly requirements: Requirements;
  /** The worst consequences of the name and the absence of the member for code. */
  readonly limits: CodeLimits;
  /** Whether only a group that may be absent requires the member, in a version in which the member is required. */
  readonly isGrouped: boolean;
  /** Whether the member is an item of mixed content, in each version. */
  readonly isInMixed: { readonly before: boolean; readonly after: boolean };
}

/** Whether readers of each version refuse messages without a member. */
export interface Requirements {
  readonly before: Requirement;
  readonly after: Requirement;
}

/** Rules about the name and the absence of a member. */
const limitedRules: readonly RuleId[] = [
  "member-renamed",
  "member-key-changed",
  "member-became-required",
  "member-became-optional",
  "member-became-nillable",
  "member-became-not-nillable",
];

/**
 * The worst consequences for code if only a group requires the member. In code, the member is optional in both
 * versions, so values with only a part of the group compile, but cannot be sent.
 */
const limitsInGroups: Partial<Record<RuleId, Difference["codeLimits"]>> = {
  "member-became-required": ["some", "none"],
  "member-became-optional": ["none", "none"],
};

/** Compares two versions of an element or an attribute. */
export function compareNamedFields(context: TypeComparison, matched: MatchedNamedField, target: ReportTarget): void {
  const { before, after, isGuess, isOrdered, hasSameMessages, moved, requirements, limits, isGrouped } = matched;
  const variant = chooseRequiredVariant(requirements);
  const { length: start } = target.pair.differences;
  // Code that sets an option of the client does not pass the argument, whatever its type.
  const optionLimits = limits.clientOption === undefined ? {} : limits;
  const report = (rule: RuleId, values: ValueTexts, details: Pick<Difference, "variant" | "moved" | "levels"> = {}) => {
    const groupLimits = isGrouped ? limitsInGroups[rule] : undefined;
    const ofRule = limitedRules.includes(rule) ? limits : optionLimits;
    const limitsOfRule = groupLimits === undefined ? ofRule : joinCodeLimits(ofRule, { codeLimits: groupLimits });
    const variant = details.variant ?? (groupLimits && "group");
    target.pair.differences.push({ rule, ...omitPair(target), ...values, ...details, variant, ...limitsOfRule });
  };
  if (isGuess) {
    report("member-renamed", { before: before.key, after: after.key }, { variant });
  } else if (before.kind !== after.kind) {
    const rule = before.kind === "element" ? "member-element-to-attribute" : "member-attribute-to-element";
    report(rule, { before: before.kind, after: after.kind }, { variant });
  } else if (before.wireName.namespace !== after.wireName.namespace) {
    const names = { before: before.wireName.namespace || "none", after: after.wireName.namespace || "none" };
    report("member-namespace-changed", names, { ...chooseNamespaceEffects(matched, target.direction), moved });
  }
  if (!isGuess && before.key !== after.key) {
    report("member-key-changed", { before: before.key, after: after.key });
  }
  const items = getItemsOfLists(context, before, after);
  const [oldOccurs, newOccurs] = [getOccurs(before), getOccurs(after)];
  for (const [rule, values, details] of findOccurrenceDifferences([oldOccurs, newOccurs], isOrdered, items)) {
    // For a renamed member, the variant of the rename rule already says which version requires the member, so this is
    // not reported again.
    if (!(isGuess && (rule === "member-became-required" || rule === "member-became-optional"))) {
      const isSame = hasSameMessages(...getComparedBounds(rule, oldOccurs, newOccurs));
      const isRenamedList = isGuess && items === undefined && /-(?:repeated|single)$/.test(rule);
      // Readers of the other version do not read an element with another name.
      const levels = isGuess ? (["none", "none"] as const) : undefined;
      report(
        rule,
        values,
        isRenamedList ? { variant: "renamed" } : isSame ? { variant: "sameMessages" } : { ...details, levels },
      );
    }
  }
  for (const [rule, values, details] of findNilDifferences(context, [before, after], target.direction)) {
    report(rule, values, details);
  }
  for (const { rule, ...values } of findConstraintDifferences(context, before, after)) {
    const isRequired = isAlwaysRequired(requirements);
    report(rule, values, {
      ...chooseFixedVariant(rule, target.direction, isRequired),
      ...chooseAbsenceVariant(rule, [before, after], target.direction),
    });
  }
  if (items === undefined) {
    const hasOtherName =
      isGuess || before.kind !== after.kind || before.wireName.namespace !== after.wireName.namespace;
    const isElement = before.kind === "element" && after.kind === "element";
    const { differences } = target.pair;
    const count = differences.length;
    const types = { before: before.type, after: after.type };
    context.compare(context, types, { ...target, hasOtherName, isElement, optionLimits });
    // Readers of the other version do not read the value of a member with another name.
    const found = isGuess ? differences.splice(count) : [];
    differences.push(...found.map((each): Difference => ({ ...each, levels: ["none", "none"] })));
    differences.push(...limitToFixedValues(context, [before, after], differences.splice(start)));
    return;
  }
  for (const difference of findValueDifferences(context, ...items)) {
    target.pair.differences.push({ ...omitPair(target), ...difference, ...joinCodeLimits(optionLimits, difference) });
  }
}

type ItemsOfLists = readonly [before: EffectiveType, after: EffectiveType];

/**
 * Returns both item types if a repeated element became one element of an xs:list type, or the reverse; otherwise
 * undefined. In generated types, both versions are arrays.
 */
function getItemsOfLists(context: TypeComparison, before: NamedField, after: NamedField): ItemsOfLists | undefined {
  const isRepeated = (field: NamedField) => field.kind === "element" && field.max !== 1;
  if (isRepeated(before) === isRepeated(after)) {
    return undefined;
  }
  const [oldType, newType] = [
    computeEffectiveType(context.old, before.type),
    computeEffectiveType(context.new, after.type),
  ];
  const getItem = (field: NamedField, type: EffectiveType | undefined) =>
    isRepeated(field) ? type : type?.variety === "list" ? type.parts[0] : undefined;
  const [oldItem, newItem] = [getItem(before, oldType), getItem(after, newType)];
  return oldItem !== undefined && newItem !== undefined && formatType(oldItem) === formatType(newItem)
    ? [oldItem, newItem]
    : undefined;
}

type FieldDifference = readonly [rule: RuleId, values: ValueTexts, details?: { readonly variant?: string | undefined }];

function isAlwaysRequired({ before, after }: Requirements): boolean {
  return before === "always" && after === "always";
}

/**
 * Returns the variant of a rule for a member whose name in messages changed. The variant says which version requires
 * the member; it is undefined if both always do.
 */
function chooseRequiredVariant({ before, after }: Requirements): string | undefined {
  return isAlwaysRequired({ before, after }) ? undefined : requiredVariants[before][after];
}

const requiredVariants = {
  always: { always: "", sometimes: "requiredBeforeInGroupNow", never: "requiredBefore" },
  sometimes: { always: "requiredNowInGroupBefore", sometimes: "inGroup", never: "inGroupBefore" },
  never: { always: "requiredNow", sometimes: "inGroupNow", never: "optional" },
} as const;

/**
 * Returns the effects of a changed namespace. Clients refuse an answer with an unknown element, but not with an unknown
 * attribute, nor with an unknown element in mixed content. Servers ignore all of them in a request.
 */
function chooseNamespaceEffects(
  { requirements, after: { kind }, isInMixed }: MatchedNamedField,
  direction: Direction,
): Pick<Difference, "variant" | "levels"> {
  const requiredVariant = chooseRequiredVariant(requirements);
  if (direction === "input") {
    return { variant: requiredVariant };
  }
  if (isInMixed.before && isInMixed.after) {
    return { variant: "mixed" };
  }
  const variant =
    requiredVariant !== undefined && kind === "attribute"
      ? `${requiredVariant}Attribute`
      : requiredVariant === undefined || Object.values(requirements).includes("always")
        ? undefined
        : "optionalInAnswer";
  if (!isInMixed.before && !isInMixed.after) {
    return { variant };
  }
  const rule = getRule("member-namespace-changed");
  const { oldClients: newReader, newClients: oldReader } = getConsequences(rule, { variant, direction: "input" });
  return {
    variant,
    levels: isInMixed.after ? ["tolerated", oldReader] : [newReader, "tolerated"],
  };
}

/** Compares how often an element, an attribute or an element for a wildcard occurs. */
function findOccurrenceDifferences(
  [oldOccurs, newOccurs]: readonly [Occurs, Occurs],
  isOrdered: MatchedNamedField["isOrdered"],
  items?: ItemsOfLists,
): readonly FieldDifference[] {
  const isRepeated = oldOccurs.max !== 1 && newOccurs.max !== 1;
  // A required member that may be nil has a separate variant, because readers treat its absence as nil.
  const requiringVersion = newOccurs.min > 0 ? newOccurs : oldOccurs;
  const isNillable = requiringVersion.nillable && requiringVersion.max === 1;
  const variant = isRepeated ? "repeated" : isNillable ? "nillable" : undefined;
  const differences: FieldDifference[] = [];
  if (oldOccurs.min > 0 !== newOccurs.min > 0) {
    const rule = newOccurs.min > 0 ? "member-became-required" : "member-became-optional";
    const values =
      oldOccurs.max === 1 && newOccurs.max === 1
        ? {}
        : { before: formatBounds(oldOccurs), after: formatBounds(newOccurs) };
    differences.push([rule, values, { variant }]);
  }
  if ((oldOccurs.max === 1) !== (newOccurs.max === 1)) {
    const rule = oldOccurs.max === 1 ? "member-became-repeated" : "member-became-single";
    differences.push([
      rule,
      { before: formatBounds(oldOccurs), after: formatBounds(newOccurs) },
      { variant: items && (items.every(readsAnyWords) ? "listOfTexts" : "list") },
    ]);
  } else if (isRepeated) {
    const values = { before: formatBounds(oldOccurs), after: formatBounds(newOccurs) };
    const getMinimum = (min: number) => Math.max(min, 1);
    if (
      convertMaxToNumber(newOccurs.max) < convertMaxToNumber(oldOccurs.max) ||
      getMinimum(newOccurs.min) > getMinimum(oldOccurs.min)
    ) {
      differences.push(["member-occurs-narrowed", values, { variant: isOrdered.after ? "group" : undefined }]);
    }
    if (
      convertMaxToNumber(newOccurs.max) > convertMaxToNumber(oldOccurs.max) ||
      getMinimum(newOccurs.min) < getMinimum(oldOccurs.min)
    ) {
      differences.push(["member-occurs-widened", values, { variant: isOrdered.before ? "group" : undefined }]);
    }
  }
  return differences;
}

function findNilDifferences(
  context: TypeComparison,
  [before, after]: readonly [NamedField, NamedField],
  direction: Direction,
): readonly FieldDifference[] {
  const [wasNillable, isNillable] = [getOccurs(before).nillable, getOccurs(after).nillable];
  if (wasNillable === isNillable) {
    return [];
  }
  const [side, reader] = isNillable ? [context.old, before] : [context.new, after];
  const { min, max } = getOccurs(reader);
  const type = computeEffectiveType(side, reader.type);
  // Servers read nil as "" if the type allows an empty string. Clients refuse nil, because "" would not show that the
  // value was nil.
  const isReadAsEmpty = direction === "input" && type !== undefined && readsEmptyText(type);
  const variant = isReadAsEmpty || (min === 0 && max === 1) ? "tolerated" : undefined;
  return [[isNillable ? "member-became-nillable" : "member-became-not-nillable", {}, { variant }]];
}

/**
 * Returns the bounds that a rule compares. Rules about the presence of a member ignore the maximum number of
 * occurrences. All other rules ignore whether the member may be absent.
 */
function getComparedBounds(rule: RuleId, before: Bounds, after: Bounds): readonly [Bounds, Bounds] {
  if (rule === "member-became-required" || rule === "member-became-optional") {
    const max = convertMaxToNumber(before.max) > convertMaxToNumber(after.max) ? before.max : after.max;
    return [
      { min: before.min, max },
      { min: after.min, max },
    ];
  }
  const getMin = ({ min }: Bounds) => (min > 1 ? min : Math.min(before.min, after.min));
  return [
    { min: getMin(before), max: before.max },
    { min: getMin(after), max: after.max },
  ];
}

interface Occurs extends Bounds {
  readonly nillable: boolean;
}

function getOccurs(field: NamedField): Occurs {
  return field.kind === "element" ? field : { min: field.required ? 1 : 0, max: 1, nillable: false };
}

function convertMaxToNumber(max: MaxOccurs): number {
  return max === "unbounded" ? Number.POSITIVE_INFINITY : max;
}

/** Compares two versions of a field that has no name in messages: text, a group or a wildcard. */
export function compareField(
  context: TypeComparison,
  { before, after, isOrdered }: MatchedField & Pick<MatchedNamedField, "isOrdered">,
  target: ReportTarget,
): void {
  const report = (rule: RuleId, values: ValueTexts = {}) =>
    target.pair.differences.push({ rule, ...omitPair(target), ...values });
  if (before.kind === "text" && after.kind === "text") {
    context.compare(context, { before: before.type, after: after.type }, target);
    return;
  }
  if (before.key !== after.key) {
    report("member-key-changed", { before: before.key, after: after.key });
  }
  if ("item" in before && "item" in after) {
    const types = { before: { kind: "named", id: before.item }, after: { kind: "named", id: after.item } } as const;
    context.compare(context, types, target);
  }
  if ("min" in before && "min" in after) {
    const differences =
      before.kind === "any" && after.kind === "any"
        ? findOccurrenceDifferences(
            [
              { ...before, nillable: false },
              { ...after, nillable: false },
            ],
            isOrdered,
          )
        : findGroupDifferences(addEmptiness(before, context.old), addEmptiness(after, context.new), "group");
    for (const [rule, values, details] of differences) {
      target.pair.differences.push({ rule, ...omitPair(target), ...values, ...details });
    }
  }
  if ("namespaces" in before && "namespaces" in after) {
    const change = chooseWildcardChange(before, after);
    if (change !== undefined) {
      report(change, { before: formatWildcard(before), after: formatWildcard(after) });
    }
  }
}

function addEmptiness(field: Field & Bounds, { emptiableItems }: SoapSide): GroupBounds {
  const { min, max } = field;
  return { min, max, mayBeEmpty: field.kind === "group" && emptiableItems.has(field.item) };
}

/** How often a group may occur, and whether messages without any of its elements are valid even if it is required. */
interface GroupBounds extends Bounds {
  readonly mayBeEmpty: boolean;
}

/** Compares the bounds of a group. The variant `single` means that the group repeats in only one version. */
export function findGroupDifferences(
  before: GroupBounds,
  after: GroupBounds,
  variant: "group" | "single",
): readonly FieldDifference[] {
  const values = { before: formatBounds(before), after: formatBounds(after) };
  const differences: FieldDifference[] = [];
  const [wasRequired, isRequired] = [before, after].map(({ min, mayBeEmpty }) => min > 0 && !mayBeEmpty);
  if (before.min > 0 !== after.min > 0) {
    const rule = after.min > 0 ? "member-became-required" : "member-became-optional";
    differences.push([rule, values, { variant: wasRequired === isRequired ? "emptiable" : "repeated" }]);
  }
  const [oldMax, newMax] = [convertMaxToNumber(before.max), convertMaxToNumber(after.max)];
  const getMinimum = ({ min }: Bounds) => Math.max(min, 1);
  // Readers check whether a required group is present, but do not count its occurrences.
  const ofMinimum = wasRequired || isRequired ? undefined : "emptiable";
  if (newMax < oldMax || getMinimum(after) > getMinimum(before)) {
    differences.push(["member-occurs-narrowed", values, { variant: newMax < oldMax ? variant : ofMinimum }]);
  }
  if (newMax > oldMax || getMinimum(after) < getMinimum(before)) {
    differences.push(["member-occurs-widened", values, { variant: newMax > oldMax ? variant : ofMinimum }]);
  }
  return differences;
}

type Wildcard = Extract<Field, { readonly namespaces: WildcardNamespaces }>;

function chooseWildcardChange(before: Wildcard, after: Wildcard): RuleId | undefined {
  if (formatWildcard(before) === formatWildcard(after)) {
    return undefined;
  }
  const isWider = allowsAll(after.namespaces, before.namespaces) && isLaxer(after.process, before.process);
  const isNarrower = allowsAll(before.namespaces, after.namespaces) && isLaxer(before.process, after.process);
  return isWider ? "wildcard-widened" : isNarrower ? "wildcard-narrowed" : "wildcard-changed";
}

const processes = ["strict", "lax", "skip"] as const;

function isLaxer(process: Wildcard["process"], otherProcess: Wildcard["process"]): boolean {
  return processes.indexOf(process) >= processes.indexOf(otherProcess);
}

/** Whether the first wildcard allows every namespace that the second one allows (XSD 1.0 Part 1 §3.10.6). */
function allowsAll(superset: WildcardNamespaces, subset: WildcardNamespaces): boolean {
  if (superset === "any") {
    return true;
  }
  if (subset === "any") {
    return false;
  }
  if (isList(superset)) {
    return isList(subset) && subset.every((namespace) => superset.includes(namespace));
  }
  return isList(subset)
    ? subset.every((namespace) => namespace !== superset.not && namespace !== "")
    : subset.not === superset.not;
}

function isList(namespaces: WildcardNamespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}

function formatWildcard({ namespaces, process }: Wildcard): string {
  const names =
    namespaces === "any" ? "any" : isList(namespaces) ? [...namespaces].sort().join(" ") : `not ${namespaces.not}`;
  return `${names}, ${process}`;
}
