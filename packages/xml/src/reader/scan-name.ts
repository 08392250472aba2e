// Finds names in a document. This module is separate from `name-characters.ts`, because only the reader needs it.

import { nameContinuation, nameStart } from "../name-characters.js";

const ncNamePattern = /* @__PURE__ */ new RegExp(`[${nameStart}][${nameContinuation}]*`, "uy");

const STARTS = 1;
const CONTINUES = 2;
/** For each ASCII character, whether it may start an NCName and whether it may continue one. */
const asciiNameCharacters = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const lowerCase = code | 0x20;
  if ((lowerCase >= 0x61 && lowerCase <= 0x7a && code >= 0x41) || character === "_") {
    return STARTS | CONTINUES;
  }
  return "-.0123456789".includes(character) ? CONTINUES : 0;
});

/** Returns the end of the NCName at an offset, or the offset if no name begins there. */
export function findNCNameEnd(text: string, offset: number): number {
  let code = text.charCodeAt(offset);
  if (code < 128) {
    if (asciiNameCharacters[code] !== (STARTS | CONTINUES)) {
      return offset;
    }
    let end = offset + 1;
    code = text.charCodeAt(end);
    while (code < 128 && asciiNameCharacters[code] !== 0) {
      end += 1;
      code = text.charCodeAt(end);
    }
    // At the end of the text, `code` is NaN.
    if (!(code >= 128)) {
      return end;
    }
  }
  ncNamePattern.lastIndex = offset;
  return ncNamePattern.test(text) ? ncNamePattern.lastIndex : offset;
}
