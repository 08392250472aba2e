import { findEnumerationLiterals, type TypeReference } from "@bothends/generator";
import type { Level } from "../../../rules/rule.js";
import { getDefinition, type SoapSide } from "../../soap-side.js";
import type { EffectiveType } from "./effective-type.js";

/**
 * Formats a simple type with its facets and patterns, including the facets and patterns of its item or member types:
 * `string (maxLength 5)`.
 */
export function formatTypeWithFacets(type: EffectiveType): string {
  const facets = [...type.facets].map(([facet, value]) => `${facet} ${value}`).sort();
  const details = [...facets, ...type.patterns.map((pattern) => `pattern ${pattern}`)];
  const text = formatTextWithParts(type);
  return details.length === 0 ? text : `${text} (${details.join(", ")})`;
}

function formatTextWithParts({ variety, builtin, parts, values }: EffectiveType): string {
  const texts = parts.map(formatTypeWithFacets);
  const typeText = variety === "atomic" ? builtin : `${variety} of ${texts.join(", ")}`;
  if (values === undefined) {
    return typeText;
  }
  const listedText = [...values].sort().join(" | ");
  return typeText === "string" ? listedText : `${typeText} ${listedText}`;
}

/** Formats a simple type so that two types have equal results exactly if their generated TypeScript types are equal. */
export function formatCode(type: EffectiveType): string {
  if (type.representation !== undefined) {
    return type.representation.text;
  }
  const parts = [...new Set(type.parts.map((part) => formatCode(part)))].sort();
  switch (type.variety) {
    case "list":
      return `list of ${parts.join()}`;
    case "union":
      return parts.join(" | ");
    case "atomic":
      return "string";
  }
}

/** Formats the values of a simple type in generated code, with the values of enumerations that it lists. */
export function formatLiterals(side: SoapSide, type: EffectiveType): string {
  const members = listLiteralMembers(side, type);
  const wholeTypes = new Set(members.flatMap((member) => (member.literal === undefined ? [member.type] : [])));
  // The type of a value includes the literal types of its values: `string | "red"` is `string`.
  const texts = members.flatMap((member) =>
    member.literal === undefined ? [member.type] : wholeTypes.has(member.type) ? [] : [member.literal],
  );
  return [...new Set(texts)].sort().join(" | ");
}

/** Whether generated code represents the values of two types differently: as numbers and texts, or not as literals. */
export function hasOtherLiterals(
  [oldSide, newSide]: readonly [SoapSide, SoapSide],
  [before, after]: readonly [EffectiveType, EffectiveType],
): boolean {
  const listKinds = (side: SoapSide, type: EffectiveType) =>
    new Set(listLiteralMembers(side, type).map((member) => `${member.type} ${member.literal === undefined}`));
  const [oldKinds, newKinds] = [listKinds(oldSide, before), listKinds(newSide, after)];
  return [...oldKinds].sort().join() !== [...newKinds].sort().join();
}

/**
 * Returns the worst consequences of a changed simple type for code: none if TypeScript accepts all values of one
 * version for the type of the other version. But if the old type lists its values, and the new type has more, code that
 * lists all of them no longer compiles, also on the side that writes the values.
 */
export function findLiteralLimits(
  [oldSide, newSide]: readonly [SoapSide, SoapSide],
  [before, after]: readonly [EffectiveType, EffectiveType],
): readonly [write: Level, read: Level] {
  const [oldMembers, newMembers] = [listLiteralMembers(oldSide, before), listLiteralMembers(newSide, after)];
  const areAccepted = (members: readonly LiteralMember[], others: readonly LiteralMember[]) => {
    // Enumerations have up to 20,000 values.
    const accepted = new Set(others.map(({ type, literal }) => `${type} ${literal ?? ""}`));
    return members.every(({ type, literal = "" }) => accepted.has(`${type} `) || accepted.has(`${type} ${literal}`));
  };
  const [isWritable, isReadable] = [areAccepted(oldMembers, newMembers), areAccepted(newMembers, oldMembers)];
  const isListed = oldMembers.every(({ literal }) => literal !== undefined);
  const writeLimit = isListed && !isReadable ? "some" : "none";
  return [isWritable ? writeLimit : "breaks", isReadable ? (isWritable ? "none" : "some") : "breaks"];
}

interface LiteralMember {
  /** The TypeScript type of the member's values. */
  readonly type: string;
  /** One value of an enumeration, as code; undefined if the member has all values of the type. */
  readonly literal?: string;
}

/** Lists the members of a union and of the unions in it; for an enumeration, each of its values. */
function listLiteralMembers(side: SoapSide, type: EffectiveType): readonly LiteralMember[] {
  const literals = type.values === undefined ? undefined : findLiterals(side, type.type);
  if (literals !== undefined) {
    return literals.map((value) => ({
      type: typeof value,
      literal: typeof value === "bigint" ? `${value}n` : JSON.stringify(value),
    }));
  }
  return type.variety === "union"
    ? type.parts.flatMap((part) => listLiteralMembers(side, part))
    : [{ type: formatCode(type) }];
}

/** Returns the values of an enumeration that generated code lists; undefined if it lists none. */
function findLiterals(side: SoapSide, type: TypeReference): ReturnType<typeof findEnumerationLiterals> {
  const definition = getDefinition(side, type);
  if (definition?.kind === "restriction") {
    return findLiterals(side, definition.base);
  }
  const { plan, types: definitions } = side;
  return plan === undefined || definition?.kind !== "enumeration"
    ? undefined
    : findEnumerationLiterals(definition, { plan, definitions });
}
