import type { JsonProperty, JsonType, RestInterface } from "@bothends/generator";
import { getRule, type RuleId } from "../../rules/index.js";
import { type Direction, getConsequences, type Level } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { type Documented, hasSameDocumentation } from "../documentation.js";
import { minSimilarity } from "../probable-renames.js";
import { findCodeLimits, findMemberCodeLevels, markTypeUses } from "./code-types.js";
import { findEnumerationDifferences } from "./enumerations.js";
import { findAnswer, type JsonComparison, type NamedType, resolveType } from "./json-comparison.js";
import { anyType, chooseTypeRule, formatLiteral, formatType, getMembers, sharesValues } from "./json-type-rules.js";
import { getObject, type JsonMembers } from "./json-values.js";
import {
  describePresence,
  describeRenamedPresence,
  describeSharedContexts,
  findPresenceDifferences,
  isInContext,
  isUnseen,
  limitReturnedMembers,
  type MatchedProperties,
  mapPropertiesByName,
  matchRenamedProperties,
  noEffect,
  selectContexts,
} from "./property-differences.js";
import { findReadingLevels } from "./read-values.js";
import { compareFormats } from "./schema-texts.js";
import {
  findMemberLevels,
  findOtherMemberDifferences,
  findRenamedLevels,
  findUnreportedKeywords,
  getRestrictions,
  type RestrictionVersions,
  selectRestrictions,
} from "./schemas/other-members.js";
import {
  createMemberSelector,
  findRequiredSpans,
  findTypeSpans,
  type LocatedSchemas,
  locateItems,
  locateSchemas,
} from "./schemas/type-spans.js";
import { formatChangedTypes, formatUnmatchedTypes } from "./schemas/type-texts.js";
import { matchMembers } from "./unions/match-members.js";
import type { Schemas } from "./unions/schema-alternatives.js";

/** The subject and positions to report for the differences of a JSON type. */
export interface JsonReportTarget extends LocatedSchemas {
  readonly direction: Direction;
  readonly subject: string;
  /** Whether the values are sent as strings in a query or a path. Servers convert the strings to the declared type. */
  readonly inQuery?: boolean;
  /** The schemas of the value in the index, if the value is an argument or a part of one. */
  readonly schemas?: Schemas | undefined;
  /** The restrictions of the value in answers, which its type does not express. */
  readonly restrictions?: RestrictionVersions;
}

/** Compares two JSON types. Differences in named types are reported once for all endpoints. */
export function compareJson(
  context: JsonComparison,
  [before, after]: readonly [JsonType, JsonType],
  target: JsonReportTarget,
): readonly Difference[] {
  if (before.kind === "named" && after.kind === "named") {
    const key = `${target.direction} ${before.id} ${after.id}`;
    if (context.comparedPairs.has(key)) {
      return [];
    }
    context.comparedPairs.add(key);
    const [oldAnswer, newAnswer] = [findAnswer(context.old, before), findAnswer(context.new, after)];
    const typeTarget = {
      ...createTargetOfNamedType(context, [before, after], target),
      restrictions: getRestrictions([oldAnswer, newAnswer]),
    };
    const types = [resolveType(context.old, before), resolveType(context.new, after)] as const;
    const differences = markTypeUses(types, compareJson(context, types, typeTarget), typeTarget);
    return [
      ...findNameDifferences(context, [before.id, after.id], typeTarget),
      ...findDocumentationDifference([oldAnswer, newAnswer], typeTarget),
      ...findUnreportedKeywords([oldAnswer ?? {}, newAnswer ?? {}], typeTarget, differences),
      ...differences,
    ];
  }
  const [oldType, newType] = [resolveType(context.old, before), resolveType(context.new, after)];
  if (oldType.kind === "object" && newType.kind === "object") {
    return compareObjects(context, [oldType, newType], target);
  }
  if (oldType.kind === "array" && newType.kind === "array") {
    const part = selectPart(target, (schema) => getObject(schema, "items"));
    const restrictions = selectRestrictions(target.restrictions);
    const itemTarget = { ...locateItems(part), subject: `${target.subject}[]`, restrictions };
    return compareJson(context, [oldType.items, newType.items], itemTarget);
  }
  if (
    oldType.kind === "enumeration" &&
    newType.kind === "enumeration" &&
    oldType.values.includes(null) === newType.values.includes(null)
  ) {
    return findEnumerationDifferences([oldType.values, newType.values], target);
  }
  if (getMembers(oldType).length > 1 || getMembers(newType).length > 1) {
    return compareUnions(context, [oldType, newType], target);
  }
  return oldType.kind === newType.kind ? [] : [createTypeDifference(context, [oldType, newType], target)];
}

/** Returns a target with the schemas and the positions of a part of the value. */
function selectPart(target: JsonReportTarget, select: (schema: JsonMembers) => JsonMembers): JsonReportTarget {
  const { schemas } = target;
  return {
    ...locateSchemas(target, (schema) => schema && select(schema)),
    schemas: schemas && [select(schemas[0]), select(schemas[1])],
  };
}

function createTypeDifference(
  { hasLooseHandlers = false }: JsonComparison,
  [before, after]: readonly [JsonType, JsonType],
  target: JsonReportTarget,
): Difference {
  const levels = findLevels([before, after], target);
  const chosenRule = chooseTypeRule([before, after], levels);
  // Clients do not convert the values of answers, so an integer is never a valid text.
  const isOther = chosenRule === "type-overlaps" && target.direction === "output" && !sharesValues(before, after);
  const rule = isOther ? "type-changed" : chosenRule;
  // A change from or to a type that allows any JSON value has the variant `union`: as for a union, code must be
  // prepared for values of every type.
  const hasAny =
    (rule === "type-widened" && after.kind === "any") || (rule === "type-narrowed" && before.kind === "any");
  return {
    rule,
    ...target,
    ...findTypeSpans(target),
    ...formatChangedTypes([before, after], target.schemas),
    ...(rule.startsWith("type-") && levels !== undefined && { levels }),
    ...(hasAny && { variant: "union" }),
    codeLimits:
      hasLooseHandlers && target.direction === "output" && isLoose(after)
        ? ["some", findCodeLimits([before, after])[1]]
        : findCodeLimits([before, after]),
    // TypeScript has only one type for numbers, so generated code does not change.
    ...(isNumeric(before) && isNumeric(after) && { sameCode: true }),
  };
}

/**
 * Returns how a changed type in requests affects servers that read values of the other version; undefined if the types
 * do not determine it.
 */
function findLevels(types: readonly [JsonType, JsonType], target: JsonReportTarget): Difference["levels"] {
  const { direction, subject, inQuery = false, schemas } = target;
  const levels = direction === "input" ? findReadingLevels(types, { schemas, inQuery }) : undefined;
  // A list may be empty, so a change of its items does not affect every call.
  const limitLevel = (level: Level) => (subject.endsWith("[]") && level === "breaks" ? "some" : level);
  return levels && [limitLevel(levels[0]), limitLevel(levels[1])];
}

/**
 * Whether handlers of answers that depend on the context may return a value of any type except null: TypeScript accepts
 * it if no member of an object is required.
 */
function isLoose(type: JsonType): boolean {
  const isOptional = ({ required, annotations }: JsonProperty) => !required && annotations?.contexts === undefined;
  return getMembers(type).some(
    (member) => member.kind === "object" && member.properties.length > 0 && member.properties.every(isOptional),
  );
}

function isNumeric({ kind }: JsonType): boolean {
  return kind === "integer" || kind === "number";
}

/**
 * Returns the subject and positions to report for the differences of a named type: once for all endpoints that use the
 * type.
 */
function createTargetOfNamedType(
  context: JsonComparison,
  [before, after]: readonly [NamedType, NamedType],
  target: JsonReportTarget,
): JsonReportTarget {
  const [oldAnswer, newAnswer] = [findAnswer(context.old, before), findAnswer(context.new, after)];
  return { ...target, subject: newAnswer?.words ?? target.subject, oldSpan: oldAnswer?.span, newSpan: newAnswer?.span };
}

/**
 * Compares the names of a type in generated code. Names that are derived from routes in both versions are not compared,
 * because they depend on the order of the routes.
 */
function findNameDifferences(
  { old: oldSide, new: newSide, typeNames, isEstimate = false }: JsonComparison,
  [oldId, newId]: readonly [string, string],
  target: JsonReportTarget,
): readonly Difference[] {
  const [oldNames, newNames] = typeNames ?? [];
  const [before, after] = [oldNames?.get(oldId), newNames?.get(newId)];
  if (oldNames === undefined || newNames === undefined || before === undefined || after === undefined) {
    return [];
  }
  if (before === after || isEstimate) {
    return [];
  }
  const isKept = oldId !== newId && ([...newNames.values()].includes(before) || [...oldNames.values()].includes(after));
  const isDerived = isNamedAfterRoute(oldSide, oldId) && isNamedAfterRoute(newSide, newId);
  return isKept || isDerived ? [] : [{ rule: "type-renamed", ...target, direction: undefined, before, after }];
}

/** Whether an answer's type is named after the last segment of a route, because its schema has no name. */
function isNamedAfterRoute({ answers, endpoints }: RestInterface, id: string): boolean {
  const words = answers.find((answer) => answer.id === id)?.words;
  const getLastSegment = ({ route }: RestInterface["endpoints"][number]) =>
    route.split("/").findLast((segment) => /^[^()[\]]+$/.test(segment));
  return endpoints.some(
    (endpoint) => getLastSegment(endpoint) === words && formatLiteral(endpoint.answer).includes(formatLiteral(id)),
  );
}

/** Compares the documentation of a type or of a property in answers. */
function findDocumentationDifference(
  [before, after]: readonly [Documented | undefined, Documented | undefined],
  target: JsonReportTarget,
): readonly Difference[] {
  return before === undefined || after === undefined || hasSameDocumentation(before, after)
    ? []
    : [{ rule: "documentation-changed", ...target, direction: undefined }];
}

/**
 * Compares two types, at least one of which is a union: reports changes of matched members, and removed and added
 * members.
 */
function compareUnions(
  context: JsonComparison,
  [before, after]: readonly [JsonType, JsonType],
  target: JsonReportTarget,
): readonly Difference[] {
  const [oldMembers, newMembers] = [getMembers(before), getMembers(after)];
  // Any value belongs to every member of the other type, so no member is its counterpart.
  if (allowsAny(oldMembers) !== allowsAny(newMembers)) {
    return [createTypeDifference(context, [before, after], target)];
  }
  const matchedMembers = matchMembers(context, [oldMembers, newMembers], (pair) =>
    context.isEstimate === true
      ? 0
      : compareJson({ ...context, comparedPairs: new Set(), isEstimate: true }, pair, unusedTarget).length,
  );
  if (matchedMembers.length === 0) {
    return [createTypeDifference(context, [before, after], target)];
  }
  const removedTypes = oldMembers.filter((member) => !matchedMembers.some((pair) => pair[0] === member));
  const addedTypes = newMembers.filter((member) => !matchedMembers.some((pair) => pair[1] === member));
  const haveOthers = [hasSeveralValueTypes(oldMembers), hasSeveralValueTypes(newMembers)] as const;
  const selectMember = createMemberSelector(target);
  const differences: Difference[] = matchedMembers.flatMap((pair) => {
    const found = compareJson(context, pair, { ...selectMember(pair), schemas: undefined });
    // The differences of named types, whose subjects are their own, are reported once for all their uses.
    return found.map((each) => (isBelow(each, target) ? limitToSomeValues(each, haveOthers) : each));
  });
  const codeLimits = findCodeLimits([before, after]);
  const report = (rule: RuleId, values: { readonly before?: string; readonly after?: string }) =>
    differences.push({ rule, ...target, ...findTypeSpans(target), ...values, codeLimits });
  const isOnlyNull = (types: readonly JsonType[]) => types.length === 1 && types[0]?.kind === "null";
  if (removedTypes.length > 0) {
    report(isOnlyNull(removedTypes) ? "member-became-not-nillable" : "union-member-removed", {
      before: formatUnmatchedTypes(removedTypes, target.schemas ?? []),
    });
  }
  if (addedTypes.length > 0) {
    report(isOnlyNull(addedTypes) ? "member-became-nillable" : "union-member-added", {
      after: formatUnmatchedTypes(addedTypes, target.schemas?.toReversed() ?? []),
    });
  }
  return differences;
}

function allowsAny(members: readonly JsonType[]): boolean {
  return members.some(({ kind }) => kind === "any");
}

/** Whether a difference was found in a part of a value: its subject begins with that of the value. */
function isBelow({ subject }: Difference, target: JsonReportTarget): boolean {
  return subject === target.subject || [".", "["].some((separator) => subject.startsWith(target.subject + separator));
}

function hasSeveralValueTypes(members: readonly JsonType[]): boolean {
  return members.filter(({ kind }) => kind !== "null").length > 1;
}

/** Limits the effects of a difference in one member type of a union: values of the other member types have none. */
function limitToSomeValues(difference: Difference, haveOthers: readonly [before: boolean, after: boolean]): Difference {
  const { oldClients, newClients } = getConsequences(getRule(difference.rule), { ...difference, direction: "input" });
  const limitLevel = (level: Level, hasOthers: boolean) => (hasOthers && level === "breaks" ? "some" : level);
  const levels = [limitLevel(oldClients, haveOthers[0]), limitLevel(newClients, haveOthers[1])] as const;
  return levels[0] === oldClients && levels[1] === newClients ? difference : { ...difference, levels };
}

const unusedTarget: JsonReportTarget = { direction: "output", subject: "", oldSpan: undefined, newSpan: undefined };

type JsonObjectType = Extract<JsonType, { readonly kind: "object" }>;

/** A property in the old and the new schema; undefined for a schema that does not declare it. */
interface PropertyVersions {
  readonly oldProperty?: JsonProperty;
  readonly newProperty?: JsonProperty;
}

function compareObjects(
  context: JsonComparison,
  [before, after]: readonly [JsonObjectType, JsonObjectType],
  target: JsonReportTarget,
): readonly Difference[] {
  const getTarget = (version: JsonProperty, { oldProperty, newProperty }: PropertyVersions) => ({
    ...selectPart(place, (schema) => getObject(getObject(schema, "properties"), version.name)),
    subject: `${target.subject}.${version.name}`,
    oldSpan: oldProperty?.annotations?.span ?? target.oldSpan,
    newSpan: newProperty?.annotations?.span ?? target.newSpan,
  });
  const { restrictions, ...place } = target;
  const otherSubject = `${target.subject}.*`;
  const objects = [before, after] as const;
  const emptyContexts = context.contexts?.filter((word) => after.properties.every((each) => !isInContext(each, word)));
  const objectContext = { ...context, ...(emptyContexts !== undefined && { emptyContexts }) };
  const indexLevels = findMemberCodeLevels({ objects, properties: [undefined, undefined] });
  const [oldByName, newByName] = [mapPropertiesByName(before), mapPropertiesByName(after)];
  const oldOnlyProperties = before.properties.filter(({ name }) => !newByName.has(name));
  const newOnlyProperties = after.properties.filter(({ name }) => !oldByName.has(name));
  const renamedPairs = matchRenamedProperties([oldOnlyProperties, newOnlyProperties]);
  const removedProperties = oldOnlyProperties.filter((property) => !renamedPairs.some((pair) => pair[0] === property));
  const addedProperties = newOnlyProperties.filter((property) => !renamedPairs.some((pair) => pair[1] === property));
  const keptPairs = before.properties.flatMap((property): readonly MatchedProperties[] => {
    const counterpart = newByName.get(property.name);
    return counterpart === undefined ? [] : [[property, counterpart]];
  });
  const compareMembers = (types: readonly [JsonType, JsonType]) =>
    compareJson({ ...context, comparedPairs: new Set(context.comparedPairs) }, types, unusedTarget);
  const formatPresence = ({ required }: JsonProperty) => (required ? "required" : "optional");
  const compareVersions = (pair: MatchedProperties) =>
    compareProperty(objectContext, pair, {
      ...getTarget(pair[1], { oldProperty: pair[0], newProperty: pair[1] }),
      presenceSpans: findRequiredSpans(target, pair),
    });
  return [
    ...renamedPairs.map(([property, counterpart]): Difference => {
      const renamed = {
        rule: "member-renamed",
        ...getTarget(counterpart, { oldProperty: property, newProperty: counterpart }),
        before: property.name,
        after: counterpart.name,
        variant: property.required ? undefined : "optional",
        ...describeRenamedPresence(context, property, target),
      } as const;
      const versions = { objects, properties: [property, counterpart] } as const;
      return {
        ...renamed,
        ...findRenamedLevels(versions, renamed, compareMembers),
        ...(indexLevels && { codeLevels: findMemberCodeLevels(versions) }),
        ...describeSharedContexts(context, [property, counterpart]),
      };
    }),
    ...removedProperties.map(
      (property): Difference => ({
        rule: `member-removed-${formatPresence(property)}`,
        ...getTarget(property, { oldProperty: property }),
        before: property.name,
        ...describePresence(context, property, "inContext"),
        ...limitReturnedMembers(target),
        ...findMemberLevels({ objects, properties: [property, undefined] }, target, compareMembers),
        ...listMovedProperties(context.old, property, addedProperties),
      }),
    ),
    ...addedProperties.map(
      (property): Difference => ({
        rule: `member-added-${formatPresence(property)}`,
        ...getTarget(property, { newProperty: property }),
        after: property.name,
        ...describePresence(context, property),
        ...findMemberLevels({ objects, properties: [undefined, property] }, target, compareMembers),
        ...listMovedProperties(context.new, property, removedProperties),
      }),
    ),
    // Readers do not read the other name, so further differences of a renamed property affect only code.
    ...renamedPairs
      .flatMap((pair) => compareVersions(pair))
      .map((difference): Difference => ({ ...difference, levels: noEffect })),
    ...keptPairs.flatMap((pair) => compareVersions(pair)),
    ...(findOtherMemberDifferences(objects, { ...place, codeLevels: indexLevels }, restrictions) ??
      compareJson(context, [before.additional ?? anyType, after.additional ?? anyType], {
        ...place,
        schemas: target.schemas,
        subject: otherSubject,
      }).map((difference) =>
        difference.subject === otherSubject ? { ...difference, codeLevels: indexLevels } : difference,
      )),
  ];
}

/**
 * Returns the properties of a property's type that the other version has in its place. Returns none if most properties
 * of the type are not among them: equal names are then accidental.
 */
function listMovedProperties(
  side: RestInterface,
  { type }: JsonProperty,
  others: readonly JsonProperty[],
): Pick<Difference, "contents"> {
  const objectType = resolveType(side, type);
  const { properties } = objectType.kind === "object" ? objectType : { properties: [] };
  const texts = new Set(others.map((other) => `${other.name} ${formatType(other.type)}`));
  const movedProperties = properties.filter((property) => texts.has(`${property.name} ${formatType(property.type)}`));
  return movedProperties.length === 0 || movedProperties.length / properties.length < minSimilarity
    ? {}
    : { contents: movedProperties.map(({ name }) => name) };
}

/** Compares the presence, the format and the type of a property. */
function compareProperty(
  context: JsonComparison,
  [before, after]: MatchedProperties,
  { presenceSpans, ...target }: JsonReportTarget & { readonly presenceSpans: Pick<Difference, "oldSpan" | "newSpan"> },
): readonly Difference[] {
  const types = [before.type, after.type] as const;
  const innerContext = selectContexts(context, [before, after]);
  const restrictions = getRestrictions([getAnnotated(context.old, before), getAnnotated(context.new, after)]);
  const found = compareJson(innerContext, types, { ...target, restrictions });
  const typeDifferences = isUnseen(innerContext)
    ? found.map((difference) => ({ ...difference, levels: noEffect, codeLevels: noEffect }))
    : found;
  const presenceTarget = { ...target, ...presenceSpans };
  const differences: Difference[] = [...findPresenceDifferences([before, after], presenceTarget, context)];
  if (target.direction === "output") {
    // If only one version has a name for the property's type, that version declares the documentation at the type.
    const isNamed = ({ type }: JsonProperty) => type.kind === "named";
    const isSame = isNamed(before) === isNamed(after);
    const documented = [before, after].map((property, index) =>
      isSame ? property : getDocumented(index === 0 ? context.old : context.new, property),
    );
    const annotated = isSame
      ? ([before, after] as const)
      : ([getAnnotated(context.old, before), getAnnotated(context.new, after)] as const);
    differences.push(...findDocumentationDifference([documented[0], documented[1]], target));
    differences.push(...findUnreportedKeywords(annotated, target, typeDifferences));
  } else {
    const format = compareFormats(before.annotations?.format, after.annotations?.format);
    const spans = findTypeSpans(target, ["format", "type"]);
    differences.push(...(format === undefined ? [] : [{ ...format, ...target, ...spans }]));
  }
  // The presence in contexts is reported with its values.
  const memberContexts = describeSharedContexts(context, [before, after]);
  const isAboutContexts = ({ rule }: Difference) => rule === "member-contexts-changed";
  const withContexts = typeDifferences.map((each) => (isAboutContexts(each) ? each : { ...memberContexts, ...each }));
  return [...differences, ...withContexts];
}

/** Returns the type of a property if it has a name and the property itself has no documentation. */
function getDocumented(side: RestInterface, property: JsonProperty): Documented {
  const { type, documentation } = property;
  return (documentation === undefined && type.kind === "named" && findAnswer(side, type)) || property;
}

/** Returns the keywords of a property and of its type if the type has a name. */
function getAnnotated(side: RestInterface, { type, annotations }: JsonProperty): Pick<JsonProperty, "annotations"> {
  const named = type.kind === "named" ? findAnswer(side, type)?.annotations : undefined;
  const restrictions = { ...named?.restrictions, ...annotations?.restrictions };
  return { annotations: { ...named, ...annotations, restrictions } };
}
