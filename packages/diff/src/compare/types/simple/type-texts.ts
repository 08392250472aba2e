import { getValueKind, type SoapSide } from "../../soap-side.js";
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
export function formatCode(side: SoapSide, type: EffectiveType): string {
  const parts = [...new Set(type.parts.map((part) => formatCode(side, part)))].sort();
  switch (type.variety) {
    case "list":
      return `list of ${parts.join()}`;
    case "union":
      return parts.join(" | ");
    case "atomic":
      return getValueKind(side, type.builtin) ?? "string";
  }
}

/**
 * Formats the members of a union, with the values of enumerations that generated code lists, so that two unions have
 * equal results exactly if their generated TypeScript types are equal.
 */
export function formatLiterals(side: SoapSide, union: EffectiveType): string {
  const members = listLiteralMembers(side, union);
  const wholeTypes = new Set(members.flatMap(({ type, literal }) => (literal === undefined ? [type] : [])));
  // The type of a value includes the literal types of its values: `string | "red"` is `string`.
  const texts = members.flatMap(({ type, literal }) =>
    literal === undefined ? [type] : wholeTypes.has(type) ? [] : [`${type} ${literal}`],
  );
  return JSON.stringify([...new Set(texts)].sort());
}

interface LiteralMember {
  /** The TypeScript type of the member's values. */
  readonly type: string;
  /** One value of an enumeration; undefined if the member has all values of the type. */
  readonly literal?: string;
}

/** Lists the members of a union and of the unions in it; for an enumeration, each of its values. */
function listLiteralMembers(side: SoapSide, type: EffectiveType): readonly LiteralMember[] {
  const code = formatCode(side, type);
  if (type.values !== undefined && ["string", "number", "bigint", "boolean"].includes(code)) {
    return type.values.map((literal) => ({ type: code, literal }));
  }
  return type.variety === "union" ? type.parts.flatMap((part) => listLiteralMembers(side, part)) : [{ type: code }];
}
