import type { IdentityConstraint, Span, TypeReference } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import type { NamedField } from "./match-fields.js";
import { computeEffectiveType } from "./simple/effective-type.js";
import { isSameLiteral } from "./simple/facets.js";
import type { TypeComparison } from "./type-comparison.js";

// Compares default values, fixed values and identity constraints.

/** The values of a difference that reports contain. */
export interface ValueTexts {
  readonly before?: string;
  readonly after?: string;
}

/** An element or attribute whose default, fixed value or identity constraints are compared. */
export interface ConstrainedField {
  readonly type: TypeReference;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
  readonly identity?: readonly IdentityConstraint[];
}

export type ConstraintDifference = ValueTexts & Pick<Difference, "oldSpan" | "newSpan"> & { readonly rule: RuleId };

/** Compares the default value, the fixed value and the identity constraints of a field in both versions. */
export function findConstraintDifferences(
  context: TypeComparison,
  before: ConstrainedField,
  after: ConstrainedField,
): readonly ConstraintDifference[] {
  const builtin = computeEffectiveType(context.new, after.type)?.builtin ?? "string";
  const values = (["default", "fixed"] as const).flatMap((constraint): readonly ConstraintDifference[] => {
    const [oldValue, newValue] = [getConstraint(before, after, constraint), getConstraint(after, before, constraint)];
    if (oldValue === undefined || newValue === undefined) {
      const rule: RuleId = oldValue === undefined ? `${constraint}-added` : `${constraint}-removed`;
      return oldValue === newValue
        ? []
        : [
            {
              rule,
              ...(oldValue !== undefined && { before: oldValue }),
              ...(newValue !== undefined && { after: newValue }),
            },
          ];
    }
    const rule: RuleId = `${constraint}-changed`;
    return isSameLiteral(builtin, oldValue, newValue) ? [] : [{ rule, before: oldValue, after: newValue }];
  });
  const [oldValue, newValue] = [formatIdentity(before), formatIdentity(after)];
  if (oldValue === newValue) {
    return values;
  }
  const [oldSpan, newSpan] = [findIdentitySpan(before, after), findIdentitySpan(after, before)];
  const spans = { ...(oldSpan && { oldSpan }), ...(newSpan && { newSpan }) };
  return [...values, { rule: "identity-changed", before: oldValue, after: newValue, ...spans }];
}

/** Returns the position of the first identity constraint that only one version has; undefined if there is none. */
function findIdentitySpan({ identity = [] }: ConstrainedField, other: ConstrainedField): Span | undefined {
  const otherTexts = new Set(other.identity?.map(formatConstraint));
  return identity.find((constraint) => !otherTexts.has(formatConstraint(constraint)))?.span;
}

/** Returns the variant of a rule about a default or a fixed value that readers return for an absent attribute. */
export function chooseAbsenceVariant(
  rule: RuleId,
  versions: readonly [before: NamedField, after: NamedField],
  direction: Direction,
): Pick<Difference, "variant"> {
  // An absent attribute has the same value in both versions if the default became fixed, or the reverse.
  const [oldText, newText] = versions.map((field) => field.fixed ?? field.default);
  const [before, after] = versions.map((field) =>
    field.kind === "element" ? undefined : field.required ? "required" : "optional",
  );
  if (before === undefined || after === undefined) {
    return {};
  }
  if (rule.startsWith("default-")) {
    return before === after
      ? before === "required"
        ? { variant: "required" }
        : {}
      : { variant: before === "required" ? "requiredBefore" : "requiredNow" };
  }
  // A version that requires the attribute never contains messages without it.
  return /^fixed-(?:added|removed)$/.test(rule) && before === "optional" && after === "optional" && oldText !== newText
    ? { variant: direction === "input" ? "absentInRequest" : "absentInAnswer" }
    : {};
}

/** Returns the variant of the rule for a changed fixed value: clients refuse every answer that contains the value. */
export function chooseFixedVariant(
  rule: RuleId,
  direction: Direction,
  isAlwaysPresent: boolean,
): Pick<Difference, "variant"> {
  return rule === "fixed-changed" && direction === "output" && isAlwaysPresent ? { variant: "required" } : {};
}

/**
 * Returns the default or the fixed value in one version. A fixed value in one version is compared with a default in the
 * other, because both replace an absent attribute or an empty element.
 */
function getConstraint(
  declaration: ConstrainedField,
  otherDeclaration: ConstrainedField,
  constraint: "default" | "fixed",
): string | undefined {
  return constraint === "default" && otherDeclaration.default !== undefined
    ? (declaration.default ?? declaration.fixed)
    : declaration[constraint];
}

/** Formats the identity constraints of an element, sorted so that their order has no effect. */
function formatIdentity({ identity = [] }: ConstrainedField): string {
  return identity.map(formatConstraint).sort().join(", ");
}

/** Formats an identity constraint: `unique {urn:t}code on {urn:t}item, fields @id`. */
function formatConstraint({ kind, name, selector, fields, refer }: IdentityConstraint): string {
  const formatName = (name: IdentityConstraint["name"]) => `{${name.namespace}}${name.local}`;
  const formatPath = ({ anywhere, steps, attribute }: IdentityConstraint["selector"][number]) => {
    const path = [...steps, ...(attribute === undefined ? [] : [`@${attribute}`])].join("/") || ".";
    return `${anywhere ? ".//" : ""}${path}`;
  };
  const formatPaths = (paths: IdentityConstraint["selector"]) => paths.map(formatPath).join(" | ");
  const referText = refer === undefined ? "" : ` to ${formatName(refer)}`;
  return `${kind} ${formatName(name)}${referText} on ${formatPaths(selector)}, fields ${fields.map(formatPaths).join(" and ")}`;
}

/** Rules about the values of a member that has a fixed value in one of the versions. */
const valueRules = /^(?:type|enum|range|length|digits|pattern|whitespace|union)-|^fixed-(?:added|removed)$/;

/**
 * Removes the effects of changed values on clients if the values that are sent did not change: generated writers send
 * only the fixed value of a member, which the other version may list as the only value of an enumeration.
 */
export function limitToFixedValues(
  context: TypeComparison,
  [before, after]: readonly [NamedField, NamedField],
  differences: readonly Difference[],
): readonly Difference[] {
  if ((before.fixed === undefined) === (after.fixed === undefined)) {
    return differences;
  }
  const [side, other, fixed] =
    before.fixed === undefined ? [context.old, before, after.fixed] : [context.new, after, before.fixed];
  const type = computeEffectiveType(side, other.type);
  const [value, ...otherValues] = type?.values ?? [];
  const isOnly =
    type !== undefined &&
    value !== undefined &&
    otherValues.length === 0 &&
    isSameLiteral(type.builtin, value, fixed ?? "");
  return differences.map((difference) =>
    isOnly && valueRules.test(difference.rule)
      ? { ...difference, variant: undefined, levels: ["none", "none"] }
      : difference,
  );
}
