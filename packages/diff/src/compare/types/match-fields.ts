import type { Field, RecordType, TypeReference } from "@bothends/generator";
import { computeNameSimilarity, isSimilarName, matchUnique } from "../similar-names.js";
import type { SoapSide } from "../soap-side.js";
import type { Models } from "./content-model.js";
import { computeEffectiveType } from "./simple/effective-type.js";
import type { TypeComparison } from "./type-comparison.js";

/** A field of a record that exists in both versions. */
export interface MatchedField {
  readonly before: Field;
  readonly after: Field;
  /** Whether the fields have different names, and were matched only because their types and positions are similar. */
  readonly isGuess: boolean;
}

/** The fields of two versions of a type: those in both versions, and the others. */
export interface MatchedFields {
  readonly matched: readonly MatchedField[];
  readonly removed: readonly Field[];
  readonly added: readonly Field[];
}

export type NamedField = Extract<Field, { readonly kind: "element" | "attribute" }>;

export function isNamed(field: Field): field is NamedField {
  return field.kind === "element" || field.kind === "attribute";
}

export type Group = Extract<Field, { readonly item: string }>;

export function isGroup(field: Field): field is Group {
  return field.kind === "group" || field.kind === "mixed";
}

/**
 * Matches the fields of both versions: first by name, then repeated groups by the names of their members, then by name
 * without namespace, and finally by similarity.
 */
export function matchFields(
  { old: oldSide, new: newSide }: Pick<TypeComparison, "old" | "new">,
  { before, after }: { readonly before: readonly Field[]; readonly after: readonly Field[] },
  isSameType: (before: TypeReference, after: TypeReference) => boolean,
): MatchedFields {
  const matcher = new FieldMatcher(before, after);
  const noNames: ReadonlySet<string> = new Set();
  const groupNames = new Map(
    [before, after].flatMap((fields, index) =>
      fields.filter(isGroup).map((field) => [field, listNamesInside(field, index === 0 ? oldSide : newSide)] as const),
    ),
  );
  const getNames = (field: Field) => (isGroup(field) ? groupNames.get(field) : undefined) ?? noNames;
  matcher.matchBy((field) =>
    isNamed(field)
      ? `${field.kind} ${field.wireName.namespace} ${field.wireName.local}`
      : [...(getNames(field).size === 0 ? [] : [field.kind]), ...[...getNames(field)].sort()].join(" "),
  );
  // A group may have become a part of another group, so a name in a nested group does not identify a group.
  const getDirectNames = (field: Field, side: SoapSide) =>
    listDirectNames(field, side).filter((name) => name !== "group");
  matcher.matchFirst((left, right) => {
    const newNames = getDirectNames(right, newSide);
    return left.kind === right.kind && getDirectNames(left, oldSide).some((name) => newNames.includes(name));
  });
  const hasSplit = (field: Field, others: readonly Field[]) =>
    field.kind === "group" && others.some((other) => isNamed(other) && getNames(field).has(other.wireName.local));
  const splitGroups = new Set([
    ...before.filter((field) => hasSplit(field, after)),
    ...after.filter((field) => hasSplit(field, before)),
  ]);
  matcher.matchBy((field) =>
    isNamed(field) ? `${field.kind} ${field.wireName.local}` : splitGroups.has(field) ? "" : field.kind,
  );
  matcher.matchBy((field) => (isNamed(field) ? field.wireName.local : ""));
  const isSameKind = (left: Field, right: Field) =>
    isNamed(left) && isNamed(right) && left.kind === right.kind && isSameType(left.type, right.type);
  const hasSamePresence = (left: Field, right: Field) =>
    isNamed(left) && isNamed(right) && formatPresence(left) === formatPresence(right);
  const isRelatedKind = (left: Field, right: Field) =>
    isSameKind(left, right) ||
    (isNamed(left) &&
      isNamed(right) &&
      left.kind === right.kind &&
      hasSameBuiltin([oldSide, left.type], [newSide, right.type]));
  const isBetweenSame = (left: Field, right: Field) => hasSameNeighbors([before, after], [left, right]);
  const isSamePosition = (left: Field, right: Field) =>
    (before.length === after.length && before.indexOf(left) === after.indexOf(right)) || isBetweenSame(left, right);
  const isSameShape = (left: Field, right: Field) => isSameKind(left, right) && hasSamePresence(left, right);
  // The position alone is no reason if several members have other names, unless their neighbors have the same names.
  const computeScore = (left: Field, right: Field) => {
    const hasPosition = isSamePosition(left, right) && hasSimilarName(left, right);
    const position = isBetweenSame(left, right) ? 0.5 : hasPosition ? 0.4 : 0;
    return computeNameSimilarity(getLocalName(left), getLocalName(right)) + position;
  };
  const isProbable = (left: Field, right: Field) =>
    hasSimilarName(left, right) || (isSamePosition(left, right) && hasSamePresence(left, right));
  const isCandidate = (left: Field, right: Field) =>
    isSameShape(left, right) || (isSameKind(left, right) && hasSimilarName(left, right));
  matcher.matchByGuess(isCandidate, computeScore, isProbable);
  // The values of a renamed member may have changed as well.
  matcher.matchByGuess(
    (left, right) => isRelatedKind(left, right) && hasSimilarName(left, right),
    computeScore,
    isProbable,
  );
  // Some members may have had only candidates that are matched now.
  matcher.matchByGuess(isCandidate, computeScore, isProbable);
  // The only member was probably renamed, even if its presence changed as well.
  if (before.length === 1 && after.length === 1) {
    matcher.matchByGuess(isSameKind, computeScore, isSameKind);
  }
  return matcher;
}

/**
 * Formats the occurrence bounds of a member and whether it is nillable, such as `1 1 false`. A renamed member probably
 * has the same result.
 */
function formatPresence(field: NamedField): string {
  return field.kind === "attribute" ? String(field.required) : `${field.min} ${field.max} ${field.nillable}`;
}

function hasSimilarName(left: Field, right: Field): boolean {
  return isNamed(left) && isNamed(right) && isSimilarName(left.wireName.local, right.wireName.local);
}

function getLocalName(field: Field): string {
  return isNamed(field) ? field.wireName.local : "";
}

/** Whether two simple types restrict the same built-in type. */
function hasSameBuiltin(
  [oldSide, oldType]: readonly [SoapSide, TypeReference],
  [newSide, newType]: readonly [SoapSide, TypeReference],
): boolean {
  const [before, after] = [computeEffectiveType(oldSide, oldType), computeEffectiveType(newSide, newType)];
  return before !== undefined && before.variety === after?.variety && before.builtin === after.builtin;
}

/** Whether the fields directly before and after a field have the same names in both versions. */
function hasSameNeighbors(
  [before, after]: readonly [readonly Field[], readonly Field[]],
  [left, right]: readonly [Field, Field],
): boolean {
  const [oldIndex, newIndex] = [before.indexOf(left), after.indexOf(right)];
  return [-1, 1].every((distance) => {
    const [oldNeighbor, newNeighbor] = [before[oldIndex + distance], after[newIndex + distance]];
    return oldNeighbor !== undefined && oldNeighbor.key === newNeighbor?.key;
  });
}

/**
 * If a branch of a choice was matched with the attribute that replaces it, undoes the match, so that the branch is
 * reported as removed.
 */
export function separateBranches({ matched, removed, added }: MatchedFields, models: Models): MatchedFields {
  const isBranch = (pair: MatchedField) => {
    const collectKeys = (version: "before" | "after") =>
      new Set(matched.filter((other) => other !== pair).map((other) => other[version].key));
    return (
      pair.before.kind !== pair.after.kind &&
      (["before", "after"] as const).some((version) =>
        models[version].isBranch(pair[version].key, collectKeys(version)),
      )
    );
  };
  const branches = matched.filter(isBranch);
  return {
    matched: matched.filter((pair) => !branches.includes(pair)),
    removed: [...removed, ...branches.map((branch) => branch.before)],
    added: [...added, ...branches.map((branch) => branch.after)],
  };
}

class FieldMatcher implements MatchedFields {
  readonly matched: MatchedField[] = [];
  #unmatchedOldFields: readonly Field[];
  #unmatchedNewFields: readonly Field[];

  constructor(before: readonly Field[], after: readonly Field[]) {
    this.#unmatchedOldFields = before;
    this.#unmatchedNewFields = after;
  }

  get removed(): readonly Field[] {
    return this.#unmatchedOldFields;
  }

  get added(): readonly Field[] {
    return this.#unmatchedNewFields;
  }

  /** Matches fields with equal keys, in their order. Fields with an empty key remain unmatched. */
  matchBy(getKey: (field: Field) => string): void {
    const candidates = new Map<string, Field[]>();
    for (const field of this.#unmatchedNewFields) {
      const key = getKey(field);
      candidates.set(key, [...(candidates.get(key) ?? []), field]);
    }
    this.#match((field) => {
      const key = getKey(field);
      return key === "" ? undefined : candidates.get(key)?.shift();
    }, false);
  }

  /** Matches each old field with the first new field that `isSame` accepts. */
  matchFirst(isSame: (before: Field, after: Field) => boolean): void {
    const candidates = new Set(this.#unmatchedNewFields);
    this.#match((field) => {
      const counterpart = [...candidates].find((candidate) => isSame(field, candidate));
      if (counterpart !== undefined) {
        candidates.delete(counterpart);
      }
      return counterpart;
    }, false);
  }

  /**
   * Matches two probable counterparts if neither has any other candidate, or if their score is the best one by a clear
   * margin.
   */
  matchByGuess(
    isCandidate: (before: Field, after: Field) => boolean,
    computeScore: (before: Field, after: Field) => number,
    isProbable: (before: Field, after: Field) => boolean,
  ): void {
    const lists = [this.#unmatchedOldFields, this.#unmatchedNewFields] as const;
    const pairs = matchUnique(lists, [isCandidate], computeScore).filter((pair) => isProbable(...pair));
    const counterparts = new Map(pairs);
    this.#match((field) => counterparts.get(field), true);
  }

  #match(findCounterpart: (field: Field) => Field | undefined, isGuess: boolean): void {
    const matchedFields = new Set<Field>();
    for (const field of this.#unmatchedOldFields) {
      const counterpart = findCounterpart(field);
      if (counterpart !== undefined) {
        matchedFields.add(field).add(counterpart);
        this.matched.push({ before: field, after: counterpart, isGuess });
      }
    }
    this.#unmatchedOldFields = this.#unmatchedOldFields.filter((field) => !matchedFields.has(field));
    this.#unmatchedNewFields = this.#unmatchedNewFields.filter((field) => !matchedFields.has(field));
  }
}

/** Returns the local names of the elements in a repeated group, and "any" for a wildcard. */
export function listNamesInside(field: Field, side: SoapSide): ReadonlySet<string> {
  const nestedFields = listFieldsInside(field, side).filter((nestedField) => !isNamed(nestedField));
  return new Set([
    ...listDirectNames(field, side),
    ...nestedFields.flatMap((nestedField) => [...listNamesInside(nestedField, side)]),
  ]);
}

/** Returns the names of a repeated group's members, without the members of nested groups. */
function listDirectNames(field: Field, side: SoapSide): readonly string[] {
  return listFieldsInside(field, side).map((nestedField) =>
    isNamed(nestedField) ? nestedField.wireName.local : nestedField.kind,
  );
}

function listFieldsInside(field: Field, side: SoapSide): readonly Field[] {
  const item = isGroup(field) ? side.types.get(field.item) : undefined;
  return item?.kind === "record" ? item.fields : [];
}

/** Whether a member moved between a type and its base type. Such a move does not change messages. */
export function hasMovedMembers({
  before,
  after,
}: {
  readonly before: RecordType;
  readonly after: RecordType;
}): boolean {
  const listFieldNames = ({ fields }: RecordType, inherited: boolean) =>
    new Set(
      fields.flatMap((field) =>
        isNamed(field) && field.inherited === inherited ? [`${field.kind} ${field.wireName.local}`] : [],
      ),
    );
  const isShared = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...left].some((name) => right.has(name));
  return (
    isShared(listFieldNames(before, true), listFieldNames(after, false)) ||
    isShared(listFieldNames(before, false), listFieldNames(after, true))
  );
}
