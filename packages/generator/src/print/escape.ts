/** Controls, format characters (bidi, zero-width, tags) and lone surrogates: what a reader of code would not see. */
export const invisible: RegExp = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The code point of a one-character text in hexadecimal, at least four digits: `202E`. */
export function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
