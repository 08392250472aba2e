import type { DeclaredGroup, Field, RecordType, Span } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Difference } from "../difference.js";
import { formatElement, type SoapSide } from "../soap-side.js";
import { listKeys } from "./content-language.js";
import { formatBounds } from "./content-model.js";
import type { Records } from "./regroupings.js";
import type { ReportTarget, TypeComparison } from "./type-comparison.js";

// Finds the positions of differences that the declaration of a group causes: how often it occurs, whether it is a
// sequence, a choice or an all-group, and which groups contain it. The content model of the contract does not contain
// every group: a sequence in a sequence, for example, means the same as its particles.

/** A declared group, and the names of its elements: of all, and of those that both versions of the record have. */
interface LocatedGroup extends DeclaredGroup {
  readonly allNames: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** A group that only one version has, or whose declaration changed. */
interface ChangedGroup {
  readonly cause: "kind" | "occurrence" | "nesting";
  readonly names: ReadonlySet<string>;
  readonly oldSpan: Span;
  readonly newSpan: Span;
}

const kindRules: readonly RuleId[] = [
  "sequence-to-choice",
  "choice-to-sequence",
  "sequence-to-all",
  "all-to-sequence",
  "content-model-changed",
];

const occurrenceRules: readonly RuleId[] = [
  "group-became-optional",
  "group-became-required",
  "member-became-optional",
  "member-became-required",
  "member-became-repeated",
  "member-became-single",
  "member-occurs-narrowed",
  "member-occurs-widened",
];

/** Gives the differences of a record that the declaration of a group causes the positions of the group. */
export function locateGroups(
  context: Pick<TypeComparison, "old" | "new">,
  records: Records,
  target: ReportTarget,
  differences: readonly Difference[],
): readonly Difference[] {
  const groupKeys = new Set(
    [...records.before.fields, ...records.after.fields].filter(({ kind }) => kind === "group").map(({ key }) => key),
  );
  const isRepeated = ({ subject }: Difference) => groupKeys.has(subject.slice(target.subject.length + 1));
  const isAboutGroup = (difference: Difference) =>
    [...kindRules, ...occurrenceRules, ...branchRules].includes(difference.rule) ||
    (presenceRules.includes(difference.rule) && isRepeated(difference));
  if (!differences.some(isAboutGroup)) {
    return differences;
  }
  const versions = listVersions(context, records);
  const changedGroups = listChangedGroups(versions, records);
  return differences.map((difference) => {
    const { rule, subject } = difference;
    const isOfRecord = subject === target.subject;
    if (!isAboutGroup(difference) || !(isOfRecord || subject.startsWith(`${target.subject}.`))) {
      return difference;
    }
    const key = isOfRecord ? undefined : subject.slice(target.subject.length + 1);
    const [onlyChange, ...otherChanges] = changedGroups;
    // A group that becomes repeated, or no longer is, moves to a record of its own, with the groups in it.
    if (onlyChange !== undefined && otherChanges.length === 0 && isRepeated(difference)) {
      return locate(difference, onlyChange);
    }
    if (branchRules.includes(rule)) {
      return key === undefined ? difference : { ...difference, ...findChoice(difference, key, versions) };
    }
    const candidates = key === undefined ? changedGroups : listCauses(difference, key, { changedGroups, versions });
    const cause = kindRules.includes(rule) ? "kind" : "occurrence";
    const isAtGroup = (group: ChangedGroup) => isAtSpan(group, difference);
    const [group] = [
      candidates.filter((each) => each.cause === cause && isAtGroup(each)),
      candidates.filter((each) => each.cause === cause),
      candidates,
    ].find((groups) => groups.length > 0) ?? [undefined];
    return group === undefined ? difference : locate(difference, group);
  });
}

function locate(difference: Difference, { oldSpan, newSpan }: ChangedGroup): Difference {
  return { ...difference, oldSpan, newSpan, oldDeclaration: difference.oldSpan };
}

/**
 * Returns the changed groups that may be the cause of a difference in the occurrences of a member: groups that contain
 * only the member; without them, the smallest group around the member, if its own declaration is the same.
 */
function listCauses(
  difference: Difference,
  key: string,
  { changedGroups, versions }: { readonly changedGroups: readonly ChangedGroup[]; readonly versions: Versions },
): readonly ChangedGroup[] {
  const [before, after] = versions;
  const names = new Set(after.names.get(key) ?? before.names.get(key));
  const closest = changedGroups.filter((group) => group.cause !== "kind" && isSameSet(group.names, names));
  if (closest.length > 0) {
    return closest;
  }
  const [oldBounds, newBounds] = versions.map(({ bounds }) => bounds.get(key));
  if (oldBounds !== undefined && newBounds !== undefined && oldBounds !== newBounds) {
    return changedGroups.filter((group) => isAtSpan(group, difference));
  }
  const outer = changedGroups.filter((group) => [...names].every((name) => group.names.has(name)));
  return outer.sort((left, right) => left.names.size - right.names.size).slice(0, 1);
}

function isAtSpan({ oldSpan, newSpan }: ChangedGroup, difference: Difference): boolean {
  return isSameSpan(oldSpan, difference.oldSpan) || isSameSpan(newSpan, difference.newSpan);
}

function isSameSpan(left: Span | undefined, right: Span | undefined): boolean {
  return left !== undefined && left.source === right?.source && left.start === right.start;
}

const presenceRules: readonly RuleId[] = [
  "member-added-optional",
  "member-added-required",
  "member-removed-optional",
  "member-removed-required",
];

const branchRules: readonly RuleId[] = ["choice-branch-added", "choice-branch-removed"];

/** A version of a record: its fields by key with the names of their elements, and its groups, the outermost first. */
interface Version {
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** The occurrences of the fields, as text. */
  readonly bounds: ReadonlyMap<string, string>;
  readonly groups: readonly LocatedGroup[];
}

type Versions = readonly [before: Version, after: Version];

function listVersions(context: Pick<TypeComparison, "old" | "new">, { before, after }: Records): Versions {
  const sides = [listGroups(context.old, before), listGroups(context.new, after)] as const;
  const listNames = (groups: Version) => new Set([...groups.names.values()].flat());
  const [oldNames, newNames] = [listNames(sides[0]), listNames(sides[1])];
  const keepShared = (version: Version): Version => ({
    ...version,
    groups: version.groups.flatMap((group) => {
      const shared = [...group.names].filter((name) => oldNames.has(name) && newNames.has(name));
      return shared.length === 0 ? [] : [{ ...group, names: new Set(shared) }];
    }),
  });
  return [keepShared(sides[0]), keepShared(sides[1])];
}

/** Lists the groups of a record, also those in its repeated groups, whose items are records. */
function listGroups(side: SoapSide, record: RecordType, outer: readonly RecordType[] = []): Version {
  const items = new Map(
    record.fields.flatMap((field) => {
      const item = field.kind === "group" ? side.types.get(field.item) : undefined;
      return item?.kind === "record" && !outer.includes(item) ? [[field.key, item] as const] : [];
    }),
  );
  const versionsOfItems = new Map(
    [...items].map(([key, item]) => [key, listGroups(side, item, [...outer, record])] as const),
  );
  const listNames = (field: Field) => {
    const ofItem = versionsOfItems.get(field.key);
    return ofItem === undefined ? [formatField(field)] : [...ofItem.names.values()].flat();
  };
  const names = new Map(record.fields.map((field) => [field.key, listNames(field)]));
  const groups = (record.groups ?? []).map((group) => {
    const { keys = record.content.flatMap(listKeys) } = group;
    const allNames = keys.flatMap((key) => names.get(key) ?? []);
    return { ...group, allNames, names: new Set(allNames) };
  });
  const bounds = new Map(record.fields.flatMap((field) => ("min" in field ? [[field.key, formatBounds(field)]] : [])));
  return { names, bounds, groups: [...groups, ...[...versionsOfItems.values()].flatMap((version) => version.groups)] };
}

function formatField(field: Field): string {
  return field.kind === "element" ? formatElement({ element: field.wireName }) : `${field.kind} ${field.key}`;
}

/** Compares the groups around the same elements, the outermost first. */
function listChangedGroups([before, after]: Versions, records: Records): readonly ChangedGroup[] {
  const getKey = ({ names }: LocatedGroup) => JSON.stringify([...names].sort());
  const keys = new Set([...before.groups, ...after.groups].map(getKey));
  return [...keys].flatMap((key): readonly ChangedGroup[] => {
    const [oldChain, newChain] = [before, after].map(({ groups }) => groups.filter((group) => getKey(group) === key));
    const pairs = alignChains(oldChain ?? [], newChain ?? []);
    return pairs.flatMap(([oldGroup, newGroup]): readonly ChangedGroup[] => {
      if (oldGroup !== undefined && newGroup !== undefined) {
        const cause = findCause(oldGroup, newGroup);
        return cause === undefined
          ? []
          : [{ cause, names: newGroup.names, oldSpan: getSpan(oldGroup, cause), newSpan: getSpan(newGroup, cause) }];
      }
      const group = oldGroup ?? newGroup;
      if (group === undefined) {
        return [];
      }
      const { span, names } = group;
      const [oldOuter, newOuter] = [findOuter(before, names), findOuter(after, names)];
      return [
        {
          cause: "nesting",
          names,
          oldSpan: oldGroup === undefined ? (oldOuter?.span ?? records.before.span) : span,
          newSpan: newGroup === undefined ? (newOuter?.span ?? records.after.span) : span,
        },
      ];
    });
  });
}

type GroupPair = readonly [before: LocatedGroup | undefined, after: LocatedGroup | undefined];

/** Pairs the groups around the same elements: equal ones at both ends of the chains, and then in order. */
function alignChains(before: readonly LocatedGroup[], after: readonly LocatedGroup[]): readonly GroupPair[] {
  const isSame = (left: LocatedGroup | undefined, right: LocatedGroup | undefined) =>
    left !== undefined && right !== undefined && findCause(left, right) === undefined;
  let start = 0;
  while (isSame(before[start], after[start])) {
    start += 1;
  }
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    isSame(before[before.length - 1 - end], after[after.length - 1 - end])
  ) {
    end += 1;
  }
  const [oldRest, newRest] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return Array.from({ length: Math.max(oldRest.length, newRest.length) }, (_, index) => [
    oldRest[index],
    newRest[index],
  ]);
}

function findCause(before: LocatedGroup, after: LocatedGroup): "kind" | "occurrence" | undefined {
  if (before.min !== after.min || before.max !== after.max) {
    return "occurrence";
  }
  return before.kind === after.kind ? undefined : "kind";
}

/** Returns the position of a group: for its kind, that of its definition, to which a reference may refer. */
function getSpan({ span, definition }: LocatedGroup, cause: ChangedGroup["cause"]): Span {
  return cause === "kind" ? (definition?.span ?? span) : span;
}

/** Returns the smallest group that contains the given elements, and others. */
function findOuter(
  { groups }: Version,
  names: ReadonlySet<string>,
  kind?: LocatedGroup["kind"],
): LocatedGroup | undefined {
  const outer = groups.filter(
    (group) => (kind === undefined || group.kind === kind) && [...names].every((name) => group.names.has(name)),
  );
  return outer.reduce<LocatedGroup | undefined>(
    (smallest, group) => (smallest === undefined || group.names.size <= smallest.names.size ? group : smallest),
    undefined,
  );
}

/** Returns the position of the innermost choice that lacks a branch, in the version that does not have the branch. */
function findChoice(
  { rule, oldSpan, newSpan }: Difference,
  key: string,
  [before, after]: Versions,
): Partial<Difference> {
  const [version, other, span] =
    rule === "choice-branch-added" ? ([after, before, oldSpan] as const) : ([before, after, newSpan] as const);
  // The members of a substitution group form a choice that no schema declares.
  const isDeclared = other.groups.some(
    (group) => group.kind === "choice" && (isSameSpan(group.definition?.span, span) || isSameSpan(group.span, span)),
  );
  const ofBranch = version.names.get(key) ?? [];
  const choices = version.groups.filter(
    ({ kind, allNames, names }) =>
      kind === "choice" && names.size > 0 && ofBranch.every((name) => allNames.includes(name)),
  );
  const choice = choices.reduce<LocatedGroup | undefined>(
    (smallest, group) =>
      smallest === undefined || group.allNames.length <= smallest.allNames.length ? group : smallest,
    undefined,
  );
  const otherSpan = choice && isDeclared ? findOuter(other, choice.names, "choice")?.span : undefined;
  return otherSpan === undefined
    ? {}
    : rule === "choice-branch-added"
      ? { oldSpan: otherSpan, oldDeclaration: oldSpan }
      : { newSpan: otherSpan };
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((name) => right.has(name));
}
