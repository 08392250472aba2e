import type { PolymorphicType, RecordType, TypeDefinition } from "@bothends/generator";
import { getRule } from "../../rules/index.js";
import { type Direction, findWorstLevel, getConsequences, type Level, type LevelsOfWriters } from "../../rules/rule.js";
import { type Difference, namespaceRules } from "../difference.js";
import { formatElement, type SoapSide } from "../soap-side.js";
import { createMovedType } from "./moved-declarations.js";
import {
  createTypePair,
  getName,
  omitPair,
  type References,
  type ReportTarget,
  type TypeComparison,
  type TypePair,
} from "./type-comparison.js";

type DeclaredType = RecordType | PolymorphicType;

/** The declared type of a value, or a type derived from it. The value may have any of these types. */
interface Alternative {
  readonly type: RecordType;
  /** The value of `$type` that identifies the type in generated code. */
  readonly tag: string | undefined;
  readonly isDeclared: boolean;
}

/** Compares two versions of a type from which other types are derived in at least one version. */
export function compareAlternatives(
  context: TypeComparison,
  { before, after }: { readonly before: DeclaredType; readonly after: DeclaredType },
  target: ReportTarget,
): void {
  const [oldAlternatives, newAlternatives] = [
    listAlternatives(context.old, before),
    listAlternatives(context.new, after),
  ];
  const namespaceMove = [getNamespace(context.old, before), getNamespace(context.new, after)] as const;
  const matchedAlternatives = matchAlternatives([oldAlternatives, newAlternatives], namespaceMove);
  const [wasAbstract, isAbstract] = [oldAlternatives, newAlternatives].map((alternatives) =>
    alternatives.every(({ isDeclared }) => !isDeclared),
  );
  const [isRefusedByOld, isRefusedByNew] = [before, after].map((reader) => isRefusingUnknown(reader, target.direction));
  const areRefused = isRefusedByOld === true && isRefusedByNew === true;
  for (const [before, after] of matchedAlternatives) {
    const typeTarget = { ...target, oldSpan: before.type.span, newSpan: after.type.span };
    const movesWithDeclared = isMovedTogether([before, after], namespaceMove);
    compareNames([before, after], {
      target: typeTarget,
      variant:
        wasAbstract === true || isAbstract === true
          ? "derivedOfAbstract"
          : areRefused
            ? "derivedInRequests"
            : "derived",
    });
    const types = { before: createReference(before.type), after: createReference(after.type) };
    if (formatName(before) === formatName(after) || before.isDeclared || movesWithDeclared) {
      context.compare(context, types, typeTarget);
    } else {
      compareMembersInCode(context, types, typeTarget);
    }
  }
  const replacement = findDeclaredTypeDifference(context, [before, after], target.direction);
  const isUnmatched = ({ type, isDeclared }: Alternative) =>
    // If the declared type was replaced, the difference about that includes the types derived from only one of them.
    replacement === undefined &&
    !isDeclared &&
    !matchedAlternatives.some((pair) => pair.some((alternative) => alternative.type === type));
  const isSameCode = (alternative: Alternative, others: readonly Alternative[]) =>
    others.some((other) => isUnmatched(other) && formatCode(alternative) === formatCode(other));
  // The type of one alternative is that of an object, which code can extend.
  const isUnionNow = before.kind === "polymorphic" && oldAlternatives.length === 1 && newAlternatives.length > 1;
  for (const old of oldAlternatives.filter(isUnmatched)) {
    target.pair.differences.push({
      rule: "derived-type-removed",
      ...omitPair(target),
      before: getName(old.type),
      oldSpan: old.type.span,
      variant: isAbstract === true ? "abstract" : isRefusedByNew === true ? "refused" : undefined,
      sameCode: isSameCode(old, newAlternatives),
    });
  }
  for (const alternative of newAlternatives.filter(isUnmatched)) {
    target.pair.differences.push({
      rule: "derived-type-added",
      ...omitPair(target),
      after: getName(alternative.type),
      newSpan: alternative.type.span,
      variant: wasAbstract === true ? "abstract" : isRefusedByOld === true ? "refused" : undefined,
      sameCode: isSameCode(alternative, oldAlternatives),
      affectsTypeUses: isUnionNow,
    });
  }
  if (wasAbstract !== isAbstract && replacement === undefined) {
    target.pair.differences.push({
      rule: isAbstract === true ? "type-became-abstract" : "type-became-concrete",
      ...omitPair(target),
      affectsTypeUses: isUnionNow,
    });
  }
}

/**
 * Returns the difference if the declared type of an item was replaced with a type derived from it, or the reverse.
 * Values of the derived type have `xsi:type` only if the base type is declared, so a reader that expects the base type
 * otherwise loses the further members of the derived type.
 */
export function findDeclaredTypeDifference(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  direction: Direction,
): Pick<Difference, "rule" | "before" | "after" | "variant" | "levels" | "codeLimits"> | undefined {
  const [oldType, newType] = [getDeclared(context.old, before), getDeclared(context.new, after)];
  if (oldType === undefined || newType === undefined || oldType.id === newType.id) {
    return undefined;
  }
  const isDerived = (definition: TypeDefinition, { id }: RecordType) =>
    definition.kind === "polymorphic" && definition.alternatives.some(({ type }) => type === id);
  const getVariant = ({ abstract }: RecordType) => (abstract ? "derivedOfAbstract" : "derived");
  const isNarrowed = isDerived(before, newType);
  if (!isNarrowed && !isDerived(after, oldType)) {
    return undefined;
  }
  const baseType = isNarrowed ? oldType : newType;
  return {
    rule: isNarrowed ? "type-narrowed" : "type-widened",
    before: getName(oldType),
    after: getName(newType),
    variant: getVariant(baseType),
    levels: findReplacementLevels(context, [before, after], direction),
    codeLimits: baseType.abstract ? findCodeLimits(context, [before, after], isNarrowed) : undefined,
  };
}

/**
 * Returns the worst consequences for code if an abstract type was replaced with a type derived from it, or the reverse.
 * Generated code has the property `$type` for values of a type from which other types are derived.
 */
function findCodeLimits(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  isNarrowed: boolean,
): Difference["codeLimits"] {
  const listNames = (side: SoapSide, type: TypeDefinition) =>
    isDeclaredType(type) ? listAlternatives(side, type).map(formatName) : [];
  const [oldNames, newNames] = [listNames(context.old, before), listNames(context.new, after)];
  if (isNarrowed) {
    const isEachKept = oldNames.every((name) => newNames.includes(name));
    return [isEachKept ? (after.kind === "record" ? "some" : "none") : "breaks", "breaks"];
  }
  return ["breaks", newNames.every((name) => oldNames.includes(name)) ? "none" : "breaks"];
}

/**
 * Returns the effects on readers if the declared type was replaced. Differences in a type that both versions can name
 * in `xsi:type` are reported for this type, so they have no effect here.
 */
function findReplacementLevels(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  direction: Direction,
): LevelsOfWriters {
  const key = `${direction} ${before.id} ${after.id}`;
  const knownLevels = context.replacementLevels.get(key);
  if (knownLevels !== undefined || !isDeclaredType(before) || !isDeclaredType(after)) {
    return knownLevels ?? ["none", "none"];
  }
  // A type may have members of its own type. These are compared once.
  context.replacementLevels.set(key, ["none", "none"]);
  const levels = [
    findLevelOfReader(context, [before, after], { writer: "before", direction }),
    findLevelOfReader(context, [before, after], { writer: "after", direction }),
  ] as const;
  context.replacementLevels.set(key, levels);
  return levels;
}

/** Whether readers refuse a type that they do not know. Only servers do, at elements whose type has derived types. */
function isRefusingUnknown(reader: DeclaredType, direction: Direction): boolean {
  return direction === "input" && reader.kind === "polymorphic";
}

/** Returns the effect on readers of the other version of all types that a writer of one version may send. */
function findLevelOfReader(
  context: TypeComparison,
  [before, after]: readonly [DeclaredType, DeclaredType],
  { writer, direction }: { readonly writer: "before" | "after"; readonly direction: Direction },
): Level {
  const [oldAlternatives, newAlternatives] = [
    listAlternatives(context.old, before),
    listAlternatives(context.new, after),
  ];
  const isOldWriter = writer === "before";
  const [sentAlternatives, readAlternatives] = isOldWriter
    ? [oldAlternatives, newAlternatives]
    : [newAlternatives, oldAlternatives];
  const declaredType = isOldWriter ? getDeclared(context.new, after) : getDeclared(context.old, before);
  const isAbstract = readAlternatives.every(({ isDeclared }) => !isDeclared);
  const sentLevels = sentAlternatives.map((sent): Level => {
    const isKnown = readAlternatives.some((alternative) => formatName(alternative) === formatName(sent));
    if (declaredType === undefined || (isKnown && !sent.isDeclared)) {
      return "none";
    }
    if (isAbstract || (!sent.isDeclared && isRefusingUnknown(isOldWriter ? after : before, direction))) {
      return "breaks";
    }
    const types = isOldWriter ? { before: sent.type, after: declaredType } : { before: declaredType, after: sent.type };
    const sentReferences = { before: createReference(types.before), after: createReference(types.after) };
    // A derived type has a name in messages that the reader does not know.
    const nameLevel = sent.isDeclared ? "none" : "tolerated";
    return findWorstLevel([nameLevel, findLevelOfMembers(context, sentReferences, writer)]);
  });
  const isEachRefused = sentLevels.every((level) => level === "breaks");
  const worstLevel = findWorstLevel(sentLevels);
  return worstLevel === "breaks" && !isEachRefused ? "some" : worstLevel;
}

/** Compares two records, and returns the worst effect on readers of values that one version writes. */
function findLevelOfMembers(context: TypeComparison, types: References, writer: "before" | "after"): Level {
  const target = { direction: "input", subject: "", oldSpan: undefined, newSpan: undefined } as const;
  const differences = listDifferences(context, types, { ...target, pair: createTypePair() });
  return findWorstLevel(
    differences.map((difference) => {
      // Only encoded messages contain the name of the declared type.
      if (difference.encodedDirection !== undefined) {
        return "none";
      }
      const { oldClients, newClients } = getConsequences(getRule(difference.rule), difference);
      return writer === "before" ? oldClients : newClients;
    }),
  );
}

/** Compares two types apart from the other types of a comparison. */
function listDifferences(context: TypeComparison, types: References, target: ReportTarget): readonly Difference[] {
  const pairs = new Map<string, TypePair>();
  context.compare({ ...context, pairs }, types, target);
  return [...pairs.values()].flatMap((pair) => pair.differences);
}

function isDeclaredType(type: TypeDefinition): type is DeclaredType {
  return type.kind === "record" || type.kind === "polymorphic";
}

function getDeclared({ types }: SoapSide, type: TypeDefinition): RecordType | undefined {
  const declaredType = type.kind === "polymorphic" ? types.get(type.declared) : type;
  return declaredType?.kind === "record" ? declaredType : undefined;
}

/**
 * Compares the members of a derived type that moved alone to another namespace. A reader that does not know the name of
 * the type ignores its members, so their differences affect only code.
 */
function compareMembersInCode(context: TypeComparison, types: References, target: ReportTarget): void {
  target.pair.differences.push(
    ...listDifferences(context, types, target)
      .filter(({ rule }) => !namespaceRules.includes(rule))
      .map((difference): Difference => ({ ...difference, levels: ["none", "none"] })),
  );
}

/**
 * Returns the types that a value of the declared type may have: the types derived from it, and the declared type unless
 * it is abstract.
 */
function listAlternatives(side: SoapSide, type: DeclaredType): readonly Alternative[] {
  if (type.kind === "record") {
    return type.abstract ? [] : [{ type, tag: undefined, isDeclared: true }];
  }
  return type.alternatives.flatMap(({ type: id, tag }): readonly Alternative[] => {
    const record = side.types.get(id);
    return record?.kind === "record" ? [{ type: record, tag, isDeclared: id === type.declared }] : [];
  });
}

/** Returns the namespace of a declared type; undefined if the type is not a record. */
function getNamespace({ types }: SoapSide, type: DeclaredType): string | undefined {
  const declaredRecord = type.kind === "record" ? type : types.get(type.declared);
  return declaredRecord?.kind === "record" ? declaredRecord.wireName.namespace : undefined;
}

type NamespaceMove = readonly [before: string | undefined, after: string | undefined];
type MatchedAlternatives = readonly (readonly [before: Alternative, after: Alternative])[];

/**
 * Matches types by name; then the two declared types; then derived types that moved to another namespace, first those
 * that moved together with the declared type.
 */
function matchAlternatives(
  [before, after]: readonly [readonly Alternative[], readonly Alternative[]],
  namespaceMove: NamespaceMove,
): MatchedAlternatives {
  const hasSameLocalName = (before: Alternative, after: Alternative) =>
    before.type.wireName.local === after.type.wireName.local;
  const rules: readonly ((before: Alternative, after: Alternative) => boolean)[] = [
    (before, after) => formatName(before) === formatName(after),
    (before, after) => before.isDeclared && after.isDeclared,
    (before, after) => hasSameLocalName(before, after) && isMovedTogether([before, after], namespaceMove),
    hasSameLocalName,
  ];
  const matchedAlternatives: (readonly [Alternative, Alternative])[] = [];
  for (const isSame of rules) {
    for (const old of before) {
      const isUnmatched = (alternative: Alternative) => !matchedAlternatives.some((pair) => pair.includes(alternative));
      const counterpart = isUnmatched(old)
        ? after.find((candidate) => isUnmatched(candidate) && isSame(old, candidate))
        : undefined;
      if (counterpart !== undefined) {
        matchedAlternatives.push([old, counterpart]);
      }
    }
  }
  return matchedAlternatives;
}

/** Whether a type moved from the old to the new namespace of the declared type. */
function isMovedTogether(
  [before, after]: MatchedAlternatives[number],
  [oldNamespace, newNamespace]: NamespaceMove,
): boolean {
  return before.type.wireName.namespace === oldNamespace && after.type.wireName.namespace === newNamespace;
}

/** Formats the TypeScript type that is generated for an alternative. */
function formatCode({ type: { fields }, tag }: Alternative): string {
  const wireMembers = ["wireName", "span", "documentation", "identity"];
  return JSON.stringify([tag, fields], (name, value: unknown) => (wireMembers.includes(name) ? undefined : value));
}

function formatName({ type }: Alternative): string {
  return formatElement({ element: type.wireName });
}

/**
 * Compares the names of a type in messages and in generated code. Messages do not contain the name of the declared
 * type.
 */
function compareNames(
  [oldAlternative, newAlternative]: MatchedAlternatives[number],
  { target, variant }: { readonly target: ReportTarget; readonly variant: string },
): void {
  const { differences } = target.pair;
  const [before, after] = [oldAlternative.type.wireName.namespace, newAlternative.type.wireName.namespace];
  if (before !== after && !(oldAlternative.isDeclared && newAlternative.isDeclared)) {
    const subject = getName(newAlternative.type);
    differences.push({
      rule: "declaration-moved",
      ...omitPair(target),
      subject,
      before: before || "none",
      after: after || "none",
      variant,
      moved: createMovedType(oldAlternative.type, newAlternative.type),
    });
  }
  if (
    oldAlternative.tag !== undefined &&
    newAlternative.tag !== undefined &&
    oldAlternative.tag !== newAlternative.tag &&
    isLocalName(oldAlternative) !== isLocalName(newAlternative)
  ) {
    const names = { subject: getName(newAlternative.type), before: oldAlternative.tag, after: newAlternative.tag };
    differences.push({ rule: "name-in-code-changed", ...omitPair(target), direction: undefined, ...names });
  }
}

/** Whether generated code identifies a type by its local name, without the namespace. */
function isLocalName({ type, tag }: Alternative): boolean {
  return tag === type.wireName.local;
}

function createReference({ id }: RecordType) {
  return { kind: "named", id } as const;
}
