import type { DifferenceWithOperations } from "./compare/sides.js";
import { getRule, type RuleId } from "./rules/index.js";
import { getConsequences, levels } from "./rules/rule.js";

/** Replaces differences that have one cause with a single difference, which lists all affected operations. */
export function mergeDifferences(
  differences: readonly DifferenceWithOperations[],
): readonly DifferenceWithOperations[] {
  return mergeOperations(mergeReplacements(mergeMoves(differences)));
}

/**
 * Replaces a removed and an added member with a move, which is a guess, if they have the same name and the same type,
 * if an operation's messages contain both, and if no other member of the same direction has this name and type.
 */
function mergeMoves(differences: readonly DifferenceWithOperations[]): readonly DifferenceWithOperations[] {
  const groups = new Map<string, DifferenceWithOperations[]>();
  for (const difference of differences.filter(({ member }) => member !== undefined)) {
    addToGroup(groups, `${difference.direction} ${difference.member}`, difference);
  }
  const moves = new Map<DifferenceWithOperations, readonly DifferenceWithOperations[]>();
  for (const group of groups.values()) {
    const [removed, ...otherRemoved] = group.filter(({ rule }) => isRuleAbout(rule, "removed"));
    const [added, ...otherAdded] = group.filter(({ rule }) => isRuleAbout(rule, "added"));
    if (
      removed !== undefined &&
      added !== undefined &&
      otherRemoved.length + otherAdded.length === 0 &&
      added.operations.some((operation) => removed.operations.includes(operation))
    ) {
      moves.set(removed, []);
      moves.set(added, [createMove(removed, added)]);
    }
  }
  return differences.flatMap((difference) => moves.get(difference) ?? [difference]);
}

function isRuleAbout(rule: RuleId, change: "added" | "removed"): boolean {
  return rule === `member-${change}-optional` || rule === `member-${change}-required`;
}

function createMove(removed: DifferenceWithOperations, added: DifferenceWithOperations): DifferenceWithOperations {
  const isRequired = ({ rule }: DifferenceWithOperations) => rule.endsWith("-required");
  const requiredVariant = isRequired(removed) ? "requiredBefore" : isRequired(added) ? "requiredNow" : "optional";
  const { member: _, ...difference } = added;
  return {
    ...difference,
    rule: "member-moved",
    before: removed.subject,
    after: added.subject,
    oldSpan: removed.oldSpan,
    variant: isRequired(removed) && isRequired(added) ? undefined : requiredVariant,
    operations: [...new Set([...removed.operations, ...added.operations])],
  };
}

/** Rules about parts of messages that several operations often share. */
const sharedRules: readonly RuleId[] = [
  "header-added",
  "header-removed",
  "fault-added",
  "fault-removed",
  "style-changed",
  "encoding-changed",
  "addressing-added",
  "addressing-removed",
  "addressing-became-required",
  "addressing-became-optional",
];

/** Rules whose differences are merged across operations; the merged subject names no operation. */
export const mergedRules: readonly RuleId[] = [
  ...sharedRules,
  "namespace-changed",
  "soap-action-changed",
  "addressing-changed",
  "hidden-limits-added",
  "hidden-limits-removed",
];

/** Merges equal differences in a header, a fault, the style or the encoding of several operations. */
function mergeOperations(differences: readonly DifferenceWithOperations[]): readonly DifferenceWithOperations[] {
  const groups = new Map<string, DifferenceWithOperations[]>();
  const separateDifferences = differences.filter((difference) => {
    const { rule, direction, subject, before, after } = difference;
    if (!sharedRules.includes(rule)) {
      return true;
    }
    addToGroup(groups, JSON.stringify([rule, direction, getSharedSubject(subject), before, after]), difference);
    return false;
  });
  return [...separateDifferences, ...[...groups.values()].flatMap(mergeGroup)];
}

function addToGroup(
  groups: Map<string, DifferenceWithOperations[]>,
  key: string,
  difference: DifferenceWithOperations,
): void {
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, [difference]);
  } else {
    group.push(difference);
  }
}

/** Merges a group of equal differences into one difference, which has the worst consequences of the group. */
function mergeGroup(group: readonly DifferenceWithOperations[]): readonly DifferenceWithOperations[] {
  const [first, ...otherDifferences] = group;
  if (first === undefined) {
    return [];
  }
  const isSameSubject = otherDifferences.every(({ subject }) => subject === first.subject);
  const { variant, sameCode } = otherDifferences.reduce(
    (worst, difference) => (computeSeverity(difference) > computeSeverity(worst) ? difference : worst),
    first,
  );
  return [
    {
      ...first,
      subject: isSameSubject ? first.subject : getSharedSubject(first.subject),
      variant,
      sameCode,
      operations: [...new Set(group.flatMap(({ operations }) => operations))],
    },
  ];
}

/**
 * Returns the sum of the levels of all parties, by which variants of a rule are compared: a variant that is worse for
 * one party is never better for another.
 */
function computeSeverity(difference: DifferenceWithOperations): number {
  const consequences = Object.values(getConsequences(getRule(difference.rule), difference));
  return consequences.reduce((sum, level) => sum + levels.indexOf(level), 0);
}

/** Returns a subject without its operation: `header Session` for `Ask (header).Session`. */
function getSharedSubject(subject: string): string {
  const [, part, key] = /\(([^)]*)\)(?:\.(.*))?$/.exec(subject) ?? [];
  return [part ?? "", key ?? ""].join(" ").trim();
}

/** Merges all differences that follow from one replaced namespace, or from one replaced prefix of actions. */
function mergeReplacements(differences: readonly DifferenceWithOperations[]): readonly DifferenceWithOperations[] {
  const groups = new Map<string, DifferenceWithOperations[]>();
  for (const difference of differences) {
    const key = groupKey(difference);
    if (key !== undefined) {
      addToGroup(groups, key, difference);
    }
  }
  const mergedDifferences = new Map<DifferenceWithOperations, DifferenceWithOperations>();
  const droppedDifferences = new Set<DifferenceWithOperations>();
  for (const group of groups.values()) {
    const [first, ...otherDifferences] = group;
    if (first !== undefined && new Set(group.map(({ subject }) => subject)).size > 1) {
      mergedDifferences.set(first, createMergedDifference(first, group));
      for (const difference of otherDifferences) {
        droppedDifferences.add(difference);
      }
    }
  }
  return differences
    .filter((difference) => !droppedDifferences.has(difference))
    .map((difference) => mergedDifferences.get(difference) ?? difference);
}

const elementRules: readonly string[] = ["input-element-changed", "output-element-changed", "fault-element-changed"];

/**
 * Returns a key that is equal for differences caused by the same replacement; undefined for differences that no
 * replacement caused.
 */
function groupKey(difference: DifferenceWithOperations): string | undefined {
  const replacement = getReplacement(difference);
  return replacement === undefined
    ? undefined
    : JSON.stringify([replacement.subject, replacement.before, replacement.after]);
}

function getReplacement({ rule, subject, before, after }: DifferenceWithOperations) {
  if (before === undefined || after === undefined) {
    return undefined;
  }
  if (rule === "member-namespace-changed") {
    const formatNamespace = (namespace: string) => (namespace === "none" ? "" : namespace);
    return { subject: "namespace", before: formatNamespace(before), after: formatNamespace(after) };
  }
  if (elementRules.includes(rule)) {
    const [oldParts, newParts] = [/^\{(.*)\}([^}]*)$/.exec(before), /^\{(.*)\}([^}]*)$/.exec(after)];
    const [, oldNamespace = "", oldLocal] = oldParts ?? [];
    const [, newNamespace = "", newLocal] = newParts ?? [];
    return oldLocal !== undefined && oldLocal === newLocal && oldNamespace !== newNamespace
      ? { subject: "namespace", before: oldNamespace, after: newNamespace }
      : undefined;
  }
  if (rule === "soap-action-changed" || rule === "addressing-changed") {
    const sharedLength = computeSharedEndLength(before, after);
    const [protocol = ""] = / \(SOAP 1\.[12]\)$/.exec(subject) ?? [];
    return {
      subject: rule === "addressing-changed" ? "wsa:Action" : `SOAPAction${protocol}`,
      before: before.slice(0, -sharedLength || undefined),
      after: after.slice(0, -sharedLength || undefined),
    };
  }
  return undefined;
}

/** Returns the length of the end that two strings share, counted in whole words between `/`, `#` and `:`. */
function computeSharedEndLength(left: string, right: string): number {
  let length = 0;
  while (length < Math.min(left.length, right.length) && left.at(-1 - length) === right.at(-1 - length)) {
    length += 1;
  }
  // Counts only whole words: "…/aa/Pay" and "…/ba/Pay" share "Pay", but not "a/Pay".
  const words = /(?:^|[/#:])([^/#:]*)$/.exec(left.slice(left.length - length));
  return words === null ? 0 : (words[1]?.length ?? 0);
}

/** The variants of a changed namespace that at most optional members of messages have. */
const optionalVariants: readonly (string | undefined)[] = ["optional", "optionalInAnswer", "header"];

function createMergedDifference(
  firstDifference: DifferenceWithOperations,
  group: readonly DifferenceWithOperations[],
): DifferenceWithOperations {
  const replacement = getReplacement(firstDifference);
  const operations = [...new Set(group.flatMap((difference) => difference.operations))];
  if (replacement?.subject !== "namespace") {
    return {
      ...firstDifference,
      ...replacement,
      operations,
    };
  }
  const variants = new Set(
    group.map(({ rule, variant }) => (rule === "member-namespace-changed" ? variant : undefined)),
  );
  const isOptional = [...variants].every((variant) => optionalVariants.includes(variant));
  return {
    rule: "namespace-changed",
    subject: replacement.after === "" ? replacement.before : replacement.after,
    before: replacement.before === "" ? "no namespace" : replacement.before,
    after: replacement.after === "" ? "no namespace" : replacement.after,
    oldSpan: firstDifference.oldSpan,
    newSpan: firstDifference.newSpan,
    variant: !isOptional ? undefined : variants.has("optionalInAnswer") ? "optionalInAnswer" : "optional",
    operations,
  };
}
