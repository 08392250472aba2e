import type { Field, Particle, RecordType, TypeReference } from "@bothends/generator";
import { minSimilarity } from "../probable-renames.js";
import { createSharedSubject } from "../soap/report-operation.js";
import { formatElement, getDefinition, isMixedItem, type SoapSide } from "../soap-side.js";
import { findCodeLimits, findOptionLimits, limitAbsence, markTypeUses } from "./code-limits.js";
import { adjustToContent, compareContent, hasSameContent, hasSameMessages, type ModelPair } from "./content-changes.js";
import { listKeys } from "./content-language.js";
import { type Bounds, ContentModel, type Models } from "./content-model.js";
import { locateGroups } from "./declared-groups.js";
import { compareField, compareNamedFields, type Requirements } from "./fields.js";
import {
  hasMovedMembers,
  isNamed,
  type MatchedField,
  type MatchedFields,
  matchFields,
  type NamedField,
  separateBranches,
} from "./match-fields.js";
import { findMovedDeclaration } from "./moved-declarations.js";
import { type Change, formatMember, locateInherited, reportPresence } from "./presence.js";
import {
  compareGroupMoves,
  findRegroupings,
  formatSurroundings,
  hasSameMaximum,
  isRestricted,
  type Records,
  type RegroupedContent,
  type Regrouping,
  reportRegrouped,
  withoutGroups,
  withSameOccurrence,
} from "./regroupings.js";
import {
  compareDocumentation,
  createTypePair,
  omitPair,
  type ReportTarget,
  type TypeComparison,
} from "./type-comparison.js";

/** Two versions of a record, with their matched members. */
interface MatchedRecords extends MatchedFields {
  readonly records: Records;
  readonly models: Models;
  /** The matched members that are in the content models of both versions. */
  readonly ordered: readonly MatchedField[];
  /** Whether the records are items of repeated groups. */
  readonly areItems: boolean;
  /** Whether readers require elements in the order of the schema, for each version. */
  readonly isOrdered: { readonly before: boolean; readonly after: boolean };
  /**
   * How often the content of the record occurs; undefined if the diff does not compare the combinations of its members.
   */
  readonly bounds: ModelPair["bounds"];
}

/**
 * Compares two versions of a complex type. If both versions have the same base type, inherited members are compared
 * with the base type.
 */
export function compareRecords(context: TypeComparison, records: Records, target: ReportTarget): void {
  const hasBase = !hasMovedMembers(records) && compareBases(context, records, target);
  const match = matchRecords(context, { records, hasBase }, target);
  const { differences } = target.pair;
  const { length: start } = differences;
  compareUnmatched(context, match, target);
  compareMatched(context, match, target);
  compareGroupMoves(context, match, target);
  compareContent(createModelPair(match), target);
  const adjusted = adjustToContent(createModelPair(match), target, { differences: differences.splice(start), hasBase });
  const located = markTypeUses(records, locateGroups(context, records, target, adjusted));
  differences.push(...limitAbsence(records, located));
}

function matchRecords(
  context: TypeComparison,
  { records, hasBase }: { readonly records: Records; readonly hasBase: boolean },
  target: ReportTarget,
): MatchedRecords {
  const { before, after } = records;
  const listFields = ({ fields }: RecordType) => (hasBase ? fields.filter(({ inherited }) => !inherited) : fields);
  const isSameType = (left: TypeReference, right: TypeReference) => isEqualType(context, left, right, target);
  const models = { before: new ContentModel(before, context.old), after: new ContentModel(after, context.new) };
  const ownFields = { before: listFields(before), after: listFields(after) };
  const fields = separateBranches(matchFields(context, ownFields, isSameType), models);
  const ordered = fields.matched.filter(
    (pair) => pair.before.kind === pair.after.kind && !(hasBase && pair.after.inherited),
  );
  const areItems = context.old.groupItems.has(before.id) && context.new.groupItems.has(after.id);
  const isOrdered = { before: isReadInOrder(before, context.old), after: isReadInOrder(after, context.new) };
  const isPlain = [before, after].every((record) => record.fields.every(({ kind }) => !nestedKinds.includes(kind)));
  const bounds = !isPlain
    ? { before: undefined, after: undefined }
    : areItems
      ? { before: context.old.groupItems.get(before.id)?.bounds, after: context.new.groupItems.get(after.id)?.bounds }
      : { before: exactlyOnce, after: exactlyOnce };
  return { ...fields, records, models, ordered, areItems, isOrdered, bounds };
}

const exactlyOnce: Bounds = { min: 1, max: 1 };

/** If a record has a field of these kinds, the combinations of its members are not compared. */
const nestedKinds: readonly Field["kind"][] = ["group", "mixed", "any"];

/**
 * Whether readers require elements in the order of the schema: they do if a group of elements repeats, or if two
 * elements have the same name.
 */
function isReadInOrder({ id, fields }: RecordType, { groupItems }: SoapSide): boolean {
  const names = fields.flatMap((field) =>
    field.kind === "element" ? [formatElement({ element: field.wireName })] : [],
  );
  return groupItems.has(id) || fields.some(({ kind }) => kind === "group") || new Set(names).size < names.length;
}

function createModelPair({ matched, ordered, models, areItems, isOrdered, bounds }: MatchedRecords): ModelPair {
  return {
    ...models,
    newKeys: new Map(matched.map(({ before, after }) => [before.key, after.key])),
    keptKeys: new Set(ordered.map(({ after: { key } }) => key)),
    isRepeated: areItems,
    isOrdered,
    bounds,
  };
}

/** Reports members that only one version has, and members that moved into or out of a repeated group. */
function compareUnmatched(context: TypeComparison, match: MatchedRecords, target: ReportTarget): void {
  const { records, models, matched, removed, added } = match;
  const regroupings = findRegroupings(context, { removed, added });
  const reportedChoices = new Set<Particle>();
  const isMessage = areMessages(context, records);
  const texts = {
    removed: new Set(removed.filter(isNamed).map(formatMember)),
    added: new Set(added.filter(isNamed).map(formatMember)),
  };
  const regroupedFields = new Set(regroupings.flatMap(({ group, members }) => [group, ...members]));
  for (const regrouping of regroupings) {
    for (const field of compareRegrouped(context, regrouping, { match, regroupedFields, target })) {
      regroupedFields.add(field);
    }
  }
  const isOther = (field: Field) => !regroupedFields.has(field);
  for (const field of locateInherited(removed.filter(isOther), "before", records)) {
    const item = context.new.groupItems.get(records.after.id);
    const removedModels = { side: context.old, model: models.before, otherModel: models.after };
    const limits = findOptionLimits(context, records, { key: field.key, direction: target.direction });
    const details = { isMessage, limits, contents: listMovedMembers(context.old, field, texts.added) };
    reportPresence("removed", field, { target, ...removedModels, ...details, matched, item, reportedChoices });
  }
  for (const field of locateInherited(added.filter(isOther), "after", records)) {
    const item = context.old.groupItems.get(records.before.id);
    const addedModels = { side: context.new, model: models.after, otherModel: models.before };
    const limits = findOptionLimits(context, records, { key: field.key, direction: target.direction });
    const details = { isMessage, limits, contents: listMovedMembers(context.new, field, texts.removed) };
    reportPresence("added", field, { target, ...addedModels, ...details, matched, item, reportedChoices });
  }
}

/** Whether both versions of a record are the type of a message. */
function areMessages({ old: oldSide, new: newSide }: TypeComparison, { before, after }: Records): boolean {
  return oldSide.messageTypes.has(before.id) && newSide.messageTypes.has(after.id);
}

/**
 * Returns the members of a member's type that the other version has in its place. Returns none if most members of the
 * type are not among them: equal names are then accidental.
 */
function listMovedMembers(side: SoapSide, field: Field, others: ReadonlySet<string>): readonly string[] {
  const definition = field.kind === "element" ? getDefinition(side, field.type) : undefined;
  if (definition?.kind !== "record") {
    return [];
  }
  const movedFields = definition.fields.filter((member) => isNamed(member) && others.has(formatMember(member)));
  return movedFields.length / definition.fields.length < minSimilarity ? [] : movedFields.map(({ key }) => key);
}

function compareMatched(context: TypeComparison, match: MatchedRecords, target: ReportTarget): void {
  const { matched, models, isOrdered, records } = match;
  const modelPair = createModelPair(match);
  const isMessage = areMessages(context, records);
  for (const pair of matched) {
    const { before, after } = pair;
    const spans = { oldSpan: before.span, newSpan: after.span };
    const sharedSubject = isMessage ? createSharedSubject(after.key) : undefined;
    const fieldTarget = { ...target, subject: `${target.subject}.${after.key}`, ...spans, sharedSubject };
    compareDocumentation([before, after], fieldTarget);
    if (isNamed(before) && isNamed(after)) {
      const namedFields = withKeptAbsence([before, after], { matched, models });
      const keys = { before: before.key, after: after.key };
      const hasSameForBounds = (...bounds: readonly [Bounds, Bounds]) => hasSameMessages(modelPair, keys, bounds);
      const moved = findMovedDeclaration(context, records, { ...pair, before, after });
      const requirements = getRequirements(context, match, pair);
      const limits = findCodeLimits(context, records, { before, after, direction: target.direction });
      const { before: oldModel, after: newModel } = models;
      const isGrouped =
        "min" in namedFields.after && namedFields.after.min > 0
          ? newModel.isInOptionalGroup(after.key)
          : oldModel.isInOptionalGroup(before.key);
      const [wasMixed, isMixed] = [isMixedItem(context.old, records.before), isMixedItem(context.new, records.after)];
      const details = {
        isOrdered,
        moved,
        requirements,
        limits,
        isGrouped,
        isInMixed: { before: wasMixed, after: isMixed },
      };
      const described = { ...pair, ...namedFields, ...details, hasSameMessages: hasSameForBounds };
      compareNamedFields(context, described, fieldTarget);
    } else {
      compareField(context, { ...pair, isOrdered }, fieldTarget);
    }
  }
}

/** Returns whether readers of each version refuse messages without a member. */
function getRequirements(
  context: TypeComparison,
  { matched, models, records }: MatchedRecords,
  pair: MatchedField,
): Requirements {
  const hasSameName = (other: MatchedField) =>
    other !== pair &&
    (!isNamed(other.before) || !isNamed(other.after) || formatName(other.before) === formatName(other.after));
  const keptPairs = matched.filter(hasSameName);
  const getRequirement = (version: "before" | "after", { groupItems }: SoapSide) =>
    models[version].getRequirement(pair[version].key, {
      keptKeys: new Set(keptPairs.map((kept) => kept[version].key)),
      isOptionalItem: groupItems.get(records[version].id)?.isOptional === true,
    });
  return { before: getRequirement("before", context.old), after: getRequirement("after", context.new) };
}

function formatName({ kind, wireName }: NamedField): string {
  return `${kind} ${formatElement({ element: wireName })}`;
}

/**
 * Compares the items of a repeated group with the part of the other version's content that has the same members.
 * Returns the members of this part.
 */
function compareRegrouped(
  context: TypeComparison,
  regrouping: Regrouping,
  regrouped: {
    readonly match: MatchedRecords;
    readonly regroupedFields: ReadonlySet<Field>;
    readonly target: ReportTarget;
  },
): readonly Field[] {
  const regroupedPart = findRegroupedPart(context, regrouping, regrouped);
  if (regroupedPart === undefined) {
    return [];
  }
  const { match, target } = regrouped;
  const { group, version } = regrouping;
  const { item, part, fields } = regroupedPart;
  const otherSide = version === "before" ? context.new : context.old;
  const members = group.kind === "mixed" ? withoutGroups(regroupedPart, otherSide) : regroupedPart;
  const partRecord: RecordType = { ...item, fields: members.fields, content: [members.part] };
  const records = version === "before" ? { before: item, after: partRecord } : { before: partRecord, after: item };
  const items = matchRecords(context, { records, hasBase: false }, target);
  const isSame = hasSameContent(createModelPair(items)) && items.matched.every(hasSameMaximum);
  const partSpan = (part.kind === "field" ? undefined : part.span) ?? fields[0]?.span;
  const spans = { oldSpan: partSpan, newSpan: partSpan };
  const groupSpan = version === "before" ? { oldSpan: group.span } : { newSpan: group.span };
  const regroupedTarget = { ...target, ...spans, ...groupSpan };
  if (group.kind === "mixed") {
    const [before, after, restricting] =
      version === "before"
        ? (["mixed", "elements", "restrictedNow"] as const)
        : (["elements", "mixed", "restricted"] as const);
    const variant = isRestricted(fields, match.models[getOtherVersion(version)], otherSide)
      ? restricting
      : version === "before"
        ? "refused"
        : "allowed";
    const spans = { oldSpan: match.records.before.span, newSpan: match.records.after.span };
    target.pair.differences.push({ rule: "mixed-changed", ...omitPair(target), ...spans, before, after, variant });
  } else {
    reportRegroupedContent({ ...regroupedPart, group, version, match, items, isSame }, regroupedTarget);
  }
  // A wildcard in mixed content is not reported, because mixed content is read the same way whether or not it has a
  // wildcard.
  const isReported = ({ kind }: Field) => group.kind === "group" || kind !== "any";
  const unmatched = { removed: items.removed.filter(isReported), added: items.added.filter(isReported) };
  compareUnmatched(context, { ...items, ...unmatched }, target);
  const matched = items.matched.map((pair) => (isSame && part.kind !== "field" ? pair : withSameOccurrence(pair)));
  compareMatched(context, { ...items, matched }, target);
  return fields;
}

/** The items of a repeated group, and the part of the other version's content that has the same members. */
interface RegroupedPart {
  readonly item: RecordType;
  readonly part: Particle;
  readonly partKeys: readonly string[];
  /** The members of the part. */
  readonly fields: readonly Field[];
}

/**
 * Finds the part of the other version's content that has the members of a repeated group; undefined if there is none.
 */
function findRegroupedPart(
  context: TypeComparison,
  { group, members, version }: Regrouping,
  { match, regroupedFields }: { readonly match: MatchedRecords; readonly regroupedFields: ReadonlySet<Field> },
): RegroupedPart | undefined {
  const otherVersion = getOtherVersion(version);
  const item = (version === "before" ? context.old : context.new).types.get(group.item);
  const otherKeys = [...match.matched.map((pair) => pair[otherVersion]), ...regroupedFields]
    .filter((field) => !members.includes(field))
    .map(({ key }) => key);
  const part = match.models[otherVersion].getSmallestPart(new Set(members.map(({ key }) => key)), new Set(otherKeys));
  if (item?.kind !== "record" || part === undefined) {
    return undefined;
  }
  const partKeys = listKeys(part);
  const fields = match.records[otherVersion].fields.filter(({ key }) => partKeys.includes(key));
  return { item, part, partKeys, fields };
}

function getOtherVersion(version: Regrouping["version"]): Regrouping["version"] {
  return version === "before" ? "after" : "before";
}

/** A repeated group and its part, with the records that contain them, and their matched members. */
interface RegroupedContentOfRecords extends RegroupedPart, Pick<RegroupedContent, "group" | "version" | "isSame"> {
  readonly match: MatchedRecords;
  readonly items: MatchedRecords;
}

/** Reports the differences between the content model of a repeated group and that of its part. */
function reportRegroupedContent(regrouped: RegroupedContentOfRecords, target: ReportTarget): void {
  const { group, item, part, partKeys, fields, version, match, items, isSame } = regrouped;
  const otherVersion = getOtherVersion(version);
  const [itemModel, partModel] = [items.models[version], items.models[otherVersion]];
  // Comparing the members of the part is not enough, because the content around the part may allow different
  // combinations in the two versions.
  const unmatchedFields = [...match.removed, ...match.added];
  const isWholeContent =
    hasOnly(match.records[version], { fields: [group], unmatched: unmatchedFields }) &&
    hasOnly(match.records[otherVersion], { fields, unmatched: unmatchedFields });
  const surroundings = formatSurroundings(match, { version, inside: [[group.key], partKeys] });
  const hasSameSurroundings = surroundings.before === surroundings.after;
  const isSeparate =
    hasSameSurroundings &&
    match.records[version].content.some((particle) => particle.kind === "field" && particle.key === group.key) &&
    match.models[otherVersion].isTopLevel(part);
  const pair =
    isWholeContent || isSeparate
      ? {
          ...createModelPair(items),
          ...(isWholeContent && { [otherVersion]: match.models[otherVersion] }),
          isOrdered: match.isOrdered,
          bounds: version === "before" ? { before: group, after: exactlyOnce } : { before: exactlyOnce, after: group },
        }
      : undefined;
  reportRegrouped({ group, item, itemModel, part, partModel, version, isSame, isWholeContent, pair }, target);
  if (isSame && !hasSameSurroundings) {
    const difference = { rule: "content-model-changed", ...surroundings, variant: "group" } as const;
    target.pair.differences.push({ ...omitPair(target), ...difference });
  }
}

/**
 * Whether the given fields are the whole content of a record. Ignores optional elements that only one version has and
 * that are not inside a group.
 */
function hasOnly(
  record: RecordType,
  { fields, unmatched }: { readonly fields: readonly Field[]; readonly unmatched: readonly Field[] },
): boolean {
  const isSeparate = (field: Field) =>
    field.kind === "element" &&
    field.min === 0 &&
    unmatched.includes(field) &&
    record.content.some((particle) => particle.kind === "field" && particle.key === field.key);
  return record.fields.every(
    (field) =>
      field.kind === "attribute" || field.kind === "anyAttribute" || fields.includes(field) || isSeparate(field),
  );
}

/**
 * Makes an element optional in both versions if one version requires it only inside a group that may be absent: the
 * content `(a | b)?` also allows messages without `a`.
 */
function withKeptAbsence(
  [before, after]: readonly [NamedField, NamedField],
  { matched, models }: { readonly matched: readonly MatchedField[]; readonly models: Models },
): { readonly before: NamedField; readonly after: NamedField } {
  const isOmittable = (version: "before" | "after", key: string) => {
    const otherKeys = matched.map((pair) => pair[version].key);
    const model = models[version];
    return model.acceptsAbsence([key]) && (model.isDirectBranch(key) || model.isSingle(key, otherKeys));
  };
  if (before.kind !== "element" || after.kind !== "element" || before.min > 0 === after.min > 0) {
    return { before, after };
  }
  return after.min > 0
    ? { before, after: isOmittable("after", after.key) ? { ...after, min: 0 } : after }
    : { before: isOmittable("before", before.key) ? { ...before, min: 0 } : before, after };
}

/**
 * Compares the base types of two types. Returns false if a type has no base type, or if the base types have different
 * names.
 */
function compareBases(context: TypeComparison, { before, after }: Records, target: ReportTarget): boolean {
  const [oldBase, newBase] = [before.base, after.base];
  if (oldBase === undefined || newBase === undefined) {
    return false;
  }
  const isSameName = oldBase === newBase || getLocalName(oldBase) === getLocalName(newBase);
  if (isSameName) {
    const types = { before: { kind: "named", id: oldBase }, after: { kind: "named", id: newBase } } as const;
    context.compare(context, types, target);
  }
  return isSameName;
}

function getLocalName(id: string): string {
  return id.slice(id.indexOf("}") + 1);
}

/** Whether two types are equal. Compares them without reporting their differences. */
function isEqualType(
  context: TypeComparison,
  before: TypeReference,
  after: TypeReference,
  target: ReportTarget,
): boolean {
  if (before.kind === "builtin" && after.kind === "builtin") {
    return before.name === after.name;
  }
  // Named types with the same local name are treated as equal, even if their content changed.
  if (before.kind === "named" && after.kind === "named" && getLocalName(before.id) === getLocalName(after.id)) {
    return true;
  }
  const key = JSON.stringify([before, after]);
  const knownResult = context.equalTypes.get(key);
  if (knownResult !== undefined) {
    return knownResult;
  }
  // Types inside may refer to the same two types, which then count as equal.
  context.equalTypes.set(key, true);
  const pair = createTypePair();
  const trialContext = { ...context, pairs: new Map() };
  context.compare(trialContext, { before, after }, { ...target, pair });
  const differences = [pair, ...trialContext.pairs.values()].flatMap(({ differences }) => differences);
  const isEqual = differences.every(({ rule }) => rule === "type-renamed" || rule === "name-in-code-changed");
  context.equalTypes.set(key, isEqual);
  return isEqual;
}

/**
 * Compares a simple type with a complex type that has text and attributes; returns false if the complex type has no
 * text.
 */
export function compareWithText(
  context: TypeComparison,
  {
    record,
    simpleType,
    change,
  }: { readonly record: RecordType; readonly simpleType: TypeReference; readonly change: Change },
  target: ReportTarget,
): boolean {
  const text = record.fields.find(({ kind }) => kind === "text");
  if (text?.kind !== "text") {
    return false;
  }
  const names = { simple: "a value", record: "an object with attributes" };
  const [before, after] = change === "added" ? [names.simple, names.record] : [names.record, names.simple];
  target.pair.differences.push({ rule: "type-in-code-changed", ...omitPair(target), before, after });
  const types =
    change === "added" ? { before: simpleType, after: text.type } : { before: text.type, after: simpleType };
  context.compare(context, types, target);
  const model = new ContentModel(record, change === "added" ? context.new : context.old);
  for (const field of record.fields.filter((candidate) => candidate !== text)) {
    const models = { side: context.new, model, otherModel: model, reportedChoices: new Set<Particle>() };
    const details = { isMessage: false, limits: {}, contents: [] };
    const { parts, ...place } = (change === "added" ? target.newSpan : target.oldSpan) ?? field.span;
    const located = { ...field, span: parts?.["type"] ?? place };
    reportPresence(change, located, { target, ...models, ...details, matched: [], item: undefined });
  }
  return true;
}
