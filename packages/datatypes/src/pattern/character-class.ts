/** A set of characters. */
export interface CharacterClass {
  /** Equal keys mean equal sets. An automaton tests equal classes only once. */
  readonly key: string;
  has(codePoint: number): boolean;
}

/** The characters from `first` to `last`, both included. */
export function range(first: number, last: number): CharacterClass {
  return { key: `${first}-${last}`, has: (codePoint) => codePoint >= first && codePoint <= last };
}

/** One character. */
export function character(codePoint: number): CharacterClass {
  return range(codePoint, codePoint);
}

/** The characters of several ranges: `bounds` has the first and last code point of each. */
export function ranges(...bounds: readonly number[]): CharacterClass {
  const [first = 0, last = 0, ...rest] = bounds;
  return rest.length === 0 ? range(first, last) : union([range(first, last), ranges(...rest)]);
}

/** The characters of a text. */
export function anyOf(characters: string): CharacterClass {
  return union(Array.from(characters, (each) => character(each.codePointAt(0) ?? 0)));
}

/** The characters of all the classes. */
export function union(classes: readonly CharacterClass[]): CharacterClass {
  const [only] = classes;
  if (only !== undefined && classes.length === 1) {
    return only;
  }
  return {
    key: `(${classes.map((each) => each.key).join("|")})`,
    has: (codePoint) => classes.some((each) => each.has(codePoint)),
  };
}

/** Every other character. */
export function complement(characters: CharacterClass): CharacterClass {
  return { key: `!${characters.key}`, has: (codePoint) => !characters.has(codePoint) };
}

/** The characters of one class that are not in another. */
export function difference(from: CharacterClass, without: CharacterClass): CharacterClass {
  return {
    key: `(${from.key}-${without.key})`,
    has: (codePoint) => from.has(codePoint) && !without.has(codePoint),
  };
}

/** The class with both cases of each of its ASCII letters. */
export function ignoringCase(characters: CharacterClass): CharacterClass {
  return {
    key: `~${characters.key}`,
    has: (codePoint) => characters.has(codePoint) || (isLetter(codePoint) && characters.has(codePoint ^ 32)),
  };
}

function isLetter(codePoint: number): boolean {
  const lower = codePoint | 32;
  return codePoint >= 65 && lower >= 97 && lower <= 122;
}

/** The characters that a regular expression matches. The expression must not come from a schema. It is compiled on first use. */
export function matching(key: string, expression: string): CharacterClass {
  let compiled: RegExp | undefined;
  return {
    key,
    has(codePoint) {
      compiled ??= new RegExp(expression, "u");
      return compiled.test(String.fromCodePoint(codePoint));
    },
  };
}

/** An escape stands for one character, which may begin or end a range, or for a class. */
export type CharacterEscape =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "class"; readonly class: CharacterClass };
