import type { JsonProperty, JsonType, RestInterface, Span } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import type { Direction } from "../../rules/rule.js";
import type { Difference } from "../sides.js";
import { isSimilarName } from "../similar-names.js";

/** The subject and the positions with which the differences of a JSON type are reported. */
export interface JsonPlace {
  readonly direction: Direction;
  readonly subject: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
  /** Whether the values are sent as text in a query, from which servers convert them. */
  readonly inQuery?: boolean;
}

/** Two states of a REST interface, and the pairs of named types that have already been compared. */
export interface JsonComparison {
  readonly old: RestInterface;
  readonly new: RestInterface;
  readonly comparedPairs: Set<string>;
}

/** Compares two JSON types. Differences in named types are reported once for all endpoints. */
export function compareJson(
  context: JsonComparison,
  [before, after]: readonly [JsonType, JsonType],
  place: JsonPlace,
): readonly Difference[] {
  if (before.kind === "named" && after.kind === "named") {
    const key = `${place.direction} ${before.id} ${after.id}`;
    if (context.comparedPairs.has(key)) {
      return [];
    }
    context.comparedPairs.add(key);
    return compareJson(
      context,
      [resolveType(context.old, before), resolveType(context.new, after)],
      namedPlace(context, [before.id, after.id], place),
    );
  }
  const [oldType, newType] = [resolveType(context.old, before), resolveType(context.new, after)];
  if (oldType.kind === "object" && newType.kind === "object") {
    return compareObjects(context, [oldType, newType], place);
  }
  if (oldType.kind === "array" && newType.kind === "array") {
    return compareJson(context, [oldType.items, newType.items], { ...place, subject: `${place.subject}[]` });
  }
  if (oldType.kind === "enumeration" && newType.kind === "enumeration") {
    return enumerationChanges([oldType.values.map(shown), newType.values.map(shown)], place);
  }
  const [oldText, newText] = [jsonText(oldType), jsonText(newType)];
  if (oldText === newText) {
    return [];
  }
  return (
    unionChanges(context, [oldType, newType], place) ?? [
      { rule: typeRule([oldType, newType], place), ...place, before: oldText, after: newText },
    ]
  );
}

/** The place where the differences of a named type are reported for all endpoints that use the type. */
function namedPlace(context: JsonComparison, [before, after]: readonly [string, string], place: JsonPlace): JsonPlace {
  const oldAnswer = context.old.answers.find(({ id }) => id === before);
  const newAnswer = context.new.answers.find(({ id }) => id === after);
  return { ...place, subject: newAnswer?.words ?? place.subject, oldSpan: oldAnswer?.span, newSpan: newAnswer?.span };
}

function resolveType({ answers }: RestInterface, type: JsonType): JsonType {
  return type.kind === "named" ? (answers.find(({ id }) => id === type.id)?.type ?? { kind: "any" }) : type;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

function jsonText(type: JsonType): string {
  switch (type.kind) {
    case "enumeration":
      return type.values.map(shown).sort().join(" | ");
    case "array":
      return `array of ${jsonText(type.items)}`;
    case "union":
      return type.members.map(jsonText).sort().join(" or ");
    case "object":
      return `object {${type.properties.map(({ name }) => name).join(", ")}}`;
    case "named":
      return type.id;
    default:
      return type.kind;
  }
}

function enumerationChanges(
  [before, after]: readonly [readonly string[], readonly string[]],
  place: JsonPlace,
): readonly Difference[] {
  const removedValues = before.filter((value) => !after.includes(value)).join(" | ");
  const addedValues = after.filter((value) => !before.includes(value)).join(" | ");
  return [
    ...(removedValues === "" ? [] : [{ rule: "enum-value-removed", ...place, before: removedValues } as const]),
    ...(addedValues === "" ? [] : [{ rule: "enum-value-added", ...place, after: addedValues } as const]),
  ];
}

/** Compares unions by their members; undefined if neither type is a union, or if they have no common member. */
function unionChanges(
  context: JsonComparison,
  [before, after]: readonly [JsonType, JsonType],
  place: JsonPlace,
): readonly Difference[] | undefined {
  if (before.kind !== "union" && after.kind !== "union") {
    return undefined;
  }
  const membersOf = (type: JsonType) => (type.kind === "union" ? type.members : [type]);
  const [oldMembers, newMembers] = [membersOf(before), membersOf(after)];
  const membersByKey = (members: readonly JsonType[]) => new Map(members.map((each) => [matchKey(each), each]));
  const [oldByKey, newByKey] = [
    membersByKey(oldMembers),
    renamedKinds(context, membersByKey(oldMembers), membersByKey(newMembers)),
  ];
  const removedTypes = [...oldByKey].filter(([key]) => !newByKey.has(key)).map(([, type]) => type);
  const addedTypes = [...newByKey].filter(([key]) => !oldByKey.has(key)).map(([, type]) => type);
  if (removedTypes.length === oldByKey.size) {
    return undefined;
  }
  const differences: Difference[] = [...oldByKey].flatMap(([key, type]) => {
    const counterpart = newByKey.get(key);
    return counterpart === undefined ? [] : compareJson(context, [type, counterpart], place);
  });
  const report = (rule: RuleId, values: { readonly before?: string; readonly after?: string }) =>
    differences.push({ rule, ...place, ...values });
  const isNull = (types: readonly JsonType[]) => types.length === 1 && types[0]?.kind === "null";
  if (removedTypes.length > 0) {
    report(isNull(removedTypes) ? "member-became-not-nillable" : "union-member-removed", {
      before: texts(removedTypes),
    });
  }
  if (addedTypes.length > 0) {
    report(isNull(addedTypes) ? "member-became-nillable" : "union-member-added", { after: texts(addedTypes) });
  }
  return differences;
}

/**
 * Replaces the keys of the new members of a union with the keys of equal old members. A type is named after its first route, so its
 * name changes with the order of routes.
 */
function renamedKinds(
  context: JsonComparison,
  before: ReadonlyMap<string, JsonType>,
  after: ReadonlyMap<string, JsonType>,
): ReadonlyMap<string, JsonType> {
  const unusedPlace: JsonPlace = { direction: "output", subject: "", oldSpan: undefined, newSpan: undefined };
  const unmatchedTypes = new Map([...before].filter(([key, { kind }]) => kind === "named" && !after.has(key)));
  return new Map(
    [...after].map(([key, type]) => {
      const isMatched = type.kind !== "named" || before.has(key);
      const equalMember = [...(isMatched ? [] : unmatchedTypes)].find(
        ([, other]) => compareJson({ ...context, comparedPairs: new Set() }, [other, type], unusedPlace).length === 0,
      );
      unmatchedTypes.delete(equalMember?.[0] ?? "");
      return [equalMember?.[0] ?? key, type];
    }),
  );
}

function matchKey(type: JsonType): string {
  return type.kind === "named" ? type.id : type.kind;
}

function texts(types: readonly JsonType[]): string {
  return types.map(jsonText).join(" or ");
}

function typeRule([before, after]: readonly [JsonType, JsonType], { inQuery = false }: JsonPlace): RuleId {
  if (before.kind === "enumeration" || after.kind === "enumeration") {
    const replacement = before.kind === "enumeration" ? after : before;
    if (
      replacement.kind === "string" ||
      replacement.kind === "any" ||
      replacement.kind === "integer" ||
      replacement.kind === "number"
    ) {
      return before.kind === "enumeration" ? "enum-opened" : "enum-closed";
    }
  }
  if (after.kind === "any" || (before.kind === "integer" && after.kind === "number")) {
    return "type-widened";
  }
  if (before.kind === "any" || (before.kind === "number" && after.kind === "integer")) {
    return "type-narrowed";
  }
  const areScalars = scalars.includes(before.kind) && scalars.includes(after.kind);
  if (inQuery) {
    return areScalars ? scalarRule(before, after) : listRule(before, after);
  }
  return areScalars ? "type-overlaps" : "type-changed";
}

const scalars: readonly string[] = ["string", "integer", "number", "boolean"];

/** A query contains texts, which servers convert: the text "5" is a number. */
function scalarRule(before: JsonType, after: JsonType): RuleId {
  return after.kind === "string" ? "type-widened" : before.kind === "string" ? "type-narrowed" : "type-overlaps";
}

/** Servers read a single value in a query as a list with one item. */
function listRule(before: JsonType, after: JsonType): RuleId {
  const isListOf = (list: JsonType, item: JsonType) => list.kind === "array" && list.items.kind === item.kind;
  return isListOf(after, before) ? "type-widened" : isListOf(before, after) ? "type-narrowed" : "type-changed";
}

type JsonObjectType = Extract<JsonType, { readonly kind: "object" }>;

function compareObjects(
  context: JsonComparison,
  [before, after]: readonly [JsonObjectType, JsonObjectType],
  place: JsonPlace,
): readonly Difference[] {
  const placeOf = ({ name }: JsonProperty) => ({ ...place, subject: `${place.subject}.${name}` });
  const propertyNamed = (list: readonly JsonProperty[], name: string) =>
    list.find((property) => property.name === name);
  let removed = before.properties.filter(({ name }) => propertyNamed(after.properties, name) === undefined);
  let addedProperties = after.properties.filter(({ name }) => propertyNamed(before.properties, name) === undefined);
  const differences: Difference[] = [];
  for (const property of removed) {
    const [similar, ...others] = addedProperties.filter(
      (candidate) =>
        jsonText(candidate.type) === jsonText(property.type) &&
        candidate.required === property.required &&
        isSimilarName(property.name, candidate.name),
    );
    if (similar !== undefined && others.length === 0) {
      removed = removed.filter((other) => other !== property);
      addedProperties = addedProperties.filter((other) => other !== similar);
      const variant = property.required ? undefined : "optional";
      differences.push({
        rule: "member-renamed",
        ...placeOf(similar),
        before: property.name,
        after: similar.name,
        variant,
      });
    }
  }
  const presence = ({ required }: JsonProperty) => (required ? "required" : "optional");
  for (const property of removed) {
    differences.push({ rule: `member-removed-${presence(property)}`, ...placeOf(property), before: property.name });
  }
  for (const property of addedProperties) {
    differences.push({ rule: `member-added-${presence(property)}`, ...placeOf(property), after: property.name });
  }
  for (const property of before.properties) {
    const counterpart = propertyNamed(after.properties, property.name);
    if (counterpart === undefined) {
      continue;
    }
    const becameOptional = property.required && !counterpart.required;
    const becameRequired = !property.required && counterpart.required;
    const [oldContexts, newContexts] = [contextText(property), contextText(counterpart)];
    if (oldContexts !== newContexts) {
      const variant = becameOptional ? "optionalNow" : becameRequired ? "requiredNow" : undefined;
      differences.push({
        rule: "member-contexts-changed",
        ...placeOf(property),
        before: oldContexts,
        after: newContexts,
        variant,
      });
    } else if (becameOptional || becameRequired) {
      differences.push({
        rule: becameOptional ? "member-became-optional" : "member-became-required",
        ...placeOf(property),
      });
    }
    const format = formatChange(property.annotations?.format, counterpart.annotations?.format);
    if (format !== undefined) {
      differences.push({ ...format, ...placeOf(property) });
    }
    differences.push(...compareJson(context, [property.type, counterpart.type], placeOf(property)));
  }
  const additionalPlace = { ...place, subject: `${place.subject}.*` };
  return [
    ...differences,
    ...compareJson(context, [before.additional ?? anyType, after.additional ?? anyType], additionalPlace),
  ];
}

/** The formats that servers check. For other formats, such as `uri`, servers accept every text. */
const checkedFormats: readonly unknown[] = ["date-time", "email", "hex-color", "ip", "uuid"];

interface FormatChange {
  readonly rule: RuleId;
  readonly before: string;
  readonly after: string;
  readonly variant?: string;
}

/** Compares the formats of a text; undefined if they are equal. */
export function formatChange(before: unknown, after: unknown): FormatChange | undefined {
  if (before === after) {
    return undefined;
  }
  const values = { before: `format ${before ?? "none"}`, after: `format ${after ?? "none"}` };
  const [wasChecked, isChecked] = [checkedFormats.includes(before), checkedFormats.includes(after)];
  if (wasChecked !== isChecked) {
    return { rule: isChecked ? "format-added" : "format-removed", ...values };
  }
  return { rule: "format-changed", ...values, ...(isChecked ? {} : { variant: "unchecked" }) };
}

const anyType: JsonType = { kind: "any" };

function contextText({ annotations }: JsonProperty): string {
  return annotations?.contexts === undefined ? "all" : [...annotations.contexts].sort().join(", ");
}
