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

/** Returns the set of the characters in several ranges. `bounds` contains the first and last code point of each range in turn. */
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
 * Returns the set of the characters that a JavaScript regular expression matches. The expression is compiled on first use, and must
 * not come from a schema.
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
