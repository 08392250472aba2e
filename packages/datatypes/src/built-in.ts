import { decimalTraits, isDecimal } from "./decimal.js";
import type { LexicalType } from "./simple-type.js";
import { textTraits, textType } from "./text.js";

/** A type derived from xs:token by a pattern: names and languages. */
export function tokenType(name: string, accepts: (text: string) => boolean): LexicalType<string> {
  return textType({ name, whiteSpace: "collapse", accepts });
}

/** xs:decimal in the text that was given: exact, and `1.50` stays `1.50`. */
export function decimalType(): LexicalType<string> {
  return textType({ name: "xs:decimal", whiteSpace: "collapse", accepts: isDecimal, traits: decimalTraits });
}

/**
 * xs:anyURI (XSD 1.0 Part 2 §3.2.17). Characters that a URI must escape are allowed as they are, but a percent sign is
 * not escaped for the author: it must begin an escape. Relative references and the rules of schemes are not checked.
 */
export function anyURIType(): LexicalType<string> {
  return textType({
    name: "xs:anyURI",
    whiteSpace: "collapse",
    accepts: (text) => !/%(?![0-9A-Fa-f]{2})/.test(text),
    traits: textTraits("anyURI"),
  });
}

/** xs:anySimpleType: a text of which nothing is known. */
export function anySimpleTypeType(): LexicalType<string> {
  return textType({ name: "xs:anySimpleType", whiteSpace: "preserve", traits: textTraits("anySimpleType") });
}
