import type { JsonProperty, JsonType, Span } from "@bothends/generator";
import { getRule } from "../../rules/index.js";
import { type Direction, findWorstConsequences, getConsequences, type LevelsOfWriters } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { computeNameSimilarity, isSimilarName, matchUnique } from "../similar-names.js";
import { findAbsenceLimits } from "./code-types.js";
import type { JsonComparison, SeparateContexts } from "./json-comparison.js";
import { formatContext, formatContexts, formatLiteral, formatType, getMembers } from "./json-type-rules.js";
import { findSpan, getMember, getObject, isList, type JsonMembers } from "./json-values.js";
import { formatStructure, listRequiredNames } from "./schema-texts.js";
import type { KeywordDifference, Schemas } from "./unions/schema-alternatives.js";

// Compares the presence and the keywords of a property of a JSON object, and the properties of schemas in unions.

/** A property in both versions. */
export type MatchedProperties = readonly [before: JsonProperty, after: JsonProperty];

/** Returns the properties of an object by their names. */
export function mapPropertiesByName({
  properties,
}: {
  readonly properties: readonly JsonProperty[];
}): ReadonlyMap<string, JsonProperty> {
  return new Map(properties.map((property) => [property.name, property]));
}

/**
 * Matches removed properties with added properties of the same type: first each with the only property that has a
 * most similar name, then the last remaining pair, if both have the same format. Then matches properties with similar
 * names whose types differ only in a part of their values.
 */
export function matchRenamedProperties(
  candidates: readonly [removed: readonly JsonProperty[], added: readonly JsonProperty[]],
) {
  const isSame = (left: JsonProperty, right: JsonProperty) =>
    left.required === right.required && formatType(left.type) === formatType(right.type);
  return matchUnique<JsonProperty>(
    candidates,
    [
      (left, right) => isSame(left, right) && isSimilarName(left.name, right.name),
      (left, right) =>
        isSame(left, right) &&
        left.type.kind !== "any" &&
        left.annotations?.format === right.annotations?.format &&
        formatContext(left) === formatContext(right),
      (left, right) =>
        left.required === right.required &&
        isSimilarName(left.name, right.name) &&
        isRelatedType([left.type, right.type]),
    ],
    (left, right) => computeNameSimilarity(left.name, right.name),
  );
}

/** Whether both types allow some values of the same kind, apart from null. */
function isRelatedType([before, after]: readonly [JsonType, JsonType]): boolean {
  const listKinds = (type: JsonType) =>
    getMembers(type).flatMap((member) =>
      member.kind === "enumeration"
        ? member.values.map((value) => typeof value)
        : member.kind === "null" || member.kind === "any"
          ? []
          : [isNumberKind(member.kind) ? "number" : member.kind],
    );
  const newKinds = listKinds(after);
  return listKinds(before).some((kind) => newKinds.includes(kind));
}

function isNumberKind(kind: JsonType["kind"]): boolean {
  return kind === "integer" || kind === "number";
}

/** How the values of an object are sent: their direction, place and schemas. */
export interface WrittenTarget {
  readonly direction: Direction;
  readonly inQuery?: boolean;
  readonly schemas?: Schemas | undefined;
}

export type ReportTarget = Pick<Difference, "direction" | "subject" | "oldSpan" | "newSpan">;

/** Compares the presence of a property in answers: whether it is required, and which contexts include it. */
export function findPresenceDifferences(
  [before, after]: MatchedProperties,
  target: ReportTarget,
  { contexts, separateContexts, emptyContexts = [] }: JsonComparison,
): readonly Difference[] {
  const becameOptional = before.required && !after.required;
  const becameRequired = !before.required && after.required;
  const variant = contexts === undefined ? undefined : chooseContextsVariant(contexts, [before, after]);
  const [oldContexts, newContexts] = [formatContext(before), formatContext(after)];
  const [oldValue, newValue] = [describeContexts(before), describeContexts(after)];
  const [oldList, newList] = [before, after].map(({ annotations }) => formatContexts(annotations?.contexts));
  const lists = { before: oldList, after: newList };
  const codeLimits = contexts && findCodeLimitsOfContexts({ contexts, emptyContexts }, [before, after]);
  if (contexts !== undefined && variant === undefined) {
    const levels = separateContexts && findSeparateLevels(separateContexts, [before, after]);
    if (levels?.includes("some") === true) {
      const values = { before: oldValue, after: newValue };
      return [{ rule: "member-contexts-changed", ...target, ...values, levels, codeLevels: noEffect }];
    }
    // Callers cannot request the contexts that changed, or answers do not contain the object in them.
    const isSame = oldList === newList || before.annotations?.contexts === undefined || !after.annotations?.contexts;
    return isSame ? [] : [{ rule: "member-contexts-changed", ...target, ...lists, levels: noEffect }];
  }
  const isOnlyInTypes = !before.required && !after.required;
  const changedEverywhere = (becameOptional || becameRequired) && isInSameContexts(contexts ?? [], [before, after]);
  if (oldContexts === newContexts && variant !== undefined && !changedEverywhere) {
    // In both versions, every context of the object includes the property. However, the endpoint also has contexts that
    // do not include the object, so the lists of contexts are reported instead.
    return [{ rule: "member-contexts-changed", ...target, ...lists, variant, codeLimits, isOnlyInTypes }];
  }
  if (oldContexts !== newContexts) {
    const presenceVariant = becameOptional ? "optionalNow" : becameRequired ? "requiredNow" : undefined;
    const values = { before: oldValue, after: newValue };
    const change = { variant: variant ?? presenceVariant, codeLimits, isOnlyInTypes };
    return [{ rule: "member-contexts-changed", ...target, ...values, ...change }];
  }
  const limits = target.direction === "input" ? findAbsenceLimits([before.type, after.type]) : {};
  return becameOptional || becameRequired
    ? [{ rule: becameOptional ? "member-became-optional" : "member-became-required", ...target, ...limits }]
    : [];
}

/**
 * Formats the contexts for which answers contain a property. A property without a list may be absent in all of them.
 */
function describeContexts(property: JsonProperty): string {
  const isListed = property.required || property.annotations?.contexts !== undefined;
  return isListed ? formatContext(property) : "optional in all";
}

export const noEffect = ["none", "none"] as const;

/**
 * Returns the effects in contexts for which answers of only one version contain the object with a property. Clients
 * that check answers require the properties of an object that their version requires wherever it contains the object.
 */
function findSeparateLevels(separateContexts: SeparateContexts, [before, after]: MatchedProperties): LevelsOfWriters {
  const isRefused = (reader: JsonProperty, writer: JsonProperty, contexts: readonly string[]) =>
    reader.required && contexts.some((context) => getPresence(writer, context) < 2);
  return [
    isRefused(after, before, separateContexts.old) ? "some" : "none",
    isRefused(before, after, separateContexts.new) ? "some" : "none",
  ];
}

/**
 * Returns the worst consequences for code that writes answers. Code that builds the object for a context no longer
 * compiles if the object lost the property in this context, and still has others, or now requires the property.
 */
function findCodeLimitsOfContexts(
  { contexts, emptyContexts }: { readonly contexts: readonly string[]; readonly emptyContexts: readonly string[] },
  [before, after]: MatchedProperties,
): NonNullable<Difference["codeLimits"]> {
  const isAffected = contexts.some((context) => {
    const [oldPresence, newPresence] = [getPresence(before, context), getPresence(after, context)];
    return (
      oldPresence !== newPresence && (newPresence === 2 || (newPresence === 0 && !emptyContexts.includes(context)))
    );
  });
  return [isAffected ? "breaks" : "none", "breaks"];
}

/**
 * Returns the variant of a rule about a property that only one version has: whether answers contain the property in
 * every context or in some contexts. Undefined if it is optional in each context, and for schemas that require it.
 */
function choosePresenceVariant(contexts: readonly string[] | undefined, property: JsonProperty) {
  const isPresent = (context: string) => getPresence(property, context) === 2;
  if (property.required || contexts?.some(isPresent) !== true) {
    return undefined;
  }
  return contexts.every(isPresent) ? "inEveryContext" : "inContext";
}

/** Describes the presence of an added or removed property in contexts. `chosen` replaces the variant of the rule. */
export function describePresence(
  context: Pick<JsonComparison, "contexts">,
  property: JsonProperty,
  chosen?: string,
): Pick<Difference, "variant" | "isOnlyInTypes" | "memberContexts" | "hasOtherAnswers"> {
  const variant = choosePresenceVariant(context.contexts, property);
  return {
    ...(variant !== undefined && { variant: chosen ?? variant, isOnlyInTypes: true }),
    ...describeMemberContexts(context, property),
  };
}

/** Describes the effects of a renamed property. */
export function describeRenamedPresence(
  { contexts }: Pick<JsonComparison, "contexts">,
  property: JsonProperty,
  target: WrittenTarget,
): Pick<Difference, "levels" | "isOnlyInTypes" | "codeLimits"> {
  const isInContexts = choosePresenceVariant(contexts, property) !== undefined;
  return {
    // In the contexts that contain the property, the types of clients require it.
    ...(isInContexts && { levels: ["some", "some"], isOnlyInTypes: true }),
    ...(property.required || isInContexts ? {} : limitReturnedMembers(target)),
  };
}

/**
 * Limits the consequences of a removed member for code that writes it. Handlers may return members that the type of the
 * answer does not contain, but not in an object whose type is named.
 */
export function limitReturnedMembers({ direction }: WrittenTarget): Pick<Difference, "codeLimits"> {
  return direction === "output" ? { codeLimits: ["some", "breaks"] } : {};
}

/** Returns the contexts in which answers contain a property, if not all. */
function describeMemberContexts(
  { contexts }: Pick<JsonComparison, "contexts">,
  { required, annotations }: JsonProperty,
): Pick<Difference, "memberContexts" | "hasOtherAnswers"> {
  if (required || annotations?.contexts === undefined) {
    return {};
  }
  return contexts === undefined ? { hasOtherAnswers: true } : { memberContexts: [...annotations.contexts].sort() };
}

/** Returns the contexts in which the answers of both versions contain a property, if they are the same. */
export function describeSharedContexts(
  context: Pick<JsonComparison, "contexts">,
  [before, after]: MatchedProperties,
): Pick<Difference, "memberContexts" | "hasOtherAnswers"> {
  return formatContext(before) === formatContext(after) ? describeMemberContexts(context, after) : {};
}

/** Whether answers of both versions contain a property in the same contexts. */
function isInSameContexts(contexts: readonly string[], [before, after]: MatchedProperties): boolean {
  return contexts.every((context) => getPresence(before, context) > 0 === getPresence(after, context) > 0);
}

/**
 * Returns the presence of a property in the answers for a context: 2 if the property is required, 1 if it is optional,
 * and 0 if answers do not contain it. A property without a list of contexts is optional unless its schema says that it
 * is required.
 */
function getPresence({ required, annotations }: JsonProperty, context: string): number {
  const { contexts } = annotations ?? {};
  return contexts === undefined ? (required ? 2 : 1) : contexts.includes(context) ? 2 : 0;
}

/**
 * Returns the variant of the rule that describes how the presence of a property in contexts changed; undefined if it is
 * the same in each context.
 */
function chooseContextsVariant(contexts: readonly string[], [before, after]: MatchedProperties): string | undefined {
  const isLost = contexts.some((context) => getPresence(after, context) < getPresence(before, context));
  const isGained = contexts.some((context) => getPresence(after, context) > getPresence(before, context));
  if (isLost || isGained) {
    return isLost && isGained
      ? "moved"
      : isLost
        ? "optionalNow"
        : contexts.every((context) => getPresence(after, context) > 0)
          ? "requiredNow"
          : "added";
  }
  return undefined;
}

/** Whether answers for a context may contain a property. */
export function isInContext({ annotations }: JsonProperty, context: string): boolean {
  return annotations?.contexts?.includes(context) !== false;
}

/** Selects the contexts in which answers contain a property: only these contain its members. */
export function selectContexts(context: JsonComparison, [before, after]: MatchedProperties): JsonComparison {
  const { contexts, separateContexts = { old: [], new: [] } } = context;
  if (contexts === undefined) {
    return context;
  }
  const listSeparate = (words: readonly string[], property: JsonProperty, other: JsonProperty) => [
    ...words.filter((word) => isInContext(property, word)),
    ...contexts.filter((word) => isInContext(property, word) && !isInContext(other, word)),
  ];
  return {
    ...context,
    contexts: contexts.filter((word) => isInContext(before, word) && isInContext(after, word)),
    separateContexts: {
      old: listSeparate(separateContexts.old, before, after),
      new: listSeparate(separateContexts.new, after, before),
    },
  };
}

/** Whether no answer contains an object: callers cannot request a context that does. */
export function isUnseen({ contexts, separateContexts, old, new: current }: JsonComparison): boolean {
  const separate = [...(separateContexts?.old ?? []), ...(separateContexts?.new ?? [])];
  const isEmbedded = [old, current].some(({ embedded }) => embedded !== undefined);
  return contexts?.length === 0 && separate.length === 0 && !isEmbedded;
}

export type Annotated = Pick<JsonProperty, "annotations">;

/** Compares the keywords of a value in answers, except the given ones. Clients do not check the keywords. */
export function findKeywordDifferences(
  [before, after]: readonly [Annotated, Annotated],
  target: ReportTarget,
  isExcluded: (keyword: string) => boolean,
): readonly Difference[] {
  const [oldKeywords, newKeywords] = [getKeywords(before), getKeywords(after)];
  const names = [...new Set([...oldKeywords.keys(), ...newKeywords.keys()])];
  // "additionalProperties none" would mean that the object refuses other members.
  const formatEntry = (name: string, value: string | undefined) =>
    `${name} ${value ?? (name.endsWith("additionalProperties") ? "absent" : "none")}`;
  return [
    ...names
      .filter((name) => oldKeywords.get(name) !== newKeywords.get(name) && !isExcluded(name))
      .map((name): Difference => {
        const values = {
          before: formatEntry(name, oldKeywords.get(name)),
          after: formatEntry(name, newKeywords.get(name)),
        };
        const isAnnotation = /(?:^|\.)(?:readOnly|default)$/.test(name);
        return { rule: isAnnotation ? "keyword-changed" : "answer-keyword-changed", ...target, ...values };
      }),
  ];
}

/** Returns the keywords, except the type, that restrict or describe a value in an answer's schema. */
function getKeywords({ annotations = {} }: Annotated): ReadonlyMap<string, string> {
  const { readOnly, format, restrictions = {} } = annotations;
  const entries = Object.entries({
    ...(readOnly && { readOnly }),
    ...(format !== undefined && { format }),
    ...restrictions,
  });
  return new Map(entries.map(([name, value]) => [name, typeof value === "string" ? value : formatLiteral(value)]));
}

/** Compares the properties that two schemas declare, and the properties that they require. */
export function compareDeclaredProperties([before, after]: Schemas): readonly KeywordDifference[] {
  const [oldNames, newNames] = [before, after].map((schema) => Object.keys(getObject(schema, "properties")));
  const [oldRequired, newRequired] = [listRequiredNames(before), listRequiredNames(after)];
  const renamed = findRenamedProperty([before, after]);
  const names = new Set([...(oldNames ?? []), ...(newNames ?? []), ...oldRequired, ...newRequired]);
  const otherNames = [...names].filter((name) => renamed?.before !== name && renamed?.after !== name);
  const differences = otherNames.flatMap((name): readonly KeywordDifference[] => {
    const [wasRequired, isRequired] = [oldRequired.includes(name), newRequired.includes(name)];
    // A property that a schema does not declare may have any value, so a newly required name may have been valid
    // before.
    const [wasListed, isListed] = [oldNames, newNames].map((names) => names?.includes(name) === true);
    const spans = { oldSpan: findPropertySpan(before, name), newSpan: findPropertySpan(after, name) };
    const change = { isStructural: true, member: `.${name}`, ...spans } as const;
    if (wasRequired !== isRequired) {
      const rule = isRequired ? "member-became-required" : "member-became-optional";
      return [{ ...change, rule, oldSpan: findRequiredSpan(before, name), newSpan: findRequiredSpan(after, name) }];
    }
    if (wasListed === isListed || wasRequired) {
      return [];
    }
    return [
      isListed
        ? { ...change, rule: "member-added-optional", after: name }
        : { ...change, rule: "member-removed-optional", before: name },
    ];
  });
  return renamed === undefined ? differences : [renamed, ...differences];
}

/** Returns the position of a property in a schema, or that of the properties or the schema without it. */
function findPropertySpan(schema: JsonMembers, name: string): Span | undefined {
  return findSpan(schema, ["properties", name]);
}

/** Returns the position of the text that makes a property required; that of the property if nothing does. */
export function findRequiredSpan(schema: JsonMembers, name: string): Span | undefined {
  const { required } = schema;
  const index = isList(required) ? required.indexOf(name) : -1;
  const isMarked = getMember(getObject(getObject(schema, "properties"), name), "required") === true;
  return index < 0
    ? findSpan(schema, ["properties", name, ...(isMarked ? ["required"] : [])])
    : findSpan(schema, ["required", index]);
}

/**
 * Finds a property that was probably renamed: the only removed property and the only added one, if both have the same
 * structure, and both or neither are required.
 */
function findRenamedProperty([before, after]: Schemas) {
  const [oldProperties, newProperties] = [getObject(before, "properties"), getObject(after, "properties")];
  const [oldNames, newNames] = [Object.keys(oldProperties), Object.keys(newProperties)];
  const [removedName, ...otherRemoved] = oldNames.filter((name) => !newNames.includes(name));
  const [addedName, ...otherAdded] = newNames.filter((name) => !oldNames.includes(name));
  if (removedName === undefined || addedName === undefined || otherRemoved.length + otherAdded.length > 0) {
    return undefined;
  }
  const isRequired = listRequiredNames(before).includes(removedName);
  const isSame =
    isRequired === listRequiredNames(after).includes(addedName) &&
    formatStructure(getObject(oldProperties, removedName)) === formatStructure(getObject(newProperties, addedName));
  return isSame
    ? ({
        isStructural: true,
        rule: "member-renamed",
        member: `.${addedName}`,
        before: removedName,
        after: addedName,
        oldSpan: findPropertySpan(before, removedName),
        newSpan: findPropertySpan(after, addedName),
        ...(isRequired ? {} : { variant: "optional" }),
      } as const)
    : undefined;
}

/**
 * Merges equal differences of a declaration that several endpoints use. The effects of such differences may differ,
 * because the endpoints have other contexts; the merged difference has the worst ones.
 */
export function mergeSharedDeclarations(differences: readonly Difference[]): readonly Difference[] {
  const formatSpan = (span: Span | undefined) => span && [span.source.path, span.start];
  const mergedDifferences = new Map<string, Difference>();
  for (const [index, difference] of differences.entries()) {
    const { rule, direction, subject, before, after, oldSpan, newSpan } = difference;
    const details = [rule, direction, subject, before, after, formatSpan(oldSpan), formatSpan(newSpan)];
    const key = JSON.stringify(direction === undefined ? index : details);
    const first = mergedDifferences.get(key);
    mergedDifferences.set(key, first === undefined ? difference : mergeDeclaration(first, difference));
  }
  return [...mergedDifferences.values()];
}

function mergeDeclaration(first: Difference, other: Difference): Difference {
  const versions = [first, other].map((difference) => ({
    difference,
    consequences: getConsequences(getRule(difference.rule), difference),
  }));
  const { oldClients, newClients, callers, handlers } = findWorstConsequences(
    versions.map(({ consequences }) => consequences),
  );
  return {
    ...first,
    // The title must be true for the answers that depend on the context.
    variant: first.variant ?? other.variant,
    memberContexts: first.memberContexts ?? other.memberContexts,
    hasOtherAnswers: first.hasOtherAnswers === true || other.hasOtherAnswers === true,
    isOnlyInTypes: versions.every(
      ({ difference, consequences }) =>
        difference.isOnlyInTypes === true ||
        [consequences.oldClients, consequences.newClients].every((level) => level === "none" || level === "tolerated"),
    ),
    operations: [...new Set([...(first.operations ?? []), ...(other.operations ?? [])])],
    ...(first.direction === "output"
      ? { levels: [newClients, oldClients], codeLevels: [handlers, callers] }
      : { levels: [oldClients, newClients], codeLevels: [callers, handlers] }),
  };
}
