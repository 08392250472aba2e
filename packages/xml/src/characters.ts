/** Characters of XML 1.0 §2.2 [2] Char. */

const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/;
const surrogates = /[\ud800-\udfff]/;
// With the u flag, a pair is one character above U+FFFF: only half a pair matches.
const loneSurrogates = /[\ud800-\udfff]/u;

/**
 * Where the first character stands that XML forbids; -1 when there is none. Several simple searches beat one large
 * character class, and most of them end at once on text that is stored in one byte per character.
 */
export function illegalCharacter(text: string): number {
  let first = text.search(controls);
  if (surrogates.test(text)) first = earlier(first, text.search(loneSurrogates));
  first = earlier(first, text.indexOf("\ufffe"));
  return earlier(first, text.indexOf("\uffff"));
}

function earlier(one: number, other: number): number {
  if (one < 0) return other;
  return other < 0 || one < other ? one : other;
}

/** Whether XML can carry a text at all. */
export function isXmlText(text: string): boolean {
  return illegalCharacter(text) < 0;
}

/** Whether a character reference may name a code point (XML 1.0 §4.1, Legal Character). */
export function isXmlCodePoint(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  if (code <= 0xd7ff) return true;
  return (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** A character as messages show it: `U+000B`. */
export function codePointName(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
