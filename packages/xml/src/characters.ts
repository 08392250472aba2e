// The characters of XML 1.0 (§2.2 [2] Char).

const controlPattern = /[\0-\x08\x0b\x0c\x0e-\x1f]/;
const surrogatePattern = /[\ud800-\udfff]/;
// With the flag `u`, a pair of surrogates is one character, so the pattern matches only a surrogate that is not in a
// pair.
const loneSurrogatePattern = /[\ud800-\udfff]/u;

/**
 * Returns the offset of the first character that XML forbids; -1 if there is none. Several simple searches are faster
 * than one large character class. Most of these searches end at once if the string is stored with one byte per
 * character.
 */
export function findIllegalCharacter(text: string): number {
  let firstFound = text.search(controlPattern);
  if (surrogatePattern.test(text)) {
    firstFound = findEarlierOffset(firstFound, text.search(loneSurrogatePattern));
  }
  firstFound = findEarlierOffset(firstFound, text.indexOf("\ufffe"));
  return findEarlierOffset(firstFound, text.indexOf("\uffff"));
}

function findEarlierOffset(left: number, right: number): number {
  if (left < 0) {
    return right;
  }
  return right < 0 || left < right ? left : right;
}

/** Whether XML allows every character of a string. */
export function isXmlText(text: string): boolean {
  return findIllegalCharacter(text) < 0;
}

const specialInTextPattern = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/;
const specialInAttributePattern = /[&<>"\t\n\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/;

/**
 * Returns the escaped text of an element; undefined if XML forbids a character. A CR becomes a reference, because
 * readers would read it as LF (§2.11).
 */
export function escapeXmlText(text: string): string | undefined {
  if (!specialInTextPattern.test(text)) {
    return text;
  }
  return isXmlText(text) ? text.replace(/[&<>\r]/g, formatCharacterReference) : undefined;
}

/**
 * Returns the escaped attribute value, for double quotes. Tab, LF and CR become references, because readers would read
 * them as spaces (§3.3.3).
 */
export function escapeXmlAttribute(text: string): string | undefined {
  if (!specialInAttributePattern.test(text)) {
    return text;
  }
  return isXmlText(text) ? text.replace(/[&<>"\t\n\r]/g, formatCharacterReference) : undefined;
}

function formatCharacterReference(character: string): string {
  switch (character) {
    case "&":
      return "&amp;";
    case "<":
      return "&lt;";
    case ">":
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return `&#${character.charCodeAt(0)};`;
  }
}
