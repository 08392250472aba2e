import { createValueReader, type JsonValue, type Span } from "@bothends/generator";
import type { RuleId } from "../../../rules/index.js";
import { findSpan, formatJson, getObject, isList, isObject, type JsonMembers, writeInQuery } from "../json-values.js";
import { collectSamples, listValues } from "../sample-values.js";
import {
  describeSchema,
  formatAcceptance,
  formatStructure,
  formatTypes,
  getListedValues,
  getTypes,
  listRequiredNames,
} from "../schema-texts.js";
import { computeMemberDistance, type DistinctiveMembers, matchClosest } from "./match-closest.js";

// Matches the old and new alternatives of `anyOf` and `oneOf`, and reports which were added or removed.

/** A difference between two JSON Schemas that a comparison of their types may not find. */
export interface KeywordDifference {
  readonly rule: RuleId;
  /** The path to the value in which the schemas differ: `.dates[].from`; empty for the whole value. */
  readonly member: string;
  readonly before?: string;
  readonly after?: string;
  readonly variant?: string;
  /** Whether the types differ too: for example in their kind or their properties. */
  readonly isStructural?: true;
  /** Whether one version lists a member that the other version refuses, because it does not list the member. */
  readonly isRefusal?: true;
  /** The position in the old index. */
  readonly oldSpan?: Span | undefined;
  /** The position in the new index. */
  readonly newSpan?: Span | undefined;
}

/** The old and the new version of a JSON Schema. */
export type Schemas = readonly [before: JsonMembers, after: JsonMembers];

/** The alternatives of a schema in both versions. */
export type Alternatives = readonly [before: readonly JsonMembers[], after: readonly JsonMembers[]];

/**
 * Returns the schemas in `oneOf` and `anyOf`. If several schemas accept the same values, returns only the first of
 * them. Undefined if the schema has neither keyword. A schema without a type gets the type of the enclosing schema.
 */
export function listAlternatives({ type = null, oneOf, anyOf }: JsonMembers): readonly JsonMembers[] | undefined {
  if (!isList(oneOf) && !isList(anyOf)) {
    return undefined;
  }
  const alternatives = [oneOf, anyOf].flatMap((list) => getListedAlternatives(type, list));
  const texts = alternatives.map(formatAcceptance);
  return alternatives.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
}

function getListedAlternatives(type: JsonValue, list: JsonValue | undefined): readonly JsonMembers[] {
  const inheritedType = type === null ? {} : { type };
  return (isList(list) ? list : []).map((alternative) => ({
    ...inheritedType,
    ...(isObject(alternative) ? alternative : {}),
  }));
}

/** Returns the keyword that contains the alternatives of a schema. */
export function getChoiceKeyword({ oneOf }: JsonMembers): "oneOf" | "anyOf" {
  return isList(oneOf) ? "oneOf" : "anyOf";
}

/**
 * Compares the alternatives of two schemas, and the keyword that contains them: a value must match exactly one schema
 * of `oneOf`, but at least one schema of `anyOf`.
 */
export function findChoiceDifferences(
  [before, after]: Schemas,
  bothHaveSeveral: boolean,
): readonly KeywordDifference[] {
  const [oldKeyword, newKeyword] = [getChoiceKeyword(before), getChoiceKeyword(after)];
  const spans = { oldSpan: findSpan(before, [oldKeyword]), newSpan: findSpan(after, [newKeyword]) };
  const rule = newKeyword === "oneOf" ? "type-narrowed" : "type-widened";
  if (oldKeyword !== newKeyword) {
    const hasRepeated = [before, after].some((schema) => findRepeatedAlternatives(schema).length > 0);
    return bothHaveSeveral || hasRepeated
      ? [{ rule, member: "", before: oldKeyword, after: newKeyword, ...spans }]
      : [];
  }
  const [oldTexts, newTexts] = [findRepeatedAlternatives(before), findRepeatedAlternatives(after)];
  const listExcluded = (texts: readonly string[], others: readonly string[], excludingRule: RuleId) =>
    texts
      .filter((text) => !others.includes(text))
      .map((text): KeywordDifference => {
        const values = [`oneOf with ${text}`, `oneOf twice with ${text}`] as const;
        const [from, to] = excludingRule === "type-narrowed" ? values : [values[1], values[0]];
        return { rule: excludingRule, member: "", before: from, after: to, ...spans };
      });
  return [
    ...listExcluded(newTexts, oldTexts, "type-narrowed"),
    ...listExcluded(oldTexts, newTexts, "type-widened"),
    ...(newKeyword === "oneOf" ? findOverlapDifferences([before, after]) : []),
  ];
}

/**
 * Finds added or removed alternatives of `oneOf` that may accept values of an alternative in both versions. A server
 * refuses values that match two alternatives.
 */
export function findOverlapDifferences([before, after]: Schemas): readonly KeywordDifference[] {
  const [oldSchemas, newSchemas] = [listAlternatives(before) ?? [], listAlternatives(after) ?? []];
  const keptPairs = matchAlternatives([oldSchemas, newSchemas]);
  const enclosingSchemas = [before, after].map(({ oneOf: _, anyOf: __, ...enclosing }) => enclosing);
  const listOverlapping = (schemas: readonly JsonMembers[], side: 0 | 1) =>
    schemas.filter(
      (schema) =>
        !keptPairs.some((pair) => pair[side] === schema) &&
        keptPairs.some((pair) =>
          mayShareValues({ ...enclosingSchemas[side], ...pair[side] }, { ...enclosingSchemas[side], ...schema }),
        ),
    );
  const [oldSpan, newSpan] = [before, after].map((schema) => findSpan(schema, [getChoiceKeyword(schema)]));
  return [
    ...listOverlapping(newSchemas, 1).map(
      (schema): KeywordDifference => ({
        rule: "type-narrowed",
        member: "",
        after: describeSchema(schema),
        oldSpan,
        newSpan: findSpan(schema),
        variant: overlapVariant,
      }),
    ),
    ...listOverlapping(oldSchemas, 0).map(
      (schema): KeywordDifference => ({
        rule: "type-widened",
        member: "",
        before: describeSchema(schema),
        oldSpan: findSpan(schema),
        newSpan,
        variant: overlapVariant,
      }),
    ),
  ];
}

/** The variant of a difference that an alternative of `oneOf` makes if it accepts values of another alternative. */
export const overlapVariant = "overlap";

/** Whether a server may accept one value for both schemas. */
function mayShareValues(left: JsonMembers, right: JsonMembers): boolean {
  return mayShareTypes(left, right) && findSharedValue(left, right) !== "none";
}

/** Searches for a value of either schema, as it is sent in a body or in a query, that both schemas accept. */
function findSharedValue(left: JsonMembers, right: JsonMembers): "found" | "none" | "unknown" {
  const schemas = [left, right];
  const { isComplete } = collectSamples(schemas);
  const samples = schemas.map((schema) => (isComplete ? listValues(schema, collectSamples(schemas)) : undefined));
  const readers = schemas.map((schema) => createValueReader("value", schema));
  const isShared = (value: JsonValue) => readers.every((read) => !("problem" in read(value)));
  if (samples.some((values) => values?.some((value) => isShared(value) || isShared(writeInQuery(value))))) {
    return "found";
  }
  return samples.includes(undefined) ? "unknown" : "none";
}

/**
 * Whether the types or the listed values of two schemas allow that a server accepts one value for both. Servers convert
 * strings, and read a single value as a list with one item.
 */
function mayShareTypes(left: JsonMembers, right: JsonMembers): boolean {
  const [leftValues, rightValues] = [left, right].map((schema) => getListedValues(schema).map(String));
  if (leftValues !== undefined && rightValues !== undefined && leftValues.length > 0 && rightValues.length > 0) {
    return leftValues.some((value) => rightValues.includes(value));
  }
  const [leftTypes, rightTypes] = [getTypes(left), getTypes(right)];
  const areDisjoint = (type: string, other: string) =>
    (type === "object" && ["integer", "number", "boolean"].includes(other)) || (type === "null" && other !== "null");
  return (
    leftTypes.length === 0 ||
    rightTypes.length === 0 ||
    leftTypes.some((type) => rightTypes.some((other) => !areDisjoint(type, other) && !areDisjoint(other, type)))
  );
}

/** Formats the schemas that `oneOf` lists more than once. Servers refuse every value that such a schema accepts. */
function findRepeatedAlternatives({ type = null, oneOf }: JsonMembers): readonly string[] {
  const texts = getListedAlternatives(type, oneOf).map(formatAcceptance);
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}

/**
 * Matches equal alternatives first, then alternatives with equal types, beginning with the pair that shares the most
 * names of properties and has the fewest differences.
 */
export function matchAlternatives(alternatives: Alternatives): readonly Schemas[] {
  return matchClosest(alternatives, (pair) =>
    formatTypes(pair[0]) === formatTypes(pair[1]) ? computeDistance(pair) : undefined,
  );
}

/** Returns how different two schemas are: in their structures, their values, their members and their keywords. */
function computeDistance([before, after]: Schemas): readonly number[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  const count = [...keywords].filter(
    (keyword) => formatKeywordValue(before[keyword]) !== formatKeywordValue(after[keyword]),
  ).length;
  return [
    formatStructure(before) === formatStructure(after) ? 0 : 1,
    formatAcceptance(before) === formatAcceptance(after) ? 0 : 1,
    computeMemberDistance(listMembers(before), listMembers(after)),
    count,
  ];
}

/** Returns the properties of an object or of the objects in a list. */
function listMembers(schema: JsonMembers): DistinctiveMembers {
  const object = isObject(schema["items"]) ? schema["items"] : schema;
  const properties = getObject(object, "properties");
  const requiredNames = listRequiredNames(object);
  return new Map(
    [...new Set([...Object.keys(properties), ...requiredNames])].map((name) => {
      const values = getListedValues(getObject(properties, name)).map(formatJson);
      return [name, requiredNames.includes(name) && values.length > 0 ? values : undefined];
    }),
  );
}

/** Formats the value of a keyword for reports; `none` if the keyword is absent. */
export function formatKeywordValue(value: JsonValue | undefined): string {
  return value === undefined ? "none" : formatJson(value);
}
