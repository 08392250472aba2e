import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import { compileRoutePattern, createValueReader, type JsonType, type JsonValue } from "@bothends/generator";
import { getRule } from "../../rules/index.js";
import { findWorstLevel, getConsequences, type Level, levels } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { isList, isObject, type JsonMembers, writeInQuery } from "./json-values.js";
import { collectSamples, listValues } from "./sample-values.js";
import { families, getTypes, isChecked } from "./schema-texts.js";
import type { Schemas } from "./unions/schema-alternatives.js";

// Determines how servers of one version read the values that clients of the other version send. Servers convert values
// as WordPress does (`rest_validate_value_from_schema` and `rest_sanitize_value_from_schema`), and then check the
// restrictions of the schema, such as `minItems`.

/** How one version of an argument, or of a part of its value, is sent and read. */
interface Version {
  readonly schema: JsonMembers;
  readonly isRequired: boolean;
  /** The pattern of the path variable; undefined for an argument that is not in the path. */
  readonly pathPattern?: string | undefined;
  /** Whether servers accept every value: a text as an object with the member `raw`, and objects unchanged. */
  readonly acceptsRawText: boolean;
}

/**
 * How a change affects new servers that read old values, and old servers that read new values. A level is undefined if
 * it cannot be determined.
 */
export type ReadingLevels = readonly [oldWriter: Level | undefined, newWriter: Level | undefined];

/** Returns how a changed argument affects servers; undefined levels if its values cannot be listed. */
export function findArgumentLevels(
  versions: readonly [Version, Version],
  inQuery: boolean,
  comparesTypes = false,
): ReadingLevels {
  const [before, after] = versions;
  const schemas = [before.schema, after.schema];
  const pathPatterns = versions.flatMap(({ pathPattern = [] }) => pathPattern);
  const samples = collectSamples(schemas, pathPatterns);
  if (!samples.isComplete) {
    return [undefined, undefined];
  }
  const [oldValues, newValues] = schemas.map((schema) => listValues(schema, samples));
  return [
    oldValues && findReadingLevel([before, after], oldValues, { inQuery, comparesTypes }),
    newValues && findReadingLevel([after, before], newValues, { inQuery, comparesTypes }),
  ];
}

/**
 * Returns how another order of the types of an argument affects servers. Unlike other changes, a number that is read as
 * a text counts: nothing else in the definition shows it.
 */
export function findOrderLevels(versions: readonly [Version, Version], inQuery: boolean): ReadingLevels {
  return findArgumentLevels(versions, inQuery, true);
}

/** Both versions of an argument, as reports name it. */
interface ComparedArgument {
  readonly subject: string;
  readonly versions: readonly [Version, Version];
  readonly inQuery: boolean;
}

/**
 * Replaces the effects of differences in an argument on clients if the values of the argument show other effects. For
 * example, a server accepts values of a removed type if another type of the union accepts them.
 */
export function adjustLevels(
  differences: readonly Difference[],
  argumentLevels: ReadingLevels,
  { subject, versions, inQuery }: ComparedArgument,
): readonly Difference[] {
  const adjustedLevels = differences.map((difference) => {
    const { oldClients, newClients } = getConsequences(getRule(difference.rule), difference);
    const isWholeArgument = difference.subject === subject;
    const isOnly = differences.length === 1;
    const isolated = isWholeArgument || isOnly ? undefined : isolate(difference, { subject, versions });
    const [oldLevel, newLevel] = isolated === undefined ? [] : findArgumentLevels(isolated, inQuery);
    return {
      difference,
      ruleLevels: [oldClients, newClients] as const,
      levels: [
        adjustLevel(oldClients, oldLevel ?? argumentLevels[0], isWholeArgument),
        adjustLevel(newClients, newLevel ?? argumentLevels[1], isWholeArgument),
      ] as const,
    };
  });
  // An effect that no difference has by itself is reported for the first one.
  const missingLevels = ([0, 1] as const).map((side) => {
    const level = argumentLevels[side] ?? "none";
    const worstLevel = findWorstLevel(adjustedLevels.map((adjusted) => adjusted.levels[side]));
    return levels.indexOf(level) > levels.indexOf(worstLevel) ? level : "none";
  });
  return adjustedLevels.map(({ difference, ruleLevels, levels: [oldLevel, newLevel] }, index) => {
    const [oldMissing = "none", newMissing = "none"] = index === 0 ? missingLevels : [];
    const oldWriter = findWorstLevel([oldLevel, oldMissing]);
    const newWriter = findWorstLevel([newLevel, newMissing]);
    // The values also confirm levels that a rule reports only as the worst case.
    const isConfirmed = getRule(difference.rule).undecided !== undefined && !argumentLevels.includes(undefined);
    return !isConfirmed && oldWriter === ruleLevels[0] && newWriter === ruleLevels[1]
      ? difference
      : { ...difference, levels: [oldWriter, newWriter], isSampled: true };
  });
}

/**
 * Returns the old version of an argument, and this version with only one difference in a part of its value. Undefined
 * if the schemas do not have this part in the same place.
 */
function isolate(
  { rule, subject: partSubject }: Difference,
  { subject, versions: [before, after] }: Pick<ComparedArgument, "subject" | "versions">,
): readonly [Version, Version] | undefined {
  const changesRequirement = rule === "member-became-required" || rule === "member-became-optional";
  const changesPresence = /^member-(?:added|removed)-/.test(rule);
  const combine: CombineParts = (oldPart, newPart) => {
    if (!isObject(oldPart) || !isObject(newPart)) {
      return newPart;
    }
    const [{ required: _, ...part }, { required }] = changesRequirement ? [oldPart, newPart] : [newPart, oldPart];
    return required === undefined ? part : { ...part, required };
  };
  const replacement = { combine, replacesRequired: changesRequirement || changesPresence };
  const schema = replacePart([before.schema, after.schema], partSubject.slice(subject.length), replacement);
  return schema && [before, { ...before, schema }];
}

/** Returns the replacement of a part of a schema. A part is undefined if a version does not have it. */
type CombineParts = (before: JsonValue | undefined, after: JsonValue | undefined) => JsonValue | undefined;

interface Replacement {
  readonly combine: CombineParts;
  /** Whether the list `required` of the object that contains the part says the same about the part as the new one. */
  readonly replacesRequired: boolean;
}

/**
 * Replaces a part of the old version of a schema. `path` is the path to the part: `.name`, `[]` or `.names[].first`.
 * Undefined if a version does not have the schema that contains the part.
 */
function replacePart(
  [before, after]: readonly [before: JsonValue | undefined, after: JsonValue | undefined],
  path: string,
  replacement: Replacement,
): JsonMembers | undefined {
  if (!isObject(before) || !isObject(after)) {
    return undefined;
  }
  const isItem = path.startsWith("[]");
  const [oldParts, newParts] = [before, after].map(
    ({ items, properties }): JsonMembers =>
      isItem ? { ...(items !== undefined && { "[]": items }) } : isObject(properties) ? properties : {},
  );
  const key = isItem ? "[]" : findProperty(path, { ...oldParts, ...newParts });
  if (key === undefined) {
    return undefined;
  }
  const rest = path.slice(isItem ? key.length : key.length + 1);
  const parts = [oldParts?.[key], newParts?.[key]] as const;
  const part = rest === "" ? replacement.combine(...parts) : replacePart(parts, rest, replacement);
  if (part === undefined && rest !== "") {
    return undefined;
  }
  if (isItem) {
    return part === undefined ? undefined : { ...before, items: part };
  }
  const { [key]: _, ...others } = oldParts ?? {};
  return {
    ...before,
    properties: part === undefined ? others : { ...others, [key]: part },
    ...(rest === "" && replacement.replacesRequired && replaceRequired([before, after], key)),
  };
}

/** Returns the old list `required` of an object, which contains a name only if the new one does. */
function replaceRequired([before, after]: readonly [JsonMembers, JsonMembers], name: string): JsonMembers {
  const [oldNames, newNames] = [before, after].map(({ required }) => (isList(required) ? required : []));
  const otherNames = oldNames?.filter((other) => other !== name) ?? [];
  return newNames?.includes(name) === true || otherNames.length < (oldNames?.length ?? 0)
    ? { required: [...otherNames, ...(newNames?.includes(name) === true ? [name] : [])] }
    : {};
}

/** Returns the property with which a path begins: `first` for `.first`, `.first.name` and `.first[]`. */
function findProperty(path: string, properties: JsonMembers): string | undefined {
  return Object.keys(properties).find((name) => {
    const rest = path.startsWith(`.${name}`) ? path.slice(1 + name.length) : undefined;
    return rest !== undefined && (rest === "" || /^[.[]/.test(rest));
  });
}

/** Returns the level of a difference in an argument whose changes together have another level. */
function adjustLevel(level: Level, argumentLevel: Level | undefined, isWholeArgument: boolean): Level {
  switch (argumentLevel) {
    case undefined:
      return level;
    case "breaks":
      return level === "some" ? "breaks" : level;
    case "some":
      // A change of a member breaks every call with the member.
      return level === "breaks" && isWholeArgument ? "some" : level;
    default:
      return levels.indexOf(level) < levels.indexOf(argumentLevel) ? level : argumentLevel;
  }
}

/**
 * Returns how a changed type affects servers; undefined if the values cannot be listed. If the versions have the same
 * kinds of restrictions, only the types count: the restrictions are compared keyword by keyword.
 */
export function findReadingLevels(
  [before, after]: readonly [JsonType, JsonType],
  { schemas, inQuery }: { readonly schemas: Schemas | undefined; readonly inQuery: boolean },
): readonly [oldWriter: Level, newWriter: Level] | undefined {
  const isUsed =
    schemas !== undefined && !families.some((family) => schemas.every((schema) => isChecked(schema, family)));
  const createVersion = (schema: JsonMembers): Version => ({ schema, isRequired: true, acceptsRawText: false });
  const oldVersion = createVersion(isUsed ? schemas[0] : createSchema(before));
  const newVersion = createVersion(isUsed ? schemas[1] : createSchema(after));
  const both = [oldVersion.schema, newVersion.schema];
  const samples = collectSamples(both);
  const [oldValues, newValues] = both.map((schema) => listValues(schema, samples));
  if (oldValues === undefined || newValues === undefined) {
    return undefined;
  }
  const findLevel = (versions: readonly [Version, Version], values: readonly JsonValue[], type: JsonType): Level => {
    const isDecided = samples.isComplete || type.kind === "enumeration" || type.kind === "boolean";
    return isDecided ? (findReadingLevel(versions, values, { inQuery, comparesTypes: false }) ?? "some") : "some";
  };
  return [
    findLevel([oldVersion, newVersion], oldValues, before),
    findLevel([newVersion, oldVersion], newValues, after),
  ];
}

/**
 * Returns how servers of one version read what clients of the other version send for a member of an object; undefined
 * levels if its values cannot be listed. `schemas` are undefined for a part of a union.
 */
export function findSchemaLevels(
  types: readonly [JsonType, JsonType],
  { schemas, inQuery }: { readonly schemas: readonly JsonMembers[] | undefined; readonly inQuery: boolean },
): ReadingLevels {
  const createVersion = (schema: JsonMembers): Version => ({ schema, isRequired: true, acceptsRawText: false });
  const [before = {}, after = {}] = schemas ?? types.map(createSchema);
  return findArgumentLevels([createVersion(before), createVersion(after)], inQuery);
}

/**
 * Returns the effect on values that clients of the version `writer` send if a server has the version `reader`;
 * undefined if an equal server accepts none of the values.
 */
function findReadingLevel(
  [writer, reader]: readonly [Version, Version],
  values: readonly JsonValue[],
  { inQuery, comparesTypes }: Reading,
): Level | undefined {
  const [readSame, readOther] = [createReader(writer), createReader(reader)];
  const pathPattern =
    writer.pathPattern === undefined ? undefined : compileRoutePattern(writer.pathPattern, checkedPatternLimits);
  const isSent = (value: JsonValue) =>
    pathPattern === undefined || (typeof value === "string" && value !== "" && pathPattern.test(value));
  let [isRefused, isAccepted, isConverted] = [false, false, false];
  for (const value of values) {
    const sentValue = inQuery ? writeInQuery(value) : value;
    const wanted = isSent(sentValue) ? readSame(sentValue) : undefined;
    if (wanted === undefined) {
      continue;
    }
    const read = readOther(sentValue);
    isRefused ||= read === undefined;
    isAccepted ||= read !== undefined;
    if (isRefused && isAccepted) {
      return "some";
    }
    isConverted ||= read !== undefined && !areEqualReadings(wanted.value, read.value, comparesTypes);
  }
  if (isRefused) {
    return "breaks";
  }
  return isAccepted ? (isConverted ? "tolerated" : "none") : undefined;
}

interface Reading {
  readonly inQuery: boolean;
  /** Whether a number and its text are different values. */
  readonly comparesTypes: boolean;
}

/** A value that a server has read; undefined if it is absent. */
interface ReadValue {
  readonly value: unknown;
}

/** Returns a function that reads a value as servers do; undefined if servers refuse the value. */
function createReader({ schema, isRequired, acceptsRawText }: Version): (value: JsonValue) => ReadValue | undefined {
  const read = createValueReader("value", schema);
  const isNullable = getTypes(schema).includes("null");
  return (value) => {
    if (value === null) {
      // Servers treat null as absent, unless the type of the argument includes null.
      return isNullable ? { value } : isRequired ? undefined : { value: undefined };
    }
    if (acceptsRawText) {
      return { value: typeof value === "string" ? { raw: value } : isObject(value) ? value : {} };
    }
    const result = read(value);
    return "problem" in result ? undefined : result;
  };
}

/** Returns a schema without restrictions that has a type. */
function createSchema(type: JsonType): JsonMembers {
  switch (type.kind) {
    case "enumeration": {
      const types = [...new Set(type.values.map((value) => (value === null ? "null" : typeof value)))];
      return { type: types, enum: type.values };
    }
    case "array":
      return { type: "array", items: createSchema(type.items) };
    case "object":
      return {
        type: "object",
        properties: Object.fromEntries(type.properties.map((property) => [property.name, createSchema(property.type)])),
        required: type.properties.filter(({ required }) => required).map(({ name }) => name),
      };
    case "union":
      return { anyOf: type.members.map(createSchema) };
    case "any":
    case "named":
      return {};
    default:
      return { type: type.kind };
  }
}

/**
 * Whether two readings are the same value: a list with one item equals the item, and, unless types are compared, a
 * number or boolean equals its text.
 */
function areEqualReadings(left: unknown, right: unknown, comparesTypes: boolean): boolean {
  const [first, second] = [getOnlyItem(left), getOnlyItem(right)];
  if (first === second) {
    return true;
  }
  if (!isComposite(first) || !isComposite(second)) {
    const areScalars = [first, second].every((value) => value !== undefined && value !== null && !isComposite(value));
    return !comparesTypes && areScalars && String(first) === String(second);
  }
  const names = Object.keys(first);
  return (
    Array.isArray(first) === Array.isArray(second) &&
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && areEqualReadings(first[name], second[name], comparesTypes))
  );
}

/** Returns the item of a list with one item, or of lists within such lists; any other value unchanged. */
function getOnlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? getOnlyItem(value[0]) : value;
}

/** Whether a value is a list or an object. */
function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
