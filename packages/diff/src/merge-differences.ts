import type { DifferenceWithOperations } from "./compare/difference.js";
import { addToGroup, mergeReplacedTypes, mergeReplacements, type NamespaceCheck } from "./merge-replacements.js";
import { getRule, type RuleId } from "./rules/index.js";
import { findWorstConsequences, getConsequences, levels } from "./rules/rule.js";

/**
 * Replaces differences that have one cause with a single difference, which lists all affected operations.
 * `isReplaced` says whether the new version has a namespace in place of an old one.
 */
export function mergeDifferences(
  differences: readonly DifferenceWithOperations[],
  isReplaced: NamespaceCheck,
): readonly DifferenceWithOperations[] {
  return mergeOperations(mergeReplacements(mergeMoves(mergeReplacedTypes(differences)), isReplaced));
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
    faultPart: removed.faultPart === added.faultPart ? added.faultPart : undefined,
    operations: [...new Set([...removed.operations, ...added.operations])],
  };
}

/** Rules about parts of messages that several operations often share. */
const sharedRules: readonly RuleId[] = [
  "header-added",
  "header-removed",
  "header-fault-added",
  "header-fault-removed",
  "fault-added",
  "fault-removed",
  "fault-renamed",
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

/**
 * Merges equal differences in a header, a fault, the style or the encoding of several operations, and equal differences
 * in members of their messages.
 */
function mergeOperations(differences: readonly DifferenceWithOperations[]): readonly DifferenceWithOperations[] {
  const groups = new Map<string, DifferenceWithOperations[]>();
  const separateDifferences = differences.filter((difference) => {
    const { rule, direction, before, after, sharedSubject } = difference;
    if (sharedSubject !== undefined) {
      const { variant, levels, sameCode, codeLimits, codeLevels, faultPart } = difference;
      const details = [before, after, variant, levels, sameCode, codeLimits, codeLevels, faultPart];
      addToGroup(groups, JSON.stringify([rule, direction, sharedSubject, ...details]), difference);
      return false;
    }
    // A type may be in encoded messages of only some operations.
    if (!sharedRules.includes(rule) && rule !== "type-renamed") {
      return true;
    }
    const { subject } = getSharedSubject(difference);
    addToGroup(groups, JSON.stringify([rule, direction, subject, before, after, difference.bodyHeader]), difference);
    return false;
  });
  return [...separateDifferences, ...[...groups.values()].flatMap(mergeGroup)];
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
  const { oldClients, newClients } = findWorstConsequences(
    group.map((difference) => getConsequences(getRule(difference.rule), difference)),
  );
  return [
    {
      ...first,
      ...(!isSameSubject && getSharedSubject(first)),
      variant,
      sameCode,
      affectsTypeUses: group.some((difference) => difference.affectsTypeUses === true),
      ...(group.some(({ levels: determined }) => determined !== undefined) && {
        levels: first.direction === "output" ? [newClients, oldClients] : [oldClients, newClients],
      }),
      ...(first.wrapperTypes && {
        wrapperTypes: [...new Set(group.flatMap(({ wrapperTypes }) => wrapperTypes ?? []))],
      }),
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

/**
 * Returns a subject without its operation: `header Session` for `Ask (header).Session`, and `q in several operations`
 * for the member `q` of a message.
 */
function getSharedSubject({
  subject,
  sharedSubject,
}: DifferenceWithOperations): Pick<DifferenceWithOperations, "subject" | "isShared"> {
  if (sharedSubject !== undefined) {
    return { subject: sharedSubject, isShared: true };
  }
  const [, part, key] = /\(([^)]*)\)(?:\.(.*))?$/.exec(subject) ?? [];
  return { subject: [part ?? "", key ?? ""].join(" ").trim() };
}
