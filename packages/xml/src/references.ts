import { isXmlCodePoint } from "./characters.js";
import { isNCName } from "./names.js";
import { refusal } from "./refusal.js";

const knownReference = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/y;
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Replaces the references in `text` between two offsets (XML 1.0 §4.1): characters, and the five entities that need no
 * declaration. `literal` normalises the text between them, which references themselves escape (§2.11, §3.3.3).
 */
export function expandReferences(
  text: string,
  range: { readonly start: number; readonly end: number },
  literal: (text: string) => string,
): string {
  let result = "";
  let at = range.start;
  for (;;) {
    const ampersand = text.indexOf("&", at);
    if (ampersand < 0 || ampersand >= range.end) return result + literal(text.slice(at, range.end));
    if (ampersand > at) result += literal(text.slice(at, ampersand));
    result += referenced(text, ampersand);
    at = knownReference.lastIndex;
  }
}

function referenced(text: string, offset: number): string {
  knownReference.lastIndex = offset;
  const match = knownReference.exec(text);
  if (match === null) throw unknownReference(text, offset);
  const [, hexadecimal, decimal, entity] = match;
  if (entity !== undefined) return entities.get(entity) ?? "";
  const code = hexadecimal === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hexadecimal, 16);
  if (isXmlCodePoint(code)) return String.fromCodePoint(code);
  throw refusal(text, offset, "The reference names a character that XML forbids.", "xml.character");
}

function unknownReference(text: string, offset: number): Error {
  const name = /^&([^;&<>\s]{1,64});/.exec(text.slice(offset, offset + 66))?.[1];
  if (name === undefined || !isNCName(name)) {
    return refusal(text, offset, "This & begins no reference; as text it is written &amp;.");
  }
  return refusal(text, offset, `The entity "${name}" is not one of the five that need no declaration.`, "xml.entity");
}
