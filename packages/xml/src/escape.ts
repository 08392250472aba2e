import { illegalCharacter } from "./characters.js";
import { characterRefusal } from "./refusal.js";

const inText = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/;
const inAttribute = /[&<>"\t\n\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/;

/** Text content of an element. A CR becomes a reference, or reading would turn it into LF (XML 1.0 §2.11). */
export function escapeText(text: string): string {
  if (!inText.test(text)) return text;
  refuseIllegal(text);
  return text.replace(/[&<>\r]/g, reference);
}

/** An attribute value between double quotes. Tab, LF and CR become references, or reading would make them spaces (§3.3.3). */
export function escapeAttribute(text: string): string {
  if (!inAttribute.test(text)) return text;
  refuseIllegal(text);
  return text.replace(/[&<>"\t\n\r]/g, reference);
}

function reference(character: string): string {
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

function refuseIllegal(text: string): void {
  const offset = illegalCharacter(text);
  if (offset >= 0) throw characterRefusal(text, offset);
}
