import type { Field, Particle } from "@bothends/generator";
import { getRule, type RuleId } from "../../rules/index.js";
import { type Direction, findBestLevel, getConsequences, type Level } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { formatElement } from "../soap-side.js";
import { type ContentLanguage, computeExchangeLevel, listKeys } from "./content-language.js";
import {
  type Bounds,
  type ContentModel,
  formatParticle,
  type GroupParticle,
  isParticleRequired,
  type MatchedParticle,
  matchParticles,
  reduceContent,
  withGroups,
} from "./content-model.js";
import { omitPair, type ReportTarget } from "./type-comparison.js";

/** The content models of one record in the old and the new version, and the members that both versions have. */
export interface ModelPair {
  readonly before: ContentModel;
  readonly after: ContentModel;
  /** Maps the old key of each member to its new key. */
  readonly newKeys: ReadonlyMap<string, string>;
  /** The new keys of the members to compare. */
  readonly keptKeys: ReadonlySet<string>;
  /** Whether the record is the item of a repeated group in both versions. */
  readonly isRepeated: boolean;
  /** Whether readers require elements in the order of the schema, for each version. */
  readonly isOrdered: { readonly before: boolean; readonly after: boolean };
  /** How often the content occurs; undefined if the diff does not compare the combinations of its members. */
  readonly bounds: { readonly before: Bounds | undefined; readonly after: Bounds | undefined };
}

/**
 * Returns the content of each version without the members that only one version has. Members have their new keys. The
 * content is undefined if the two versions have no member in common.
 */
function getSharedContent({ before, after, newKeys, keptKeys }: ModelPair): readonly (Particle | undefined)[] {
  return [
    reduceContent(before.root, (key) => newKeys.get(key), keptKeys),
    reduceContent(after.root, (key) => key, keptKeys),
  ];
}

/**
 * Whether the shared members have the same groups and order in both versions. The outermost group may be optional in
 * only one version.
 */
export function hasSameContent(models: ModelPair): boolean {
  const [oldText, newText] = getSharedContent(models).map(
    (content) => content && formatParticle(content.kind === "field" ? content : { ...content, optional: false }),
  );
  return oldText !== undefined && oldText === newText;
}

/** Compares the grouping and order of the members that both versions have. */
export function compareContent(models: ModelPair, target: ReportTarget): void {
  const { before, after, newKeys } = models;
  const [oldContent, newContent] = getSharedContent(models);
  if (
    oldContent === undefined ||
    newContent === undefined ||
    formatParticle(oldContent) === formatParticle(newContent)
  ) {
    return;
  }
  if (
    models.isRepeated &&
    [oldContent, newContent].every(({ kind }) => kind !== "field") &&
    oldContent.kind !== newContent.kind
  ) {
    const texts = { before: formatParticle(oldContent), after: formatParticle(newContent) };
    target.pair.differences.push({
      rule: "content-model-changed",
      ...omitPair(target),
      ...texts,
      variant: "group",
      levels: computeExchangeLevels(models, target.direction),
    });
    return;
  }
  const reportedDifferences = new Set<string>();
  const oldKeys = new Map([...newKeys].map(([oldKey, newKey]) => [newKey, oldKey]));
  compareParticles(wrapInSequence(oldContent), wrapInSequence(newContent), (rule, group, details) => {
    // A required group may also be absent if its members or one of its branches are optional, so a change to or from
    // such a group is not reported.
    const model = rule === "group-became-required" ? after : before;
    const getKey = (key: string) => (model === after ? key : (oldKeys.get(key) ?? key));
    const isRequired = (key: string) => model.isRequired(getKey(key));
    const isPresenceRule = rule === "group-became-required" || rule === "group-became-optional";
    if (isPresenceRule && !isParticleRequired({ ...group, optional: false }, isRequired)) {
      return;
    }
    const isReadAsNil =
      isPresenceRule &&
      group.kind !== "choice" &&
      group.particles
        .filter((particle) => isParticleRequired(particle, isRequired))
        .every((particle) => particle.kind === "field" && isNillable(model.field(getKey(particle.key))));
    const isInOptionalGroup = isPresenceRule && listKeys(group).every((key) => model.isInOptionalGroup(getKey(key)));
    const variant =
      rule === "sequence-order-changed"
        ? chooseOrderVariant(details.matched ?? [], models)
        : isInOptionalGroup
          ? isReadAsNil
            ? "nestedNillable"
            : "nested"
          : isReadAsNil
            ? "nillable"
            : chooseKindVariant(rule, group, models);
    const key = `${rule} ${variant}`;
    if (!reportedDifferences.has(key)) {
      reportedDifferences.add(key);
      target.pair.differences.push({
        rule,
        ...omitPair(target),
        ...findGroupSpans(details.groups),
        before: formatParticle(oldContent),
        after: formatParticle(newContent),
        variant,
        ...(combinationRules.includes(rule) ? { levels: computeExchangeLevels(models, target.direction) } : {}),
      });
    }
  });
}

/** Rules whose consequences depend on the combinations of members that each version allows. */
const combinationRules: readonly RuleId[] = ["content-model-changed", "sequence-to-choice", "choice-to-sequence"];

/**
 * Returns how a changed content model affects new readers of old messages, and old readers of new messages; undefined
 * if the diff cannot compare all combinations of members.
 */
export function computeExchangeLevels(
  models: ModelPair,
  direction: Direction,
): readonly [oldWriter: Level, newWriter: Level] | undefined {
  const [oldContent, newContent] = getSharedContent(models);
  const { before, after, newKeys, isOrdered, bounds } = models;
  const oldFields = new Map([...newKeys].flatMap(([oldKey, newKey]) => getEntry(newKey, before.field(oldKey))));
  const newFields = new Map([...newKeys.values()].flatMap((key) => getEntry(key, after.field(key))));
  const language = (
    particle: Particle | undefined,
    fields: ReadonlyMap<string, Field>,
    version: "before" | "after",
  ): ContentLanguage | undefined =>
    particle === undefined || bounds[version] === undefined
      ? undefined
      : {
          particle,
          fields: selectFieldsOfParticle(fields, particle),
          ...bounds[version],
          isOrdered: isOrdered[version],
        };
  const [oldLanguage, newLanguage] = [
    language(oldContent, oldFields, "before"),
    language(newContent, newFields, "after"),
  ];
  if (oldLanguage === undefined || newLanguage === undefined) {
    return undefined;
  }
  const oldWriter = computeExchangeLevel(oldLanguage, newLanguage, direction);
  const newWriter = computeExchangeLevel(newLanguage, oldLanguage, direction);
  return oldWriter === undefined || newWriter === undefined ? undefined : [oldWriter, newWriter];
}

/**
 * Corrects the effects on clients with those of the whole content. `hasBase`: the differences of a base type have these
 * effects as well.
 */
export function adjustToContent(
  models: ModelPair,
  target: ReportTarget,
  { differences, hasBase }: { readonly differences: readonly Difference[]; readonly hasBase: boolean },
): readonly Difference[] {
  const limited = limitToContent(models, target, differences);
  return hasBase ? limited : raiseToContent(models, target, limited);
}

/**
 * Limits the effects on clients of two kinds of differences to those of the whole content. The number of members that
 * share an element may differ although the messages are the same, and a group may differ because a member entered it.
 */
function limitToContent(
  models: ModelPair,
  { subject, direction }: ReportTarget,
  differences: readonly Difference[],
): readonly Difference[] {
  const names = [models.before, models.after].flatMap((model) => {
    const elementNames = [...listElementNames(model)];
    const isRepeated = (name: string, index: number) => elementNames.findIndex((other) => other[1] === name) < index;
    return elementNames.flatMap(([, name], index) => (isRepeated(name, index) ? [name] : []));
  });
  const keys = [models.before, models.after].flatMap((model) =>
    [...listElementNames(model)].flatMap(([key, name]) => (names.includes(name) ? [key] : [])),
  );
  const subjects = new Set(keys.map((key) => `${subject}.${key}`));
  const isLimited = (difference: Difference) =>
    subjects.has(difference.subject)
      ? occurrenceRules.test(difference.rule)
      : difference.subject === subject && difference.rule.startsWith("group-became-");
  const levels = differences.some(isLimited) ? computeElementLevels(models, direction) : undefined;
  if (levels === undefined) {
    return differences;
  }
  return differences.map((difference) => {
    if (!isLimited(difference)) {
      return difference;
    }
    const { oldClients, newClients } = getConsequences(getRule(difference.rule), { ...difference, direction: "input" });
    return { ...difference, levels: [findBestLevel(oldClients, levels[0]), findBestLevel(newClients, levels[1])] };
  });
}

/**
 * Raises the effects on clients to those of the whole content. A difference in a member or a choice may affect messages
 * because of the members beside it: a choice that a group surrounds must be present if the rest of the group is.
 */
function raiseToContent(
  models: ModelPair,
  target: ReportTarget,
  differences: readonly Difference[],
): readonly Difference[] {
  const [oldText, newText] = [models.before, models.after].map((model) => model.formatWithBounds(model.root));
  const hasGroups = [models.before, models.after].some(({ root }) =>
    root.particles.some(({ kind }) => kind !== "field"),
  );
  // Whether the items of a repeated group may be absent depends on the content that contains the group.
  const isComparable = oldText !== newText && hasGroups && !models.isRepeated;
  const levels = isComparable ? computeElementLevels(models, target.direction, models.newKeys) : undefined;
  if (levels === undefined) {
    return differences;
  }
  const listEffects = (difference: Difference) => {
    const { oldClients, newClients } = getConsequences(getRule(difference.rule), { ...difference, direction: "input" });
    return [oldClients, newClients] as const;
  };
  const isMissing = ([0, 1] as const).map(
    (side) =>
      isRefused(levels[side]) && !differences.some((difference) => isRefused(listEffects(difference)[side] ?? "none")),
  );
  if (!isMissing.includes(true)) {
    return differences;
  }
  const raise = ([oldWriter, newWriter]: readonly [Level, Level]): readonly [Level, Level] => [
    isMissing[0] === true ? levels[0] : oldWriter,
    isMissing[1] === true ? levels[1] : newWriter,
  ];
  const candidates = differences.filter(({ rule }) => contentRules.test(rule));
  const raised =
    candidates.find((difference) =>
      listEffects(difference).some((level, side) => isMissing[side] && level !== "none"),
    ) ?? candidates[0];
  return raised === undefined
    ? [
        ...differences,
        {
          rule: "content-model-changed",
          ...omitPair(target),
          before: oldText,
          after: newText,
          levels: raise(["none", "none"]),
          sameCode: true,
        },
      ]
    : differences.map((difference) =>
        difference === raised ? { ...difference, levels: raise(listEffects(difference)) } : difference,
      );
}

function isRefused(level: Level): boolean {
  return level === "some" || level === "breaks";
}

/** Rules about the members of a type and their groups. */
const contentRules =
  /^(?:member-(?:added|removed|became|occurs)|choice-branch-|group-became-|content-|sequence-|choice-)/;

/** Rules about the occurrences of a member. */
const occurrenceRules = /^member-(?:(?:added|removed)-|became-(?:optional|required|repeated|single)|occurs-)/;

/**
 * Like `computeExchangeLevels`, for all members of both versions, by the names of their elements. Members in `newKeys`
 * have their new names in both versions.
 */
function computeElementLevels(
  { before, after, isOrdered, bounds }: ModelPair,
  direction: Direction,
  newKeys: ReadonlyMap<string, string> = new Map(),
): readonly [oldWriter: Level, newWriter: Level] | undefined {
  const newNames = listElementNames(after);
  const oldNames = new Map(
    [...listElementNames(before)].map(([key, name]) => [key, newNames.get(newKeys.get(key) ?? "") ?? name]),
  );
  const [oldLanguage, newLanguage] = (["before", "after"] as const).map((version): ContentLanguage | undefined => {
    const model = { before, after }[version];
    const fields = new Map(listKeys(model.root).flatMap((key) => getEntry(key, model.field(key))));
    const content = { particle: model.root, fields, elementNames: version === "before" ? oldNames : newNames };
    return bounds[version] && { ...content, ...bounds[version], isOrdered: isOrdered[version] };
  });
  const oldWriter = oldLanguage && newLanguage && computeExchangeLevel(oldLanguage, newLanguage, direction);
  const newWriter = oldLanguage && newLanguage && computeExchangeLevel(newLanguage, oldLanguage, direction);
  return oldWriter === undefined || newWriter === undefined ? undefined : [oldWriter, newWriter];
}

function listElementNames({ fields }: ContentModel): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap((field) =>
      field.kind === "element" ? [[field.key, formatElement({ element: field.wireName })] as const] : [],
    ),
  );
}

/**
 * Whether a repeated group allows the same messages with either of two bounds for one member. For example, `(a | b)*`
 * allows the same elements as `(a* | b)*`.
 */
export function hasSameMessages(
  { before, after, bounds, isRepeated }: ModelPair,
  keys: { readonly before: string; readonly after: string },
  memberBounds: readonly [Bounds, Bounds],
): boolean {
  return (
    isRepeated &&
    (["before", "after"] as const).every((version) => {
      const [model, groupBounds] = [{ before, after }[version], bounds[version]];
      const [first, second] = memberBounds.map((key) => getLanguage(model, [keys[version], key], groupBounds));
      return (
        first !== undefined &&
        second !== undefined &&
        computeExchangeLevel(first, second, "output") === "none" &&
        computeExchangeLevel(second, first, "output") === "none"
      );
    })
  );
}

/** Returns the content model of a repeated group in which one member has the given bounds. */
function getLanguage(
  model: ContentModel,
  [key, memberBounds]: readonly [string, Bounds],
  groupBounds: Bounds | undefined,
): ContentLanguage | undefined {
  if (groupBounds === undefined) {
    return undefined;
  }
  const fields = listKeys(model.root).flatMap((fieldKey) => getEntry(fieldKey, model.field(fieldKey)));
  const changedFields = fields.map(
    ([fieldKey, field]) =>
      [fieldKey, fieldKey === key && field.kind === "element" ? { ...field, ...memberBounds } : field] as const,
  );
  return { particle: model.root, fields: new Map(changedFields), ...groupBounds, isOrdered: true };
}

function getEntry(key: string, field: Field | undefined): readonly (readonly [string, Field])[] {
  return field === undefined ? [] : [[key, field]];
}

function selectFieldsOfParticle(fields: ReadonlyMap<string, Field>, particle: Particle): ReadonlyMap<string, Field> {
  const keys = listKeys(particle);
  return new Map([...fields].filter(([key]) => keys.includes(key)));
}

/**
 * Returns the variant of the rule for a sequence that became a choice, or the reverse. The variant depends on how many
 * particles of the sequence are required, and on whether the sequence may be absent.
 */
function chooseKindVariant(
  rule: RuleId,
  group: GroupParticle,
  { before, after, newKeys }: Pick<ModelPair, "before" | "after" | "newKeys">,
): string | undefined {
  if (rule === "group-became-optional") {
    return group.kind === "choice" ? "choice" : undefined;
  }
  if (rule !== "sequence-to-choice" && rule !== "choice-to-sequence") {
    return undefined;
  }
  const oldKeys = new Map([...newKeys].map(([oldKey, newKey]) => [newKey, oldKey]));
  const isRequired = (key: string) =>
    rule === "sequence-to-choice" ? before.isRequired(oldKeys.get(key) ?? key) : after.isRequired(key);
  const count = group.particles.filter((particle) => isParticleRequired(particle, isRequired)).length;
  // In the type of a sequence that may be absent, all members are optional.
  return count === 0 ? "optional" : group.optional ? "absent" : count === 1 ? "single" : undefined;
}

/** Returns the variant of the rule for a changed order of elements; undefined if no reader checks the order. */
function chooseOrderVariant(
  matched: readonly MatchedParticle[],
  { before, after, newKeys, isOrdered }: ModelPair,
): string | undefined {
  if (!isOrdered.before && !isOrdered.after) {
    return undefined;
  }
  const oldKeys = new Map([...newKeys].map(([oldKey, newKey]) => [newKey, oldKey]));
  const isRequired = (key: string) => after.isRequired(key) && before.isRequired(oldKeys.get(key) ?? key);
  const positions = matched
    .filter((pair) => [pair.before, pair.after].every((particle) => isParticleRequired(particle, isRequired)))
    .map(({ index }) => index);
  return positions.some((position, index) => index > 0 && position < (positions[index - 1] ?? 0))
    ? "required"
    : "group";
}

/** Whether readers read an absent element as nil. */
function isNillable(field: Field | undefined): boolean {
  return field?.kind === "element" && field.nillable && field.max === 1;
}

function wrapInSequence(particle: Particle): Particle {
  return particle.kind === "field" ? { kind: "sequence", particles: [particle], optional: false } : particle;
}

/** Reports a difference of a group. If a sequence became a choice, or the reverse, `group` is the sequence. */
type Report = (rule: RuleId, group: GroupParticle, details: GroupDetails) => void;

interface GroupDetails {
  readonly matched?: readonly MatchedParticle[];
  /** Both versions of the group. */
  readonly groups: readonly [before: Particle, after: Particle];
}

/** Returns the positions of both versions of a group, if the schema declares them as groups. */
function findGroupSpans([before, after]: GroupDetails["groups"]): Pick<Difference, "oldSpan" | "newSpan"> {
  const [oldSpan, newSpan] = [before, after].map((group) => (group.kind === "field" ? undefined : group.span));
  return { ...(oldSpan !== undefined && { oldSpan }), ...(newSpan !== undefined && { newSpan }) };
}

function compareParticles(before: Particle, after: Particle, report: Report): void {
  const groups = [before, after] as const;
  if (formatParticle(before) === formatParticle(after)) {
    return;
  }
  if (before.kind === "field" || after.kind === "field") {
    compareSingle(before, after, report);
    return;
  }
  if (before.optional !== after.optional) {
    report(after.optional ? "group-became-optional" : "group-became-required", after, { groups });
  }
  const matchedParticles =
    matchParticles(before, after) ?? matchParticles(withGroups(before, after), withGroups(after, before));
  if (matchedParticles === undefined) {
    report("content-model-changed", after, { groups });
    return;
  }
  if (before.kind !== after.kind) {
    const rule = kindChangeRules[`${before.kind} ${after.kind}`] ?? "content-model-changed";
    report(rule, after.kind === "choice" ? before : after, { groups });
  } else if (before.kind === "sequence" && matchedParticles.some(({ index }, newIndex) => index !== newIndex)) {
    report("sequence-order-changed", after, { matched: matchedParticles, groups });
  }
  for (const pair of matchedParticles) {
    compareParticles(pair.before, pair.after, report);
  }
}

const kindChangeRules: Readonly<Record<string, RuleId>> = {
  "sequence all": "sequence-to-all",
  "all sequence": "all-to-sequence",
  "sequence choice": "sequence-to-choice",
  "all choice": "sequence-to-choice",
  "choice sequence": "choice-to-sequence",
  "choice all": "choice-to-sequence",
};

/** Compares a member with a group that contains only that member. */
function compareSingle(before: Particle, after: Particle, report: Report): void {
  const wasOptional = before.kind !== "field" && before.optional;
  const isOptional = after.kind !== "field" && after.optional;
  const group = after.kind === "field" ? before : after;
  if (wasOptional !== isOptional && group.kind !== "field") {
    report(isOptional ? "group-became-optional" : "group-became-required", group, { groups: [before, after] });
  }
}
