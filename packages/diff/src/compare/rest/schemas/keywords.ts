import { findStringFormat, type JsonValue } from "@bothends/generator";
import { getRule, type RuleId } from "../../../rules/index.js";
import { getConsequences } from "../../../rules/rule.js";
import {
  findSpan,
  findSpans,
  formatJson,
  getMember,
  getObject,
  isList,
  isObject,
  type JsonMembers,
} from "../json-values.js";
import { matchesPattern } from "../pattern-texts.js";
import { compareDeclaredProperties } from "../property-differences.js";
import {
  compareFormats,
  describeSchema,
  describeSchemas,
  type Family,
  families,
  findListedSpan,
  formatStructure,
  formatTypes,
  getListedValues,
  getTypes,
  isChecked,
  isRestriction,
  isText,
} from "../schema-texts.js";
import {
  type Alternatives,
  findChoiceDifferences,
  findOverlapDifferences,
  formatKeywordValue,
  getChoiceKeyword,
  type KeywordDifference,
  listAlternatives,
  matchAlternatives,
  type Schemas,
} from "../unions/schema-alternatives.js";
import { compareBounds, createKeywordDifference } from "./bounds.js";
import { findChangedSpans } from "./type-spans.js";

/** Options for comparing two schemas. */
interface ComparisonOptions {
  /** Whether the schemas describe the whole argument, not a part of its value. */
  readonly isArgument?: boolean;
  /**
   * Whether the contract's types do not contain the properties of the schemas, because the schemas have alternatives or
   * no type. The comparison of types then reports no properties.
   */
  readonly isUntyped?: boolean;
}

/** Compares the keywords that restrict values more than the TypeScript types do, at every depth of two JSON Schemas. */
export function compareKeywords(schemas: Schemas, use: ComparisonOptions): readonly KeywordDifference[] {
  return addSpans(listKeywordDifferences(schemas, use), schemas);
}

/** Gives differences that have no positions those of the schemas. */
function addSpans(differences: readonly KeywordDifference[], schemas: Schemas): readonly KeywordDifference[] {
  const { oldSpan, newSpan } = findSpans(schemas);
  return differences.map((difference) => ({
    ...difference,
    oldSpan: difference.oldSpan ?? oldSpan,
    newSpan: difference.newSpan ?? newSpan,
  }));
}

function listKeywordDifferences([before, after]: Schemas, use: ComparisonOptions): readonly KeywordDifference[] {
  const [oldAlternatives, newAlternatives] = [listAlternatives(before), listAlternatives(after)];
  if (oldAlternatives === undefined && newAlternatives === undefined) {
    return compareSchemas([before, after], use);
  }
  if (oldAlternatives === undefined || newAlternatives === undefined) {
    const mergeAlternatives = (
      { oneOf: _, anyOf: __, ...schema }: JsonMembers,
      alternatives: readonly JsonMembers[] | undefined,
    ) => {
      const { description: ___, default: ____, ...others } = schema;
      const shared = use.isArgument === true ? others : schema;
      return alternatives?.map((alternative) => ({ ...shared, ...alternative })) ?? [shared];
    };
    const mergedAlternatives: Alternatives = [
      mergeAlternatives(before, oldAlternatives),
      mergeAlternatives(after, newAlternatives),
    ];
    return [
      ...compareAlternatives(mergedAlternatives, [before, after]),
      ...(isList((oldAlternatives === undefined ? after : before)["oneOf"])
        ? findOverlapDifferences([{ oneOf: mergedAlternatives[0] }, { oneOf: mergedAlternatives[1] }])
        : []),
    ];
  }
  return [
    ...compareSchemas([before, after], { ...use, isUntyped: true }),
    ...compareAlternatives([oldAlternatives, newAlternatives], [before, after]),
    ...findChoiceDifferences([before, after], oldAlternatives.length > 1 && newAlternatives.length > 1),
  ];
}

const structural = { member: "", isStructural: true } as const;

function compareAlternatives([before, after]: Alternatives, schemas: Schemas): readonly KeywordDifference[] {
  const [oldSpan, newSpan] = schemas.map((schema) => findSpan(schema, [getChoiceKeyword(schema)]));
  const matchedSchemas = matchAlternatives([before, after]);
  const removedSchemas = before.filter((schema) => !matchedSchemas.some((pair) => pair[0] === schema));
  const addedSchemas = after.filter((schema) => !matchedSchemas.some((pair) => pair[1] === schema));
  const chooseRule = (schema: JsonMembers, others: readonly JsonMembers[], rule: RuleId) =>
    others.some((other) => acceptsValuesOf(other, schema)) ? "keyword-changed" : rule;
  const differences = [
    ...matchedSchemas.flatMap(compareMatched),
    ...removedSchemas.map(
      (schema): KeywordDifference => ({
        ...structural,
        rule: chooseRule(schema, after, "union-member-removed"),
        before: describeSchema(schema),
        oldSpan: findSpan(schema),
        newSpan,
      }),
    ),
    ...addedSchemas.map(
      (schema): KeywordDifference => ({
        ...structural,
        rule: chooseRule(schema, before, "union-member-added"),
        after: describeSchema(schema),
        oldSpan,
        newSpan: findSpan(schema),
      }),
    ),
  ];
  // If several alternatives have the same difference, reports it only once, at the first of them.
  const seen = new Set<string>();
  return differences.filter(({ oldSpan: _, newSpan: __, ...difference }) => {
    const text = JSON.stringify(difference);
    return !seen.has(text) && seen.add(text);
  });
}

/**
 * Whether a schema accepts every value of another schema. If it does, adding the other schema as an alternative allows
 * no additional values.
 */
function acceptsValuesOf(schema: JsonMembers, other: JsonMembers): boolean {
  return compareMatched([schema, other]).every(
    ({ rule, variant }) => getConsequences(getRule(rule), { variant, direction: "input" }).newClients === "none",
  );
}

/**
 * Compares the old and the new version of an alternative. If their structures differ, at least one reported difference
 * is marked as structural.
 */
function compareMatched(pair: Schemas): readonly KeywordDifference[] {
  // The contract's types contain an alternative only if the alternative has a type, so the comparison of types does not
  // cover every alternative.
  const differences = compareKeywords(pair, { isUntyped: true });
  if (formatStructure(pair[0]) === formatStructure(pair[1]) || differences.some(({ isStructural }) => isStructural)) {
    return differences;
  }
  return [
    ...differences,
    {
      ...structural,
      rule: "type-overlaps",
      ...describeSchemas(pair),
      ...findChangedSpans({ locatedSchemas: pair, ...findSpans(pair) }),
    },
  ];
}

/** Compares two schemas without their alternatives. */
function compareSchemas([before, after]: Schemas, use: ComparisonOptions): readonly KeywordDifference[] {
  const schemas: Schemas = [before, after];
  const sharedFamilies = families.filter((family) => schemas.every((schema) => isChecked(schema, family)));
  return [
    ...findKindDifferences(schemas),
    ...compareBounds(schemas, sharedFamilies),
    ...findFormatDifferences(schemas),
    ...findListedDifferences(schemas),
    ...sharedFamilies.flatMap((family) => familyDifferences[family](schemas, use)),
    ...findAnnotationDifferences(schemas, use.isArgument === true),
  ];
}

/**
 * Compares the types of two schemas that are inside an alternative without a type, where the comparison of types cannot
 * find the difference.
 */
function findKindDifferences([before, after]: Schemas): readonly KeywordDifference[] {
  const [oldTypes, newTypes] = [formatTypes(before), formatTypes(after)];
  // If both schemas have an `enum`, their types are not compared here, because `findListedTypeDifferences` reports
  // whether each type accepts the listed values.
  const areListed = [before, after].every((schema) => getListedValues(schema).length > 0);
  return oldTypes === newTypes || areListed
    ? []
    : [
        {
          ...structural,
          rule: "type-overlaps",
          before: oldTypes || "any",
          after: newTypes || "any",
          ...findSpans([before, after], ["type"]),
        },
      ];
}

const familyDifferences: Readonly<
  Record<Family, (schemas: Schemas, use: ComparisonOptions) => readonly KeywordDifference[]>
> = {
  number: findMultipleDifferences,
  string: findPatternDifferences,
  array: findItemDifferences,
  object: (schemas, { isUntyped = false }) => [
    ...(isUntyped ? compareDeclaredProperties(schemas) : []),
    ...findPropertyDifferences(schemas),
    ...findAdditionalDifferences(schemas),
    ...findPatternPropertyDifferences(schemas),
  ],
};

function findMultipleDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [before, after] = schemas.map(({ multipleOf }) =>
    typeof multipleOf === "number" && multipleOf !== 0 ? multipleOf : undefined,
  );
  if (before === after) {
    return [];
  }
  const isMultiple = (value: number | undefined, divisor: number | undefined) =>
    divisor === undefined || (value !== undefined && value % divisor === 0);
  const rule = isMultiple(after, before)
    ? "type-narrowed"
    : isMultiple(before, after)
      ? "type-widened"
      : "type-overlaps";
  return [createKeywordDifference(rule, "multipleOf", schemas)];
}

function findPatternDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [before, after] = schemas.map(({ pattern }) => pattern);
  if (before === after) {
    return [];
  }
  const rule = before === undefined ? "pattern-added" : after === undefined ? "pattern-removed" : "pattern-changed";
  return [createKeywordDifference(rule, "pattern", schemas)];
}

function findFormatDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [before, after] = schemas;
  const change = schemas.every(isText) ? compareFormats(getFormat(before), getFormat(after)) : undefined;
  const findFormatSpan = (schema: JsonMembers) =>
    findSpan(schema, [schema["format"] === undefined && getFormat(schema) !== undefined ? "type" : "format"]);
  const spans = { oldSpan: findFormatSpan(before), newSpan: findFormatSpan(after) };
  return change === undefined ? [] : [{ ...change, member: "", ...spans }];
}

function getFormat({ format, type }: JsonMembers): JsonValue | undefined {
  return format ?? findStringFormat(isList(type) ? type : [type]);
}

/**
 * Compares enumerations that the comparison of types does not cover: enumerations of arrays, of objects, or of values
 * that the type does not allow.
 */
function findListedDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [before, after] = [getListedValues(schemas[0]), getListedValues(schemas[1])];
  const typeDifferences = findListedTypeDifferences(schemas, [before, after]);
  if (![...before, ...after].some((value) => isList(value) || isObject(value))) {
    return typeDifferences;
  }
  if (before.length === 0 || after.length === 0) {
    const rule = before.length === 0 ? "enum-closed" : "enum-opened";
    return [{ ...createKeywordDifference(rule, "enum", schemas), isStructural: true }];
  }
  return [...typeDifferences, ...findListedValueDifferences(schemas)];
}

/** Returns the values that only one of two enumerations has. */
function findListedValueDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [oldTexts, newTexts] = [
    getListedValues(schemas[0]).map(formatJson),
    getListedValues(schemas[1]).map(formatJson),
  ];
  const [before, after] = schemas;
  const spans = { oldSpan: findListedSpan(before, after), newSpan: findListedSpan(after, before) };
  const removedValues = oldTexts.filter((text) => !newTexts.includes(text)).join(" | ");
  const addedValues = newTexts.filter((text) => !oldTexts.includes(text)).join(" | ");
  return [
    ...(removedValues === ""
      ? []
      : [{ ...structural, rule: "enum-value-removed", before: removedValues, ...spans } as const]),
    ...(addedValues === "" ? [] : [{ ...structural, rule: "enum-value-added", after: addedValues, ...spans } as const]),
  ];
}

/**
 * Compares two schemas that have an `enum`. Reports a difference if the type of only one of them accepts all values of
 * its `enum`.
 */
function findListedTypeDifferences(
  schemas: Schemas,
  [before, after]: readonly [readonly JsonValue[], readonly JsonValue[]],
): readonly KeywordDifference[] {
  if (before.length === 0 || after.length === 0) {
    return [];
  }
  const acceptedAll = countAccepted(schemas[0], before) === before.length;
  const acceptsAll = countAccepted(schemas[1], after) === after.length;
  return acceptedAll === acceptsAll
    ? []
    : [
        {
          ...createKeywordDifference(acceptsAll ? "type-widened" : "type-narrowed", "type", schemas),
          isStructural: true,
        },
      ];
}

/** Returns the number of values in `enum` that have one of the schema's types. */
function countAccepted(schema: JsonMembers, values: readonly JsonValue[]): number {
  const types = getTypes(schema);
  const getKind = (value: JsonValue) => (isList(value) ? "array" : value === null ? "null" : typeof value);
  const isAccepted = (value: JsonValue) =>
    types.includes(getKind(value)) || (Number.isInteger(value) && types.includes("integer"));
  return types.length === 0 ? values.length : values.filter(isAccepted).length;
}

function findItemDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [wasUnique, isUnique] = schemas.map(({ uniqueItems }) => uniqueItems === true);
  const uniqueItemsDifferences: readonly KeywordDifference[] =
    wasUnique === isUnique
      ? []
      : [createKeywordDifference(isUnique === true ? "type-narrowed" : "type-widened", "uniqueItems", schemas)];
  const [before, after] = schemas.map((schema) => getObject(schema, "items"));
  return [
    ...uniqueItemsDifferences,
    ...(before && after ? addMemberPrefix("[]", compareKeywords([before, after], {})) : []),
  ];
}

function findPropertyDifferences([before, after]: Schemas): readonly KeywordDifference[] {
  const [oldProperties, newProperties] = [getObject(before, "properties"), getObject(after, "properties")];
  return [
    ...Object.keys(oldProperties).flatMap((name) => {
      const [oldSchema, newSchema] = [oldProperties[name], newProperties[name]];
      return isObject(oldSchema) && isObject(newSchema)
        ? addMemberPrefix(`.${name}`, compareKeywords([oldSchema, newSchema], {}))
        : [];
    }),
    ...listRefusedNames(after, Object.keys(oldProperties)).map(
      (name): KeywordDifference => ({
        ...structural,
        rule: "type-narrowed",
        member: `.${name}`,
        isRefusal: true,
        before: "allowed",
        after: "not allowed",
        oldSpan: findSpan(before, ["properties", name]),
        newSpan: findSpan(after, ["additionalProperties"]),
      }),
    ),
    ...listRefusedNames(before, Object.keys(newProperties)).map(
      (name): KeywordDifference => ({
        ...structural,
        rule: "type-widened",
        member: `.${name}`,
        isRefusal: true,
        before: "not allowed",
        after: "allowed",
        oldSpan: findSpan(before, ["additionalProperties"]),
        newSpan: findSpan(after, ["properties", name]),
      }),
    ),
  ];
}

/**
 * Returns the names of properties that servers refuse: if a schema has `additionalProperties: false`, those that it
 * does not list and that match none of its patterns.
 */
function listRefusedNames(schema: JsonMembers, names: readonly string[]): readonly string[] {
  const properties = getObject(schema, "properties");
  const patterns = Object.keys(getObject(schema, "patternProperties"));
  return schema["additionalProperties"] === false
    ? names.filter((name) => !Object.hasOwn(properties, name) && !matchesPattern(name, patterns))
    : [];
}

/** Compares the schemas of additional properties, which are those that `properties` does not declare. */
function findAdditionalDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [before = true, after = true] = schemas.map((schema) => normalizeOpenSchema(schema["additionalProperties"]));
  if (isObject(before) && isObject(after)) {
    return addMemberPrefix(".*", compareUntyped([before, after]));
  }
  if (before === after) {
    return [];
  }
  // The title says how the other members changed. A value shows their type, if the schema has one.
  const isNarrowed = before === true || after === false;
  const isClosed = before === false || after === false;
  const formatValue = (schema: JsonMembers | boolean) =>
    isObject(schema) ? describeSchema(schema) : isClosed ? undefined : "any value";
  const [oldText, newText] = [formatValue(before), formatValue(after)];
  return [
    {
      rule: isNarrowed ? "type-narrowed" : "type-widened",
      member: "",
      variant: isClosed ? (isNarrowed ? "closed" : "opened") : "otherMembers",
      ...(oldText !== undefined && { before: oldText }),
      ...(newText !== undefined && { after: newText }),
      ...findSpans(schemas, ["additionalProperties"]),
    },
  ];
}

/** Returns `false` if no value is allowed, `true` if every value is allowed, otherwise the schema. */
function normalizeOpenSchema(value: JsonValue | undefined): JsonMembers | boolean {
  return value === false ? false : isObject(value) && Object.keys(value).length > 0 ? value : true;
}

function findPatternPropertyDifferences(schemas: Schemas): readonly KeywordDifference[] {
  const [before, after] = schemas;
  const [oldSchemas, newSchemas] = [getObject(before, "patternProperties"), getObject(after, "patternProperties")];
  const patterns = new Set([...Object.keys(oldSchemas), ...Object.keys(newSchemas)]);
  return [...patterns].flatMap((pattern): readonly KeywordDifference[] => {
    const member = `./${pattern}/`;
    // A version without the pattern applies its schema of additional properties to the names that match the pattern.
    const [
      oldSchema = normalizeOpenSchema(before["additionalProperties"]),
      newSchema = normalizeOpenSchema(after["additionalProperties"]),
    ] = [getMember(oldSchemas, pattern), getMember(newSchemas, pattern)].map((schema) =>
      schema === undefined ? undefined : normalizeOpenSchema(schema),
    );
    if (isObject(oldSchema) && isObject(newSchema)) {
      return addMemberPrefix(member, compareUntyped([oldSchema, newSchema]));
    }
    if (oldSchema === newSchema) {
      return [];
    }
    const rule = oldSchema === true || newSchema === false ? "type-narrowed" : "type-widened";
    const formatValue = (schema: JsonMembers | boolean) =>
      isObject(schema) ? describeSchema(schema) : schema ? "any value" : "not allowed";
    const getPath = (schemasByPattern: JsonMembers) =>
      getMember(schemasByPattern, pattern) === undefined ? ["additionalProperties"] : ["patternProperties", pattern];
    const [oldSpan, newSpan] = [findSpan(before, getPath(oldSchemas)), findSpan(after, getPath(newSchemas))];
    return [{ rule, member, before: formatValue(oldSchema), after: formatValue(newSchema), oldSpan, newSpan }];
  });
}

/** Compares schemas that have no type in the contract. */
function compareUntyped([before, after]: Schemas): readonly KeywordDifference[] {
  if (formatStructure(before) === formatStructure(after)) {
    return compareKeywords([before, after], {});
  }
  const areListed =
    formatTypes(before) === formatTypes(after) && [before, after].every((schema) => getListedValues(schema).length > 0);
  const differences = areListed ? findListedValueDifferences([before, after]) : [];
  return differences.length > 0 ? differences : compareMatched([before, after]);
}

/**
 * Compares the keywords that do not restrict values: titles, defaults of nested properties, and restrictions for types
 * that the value does not have.
 */
function findAnnotationDifferences([before, after]: Schemas, isArgument: boolean): readonly KeywordDifference[] {
  const isCompared = (keyword: string) =>
    [before, after].some((schema) => isRestriction(keyword, schema)) ||
    keyword === "$schema" ||
    // In JSON Schema draft 3, a property has the keyword `required`. It is compared together with the enclosing object.
    (keyword === "required" && ![before, after].some((schema) => isList(schema[keyword]))) ||
    (isArgument && ["description", "default"].includes(keyword));
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (keyword) => !isCompared(keyword),
  );
  const changedKeywords = keywords.filter(
    (keyword) => formatAnnotation(before, keyword) !== formatAnnotation(after, keyword),
  );
  return changedKeywords.map((keyword) =>
    keyword === "description"
      ? { rule: "documentation-changed", member: "", ...findSpans([before, after], ["description"]) }
      : createKeywordDifference("keyword-changed", keyword, [before, after]),
  );
}

/**
 * Formats the value of a keyword, so that equal values have equal results. Contexts are sorted, because their order has
 * no meaning.
 */
function formatAnnotation(schema: JsonMembers, keyword: string): string {
  const value = schema[keyword];
  return formatKeywordValue(keyword === "context" && isList(value) ? [...value].sort() : value);
}

function addMemberPrefix(path: string, differences: readonly KeywordDifference[]): readonly KeywordDifference[] {
  return differences.map((difference) => ({ ...difference, member: `${path}${difference.member}` }));
}
