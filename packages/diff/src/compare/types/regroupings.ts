import type { Field, Particle, RecordType } from "@bothends/generator";
import type { SoapSide } from "../soap-side.js";
import { computeExchangeLevels, type ModelPair } from "./content-changes.js";
import { listKeys } from "./content-language.js";
import { ContentModel, formatBounds, formatParticle, type Models, reduceContent } from "./content-model.js";
import { findGroupDifferences } from "./fields.js";
import {
  type Group,
  isGroup,
  isNamed,
  listNamesInside,
  type MatchedField,
  type MatchedFields,
} from "./match-fields.js";
import { omitPair, type ReportTarget, type TypeComparison } from "./type-comparison.js";

/** Two versions of a record. */
export interface Records {
  readonly before: RecordType;
  readonly after: RecordType;
}

/**
 * A repeated group, or mixed content, that only one version has. In the other version, its members belong to no group
 * and do not repeat.
 */
export interface Regrouping {
  readonly group: Group;
  readonly members: readonly Field[];
  /** The version that has the group. */
  readonly version: "before" | "after";
}

/** Finds members that moved into or out of a repeated group between the two versions. */
export function findRegroupings(
  { old: oldSide, new: newSide }: TypeComparison,
  { removed, added }: Pick<MatchedFields, "removed" | "added">,
): readonly Regrouping[] {
  const movedMembers = new Set<Field>();
  const find = (version: Regrouping["version"], [groups, fields]: readonly (readonly Field[])[]) =>
    (groups ?? []).flatMap((group): readonly Regrouping[] => {
      if (!isGroup(group)) {
        return [];
      }
      const [side, otherSide] = version === "before" ? [oldSide, newSide] : [newSide, oldSide];
      const names = listNamesInside(group, side);
      // Mixed content contains the members of repeated groups directly.
      const isInside = (field: Field) =>
        field.kind === "group" && group.kind === "mixed"
          ? [...listNamesInside(field, otherSide)].some((name) => names.has(name))
          : names.has(isNamed(field) ? field.wireName.local : field.kind);
      const members = (fields ?? []).filter(
        (field) => field.kind !== "attribute" && !movedMembers.has(field) && isInside(field),
      );
      for (const field of members) {
        movedMembers.add(field);
      }
      return members.length === 0 ? [] : [{ group, members, version }];
    });
  return [...find("after", [added, removed]), ...find("before", [removed, added])];
}

/** A repeated group of one version, and the part of the other version's content that contains the same members. */
export interface RegroupedContent {
  readonly group: Extract<Field, { readonly kind: "group" }>;
  readonly item: RecordType;
  readonly itemModel: ContentModel;
  readonly part: Particle;
  readonly partModel: ContentModel;
  /** The version that has the group. */
  readonly version: Regrouping["version"];
  /**
   * Whether the group's items and the part have the same content, and therefore differ only in the number of
   * occurrences.
   */
  readonly isSame: boolean;
  /** Whether the group and the part are the whole content of their records. */
  readonly isWholeContent: boolean;
  /**
   * The content models to compare; undefined if the content around the group differs from the content around the part.
   */
  readonly pair: ModelPair | undefined;
}

/**
 * Reports a changed content model if a group repeats in both versions and a member moved into or out of it, because
 * readers require the element order of repeated groups.
 */
export function compareGroupMoves(
  { old: oldSide, new: newSide }: TypeComparison,
  { matched, records }: { readonly matched: readonly MatchedField[]; readonly records: Records },
  target: ReportTarget,
): void {
  const hasMove = matched.some(({ before, after }) => {
    if (before.kind !== "group" || after.kind !== "group") {
      return false;
    }
    const [oldNames, newNames] = [listNamesInside(before, oldSide), listNamesInside(after, newSide)];
    const [oldOthers, newOthers] = [
      listNamesOutside(before, records.before, oldSide),
      listNamesOutside(after, records.after, newSide),
    ];
    return (
      [...oldNames].some((name) => !newNames.has(name) && newOthers.has(name)) ||
      [...newNames].some((name) => !oldNames.has(name) && oldOthers.has(name))
    );
  });
  if (hasMove) {
    const texts = {
      before: formatTextWithGroups(records.before, oldSide),
      after: formatTextWithGroups(records.after, newSide),
    };
    target.pair.differences.push({ rule: "content-model-changed", ...omitPair(target), ...texts, variant: "group" });
  }
}

/** Returns the names of those elements in a record that are outside the given group. */
function listNamesOutside(group: Field, { fields }: RecordType, side: SoapSide): ReadonlySet<string> {
  const otherFields = fields.filter((field) => field !== group && field.kind !== "attribute");
  return new Set(
    otherFields.flatMap((field) => (isNamed(field) ? [field.wireName.local] : [...listNamesInside(field, side)])),
  );
}

/** Formats the content of a record, including the content of its repeated groups: `((a, b?) 1..*, c)`. */
function formatTextWithGroups(record: RecordType, side: SoapSide): string {
  const model = new ContentModel(record, side);
  return formatParticle(getContent(record), (key) => {
    const field = model.field(key);
    const item = field?.kind === "group" ? side.types.get(field.item) : undefined;
    return field?.kind === "group" && item?.kind === "record"
      ? `${formatTextWithGroups(item, side)} ${formatBounds(field)}`
      : model.formatWithBounds({ kind: "field", key });
  });
}

/** Reports a repeated group whose members belong to no group in the other version. */
export function reportRegrouped(regrouped: RegroupedContent, target: ReportTarget): void {
  const { group, item, itemModel, part, partModel, version, isSame, isWholeContent, pair } = regrouped;
  const { differences } = target.pair;
  const content = getContent(item);
  const levels = pair && computeExchangeLevels(pair, target.direction);
  if (!isSame) {
    const groupText = `${itemModel.formatWithBounds(content)} ${formatBounds(group)}`;
    const partText = partModel.formatWithBounds(part);
    const [before, after] = version === "before" ? [groupText, partText] : [partText, groupText];
    // Unless the part is the whole content, "breaks" is not certain: if the part may be absent, readers accept messages
    // without it.
    const isDecided = isWholeContent || levels?.includes("breaks") === false;
    const texts = { before, after, variant: "group", levels: isDecided ? levels : undefined };
    differences.push({ rule: "content-model-changed", ...omitPair(target), ...texts });
    return;
  }
  const mayBeAbsent = partModel.acceptsAbsence(listKeys(part));
  const ofGroup = { ...group, mayBeEmpty: itemModel.mayBeEmpty };
  // The number of groups says nothing about absence if neither version requires an element of the group.
  const min = mayBeAbsent ? (ofGroup.mayBeEmpty ? group.min : 0) : 1;
  const ofPart = { min, max: 1, mayBeEmpty: mayBeAbsent };
  const [before, after] = version === "before" ? [ofGroup, ofPart] : [ofPart, ofGroup];
  const isRedundant = levels?.every((level) => level === "none");
  for (const [rule, values, details] of findGroupDifferences(before, after, "single")) {
    const subject = `${target.subject}.${group.key}`;
    const sameMessages = rule.startsWith("member-became") ? "sameMessages" : "sameSingle";
    differences.push({
      rule,
      ...omitPair(target),
      subject,
      ...values,
      ...(isRedundant ? { variant: sameMessages } : details),
    });
  }
}

export function hasSameMaximum({ before, after }: MatchedField): boolean {
  return "max" in before && "max" in after ? before.max === after.max : before.kind === after.kind;
}

/**
 * Returns a match whose fields have the same bounds. The rule for the group reports how often its members may occur.
 */
export function withSameOccurrence({ before, after, isGuess }: MatchedField): MatchedField {
  return "min" in before && "min" in after
    ? { before: { ...before, min: after.min, max: after.max }, after, isGuess }
    : { before, after, isGuess };
}

/** Returns the content of a record as a single particle. */
function getContent({ content }: RecordType): Particle {
  const [particle, ...others] = content;
  const sequence: Particle = { kind: "sequence", particles: content, optional: false };
  return particle === undefined || others.length > 0 ? sequence : particle;
}

/** Formats the content around a group, and the content around the same members in the other version. */
export function formatSurroundings(
  { matched, models }: { readonly matched: readonly MatchedField[]; readonly models: Models },
  {
    version,
    inside,
  }: Pick<Regrouping, "version"> & { readonly inside: readonly [readonly string[], readonly string[]] },
): { readonly before: string; readonly after: string } {
  const newKeys = new Map(matched.map(({ before, after }) => [before.key, after.key]));
  const sameKeys = new Set(newKeys.values());
  const [oldInside, newInside] = version === "before" ? inside : [inside[1], inside[0]];
  return {
    before: getSurroundings(models.before, new Set(oldInside), (key) => newKeys.get(key)),
    after: getSurroundings(models.after, new Set(newInside), (key) => (sameKeys.has(key) ? key : undefined)),
  };
}

/** The key that replaces a part of the content when its surroundings are formatted. */
const partKey = "…";

/**
 * Formats the content around a part. For the content `(a, b*, c*)` and the part with `b` and `c`, the result is `(a,
 * …)`. `getKey` returns the new key of a member, or undefined if only one version has the member.
 */
function getSurroundings(
  model: ContentModel,
  part: ReadonlySet<string>,
  getKey: (key: string) => string | undefined,
): string {
  const keys = listKeys(model.root).flatMap((key) => (part.has(key) ? [partKey] : (getKey(key) ?? [])));
  const content = reduceContent(model.root, (key) => (part.has(key) ? partKey : getKey(key)), new Set(keys));
  return content === undefined ? "" : formatParticle(withOnePart(content));
}

/** Replaces each particle that contains nothing but the part by the part itself, and consecutive parts by one part. */
function withOnePart(particle: Particle): Particle {
  if (particle.kind === "field" || listKeys(particle).every((key) => key === partKey)) {
    return { kind: "field", key: listKeys(particle)[0] ?? partKey };
  }
  const isPart = (particle: Particle | undefined) => particle?.kind === "field" && particle.key === partKey;
  const particles = particle.particles
    .map(withOnePart)
    .filter((particle, index, all) => !isPart(particle) || !isPart(all[index - 1]));
  return { ...particle, particles };
}

/**
 * Whether readers refuse content without the given members, content with one of them twice, or content with the members
 * in another order.
 */
export function isRestricted(fields: readonly Field[], model: ContentModel, side: SoapSide): boolean {
  const hasGroup = fields.some(({ kind }) => kind === "group");
  return hasGroup
    ? !fields.every((field) => fields.length === 1 && field.kind === "group" && acceptsAnyOrder(field, side))
    : !model.acceptsAbsence(fields.map(({ key }) => key)) || fields.some((field) => "max" in field && field.max === 1);
}

/** Whether readers accept any number of a repeated group's members in any order: `(a | b)*` and `(a?, b?)*`. */
function acceptsAnyOrder({ item, min, max }: RegroupedContent["group"], side: SoapSide): boolean {
  const record = side.types.get(item);
  if (max !== "unbounded" || record?.kind !== "record") {
    return false;
  }
  const model = new ContentModel(record, side);
  const keys = record.fields.map(({ key }) => key);
  const [particle, ...others] = record.content;
  const isChoice =
    others.length === 0 && particle?.kind === "choice" && particle.particles.every(({ kind }) => kind === "field");
  return (
    record.fields.every((field) => field.kind === "element" && field.min <= 1) &&
    (isChoice || !keys.some((key) => model.isRequired(key))) &&
    (min === 0 || model.acceptsAbsence(keys))
  );
}

/** A part of the content, and its members. */
interface Part {
  readonly part: Particle;
  readonly fields: readonly Field[];
}

/** Replaces the repeated groups in a part of the content with their members, because mixed content has no groups. */
export function withoutGroups({ part, fields }: Part, { types }: Pick<SoapSide, "types">): Part {
  const members = new Map<string, Field>();
  const replace = (particle: Particle, particleFields: readonly Field[]): Particle => {
    if (particle.kind !== "field") {
      return { ...particle, particles: particle.particles.map((each) => replace(each, particleFields)) };
    }
    const field = particleFields.find(({ key }) => key === particle.key);
    const item = field?.kind === "group" ? types.get(field.item) : undefined;
    if (item?.kind === "record") {
      return replace(getContent(item), item.fields);
    }
    if (field !== undefined && !members.has(field.key)) {
      members.set(field.key, field);
    }
    return particle;
  };
  return { part: replace(part, fields), fields: [...members.values()] };
}
