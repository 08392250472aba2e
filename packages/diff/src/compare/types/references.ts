import type { Field, TypeDefinition, TypeId, TypeReference } from "@bothends/generator";
import type { Direction } from "../../rules/rule.js";
import { collapseSpace, type Documented } from "../documentation.js";
import { getDefinition, type SoapSide } from "../soap-side.js";
import { compareAlternatives, findDeclaredTypeDifference } from "./alternatives.js";
import { joinCodeLimits } from "./code-limits.js";
import { ContentModel } from "./content-model.js";
import { hasMovedMembers, isGroup } from "./match-fields.js";
import { createMovedType, isRenamed } from "./moved-declarations.js";
import { chooseReplacementVariant, compareArrays, findLenientPresence } from "./presence.js";
import { compareRecords, compareWithText } from "./records.js";
import { computeEffectiveType, type EffectiveType, readsEmptyText } from "./simple/effective-type.js";
import { compareWithOrigins } from "./simple/origins.js";
import { formatCode } from "./simple/type-texts.js";
import {
  compareDocumentation,
  createTypePair,
  getName,
  omitPair,
  type References,
  type ReportTarget,
  type TypeComparison,
  type TypePair,
} from "./type-comparison.js";

/**
 * Compares two types. A difference in a complex or named type is reported once; a difference in any other type is
 * reported for each member that has the type.
 */
export function compareReferences(context: TypeComparison, { before, after }: References, target: ReportTarget): void {
  const oldDefinition = getDefinition(context.old, before);
  const newDefinition = getDefinition(context.new, after);
  if (isComplex(oldDefinition) && isComplex(newDefinition)) {
    compareComplex(context, [oldDefinition, newDefinition], target);
    return;
  }
  let valueTarget = target;
  if (oldDefinition !== undefined && newDefinition !== undefined && isSameType(context, oldDefinition, newDefinition)) {
    const pair = createPair(context, [oldDefinition, newDefinition], target);
    if (pair === undefined) {
      return;
    }
    valueTarget = createTargetOfTypes(context, [oldDefinition, newDefinition], { ...target, pair });
  }
  const [oldType, newType] = [computeEffectiveType(context.old, before), computeEffectiveType(context.new, after)];
  if (oldType === undefined || newType === undefined) {
    compareDifferentKinds(context, { before, after }, valueTarget);
    return;
  }
  if (
    valueTarget === target &&
    target.isElement === true &&
    [oldDefinition, newDefinition].some((definition) => definition?.name !== undefined) &&
    [oldDefinition, newDefinition].every((definition) => definition === undefined || definition.name !== undefined)
  ) {
    reportReplacedName([formatType(before, oldDefinition), formatType(after, newDefinition)], target);
  }
  const { differences, changedOrigins, changedInCode } = compareWithOrigins(context, [oldType, newType]);
  for (const difference of differences) {
    const limits = joinCodeLimits(valueTarget.optionLimits ?? {}, difference);
    valueTarget.pair.differences.push({ ...omitPair(valueTarget), ...difference, ...limits });
  }
  for (const types of changedOrigins) {
    compareReferences(context, types, valueTarget);
  }
  for (const { types, difference } of changedInCode) {
    const [oldOrigin, newOrigin] = [getDefinition(context.old, types.before), getDefinition(context.new, types.after)];
    if (oldOrigin !== undefined && newOrigin !== undefined) {
      const place = { subject: getName(newOrigin), oldSpan: oldOrigin.span, newSpan: newOrigin.span };
      valueTarget.pair.differences.push({ ...omitPair(valueTarget), ...place, ...difference });
    }
  }
}

/** Compares two types of which at least one has no simple value, but not both are complex. */
function compareDifferentKinds(context: TypeComparison, { before, after }: References, target: ReportTarget): void {
  const [oldDefinition, newDefinition] = [getDefinition(context.old, before), getDefinition(context.new, after)];
  const [oldType, newType] = [computeEffectiveType(context.old, before), computeEffectiveType(context.new, after)];
  if (oldType !== undefined && newDefinition?.kind === "record") {
    if (compareWithText(context, { record: newDefinition, simpleType: before, change: "added" }, target)) {
      return;
    }
  } else if (newType !== undefined && oldDefinition?.kind === "record") {
    if (compareWithText(context, { record: oldDefinition, simpleType: after, change: "removed" }, target)) {
      return;
    }
  }
  if (isAny(before) && isAny(after)) {
    return;
  }
  const [isWider, isNarrower] = [isAny(after), isAny(before)];
  const rule =
    isWider || acceptsText(newDefinition)
      ? "type-widened"
      : isNarrower || acceptsText(oldDefinition)
        ? "type-narrowed"
        : "type-changed";
  const mayBeEmpty = [oldType, newType].some((type) => type !== undefined && readsEmptyText(type));
  const findPresence = (definition: TypeDefinition | undefined, side: SoapSide) =>
    definition?.kind === "record"
      ? findLenientPresence(new ContentModel(definition, side))
      : definition?.kind === "array"
        ? "optional"
        : undefined;
  const [oldPresence, newPresence] = [
    findPresence(oldDefinition, context.old),
    findPresence(newDefinition, context.new),
  ];
  const variants = {
    "type-changed":
      oldPresence !== undefined
        ? chooseReplacementVariant(oldPresence, mayBeEmpty, "Now")
        : newPresence !== undefined
          ? chooseReplacementVariant(newPresence, mayBeEmpty, "Before")
          : undefined,
    "type-widened": isWider && isText(oldType) ? "union" : undefined,
    "type-narrowed": isNarrower && isText(newType) ? "union" : undefined,
  };
  target.pair.differences.push({
    rule,
    ...omitPair(target),
    before: formatType(before, oldDefinition),
    after: formatType(after, newDefinition),
    variant: variants[rule],
    // TypeScript accepts a text or a number for a type without members.
    ...(rule === "type-changed" && isWithoutMembers(newDefinition) && { codeLimits: ["some", "breaks"] as const }),
  });
}

function isWithoutMembers(definition: TypeDefinition | undefined): boolean {
  return definition?.kind === "record" && definition.fields.length === 0;
}

type Complex = Extract<TypeDefinition, { readonly kind: "record" | "polymorphic" | "array" }>;

function isComplex(definition: TypeDefinition | undefined): definition is Complex {
  return definition?.kind === "record" || definition?.kind === "polymorphic" || definition?.kind === "array";
}

/** Whether every text without elements is a value of a type, because the type has mixed content. */
function acceptsText(definition: TypeDefinition | undefined): boolean {
  return (
    definition?.kind === "record" &&
    definition.fields.some(({ kind }) => kind === "mixed") &&
    definition.fields.every((field) => field.kind !== "attribute" || !field.required)
  );
}

/** Whether generated code represents all values of a type as `string`. Strings are also values of `anyType`. */
function isText(type: EffectiveType | undefined): boolean {
  return type !== undefined && formatCode(type) === "string";
}

function isAny(type: TypeReference): boolean {
  return type.kind === "builtin" && type.name === "anyType";
}

function compareComplex(
  context: TypeComparison,
  [before, after]: readonly [Complex, Complex],
  target: ReportTarget,
): void {
  const declaredTypeDifference = findDeclaredTypeDifference(context, [before, after], target.direction);
  if (declaredTypeDifference !== undefined) {
    target.pair.differences.push({ ...omitPair(target), ...declaredTypeDifference });
  }
  const replacedType =
    declaredTypeDifference === undefined ? findReplacedType(context, [before, after], target) : undefined;
  const pair = createPair(context, [before, after], { ...target, replacedType });
  if (pair === undefined) {
    return;
  }
  if (isUnchanged(context, before, after)) {
    for (const type of listReferences(before)) {
      if (isComplex(getDefinition(context.old, type))) {
        compareReferences(context, { before: type, after: type }, { ...target, pair });
      }
    }
    return;
  }
  const typeTarget = createTargetOfTypes(context, [before, after], { ...target, pair, replacedType });
  if (before.kind === "array" || after.kind === "array") {
    compareArrays(context, [before, after], typeTarget);
    return;
  }
  if (before.kind === "record" && after.kind === "record") {
    if (
      before.abstract !== after.abstract &&
      isNamedWithoutDerived(context.old, before) &&
      isNamedWithoutDerived(context.new, after)
    ) {
      const rule = after.abstract ? "type-became-abstract" : "type-became-concrete";
      typeTarget.pair.differences.push({ rule, ...omitPair(typeTarget), variant: "alone" });
    }
    compareRecords(context, { before, after }, typeTarget);
  } else {
    compareAlternatives(context, { before, after }, typeTarget);
  }
}

/**
 * Returns the item that has another complex type, although each type exists in the version of the other or has another
 * name there: then the difference is in the item, not in the type. Inside such types, the item remains the same.
 * Another element also has another type, which may be declared in both versions: contracts contain only the types in
 * messages.
 */
function findReplacedType(
  context: TypeComparison,
  [before, after]: readonly [Complex, Complex],
  target: ReportTarget,
): ReportTarget["replacedType"] {
  const [oldType, newType] = [getDeclaredType(context.old, before), getDeclaredType(context.new, after)];
  if (oldType.id === newType.id) {
    return undefined;
  }
  if (target.replacedType !== undefined) {
    return target.replacedType;
  }
  const { subject, oldSpan, newSpan } = target;
  const [oldName, newName] = [oldType, newType].map(getGlobalName);
  return oldName === undefined ||
    newName === undefined ||
    oldName === newName ||
    (target.isOfOtherElement !== true && isRenamed(context, oldType, newType))
    ? undefined
    : { subject, before: oldName, after: newName, oldSpan, newSpan };
}

/** Returns the name of a type, or of the global element with an anonymous type; undefined for other anonymous types. */
function getGlobalName({ id, name, words }: TypeDefinition): string | undefined {
  const [local, ...otherWords] = words;
  return name?.local ?? (otherWords.length === 0 && id.endsWith(`}${local}`) ? local : undefined);
}

/** Whether a type has a name, and no other type is derived from it. */
function isNamedWithoutDerived({ types }: SoapSide, { id, name }: TypeDefinition): boolean {
  const isDerived = (type: TypeDefinition) =>
    (type.kind === "polymorphic" && type.declared === id) || (type.kind === "record" && type.base === id);
  return name !== undefined && ![...types.values()].some(isDerived);
}

/**
 * Whether both versions of a complex type are equal apart from positions, including the simple types and the repeated
 * groups of its members. Differences can then only be in the complex types to which it refers.
 */
function isUnchanged(context: TypeComparison, before: Complex, after: Complex): boolean {
  return (
    context.hasSameRepresentations &&
    isEqualApartFromSpans(before, after) &&
    isEqualApartFromSpans(context.old.groupItems.get(before.id), context.new.groupItems.get(after.id)) &&
    (before.kind !== "record" || before.fields.filter(isGroup).every(({ item }) => isUnchangedGroup(context, item))) &&
    listReferences(before).every((type) => {
      const [oldDefinition, newDefinition] = [getDefinition(context.old, type), getDefinition(context.new, type)];
      return (isComplex(oldDefinition) && isComplex(newDefinition)) || isUnchangedSimpleType(context, type);
    })
  );
}

/** Whether the items of a repeated group are unchanged. Groups are matched by the members of their items. */
function isUnchangedGroup(context: TypeComparison, item: TypeId): boolean {
  const [oldItem, newItem] = [context.old.types.get(item), context.new.types.get(item)];
  return isComplex(oldItem) && isComplex(newItem) && isUnchanged(context, oldItem, newItem);
}

function isUnchangedSimpleType(context: TypeComparison, type: TypeReference): boolean {
  if (type.kind === "builtin") {
    return true;
  }
  const knownResult = context.unchangedSimpleTypes.get(type.id);
  if (knownResult !== undefined) {
    return knownResult;
  }
  const definition = getDefinition(context.old, type);
  const result =
    definition !== undefined &&
    !isComplex(definition) &&
    isEqualApartFromSpans(definition, getDefinition(context.new, type)) &&
    listReferences(definition).every((part) => isUnchangedSimpleType(context, part));
  context.unchangedSimpleTypes.set(type.id, result);
  return result;
}

/** Lists the types to which a type refers. If the type itself is unchanged, only these types are compared. */
function listReferences(definition: TypeDefinition): readonly TypeReference[] {
  switch (definition.kind) {
    case "record": {
      const { base, fields } = definition;
      if (base === undefined || hasMovedMembers({ before: definition, after: definition })) {
        return fields.flatMap(listReferencesOfField);
      }
      const ownFields = fields.filter(({ inherited }) => !inherited);
      return [createReference(base), ...ownFields.flatMap(listReferencesOfField)];
    }
    case "polymorphic":
      return definition.alternatives.map(({ type }) => createReference(type));
    case "array":
    case "list":
      return [definition.item];
    case "enumeration":
    case "restriction":
      return [definition.base];
    case "union":
      return definition.members;
  }
}

function listReferencesOfField(field: Field): readonly TypeReference[] {
  return "type" in field ? [field.type] : "item" in field ? [createReference(field.item)] : [];
}

function createReference(id: TypeId): TypeReference {
  return { kind: "named", id };
}

/** The members of a contract that contain positions, and the groups that `content` does not contain. */
const positionMembers = ["span", "groups"];

/**
 * Whether two parts of contracts are equal apart from their positions. An absent member is equal to one that is
 * undefined.
 */
function isEqualApartFromSpans(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqualApartFromSpans(item, right[index]))
    );
  }
  const isSame = (name: string) =>
    positionMembers.includes(name) || isEqualApartFromSpans(Reflect.get(left, name), Reflect.get(right, name));
  return Object.keys(left).every(isSame) && Object.keys(right).every((name) => name in left || isSame(name));
}

/**
 * Creates the list for the differences between two types; returns undefined if the types have already been compared.
 */
function createPair(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  { direction, pair: user, hasOtherName = false, replacedType }: ReportTarget,
): TypePair | undefined {
  const typesKey = formatPairKey(direction, before.id, after.id);
  // A replaced type is reported for each item that has it.
  const key = replacedType === undefined ? typesKey : `${typesKey} ${replacedType.subject}`;
  user.usedPairKeys.add(key);
  if (!hasOtherName) {
    user.sameNamePairKeys.add(key);
  }
  if (context.pairs.has(key)) {
    return undefined;
  }
  const pair = createTypePair();
  context.pairs.set(key, pair);
  return pair;
}

/**
 * Compares the names and the documentation of two types. Returns the subject and positions to report for all
 * differences of the types.
 */
function createTargetOfTypes(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  { direction, pair, replacedType }: ReportTarget,
): ReportTarget {
  const spans = { oldSpan: before.span, newSpan: after.span };
  const target = { direction, subject: getName(after), ...spans, pair, replacedType };
  compareNames(context, [before, after], target);
  compareDocumentation([withValues(before), withValues(after)], target);
  return target;
}

/** Returns the documentation of a type, with that of an enumeration's values in any order. */
function withValues(definition: TypeDefinition): Documented {
  const values = definition.kind === "enumeration" ? definition.values : [];
  const documentation = values.flatMap((value) =>
    value.documentation === undefined ? [] : collapseSpace(value.documentation),
  );
  return { documentation: JSON.stringify([collapseSpace(definition.documentation), ...documentation.sort()]) };
}

/** Returns the key of a pair of types that are compared once for each direction. */
export function formatPairKey(direction: Direction, before: string, after: string): string {
  return `${direction} ${before} ${after}`;
}

/**
 * Whether two definitions are the old and the new version of the same type: they have the same name, or the type was
 * renamed.
 */
function isSameType(context: TypeComparison, before: TypeDefinition, after: TypeDefinition): boolean {
  if (before.name === undefined || after.name === undefined) {
    return false;
  }
  return before.id === after.id || isRenamed(context, before, after);
}

function compareNames(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  target: ReportTarget,
): void {
  const [oldNamed, newNamed] = [getDeclaredType(context.old, before), getDeclaredType(context.new, after)];
  // If the name in the schema is the same, the comparison of interfaces reports the name in generated code.
  if (target.replacedType !== undefined || !isRenamed(context, oldNamed, newNamed)) {
    const areNamedRecords = [oldNamed, newNamed].every(({ kind, name }) => kind === "record" && name !== undefined);
    if (oldNamed.id !== newNamed.id && areNamedRecords) {
      reportReplacedName([getName(oldNamed), getName(newNamed)], target);
    }
    return;
  }
  const isAnonymous = oldNamed.name === undefined || newNamed.name === undefined;
  if (isAnonymous && !(isExported(context.old, oldNamed) && isExported(context.new, newNamed))) {
    return;
  }
  const [oldName, newName] = [getCodeName(context.old, oldNamed), getCodeName(context.new, newNamed)];
  const isSameCode = oldName === newName;
  // An encoded array contains the name of its items' type, but not of its own.
  const isInEncoded = !isAnonymous && oldNamed.kind !== "array" && newNamed.kind !== "array";
  const encodedDirection = isInEncoded ? target.direction : undefined;
  const isMoved = isInEncoded && oldNamed.name?.local === newNamed.name?.local;
  if (isMoved) {
    target.pair.differences.push({
      rule: "declaration-moved",
      ...omitPair(target),
      before: oldNamed.name?.namespace || "none",
      after: newNamed.name?.namespace || "none",
      moved: createMovedType(oldNamed, newNamed),
      sameCode: true,
      encodedDirection,
    });
  }
  if (!isSameCode || (isInEncoded && !isMoved)) {
    target.pair.differences.push({
      rule: isAnonymous ? "name-in-code-changed" : "type-renamed",
      ...omitPair(target),
      direction: undefined,
      before: isSameCode ? getName(oldNamed) : oldName,
      after: isSameCode ? getName(newNamed) : newName,
      sameCode: isSameCode,
      encodedDirection: isMoved ? undefined : encodedDirection,
    });
  }
}

/** Reports that encoded messages contain the name of another type, although at least one type is in both versions. */
function reportReplacedName([before, after]: readonly [string, string], target: ReportTarget): void {
  target.pair.differences.push({
    rule: "type-renamed",
    ...omitPair(target),
    direction: undefined,
    before,
    after,
    variant: "replaced",
    sameCode: true,
    encodedDirection: target.direction,
  });
}

/** Whether generated code exports a type, so that user code may import it. */
function isExported({ plan }: SoapSide, { id }: TypeDefinition): boolean {
  return plan?.types.get(id)?.isInline === false;
}

/**
 * Returns the declared type if a type is polymorphic, because reports give the polymorphic type and its declared type
 * the same name. Returns any other type unchanged.
 */
function getDeclaredType({ types }: SoapSide, definition: TypeDefinition): TypeDefinition {
  return definition.kind === "polymorphic" ? (types.get(definition.declared) ?? definition) : definition;
}

function getCodeName({ plan }: SoapSide, { id, name, words }: TypeDefinition): string {
  return plan?.types.get(id)?.name ?? name?.local ?? words.join("");
}

/** Formats a referenced type for reports. */
function formatType(type: TypeReference, definition: TypeDefinition | undefined): string {
  return type.kind === "builtin" ? type.name : definition === undefined ? type.id : getName(definition);
}
