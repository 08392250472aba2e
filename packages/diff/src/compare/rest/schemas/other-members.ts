import type { JsonProperty, JsonType } from "@bothends/generator";
import type { Difference } from "../../difference.js";
import { formatType } from "../json-type-rules.js";
import { type Annotated, findKeywordDifferences, noEffect, type ReportTarget } from "../property-differences.js";

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
    return [{ rule, ...place, ...values, ...(levels && { codeLevels: levels }) }];
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
