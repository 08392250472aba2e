import type { JsonProperty, JsonType, Span } from "@bothends/generator";
import { findSpan, type JsonMembers } from "../json-values.js";
import { findRequiredSpan } from "../property-differences.js";
import { findListedSpan, getListedValues, getTypes } from "../schema-texts.js";
import { formatKeywordValue, listAlternatives, matchAlternatives } from "../unions/schema-alternatives.js";

/** The schemas by which the positions of a difference are found, and the positions of the value that they describe. */
export interface LocatedSchemas {
  readonly locatedSchemas?: readonly [before: JsonMembers | undefined, after: JsonMembers | undefined] | undefined;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

/** Returns a target with the schemas and the positions of a part of the value. */
export function locateSchemas<Target extends LocatedSchemas>(
  target: Target,
  select: (schema: JsonMembers | undefined, side: 0 | 1) => JsonMembers | undefined,
): Target {
  const [oldSchema, newSchema] = target.locatedSchemas ?? [];
  const [before, after] = [select(oldSchema, 0), select(newSchema, 1)];
  return {
    ...target,
    locatedSchemas: [before, after],
    oldSpan: (before && findSpan(before)) ?? target.oldSpan,
    newSpan: (after && findSpan(after)) ?? target.newSpan,
  };
}

/** Returns a target with the positions of the items of a list. Schemas of arguments already have these positions. */
export function locateItems<Target extends LocatedSchemas>(target: Target): Target {
  const { oldSpan, newSpan } = target;
  return { ...target, oldSpan: oldSpan?.parts?.["items"] ?? oldSpan, newSpan: newSpan?.parts?.["items"] ?? newSpan };
}

const typeKeywords = ["type", "enum", "oneOf", "anyOf", "items"];

/**
 * Returns the positions of what makes the types of a value differ: in each version, the first of the keywords that
 * differ, or the value or alternative in it that only this version has. Without such a keyword, returns the position of
 * the value.
 */
export function findTypeSpans(
  { locatedSchemas: [before = {}, after = {}] = [undefined, undefined], oldSpan, newSpan }: LocatedSchemas,
  keywords = typeKeywords,
) {
  const isChanged = (keyword: string) => formatKeywordValue(before[keyword]) !== formatKeywordValue(after[keyword]);
  const findOwn = (schema: JsonMembers, other: JsonMembers) => {
    const changed = keywords.find((keyword) => keyword in schema && isChanged(keyword));
    switch (changed) {
      case "enum":
        return findListedSpan(schema, other);
      case "oneOf":
      case "anyOf":
        return findAlternativeSpan(schema, other) ?? findSpan(schema, [changed]);
      default:
        return findSpan(schema, changed === undefined ? [] : [changed]);
    }
  };
  return { oldSpan: findOwn(before, after) ?? oldSpan, newSpan: findOwn(after, before) ?? newSpan };
}

/** Returns the positions of the first keyword that differs, or those of the value. */
export function findChangedSpans(target: LocatedSchemas): ReturnType<typeof findTypeSpans> {
  const schemas = target.locatedSchemas ?? [];
  return findTypeSpans(
    target,
    schemas.flatMap((schema) => Object.keys(schema ?? {})),
  );
}

/** Returns the position of the first alternative without a counterpart; undefined if there is none. */
function findAlternativeSpan(schema: JsonMembers, other: JsonMembers): Span | undefined {
  const [alternatives, others] = [listAlternatives(schema), listAlternatives(other)];
  if (alternatives === undefined || others === undefined) {
    return undefined;
  }
  const matched = matchAlternatives([alternatives, others]).map(([alternative]) => alternative);
  const unmatched = alternatives.find((alternative) => !matched.includes(alternative));
  return unmatched && findSpan(unmatched);
}

/** Returns the positions of what makes a member of an object required, or those of the member. */
export function findRequiredSpans(
  { locatedSchemas: schemas = [undefined, undefined] }: LocatedSchemas,
  properties: readonly [JsonProperty, JsonProperty],
) {
  const [oldSpan, newSpan] = properties.map(
    ({ name, annotations }, side) => findRequiredSpan(schemas[side] ?? {}, name) ?? annotations?.span,
  );
  return { ...(oldSpan && { oldSpan }), ...(newSpan && { newSpan }) };
}

/** Returns a function that returns a target with the schemas and the positions of the members of two unions. */
export function createMemberSelector<Target extends LocatedSchemas>(target: Target) {
  const alternatives = target.locatedSchemas?.map((schema) => groupAlternatives(schema ?? {}));
  return (types: readonly [JsonType, JsonType]): Target =>
    locateSchemas(target, (_, side) => alternatives?.[side]?.get(types[side].kind));
}

/** Returns the alternatives of a schema by the kind of their values, if no other alternative has the same kind. */
function groupAlternatives(schema: JsonMembers): ReadonlyMap<string, JsonMembers> {
  const alternatives = new Map<string, JsonMembers>();
  const repeatedKinds = new Set<string>();
  for (const alternative of listAlternatives(schema) ?? []) {
    const kinds = getListedValues(alternative).length > 0 ? ["enumeration"] : getTypes(alternative);
    for (const kind of kinds) {
      if (alternatives.has(kind)) {
        repeatedKinds.add(kind);
      }
      alternatives.set(kind, alternative);
    }
  }
  return new Map([...alternatives].filter(([kind]) => !repeatedKinds.has(kind)));
}
