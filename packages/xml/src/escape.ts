import { escapeXmlAttribute, escapeXmlText, findIllegalCharacter } from "./characters.js";
import { createSyntaxError, type XmlError } from "./error.js";

// Functions that escape text, and throw for characters that XML forbids. Clients use `characters.ts`, and load this
// module with its errors only for messages that `characters.ts` cannot escape.

/** Escapes the text of an element. Throws for a character that XML forbids. */
export function escapeText(text: string): string {
  return escapeXmlText(text) ?? refuseIllegalCharacter(text);
}

/** Escapes an attribute value for double quotes. Throws for a character that XML forbids. */
export function escapeAttribute(text: string): string {
  return escapeXmlAttribute(text) ?? refuseIllegalCharacter(text);
}

function refuseIllegalCharacter(text: string): never {
  throw createCharacterError(text, findIllegalCharacter(text));
}

/** Returns the error for a character that XML forbids. */
export function createCharacterError(text: string, offset: number): XmlError {
  const code = (text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return createSyntaxError(text, offset, code === "0000" ? "nullCharacter" : "forbiddenCharacter", code);
}
