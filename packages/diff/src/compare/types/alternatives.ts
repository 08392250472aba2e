import type { PolymorphicType, RecordType, WireName } from "@bothends/generator";
import { formatElement, getName, omitPair, type ReportTarget, type SoapSide, type TypeComparison } from "../sides.js";

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
  const variant = wasAbstract === true || isAbstract === true ? "abstract" : undefined;
  for (const [old, new_] of matchedAlternatives) {
    const typeTarget = { ...target, oldSpan: old.type.span, newSpan: new_.type.span };
    compareNames([old, new_], { target: typeTarget, variant: variant === undefined ? "derived" : "derivedOfAbstract" });
    context.compare(context, { before: createReference(old.type), after: createReference(new_.type) }, typeTarget);
  }
  const isUnmatched = ({ type, isDeclared }: Alternative) =>
    !isDeclared && !matchedAlternatives.some((pair) => pair.some((alternative) => alternative.type === type));
  const isSameCode = (alternative: Alternative, others: readonly Alternative[]) =>
    others.some((other) => isUnmatched(other) && formatCode(alternative) === formatCode(other));
  for (const old of oldAlternatives.filter(isUnmatched)) {
    target.pair.differences.push({
      rule: "derived-type-removed",
      ...omitPair(target),
      before: getName(old.type),
      oldSpan: old.type.span,
      variant,
      sameCode: isSameCode(old, newAlternatives),
    });
  }
  for (const new_ of newAlternatives.filter(isUnmatched)) {
    target.pair.differences.push({
      rule: "derived-type-added",
      ...omitPair(target),
      after: getName(new_.type),
      newSpan: new_.type.span,
      variant,
      sameCode: isSameCode(new_, oldAlternatives),
    });
  }
  if (wasAbstract !== isAbstract) {
    target.pair.differences.push({
      rule: isAbstract === true ? "type-became-abstract" : "type-became-concrete",
      ...omitPair(target),
    });
  }
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
 * Matches types by name; then the two declared types; then derived types that moved to another namespace together with
 * the declared type.
 */
function matchAlternatives(
  [before, after]: readonly [readonly Alternative[], readonly Alternative[]],
  [oldNamespace, newNamespace]: NamespaceMove,
): MatchedAlternatives {
  const isMoved = ({ namespace }: WireName, other: WireName) =>
    namespace === oldNamespace && other.namespace === newNamespace;
  const rules: readonly ((old: Alternative, new_: Alternative) => boolean)[] = [
    (old, new_) => formatName(old) === formatName(new_),
    (old, new_) => old.isDeclared && new_.isDeclared,
    (old, new_) =>
      isMoved(old.type.wireName, new_.type.wireName) && old.type.wireName.local === new_.type.wireName.local,
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
  [old, new_]: MatchedAlternatives[number],
  { target, variant }: { readonly target: ReportTarget; readonly variant: string },
): void {
  const { differences } = target.pair;
  const [before, after] = [old.type.wireName.namespace, new_.type.wireName.namespace];
  if (before !== after && !(old.isDeclared && new_.isDeclared)) {
    const subject = getName(new_.type);
    differences.push({
      rule: "member-namespace-changed",
      ...omitPair(target),
      subject,
      before: before || "none",
      after: after || "none",
      variant,
    });
  }
  if (
    old.tag !== undefined &&
    new_.tag !== undefined &&
    old.tag !== new_.tag &&
    isLocalName(old) !== isLocalName(new_)
  ) {
    const names = { subject: getName(new_.type), before: old.tag, after: new_.tag };
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
