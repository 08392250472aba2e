import type { JsonType, RestInterface } from "@bothends/generator";
import { findAnswer, type JsonComparison, resolveType } from "../json-comparison.js";
import { chooseTypeRule, formatLiteral, formatStructure } from "../json-type-rules.js";
import { computeMemberDistance, type DistinctiveMembers, matchClosest } from "./match-closest.js";

/** The versions of a union's member. */
export type MatchedMembers = readonly [before: JsonType, after: JsonType];

/**
 * Matches the members of two unions in five steps: equal members; members with the same id; members with the same
 * name, because the ids of the types in a route's schema change with the route; the most similar members of the same
 * kind; and two members if one of them allows all values of the other. Equal members come before equal ids, because the
 * id of a type contains its first route, and routes may change their order. Members of the same kind are most similar
 * if they share the most names of properties, and then if they have the fewest differences.
 */
export function matchMembers(
  context: JsonComparison,
  [before, after]: readonly [readonly JsonType[], readonly JsonType[]],
  countDifferences: (pair: MatchedMembers) => number,
): readonly MatchedMembers[] {
  const computeKindDistance = (_context: JsonComparison, pair: MatchedMembers) => {
    const [oldType, newType] = resolveTypes(context, pair);
    return oldType.kind === newType.kind
      ? [
          computeMemberDistance(listMembers(context.old, oldType), listMembers(context.new, newType)),
          countDifferences(pair),
        ]
      : undefined;
  };
  const matchedMembers: MatchedMembers[] = [];
  for (const computeDistance of [
    computeStructuralDistance,
    computeIdDistance,
    computeNameDistance,
    computeKindDistance,
    computeIncludedDistance,
  ]) {
    const listUnmatched = (members: readonly JsonType[], side: 0 | 1) =>
      members.filter((member) => !matchedMembers.some((pair) => pair[side] === member));
    const unmatched = [listUnmatched(before, 0), listUnmatched(after, 1)] as const;
    matchedMembers.push(...matchClosest(unmatched, (pair) => computeDistance(context, pair)));
  }
  return matchedMembers;
}

/** The distance of members that match without differences between candidates. */
const matching: readonly number[] = [];

function computeStructuralDistance(context: JsonComparison, pair: MatchedMembers): readonly number[] | undefined {
  const [oldType, newType] = resolveTypes(context, pair);
  return formatStructure(oldType) === formatStructure(newType) ? matching : undefined;
}

function computeIdDistance(_context: JsonComparison, [before, after]: MatchedMembers): readonly number[] | undefined {
  return before.kind === "named" && after.kind === "named" && before.id === after.id ? matching : undefined;
}

function computeNameDistance(context: JsonComparison, [before, after]: MatchedMembers): readonly number[] | undefined {
  const getWords = (side: RestInterface, type: JsonType) =>
    type.kind === "named" ? findAnswer(side, type)?.words : undefined;
  const words = getWords(context.old, before);
  return words !== undefined && words === getWords(context.new, after) ? matching : undefined;
}

function computeIncludedDistance(context: JsonComparison, pair: MatchedMembers): readonly number[] | undefined {
  const rule = chooseTypeRule(resolveTypes(context, pair), undefined);
  return rule === "type-changed" || rule === "type-overlaps" ? undefined : matching;
}

function resolveTypes(context: JsonComparison, [before, after]: MatchedMembers): MatchedMembers {
  return [resolveType(context.old, before), resolveType(context.new, after)];
}

/** Returns the properties of an object or of the objects in a list; no properties for any other type. */
function listMembers(side: RestInterface, type: JsonType): DistinctiveMembers {
  const object = type.kind === "array" ? resolveType(side, type.items) : type;
  const properties = object.kind === "object" ? object.properties : [];
  return new Map(
    properties.map(({ name, required, type }) => [
      name,
      required && type.kind === "enumeration" ? type.values.map(formatLiteral) : undefined,
    ]),
  );
}
