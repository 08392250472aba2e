import { whiteSpace as whiteSpaceFacet } from "./facets.js";
import { LexicalError } from "./lexical-error.js";
import {
  type FacetCheck,
  type FacetUse,
  isLexical,
  type LexicalType,
  refusal,
  type SimpleType,
  traitsOf,
} from "./simple-type.js";
import { normalizeWhiteSpace } from "./white-space.js";

/** Derivation by restriction (XSD 1.0 Part 2 §2.5.1.1): the base's texts and values that pass every facet, in both directions. */
export function restriction(
  of: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
): SimpleType<unknown> {
  const [base] = of;
  if (base === undefined) {
    throw new TypeError(`The restriction ${name} has no base type.`);
  }
  const checks = facets.map(([facet, value]) => facet(value, base));
  const whiteSpace = restrictedWhiteSpace(base, facets);
  const memberText = isLexical(base) ? base.memberText : undefined;
  const restricted: LexicalType<unknown> = {
    kind: "simple",
    name,
    whiteSpace,
    traits: traitsOf(base),
    read(text, context) {
      const value = base.read(text, context);
      require(checks, value, memberText === undefined ? text : memberText(text, context), name);
      return value;
    },
    write(value, context) {
      const text = base.write(value, context);
      if (whiteSpace !== base.whiteSpace && normalizeWhiteSpace(text, whiteSpace) !== text) {
        throw refusal(value, name);
      }
      require(checks, value, text, name);
      return text;
    },
  };
  if (memberText === undefined) {
    return restricted;
  }
  const ofUnion: LexicalType<unknown> = { ...restricted, memberText };
  return ofUnion;
}

function require(checks: readonly FacetCheck[], value: unknown, text: string, name: string): void {
  for (const check of checks) {
    const problem = check(value, text);
    if (problem !== undefined) {
      throw new LexicalError(`${name}: ${problem}.`);
    }
  }
}

function restrictedWhiteSpace(
  base: SimpleType<unknown>,
  facets: readonly FacetUse[],
): SimpleType<unknown>["whiteSpace"] {
  const [, value] = facets.find(([facet]) => facet === whiteSpaceFacet) ?? [];
  return value === "preserve" || value === "replace" || value === "collapse" ? value : base.whiteSpace;
}
