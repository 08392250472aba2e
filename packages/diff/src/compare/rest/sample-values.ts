import { createValueReader, type JsonValue } from "@bothends/generator";
import { getMember, isList, isObject, type JsonMembers } from "./json-values.js";
import { listFormattedTexts, listPatternTexts, matchesPattern } from "./pattern-texts.js";
import { getListedValues, getTypes } from "./schema-texts.js";

// Lists values that represent all values that clients send.

/** The numbers and names that decide whether a server accepts a value: those in the schemas of both versions. */
export interface Samples {
  /** Numbers, texts of decisive lengths, and the values of enumerations. */
  readonly scalars: readonly JsonValue[];
  /** The lists and objects in enumerations. */
  readonly composites: readonly JsonValue[];
  /** The numbers of items and properties. */
  readonly counts: readonly number[];
  /** The names of properties, those in schemas first. */
  readonly names: readonly string[];
  /** The names that no schema lists: any other one, and those that patterns match. */
  readonly otherNames: readonly string[];
  /** Whether a schema has `maxProperties`. An object with all properties may then have too many. */
  readonly limitProperties: boolean;
  /** Whether a schema has `anyOf` or `oneOf`. A value may then also be one that only other alternatives accept. */
  readonly haveAlternatives: boolean;
  /**
   * Whether the samples represent all values. They represent neither complex patterns, nor the numbers of properties
   * whose names match a pattern, nor limits of many characters or items that only one version has.
   */
  readonly isComplete: boolean;
  /** The values of the parts of schemas, by the JSON of the part. Both versions usually have most parts in common. */
  readonly knownParts: Map<string, KnownPart>;
}

/** The values of an item or a property, and how many values were listed for it and for its parts. */
interface KnownPart {
  readonly values: readonly JsonValue[];
  readonly listedCount: number;
}

/** Samples, and how many values may still be listed. */
interface LimitedSamples extends Samples {
  remaining: number;
}

const commonScalars: readonly JsonValue[] = [
  ...["", "text", "two words", "5", "5.5", "true", "1", "a,b"],
  ...[-3, 0, 1, 5, 5.5],
  ...[true, false],
];

/** Texts with each format that servers check. */
const formattedTexts = [
  "2026-01-31T10:20:30",
  "ann@site.example",
  "#ff8800",
  "127.0.0.1",
  "123e4567-e89b-42d3-a456-426614174000",
];

/** The maximum number of characters of a text. */
const maxLength = 10_000;
/** The maximum number of items of a list, and of members of an object. */
const maxCount = 1000;
const lengthKeywords = ["minLength", "maxLength"] as const;
const countKeywords = ["minItems", "maxItems", "minProperties", "maxProperties"] as const;
/** The number of values of a schema and of its parts. If a schema has more, its values are not listed. */
const maxValues = 8_000;
/** The number of values with which lists of several items, and objects with further properties, are listed. */
const maxRepeated = 4;
/** The greatest least number of items for which lists with each possible item are listed. */
const maxLeastCount = 20;
/** The number of values of a part that only other alternatives may accept. */
const maxOtherValues = 40;

/**
 * Collects what decides whether a server accepts a value, from the schemas of both versions. `pathPatterns` are
 * the patterns of a variable in the path.
 */
export function collectSamples(schemas: readonly JsonMembers[], pathPatterns: readonly string[] = []): Samples {
  const listNumbers = (...keywords: readonly string[]) => [
    ...new Set(
      schemas
        .flatMap((schema) => keywords.flatMap((keyword) => listKeyword(schema, keyword)))
        .filter((value) => typeof value === "number"),
    ),
  ];
  const listCounts = (keywords: readonly string[], most: number) => [
    ...new Set(
      listNumbers(...keywords)
        .flatMap((count) => [count - 1, count, count + 1])
        .filter((count) => Number.isInteger(count) && count > 0 && count <= most),
    ),
  ];
  const bounds = listNumbers("minimum", "maximum");
  const multipleOfs = listNumbers("multipleOf");
  const lengths = listCounts(lengthKeywords, maxLength);
  const listedValues = schemas
    .flatMap((schema) => listKeyword(schema, "enum"))
    .flatMap((values) => getListedValues({ enum: values }));
  const limits = [...new Set([...bounds, ...listedValues.filter((value) => typeof value === "number")])];
  const decisiveNumbers = [
    ...limits.flatMap((limit) => [limit - 1, limit - 0.5, limit, limit + 0.5, limit + 1]),
    ...multipleOfs.flatMap((step) => [...new Set([0, ...limits])].flatMap((limit) => listMultiples(step, limit))),
  ];
  const patterns = schemas
    .flatMap((schema) => listKeyword(schema, "pattern"))
    .filter((text) => typeof text === "string");
  const formats = schemas.flatMap((schema) => ["format", "type"].flatMap((keyword) => listKeyword(schema, keyword)));
  const patternTexts = listPatternTexts({ patterns, pathPatterns, formats }, lengths);
  const namePatterns = schemas
    .flatMap((schema) => listKeyword(schema, "patternProperties"))
    .flatMap((members) => (isObject(members) ? Object.keys(members) : []));
  const matchingNames = namePatterns.length === 0 ? [] : listPatternTexts({ patterns: namePatterns }, []);
  const listedNames = new Set(
    schemas.flatMap((schema) => listKeyword(schema, "properties")).flatMap((members) => Object.keys(members ?? {})),
  );
  const otherNames = ["another", ...(matchingNames ?? []).filter((name) => !listedNames.has(name))];
  const countsProperties = schemas.some((schema) =>
    ["minProperties", "maxProperties"].some((keyword) => listKeyword(schema, keyword).length > 0),
  );
  const hasFormat = schemas.some((schema) => listKeyword(schema, "format").length > 0);
  // Values that schemas name come first, because only some values are combined with others.
  const scalars = [
    ...listedValues.flatMap((value) => [value, ...readNumber(value)]),
    ...decisiveNumbers.flatMap((value) => [value, String(value)]),
    ...lengths.flatMap((length) => ["a".repeat(length), ...(length < 16 ? [10 ** (length - 1)] : [])]),
    ...(patternTexts ?? []).flatMap((text) => [text, ...readNumber(text)]),
    ...(hasFormat ? [...formattedTexts, ...lengths.flatMap(listFormattedTexts)] : []),
    ...listCounts(["minItems", "maxItems"], maxCount).flatMap((count) => writeLists(count, listedValues)),
    ...(schemas.some((schema) => listKeyword(schema, "items").length > 0)
      ? [
          ...writeLists(2, listedValues),
          // Both items are at a limit of their schema.
          ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1].map((value) => `${value},${value}`)),
          ...lengths.map((length) => `${"a".repeat(length)},${"a".repeat(length)}`),
        ]
      : []),
    ...commonScalars,
  ];
  return {
    composites: listedValues.filter((value) => isList(value) || isObject(value)),
    scalars: uniqueValues(scalars.filter((value) => typeof value !== "object")),
    counts: [...new Set([2, ...listCounts(countKeywords, maxCount)])],
    names: [...listedNames, ...otherNames],
    otherNames,
    limitProperties: schemas.some((schema) => listKeyword(schema, "maxProperties").length > 0),
    haveAlternatives: schemas.some((schema) =>
      ["anyOf", "oneOf"].some((keyword) => listKeyword(schema, keyword).length > 0),
    ),
    isComplete:
      patternTexts !== undefined &&
      matchingNames !== undefined &&
      (namePatterns.length === 0 || !countsProperties) &&
      new Set(schemas.map((schema) => listLongLimits(schema).join(" "))).size <= 1,
    knownParts: new Map(),
  };
}

/** Lists the limits in a schema that no value reaches. */
function listLongLimits(schema: JsonMembers): readonly string[] {
  const list = (keywords: readonly string[], most: number) =>
    keywords.flatMap((keyword) =>
      listKeyword(schema, keyword).flatMap((value) =>
        typeof value === "number" && value >= most ? [`${keyword}=${value}`] : [],
      ),
    );
  return [...list(lengthKeywords, maxLength), ...list(countKeywords, maxCount)];
}

/** Lists the multiples of a step around a limit, and numbers between them. */
function listMultiples(step: number, limit: number): readonly number[] {
  const first = Math.floor(limit / step);
  // The product of a fraction has digits that the multiple does not have: 3 * 0.1 is 0.30000000000000004.
  return [-1, -0.5, 0, 0.5, 1, 2].map((offset) => Number(((first + offset) * step).toPrecision(12)));
}

/** Returns the number that a text contains; [] for any other value. */
function readNumber(value: JsonValue): readonly number[] {
  return typeof value === "string" && String(Number(value)) === value ? [Number(value)] : [];
}

/**
 * Writes lists as texts, which servers split at commas: with numbers, with words, and with the values of enumerations;
 * with different and with equal items.
 */
function writeLists(count: number, listedValues: readonly JsonValue[]): readonly string[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const listedScalars = listedValues.filter((value) => isScalar(value) && value !== "");
  return [
    numbers.join(),
    numbers.map((number) => `word${number}`).join(),
    numbers.map(() => 1).join(),
    ...(listedScalars.length === 0
      ? []
      : [numbers.map((number) => listedScalars[number % listedScalars.length]).join()]),
    ...listedScalars.slice(0, maxRepeated).map((value) => numbers.map(() => value).join()),
  ];
}

/** Returns the values of a keyword in a schema and in the schemas of its items, members and alternatives. */
export function listKeyword(schema: JsonMembers, keyword: string): readonly JsonValue[] {
  const { [keyword]: value, items, properties, patternProperties, additionalProperties, anyOf, oneOf } = schema;
  const lists = [anyOf, oneOf].flatMap((part) => (isList(part) ? part : []));
  const members = [properties, patternProperties].flatMap((part) => (isObject(part) ? Object.values(part) : []));
  const parts = [items, additionalProperties, ...members, ...lists];
  return [
    ...(value === undefined ? [] : [value]),
    ...parts.filter((part) => isObject(part)).flatMap((part) => listKeyword(part, keyword)),
  ];
}

/**
 * Lists values that clients send for a schema. They have the types that the client's TypeScript types allow, and an
 * equal server accepts them. Returns undefined if there are too many.
 */
export function listValues(schema: JsonMembers, samples: Samples): readonly JsonValue[] | undefined {
  return divideCandidates(schema, { ...samples, remaining: maxValues })?.accepted;
}

/** Lists values of a schema's types, and divides them into those that the schema accepts and the others. */
function divideCandidates(
  schema: JsonMembers,
  samples: LimitedSamples,
): { readonly accepted: readonly JsonValue[]; readonly others: readonly JsonValue[] } | undefined {
  const candidates = listCandidates(schema, samples);
  if (candidates === undefined) {
    return undefined;
  }
  samples.remaining -= candidates.length;
  if (samples.remaining < 0) {
    return undefined;
  }
  const read = createValueReader("value", schema);
  const isAccepted = (value: JsonValue) => value === null || !("problem" in read(value));
  const [accepted, others]: [JsonValue[], JsonValue[]] = [[], []];
  for (const value of uniqueValues(candidates)) {
    (isAccepted(value) ? accepted : others).push(value);
  }
  return { accepted, others };
}

function listCandidates(schema: JsonMembers, samples: LimitedSamples): readonly JsonValue[] | undefined {
  const listedValues = getListedValues(schema);
  if (listedValues.length > 0) {
    return listedValues;
  }
  const { anyOf, oneOf, ...rest } = schema;
  const alternatives = [oneOf, anyOf].flatMap((list) => (isList(list) ? list.filter((part) => isObject(part)) : []));
  if (alternatives.length > 0) {
    const schemas = alternatives.map((alternative) => ({ ...rest, ...alternative }));
    return joinLists([...schemas, ...joinObjects(schemas)].map((alternative) => listCandidates(alternative, samples)));
  }
  const types = getTypes(schema);
  return types.length === 0
    ? [...samples.scalars, [], ["text"], {}, { another: "text" }]
    : joinLists(types.map((type) => listValuesOfType(type, schema, samples)));
}

/** The number of objects whose properties are joined. */
const maxJoined = 4;

/**
 * Joins the properties of alternatives, each two and all: objects with the properties of several alternatives may be
 * valid for all of them, which `oneOf` forbids.
 */
function joinObjects(alternatives: readonly JsonMembers[]): readonly JsonMembers[] {
  const objects = alternatives
    .filter(({ properties, required, anyOf, oneOf }) => (properties ?? required) !== undefined && !anyOf && !oneOf)
    .slice(0, maxJoined);
  const join = (schemas: readonly JsonMembers[]): JsonMembers =>
    Object.assign({}, ...schemas, {
      properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
      required: schemas.flatMap(({ required }) => (isList(required) ? required : [])),
    });
  const pairs = objects.flatMap((object, index) => objects.slice(index + 1).map((other) => [object, other]));
  return [...pairs, ...(objects.length > 2 ? [objects] : [])].map(join);
}

/**
 * Joins the values of alternatives or of types: first the first value of each list, then the second one, because only
 * the first values of the result are combined with others.
 */
function joinLists(lists: readonly (readonly JsonValue[] | undefined)[]): readonly JsonValue[] | undefined {
  const presentLists = lists.filter((list) => list !== undefined);
  if (presentLists.length < lists.length) {
    return undefined;
  }
  const length = Math.max(0, ...presentLists.map((list) => list.length));
  return Array.from({ length }, (_, index) => presentLists.flatMap((list) => list.slice(index, index + 1))).flat();
}

function listValuesOfType(
  type: string,
  schema: JsonMembers,
  samples: LimitedSamples,
): readonly JsonValue[] | undefined {
  switch (type) {
    case "integer":
      return samples.scalars.filter(Number.isInteger);
    case "array":
      return listLists(schema, samples);
    case "object":
      return listObjects(schema, samples);
    case "null":
      return [null];
    default:
      return samples.scalars.filter((value) => typeof value === type);
  }
}

/**
 * Lists lists: without items, with each item and as few others as possible, with pairs of items, with decisive numbers
 * of items, and with equal items.
 */
function listLists({ items, minItems }: JsonMembers, samples: LimitedSamples): readonly JsonValue[] | undefined {
  const parts = listParts(items, samples);
  if (parts === undefined) {
    return undefined;
  }
  // Servers read an empty text also as an empty list or object.
  const firstParts = parts.filter((value, index) => index < maxRepeated || value === "");
  // Another version may accept only items of one kind, such as small numbers, so similar items stand side by side.
  const similarParts = sortByKind(parts);
  const leastCount = typeof minItems === "number" ? Math.min(Math.max(minItems, 1), maxLeastCount) : 1;
  // Each alternative may refuse another item of the same list. Lists and objects would multiply the number of values.
  const pairs = samples.haveAlternatives
    ? parts
        .filter(isScalar)
        .flatMap((value) =>
          firstParts.filter(isScalar).map((other) => [other, ...repeatItem(value, Math.max(leastCount - 1, 1))]),
        )
    : [];
  return [
    [],
    ...samples.composites.filter(isList),
    ...[parts, ...(leastCount > 1 ? [similarParts] : [])].flatMap((items) =>
      items.map((_, first) =>
        Array.from({ length: leastCount }, (_, index) => items[(first + index) % items.length] ?? null),
      ),
    ),
    ...(leastCount > 1 ? parts.map((value) => repeatItem(value, leastCount)) : []),
    firstParts,
    ...pairs,
    ...samples.counts.flatMap((count) => [
      // One alternative may refuse the first item, and another one the number of items. An item may also be one that
      // the alternatives read differently: then only lists of such items show which alternative reads them.
      ...(samples.haveAlternatives && count <= maxLeastCount
        ? parts
            .filter(isScalar)
            .flatMap((value) => [
              [value, ...repeatItem(parts[0] ?? null, count - 1)],
              ...(firstParts.includes(value) ? [] : [repeatItem(value, count)]),
            ])
        : []),
      Array.from({ length: count }, (_, index) => parts[index % parts.length] ?? null),
      ...(parts.length < count ? listDistinctItems(items, count) : []),
      ...firstParts.map((value) => repeatItem(value, count)),
    ]),
  ];
}

/** Lists lists of different items, which the schema of the items accepts: numbers, texts and lists of a number. */
function listDistinctItems(items: JsonValue | undefined, count: number): readonly (readonly JsonValue[])[] {
  const read = createValueReader("value", isObject(items) ? items : {});
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return [numbers, numbers.map((number) => `word${number}`), numbers.map((number) => [number])].filter((list) =>
    list.every((item) => !("problem" in read(item))),
  );
}

/** Sorts values: numbers and their texts by number, then texts by length, and then all others. */
function sortByKind(values: readonly JsonValue[]): readonly JsonValue[] {
  const getRank = (value: JsonValue): readonly [kind: number, size: number] => {
    const number = value === "" ? Number.NaN : Number(value);
    return isScalar(value) && typeof value !== "boolean" && !Number.isNaN(number)
      ? [0, number]
      : typeof value === "string"
        ? [1, value.length]
        : [2, 0];
  };
  return [...values].sort((left, right) => {
    const [[leftKind, leftSize], [rightKind, rightSize]] = [getRank(left), getRank(right)];
    return leftKind - rightKind || leftSize - rightSize;
  });
}

function repeatItem(value: JsonValue, count: number): readonly JsonValue[] {
  return Array.from({ length: count }, () => value);
}

/**
 * Lists the values of an item or a property: first those that its schema accepts and then, if they may be valid for
 * another alternative, the others.
 */
function listParts(schema: JsonValue | undefined, samples: LimitedSamples): readonly JsonValue[] | undefined {
  const part = isObject(schema) ? schema : {};
  const key = JSON.stringify(part);
  const known = samples.knownParts.get(key);
  if (known !== undefined) {
    samples.remaining -= known.listedCount;
    return samples.remaining < 0 ? undefined : known.values;
  }
  const { remaining } = samples;
  const divided = divideCandidates(part, samples);
  if (divided === undefined) {
    return undefined;
  }
  const otherValues = samples.haveAlternatives ? divided.others.slice(0, maxOtherValues) : [];
  const values = [...divided.accepted, ...otherValues];
  samples.knownParts.set(key, { values, listedCount: remaining - samples.remaining });
  return values;
}

/**
 * Lists objects: with all properties or the required ones and each value of a property, with and without each optional
 * property, with one property more, whose name may match a pattern, and with decisive numbers of properties.
 */
function listObjects(schema: JsonMembers, samples: LimitedSamples): readonly JsonValue[] | undefined {
  const { properties, patternProperties, additionalProperties, required } = schema;
  const requiredNames = isList(required) ? required : [];
  const parts = Object.entries(isObject(properties) ? properties : {}).map(([name, part]) => ({
    name,
    isRequired: getMember(part, "required") === true || requiredNames.includes(name),
    values: listParts(part, samples),
  }));
  const moreValues = additionalProperties === false ? [] : listParts(additionalProperties, samples);
  const matchingParts = Object.entries(isObject(patternProperties) ? patternProperties : {}).map(([pattern, part]) => ({
    names: samples.names.filter(
      (name) => matchesPattern(name, [pattern]) && !parts.some((listed) => listed.name === name),
    ),
    values: listParts(part, samples),
  }));
  if (moreValues === undefined || [...parts, ...matchingParts].some(({ values }) => values === undefined)) {
    return undefined;
  }
  const usedParts = parts.filter(({ values }) => values !== undefined && values.length > 0);
  const listNames = (list: typeof usedParts) => list.map(({ name }) => name);
  const [allNames, requiredOnly] = [listNames(usedParts), listNames(usedParts.filter(({ isRequired }) => isRequired))];
  const optionalNames = allNames.filter((name) => !requiredOnly.includes(name));
  const createObject = (names: readonly string[], index = 0): { readonly [name: string]: JsonValue } =>
    Object.fromEntries(
      usedParts.flatMap(({ name, values = [] }) =>
        names.includes(name) ? [[name, values[index % values.length] ?? null]] : [],
      ),
    );
  // TypeScript allows names that the schema does not list only if the schema has `additionalProperties`, or lists none.
  const moreNames =
    isObject(additionalProperties) || parts.length === 0
      ? samples.names.filter((name) => !allNames.includes(name))
      : samples.otherNames.filter((name) => !allNames.includes(name));
  const someValues = [...moreValues.slice(0, maxRepeated), ...selectKinds(moreValues.slice(maxRepeated))];
  const [moreValue] = moreValues;
  const addProperties = (object: { readonly [name: string]: JsonValue }, count: number) => ({
    ...object,
    ...Object.fromEntries(
      Array.from({ length: moreValue === undefined ? 0 : Math.min(count, maxLength) }, (_, index) => [
        `another${index}`,
        moreValue ?? null,
      ]),
    ),
  });
  const objects = [allNames, requiredOnly].flatMap((names) => [
    createObject(names),
    ...[1, 2, 3].map((index) => createObject(names, index)),
    ...usedParts.flatMap(({ name, values = [] }) =>
      names.includes(name) ? values.map((value) => ({ ...createObject(names), [name]: value })) : [],
    ),
    ...optionalNames.map((name) =>
      createObject(names.includes(name) ? names.filter((other) => other !== name) : [...names, name]),
    ),
    ...(samples.limitProperties && names === requiredOnly
      ? usedParts
          .filter(({ isRequired }) => !isRequired)
          .flatMap(({ name, values = [] }) => values.map((value) => ({ ...createObject(names), [name]: value })))
      : []),
    ...moreNames.flatMap((name) =>
      (name === "another" ? moreValues : someValues).map((value) => ({ ...createObject(names), [name]: value })),
    ),
    ...matchingParts.flatMap(({ names: matchingNames, values = [] }) =>
      matchingNames.flatMap((name) => values.map((value) => ({ ...createObject(names), [name]: value }))),
    ),
    ...samples.counts.map((count) => addProperties(createObject(names), Math.max(0, count - names.length))),
  ]);
  return [...objects, ...samples.composites.filter(isObject)];
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object";
}

/** Returns the first value of each type. */
function selectKinds(values: readonly JsonValue[]): readonly JsonValue[] {
  const getKind = (value: JsonValue) => (isList(value) ? "array" : value === null ? "null" : typeof value);
  return [...new Map([...values].reverse().map((value) => [getKind(value), value])).values()];
}

function uniqueValues(values: readonly JsonValue[]): readonly JsonValue[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
