import { isXmlCodePoint } from "./characters.js";
import type { XmlErrorCode } from "./error.js";
import { isNCName } from "./names.js";

/** Called with what is wrong; throws. */
export type Refuse = (code: XmlErrorCode, offset: number, message: string) => never;

const knownReference = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/y;
const entities = new Map([
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
  refuse: Refuse,
): string {
  let result = "";
  let at = range.start;
  for (;;) {
    const ampersand = text.indexOf("&", at);
    if (ampersand < 0 || ampersand >= range.end) return result + literal(text.slice(at, range.end));
    if (ampersand > at) result += literal(text.slice(at, ampersand));
    knownReference.lastIndex = ampersand;
    const match = knownReference.exec(text);
    if (match === null) return refuseReference(text, ampersand, refuse);
    result += referenced(match, ampersand, refuse);
    at = knownReference.lastIndex;
  }
}

function referenced(match: RegExpExecArray, offset: number, refuse: Refuse): string {
  const [, hexadecimal, decimal, entity] = match;
  if (entity !== undefined) return entities.get(entity) ?? "";
  const code = hexadecimal === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hexadecimal, 16);
  if (!isXmlCodePoint(code))
    return refuse("xml.character", offset, "The reference names a character that XML forbids.");
  return String.fromCodePoint(code);
}

function refuseReference(text: string, offset: number, refuse: Refuse): never {
  const name = /^&([^;&<>\s]{1,64});/.exec(text.slice(offset, offset + 66))?.[1];
  if (name !== undefined && isNCName(name)) {
    return refuse("xml.entity", offset, `The entity "${name}" is not one of the five that need no declaration.`);
  }
  return refuse("xml.not-well-formed", offset, "This & begins no reference; as text it is written &amp;.");
}
