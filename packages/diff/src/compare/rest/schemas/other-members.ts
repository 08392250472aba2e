import type { JsonProperty, JsonType } from "@bothends/generator";
import { getRule } from "../../../rules/index.js";
import { findWorstLevel, getConsequences, type Level, type LevelsOfWriters } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import { findMemberCodeLevels, listMemberTypes, type MemberVersions } from "../code-types.js";
import { formatType } from "../json-type-rules.js";
import { getObject } from "../json-values.js";
import {
  type Annotated,
  findKeywordDifferences,
  noEffect,
  type ReportTarget,
  type WrittenTarget,
} from "../property-differences.js";
import { findSchemaLevels } from "../read-values.js";

// Compares the members of an object that its schema does not list, and the keywords that say whether it allows them.

type Restrictions = NonNullable<NonNullable<JsonProperty["annotations"]>["restrictions"]>;

/** The restrictions of a value in answers, which its type does not express. */
export type RestrictionVersions = readonly [before: Restrictions, after: Restrictions];

export function getRestrictions(annotated: readonly (Annotated | undefined)[]): RestrictionVersions {
  const [before = {}, after = {}] = annotated.map((each) => each?.annotations?.restrictions);
  return [before, after];
}

/** Returns the restrictions of the items of a list. */
export function selectRestrictions(restrictions: RestrictionVersions = [{}, {}]): RestrictionVersions {
  const select = (all: Restrictions): Restrictions =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) =>
        name.startsWith("items.") ? [[name.slice("items.".length), value]] : [],
      ),
    );
  return [select(restrictions[0]), select(restrictions[1])];
}

type JsonObjectType = Extract<JsonType, { readonly kind: "object" }>;

/**
 * Reports that a schema allows members that it does not list, or no longer does. A schema allows them unless it says
 * that it does not, but the type in code contains them only if the schema says that it does, or lists no members.
 * Returns undefined if both versions allow them and may have a type for them.
 */
export function findOtherMemberDifferences(
  [before, after]: readonly [JsonObjectType, JsonObjectType],
  target: ReportTarget & Pick<Difference, "codeLevels">,
  restrictions: RestrictionVersions = [{}, {}],
): readonly Difference[] | undefined {
  const { direction, subject, oldSpan, newSpan, codeLevels } = target;
  const place = { direction, subject, oldSpan, newSpan };
  const isClosed = (index: 0 | 1, { additional }: JsonObjectType) =>
    additional === undefined && restrictions[index]["additionalProperties"] === false;
  const [wasClosed, isClosedNow] = [isClosed(0, before), isClosed(1, after)];
  const formatOther = ({ additional }: JsonObjectType) =>
    additional === undefined || additional.kind === "any" ? undefined : formatType(additional);
  if (direction === "output" && wasClosed !== isClosedNow) {
    const levels = codeLevels ?? (before.additional === after.additional ? noEffect : undefined);
    const values = wasClosed ? { after: formatOther(after) } : { before: formatOther(before) };
    const rule = wasClosed ? "wildcard-opened" : "wildcard-closed";
    // Servers may send members that their schema does not allow. Clients check the types of members that it allows.
    const isTyped = Object.keys(values).length > 0 && Object.values(values)[0] !== undefined;
    const readerLevels: LevelsOfWriters = wasClosed ? ["some", "tolerated"] : ["tolerated", "some"];
    return [
      { rule, ...place, ...values, ...(isTyped && { levels: readerLevels }), ...(levels && { codeLevels: levels }) },
    ];
  }
  const [wasOpen, isOpen] = [before.additional?.kind === "any", after.additional?.kind === "any"];
  const isListed = [before, after].every(({ properties }) => properties.length > 0);
  const types = [before.additional, after.additional].filter((type) => type !== undefined && type.kind !== "any");
  return wasOpen !== isOpen && isListed && types.length === 0
    ? [{ rule: isOpen ? "wildcard-opened" : "wildcard-closed", ...place, variant: "listed", codeLevels }]
    : undefined;
}

/** Compares the keywords of a value in answers, except `additionalProperties` if the types show its effect. */
export function findUnreportedKeywords(
  annotated: Parameters<typeof findKeywordDifferences>[0],
  target: ReportTarget,
  typeDifferences: readonly Difference[],
): readonly Difference[] {
  const isClosed = typeDifferences.some(({ rule }) => rule === "wildcard-closed" || rule === "wildcard-opened");
  return findKeywordDifferences(annotated, target, (name) => isClosed && name.endsWith("additionalProperties"));
}

/** Compares two types of a member. */
type CompareTypes = (types: readonly [before: JsonType, after: JsonType]) => readonly Difference[];

/**
 * Returns the consequences of an added or removed property if the version that does not declare it allows members that
 * its schema does not declare: peers may then send the member already, with another type, or refuse its type.
 */
export function findMemberLevels(
  versions: MemberVersions,
  target: WrittenTarget,
  compareTypes: CompareTypes,
): Pick<Difference, "levels" | "codeLevels" | "isUnlisted" | "isOnlyInTypes"> {
  const codeLevels = findMemberCodeLevels(versions);
  const types = listMemberTypes(versions);
  const [oldProperty, newProperty] = versions.properties;
  const { name = "", required = false } = oldProperty ?? newProperty ?? {};
  if (types === undefined) {
    return { codeLevels, isUnlisted: codeLevels !== undefined };
  }
  const schemas = target.schemas?.map((schema, side) =>
    versions.properties[side] === undefined
      ? getObject(schema, "additionalProperties")
      : getObject(getObject(schema, "properties"), name),
  );
  const [oldWriter = "some", newWriter = "some"] =
    target.direction === "input"
      ? findSchemaLevels(types, { schemas, inQuery: target.inQuery === true })
      : findLevelsInAnswers(compareTypes(types));
  // Some peers already send the member with the right type, and if a reader requires it, the others fail.
  const limitLevel = (level: Level, isMissing: boolean) =>
    level === "breaks" || (required && isMissing) ? "some" : level;
  return {
    isUnlisted: true,
    isOnlyInTypes: false,
    codeLevels,
    levels: [limitLevel(oldWriter, oldProperty === undefined), limitLevel(newWriter, newProperty === undefined)],
  };
}

/**
 * Returns the effects of a renamed property of answers. Clients that check answers read the name that their version
 * does not declare as one of the other members, and refuse it if its type is not that of these members.
 */
export function findRenamedLevels(
  { objects, properties: [before, after] }: MemberVersions,
  renamed: Pick<Difference, "rule" | "direction" | "variant" | "levels">,
  compareTypes: CompareTypes,
): Pick<Difference, "levels"> {
  if (renamed.direction !== "output") {
    return {};
  }
  const found = (
    [
      [before, undefined],
      [undefined, after],
    ] as const
  ).flatMap((properties) => {
    const types = listMemberTypes({ objects, properties });
    return types === undefined ? [] : compareTypes(types);
  });
  return found.length === 0 ? {} : { levels: findLevelsInAnswers([renamed, ...found]) };
}

/** Returns the worst effects of differences on clients that read answers of the other version. */
function findLevelsInAnswers(
  differences: readonly Pick<Difference, "rule" | "direction" | "variant" | "levels">[],
): LevelsOfWriters {
  const all = differences.map((difference) => getConsequences(getRule(difference.rule), difference));
  const findWorst = (party: "newClients" | "oldClients") => findWorstLevel(all.map((each) => each[party]));
  return [findWorst("newClients"), findWorst("oldClients")];
}
