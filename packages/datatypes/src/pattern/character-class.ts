/** A set of characters. */
export interface CharacterClass {
  /** Classes with equal keys contain the same characters. An automaton tests equal classes only once. */
  readonly key: string;
  has(codePoint: number): boolean;
}

/** Returns the set of all characters from `first` to `last`, including both. */
export function range(first: number, last: number): CharacterClass {
  return { key: `${first}-${last}`, has: (codePoint) => codePoint >= first && codePoint <= last };
}

/** Returns the set that contains one character. */
export function character(codePoint: number): CharacterClass {
  return range(codePoint, codePoint);
}

/**
 * Returns the set of the characters in several ranges. `bounds` contains the first and last code point of each range in
 * turn.
 */
export function ranges(...bounds: readonly number[]): CharacterClass {
  const [first = 0, last = 0, ...moreBounds] = bounds;
  return moreBounds.length === 0 ? range(first, last) : union([range(first, last), ranges(...moreBounds)]);
}

/** Returns the set of the characters in a string. */
export function anyCharacterOf(characters: string): CharacterClass {
  return union(Array.from(characters, (text) => character(text.codePointAt(0) ?? 0)));
}

/** Returns the set of the characters that are in any of the classes. */
export function union(classes: readonly CharacterClass[]): CharacterClass {
  const [onlyClass] = classes;
  if (onlyClass !== undefined && classes.length === 1) {
    return onlyClass;
  }
  return {
    key: `(${classes.map((characterClass) => characterClass.key).join("|")})`,
    has: (codePoint) => classes.some((characterClass) => characterClass.has(codePoint)),
  };
}

/** Returns the set of all characters that a class does not contain. */
export function complement(characters: CharacterClass): CharacterClass {
  return { key: `!${characters.key}`, has: (codePoint) => !characters.has(codePoint) };
}

/** Returns the set of the characters that are in `base` but not in `excludedClass`. */
export function difference(base: CharacterClass, excludedClass: CharacterClass): CharacterClass {
  return {
    key: `(${base.key}-${excludedClass.key})`,
    has: (codePoint) => base.has(codePoint) && !excludedClass.has(codePoint),
  };
}

/** Adds the other letter case of each ASCII letter to a class. */
export function ignoringCase(characters: CharacterClass): CharacterClass {
  return {
    key: `~${characters.key}`,
    has: (codePoint) => characters.has(codePoint) || (isLetter(codePoint) && characters.has(codePoint ^ 32)),
  };
}

function isLetter(codePoint: number): boolean {
  const lowerCase = codePoint | 32;
  return codePoint >= 65 && lowerCase >= 97 && lowerCase <= 122;
}

/**
 * Returns the set of the characters that a JavaScript regular expression matches. The expression is compiled on first
 * use, and must not come from a schema.
 */
export function matching(key: string, expression: string): CharacterClass {
  let compiledExpression: RegExp | undefined;
  return {
    key,
    has(codePoint) {
      compiledExpression ??= new RegExp(expression, "u");
      return compiledExpression.test(String.fromCodePoint(codePoint));
    },
  };
}

/** The meaning of an escape: either one character, which can begin or end a range, or a class of characters. */
export type CharacterEscape =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "class"; readonly class: CharacterClass };

// The categories of XSD 1.0 Part 2 Appendix F.1.1. Surrogates (Cs) are missing, because XML does not allow them.
const categories: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "L",
  "Lu",
  "Ll",
  "Lt",
  "Lm",
  "Lo",
  "M",
  "Mn",
  "Mc",
  "Me",
  "N",
  "Nd",
  "Nl",
  "No",
  "P",
  "Pc",
  "Pd",
  "Ps",
  "Pe",
  "Pi",
  "Pf",
  "Po",
  "Z",
  "Zs",
  "Zl",
  "Zp",
  "S",
  "Sm",
  "Sc",
  "Sk",
  "So",
  "C",
  "Cc",
  "Cf",
  "Co",
  "Cn",
]);

/** Returns the characters of a Unicode general category; undefined if there is no such category. */
export function findCategory(name: string): CharacterClass | undefined {
  return categories.has(name) ? matching(`p{${name}}`, `\\p{${name}}`) : undefined;
}

/** A Unicode block: its name without spaces, and the first and last code point of each of its ranges. */
type Block = readonly [name: string, ...bounds: number[]];

// Unicode blocks, including blocks that are newer than the list in Appendix F.1.1, which allows blocks of later Unicode
// versions.
const blocks: readonly Block[] = [
  ["BasicLatin", 0x0000, 0x007f],
  ["Latin-1Supplement", 0x0080, 0x00ff],
  ["LatinExtended-A", 0x0100, 0x017f],
  ["LatinExtended-B", 0x0180, 0x024f],
  ["IPAExtensions", 0x0250, 0x02af],
  ["SpacingModifierLetters", 0x02b0, 0x02ff],
  ["CombiningDiacriticalMarks", 0x0300, 0x036f],
  ["Greek", 0x0370, 0x03ff],
  ["GreekandCoptic", 0x0370, 0x03ff],
  ["Cyrillic", 0x0400, 0x04ff],
  ["CyrillicSupplement", 0x0500, 0x052f],
  ["CyrillicSupplementary", 0x0500, 0x052f],
  ["Armenian", 0x0530, 0x058f],
  ["Hebrew", 0x0590, 0x05ff],
  ["Arabic", 0x0600, 0x06ff],
  ["Syriac", 0x0700, 0x074f],
  ["ArabicSupplement", 0x0750, 0x077f],
  ["Thaana", 0x0780, 0x07bf],
  ["NKo", 0x07c0, 0x07ff],
  ["Devanagari", 0x0900, 0x097f],
  ["Bengali", 0x0980, 0x09ff],
  ["Gurmukhi", 0x0a00, 0x0a7f],
  ["Gujarati", 0x0a80, 0x0aff],
  ["Oriya", 0x0b00, 0x0b7f],
  ["Tamil", 0x0b80, 0x0bff],
  ["Telugu", 0x0c00, 0x0c7f],
  ["Kannada", 0x0c80, 0x0cff],
  ["Malayalam", 0x0d00, 0x0d7f],
  ["Sinhala", 0x0d80, 0x0dff],
  ["Thai", 0x0e00, 0x0e7f],
  ["Lao", 0x0e80, 0x0eff],
  ["Tibetan", 0x0f00, 0x0fff],
  ["Myanmar", 0x1000, 0x109f],
  ["Georgian", 0x10a0, 0x10ff],
  ["HangulJamo", 0x1100, 0x11ff],
  ["Ethiopic", 0x1200, 0x137f],
  ["EthiopicSupplement", 0x1380, 0x139f],
  ["Cherokee", 0x13a0, 0x13ff],
  ["UnifiedCanadianAboriginalSyllabics", 0x1400, 0x167f],
  ["Ogham", 0x1680, 0x169f],
  ["Runic", 0x16a0, 0x16ff],
  ["Tagalog", 0x1700, 0x171f],
  ["Hanunoo", 0x1720, 0x173f],
  ["Buhid", 0x1740, 0x175f],
  ["Tagbanwa", 0x1760, 0x177f],
  ["Khmer", 0x1780, 0x17ff],
  ["Mongolian", 0x1800, 0x18af],
  ["Limbu", 0x1900, 0x194f],
  ["TaiLe", 0x1950, 0x197f],
  ["NewTaiLue", 0x1980, 0x19df],
  ["KhmerSymbols", 0x19e0, 0x19ff],
  ["PhoneticExtensions", 0x1d00, 0x1d7f],
  ["LatinExtendedAdditional", 0x1e00, 0x1eff],
  ["GreekExtended", 0x1f00, 0x1fff],
  ["GeneralPunctuation", 0x2000, 0x206f],
  ["SuperscriptsandSubscripts", 0x2070, 0x209f],
  ["CurrencySymbols", 0x20a0, 0x20cf],
  ["CombiningMarksforSymbols", 0x20d0, 0x20ff],
  ["CombiningDiacriticalMarksforSymbols", 0x20d0, 0x20ff],
  ["LetterlikeSymbols", 0x2100, 0x214f],
  ["NumberForms", 0x2150, 0x218f],
  ["Arrows", 0x2190, 0x21ff],
  ["MathematicalOperators", 0x2200, 0x22ff],
  ["MiscellaneousTechnical", 0x2300, 0x23ff],
  ["ControlPictures", 0x2400, 0x243f],
  ["OpticalCharacterRecognition", 0x2440, 0x245f],
  ["EnclosedAlphanumerics", 0x2460, 0x24ff],
  ["BoxDrawing", 0x2500, 0x257f],
  ["BlockElements", 0x2580, 0x259f],
  ["GeometricShapes", 0x25a0, 0x25ff],
  ["MiscellaneousSymbols", 0x2600, 0x26ff],
  ["Dingbats", 0x2700, 0x27bf],
  ["MiscellaneousMathematicalSymbols-A", 0x27c0, 0x27ef],
  ["SupplementalArrows-A", 0x27f0, 0x27ff],
  ["BraillePatterns", 0x2800, 0x28ff],
  ["SupplementalArrows-B", 0x2900, 0x297f],
  ["MiscellaneousMathematicalSymbols-B", 0x2980, 0x29ff],
  ["SupplementalMathematicalOperators", 0x2a00, 0x2aff],
  ["MiscellaneousSymbolsandArrows", 0x2b00, 0x2bff],
  ["LatinExtended-C", 0x2c60, 0x2c7f],
  ["SupplementalPunctuation", 0x2e00, 0x2e7f],
  ["CJKRadicalsSupplement", 0x2e80, 0x2eff],
  ["KangxiRadicals", 0x2f00, 0x2fdf],
  ["IdeographicDescriptionCharacters", 0x2ff0, 0x2fff],
  ["CJKSymbolsandPunctuation", 0x3000, 0x303f],
  ["Hiragana", 0x3040, 0x309f],
  ["Katakana", 0x30a0, 0x30ff],
  ["Bopomofo", 0x3100, 0x312f],
  ["HangulCompatibilityJamo", 0x3130, 0x318f],
  ["Kanbun", 0x3190, 0x319f],
  ["BopomofoExtended", 0x31a0, 0x31bf],
  ["CJKStrokes", 0x31c0, 0x31ef],
  ["KatakanaPhoneticExtensions", 0x31f0, 0x31ff],
  ["EnclosedCJKLettersandMonths", 0x3200, 0x32ff],
  ["CJKCompatibility", 0x3300, 0x33ff],
  ["CJKUnifiedIdeographsExtensionA", 0x3400, 0x4dbf],
  ["YijingHexagramSymbols", 0x4dc0, 0x4dff],
  ["CJKUnifiedIdeographs", 0x4e00, 0x9fff],
  ["YiSyllables", 0xa000, 0xa48f],
  ["YiRadicals", 0xa490, 0xa4cf],
  ["LatinExtended-D", 0xa720, 0xa7ff],
  ["HangulSyllables", 0xac00, 0xd7a3],
  ["PrivateUse", 0xe000, 0xf8ff, 0xf0000, 0xffffd, 0x100000, 0x10fffd],
  ["PrivateUseArea", 0xe000, 0xf8ff],
  ["CJKCompatibilityIdeographs", 0xf900, 0xfaff],
  ["AlphabeticPresentationForms", 0xfb00, 0xfb4f],
  ["ArabicPresentationForms-A", 0xfb50, 0xfdff],
  ["VariationSelectors", 0xfe00, 0xfe0f],
  ["VerticalForms", 0xfe10, 0xfe1f],
  ["CombiningHalfMarks", 0xfe20, 0xfe2f],
  ["CJKCompatibilityForms", 0xfe30, 0xfe4f],
  ["SmallFormVariants", 0xfe50, 0xfe6f],
  ["ArabicPresentationForms-B", 0xfe70, 0xfefe],
  ["Specials", 0xfeff, 0xfeff, 0xfff0, 0xfffd],
  ["HalfwidthandFullwidthForms", 0xff00, 0xffef],
  ["OldItalic", 0x10300, 0x1032f],
  ["Gothic", 0x10330, 0x1034f],
  ["Deseret", 0x10400, 0x1044f],
  ["ByzantineMusicalSymbols", 0x1d000, 0x1d0ff],
  ["MusicalSymbols", 0x1d100, 0x1d1ff],
  ["MathematicalAlphanumericSymbols", 0x1d400, 0x1d7ff],
  ["CJKUnifiedIdeographsExtensionB", 0x20000, 0x2a6df],
  ["CJKCompatibilityIdeographsSupplement", 0x2f800, 0x2fa1f],
  ["Tags", 0xe0000, 0xe007f],
];

/** Blocks without characters: XML text cannot contain surrogates (XML 1.0 §2.2). */
const surrogateBlocks: ReadonlySet<string> = new Set(["HighSurrogates", "HighPrivateUseSurrogates", "LowSurrogates"]);

/** Returns the characters of a Unicode block by its name without `Is`; undefined if there is no such block. */
export function findBlock(name: string): CharacterClass | undefined {
  if (surrogateBlocks.has(name)) {
    return ranges();
  }
  const [, ...bounds] = blocks.find(([blockName]) => blockName === name) ?? [];
  return bounds.length === 0 ? undefined : ranges(...bounds);
}
