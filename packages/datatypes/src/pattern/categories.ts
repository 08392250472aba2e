import { type CharacterClass, matching } from "./character-class.js";

// XSD 1.0 Part 2 Appendix F.1.1. Surrogates (Cs) are no characters of XML.
const categories: ReadonlyMap<string, RegExp> = /* @__PURE__ */ new Map([
  ["L", /\p{L}/u],
  ["Lu", /\p{Lu}/u],
  ["Ll", /\p{Ll}/u],
  ["Lt", /\p{Lt}/u],
  ["Lm", /\p{Lm}/u],
  ["Lo", /\p{Lo}/u],
  ["M", /\p{M}/u],
  ["Mn", /\p{Mn}/u],
  ["Mc", /\p{Mc}/u],
  ["Me", /\p{Me}/u],
  ["N", /\p{N}/u],
  ["Nd", /\p{Nd}/u],
  ["Nl", /\p{Nl}/u],
  ["No", /\p{No}/u],
  ["P", /\p{P}/u],
  ["Pc", /\p{Pc}/u],
  ["Pd", /\p{Pd}/u],
  ["Ps", /\p{Ps}/u],
  ["Pe", /\p{Pe}/u],
  ["Pi", /\p{Pi}/u],
  ["Pf", /\p{Pf}/u],
  ["Po", /\p{Po}/u],
  ["Z", /\p{Z}/u],
  ["Zs", /\p{Zs}/u],
  ["Zl", /\p{Zl}/u],
  ["Zp", /\p{Zp}/u],
  ["S", /\p{S}/u],
  ["Sm", /\p{Sm}/u],
  ["Sc", /\p{Sc}/u],
  ["Sk", /\p{Sk}/u],
  ["So", /\p{So}/u],
  ["C", /\p{C}/u],
  ["Cc", /\p{Cc}/u],
  ["Cf", /\p{Cf}/u],
  ["Co", /\p{Co}/u],
  ["Cn", /\p{Cn}/u],
]);

/** The characters of a Unicode general category; undefined when there is no such category. */
export function category(name: string): CharacterClass | undefined {
  const one = categories.get(name);
  return one === undefined ? undefined : matching(`p{${name}}`, one);
}
