import { create } from "xmlbuilder2";
import type { Piece, PublishedDocument, PublishedElement, Slot, Template } from "./published.js";

/**
 * Writes a document with xmlbuilder2 and cuts it at its slots. While it is written, a slot is a mark of two private-use
 * characters with its number between them; a source that holds these characters itself has them replaced beforehand.
 */
export function writeDocument(root: PublishedElement): PublishedDocument {
  const slots: Slot[] = [];
  const document = create({ version: "1.0", encoding: "utf-8" });
  const open: { readonly parent: ReturnType<typeof create>; readonly element: PublishedElement | string }[] = [];
  open.push({ parent: document, element: root });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { parent, element } = next;
    if (typeof element === "string") {
      parent.txt(writerText(clean(element)));
      continue;
    }
    const node = parent.ele(element.name, attributeObject(element, slots));
    for (let index = element.children.length - 1; index >= 0; index--) {
      const child = element.children[index];
      if (child !== undefined) open.push({ parent: node, element: child });
    }
  }
  return cut(
    document.end({ prettyPrint: true, indent: "  ", newline: "\n", wellFormed: true, spaceBeforeSlash: true }),
    slots,
  );
}

function attributeObject(element: PublishedElement, slots: Slot[]): Map<string, string> {
  return new Map(element.attributes.map(([name, value]) => [name, writerText(marked(value, slots))]));
}

const OPEN = "\uE0B0";
const CLOSE = "\uE0B1";

function marked(template: Template, slots: Slot[]): string {
  return template
    .map((piece) => {
      if (typeof piece === "string") return clean(piece).replace(/[\r\n\t]+/g, " ");
      slots.push(piece);
      return `${OPEN}${slots.length - 1}${CLOSE}`;
    })
    .join("");
}

/** CR would be written raw, and be lost when it is read again; the marks must be ours alone. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\uE0B0\uE0B1]/g, "\uFFFD");
}

/** The writer leaves `&name;` as it is: an ampersand must be a reference before it sees it. */
function writerText(text: string): string {
  return text.replaceAll("&", "&amp;");
}

function cut(text: string, slots: readonly Slot[]): PublishedDocument {
  const pieces: Piece[] = [];
  for (const [index, part] of `${text}\n`.split(OPEN).entries()) {
    const close = index === 0 ? -1 : part.indexOf(CLOSE);
    const slot = slots[Number(part.slice(0, Math.max(close, 0)))];
    if (close >= 0 && slot !== undefined) pieces.push(slot);
    if (part.length > close + 1) pieces.push(part.slice(close + 1));
  }
  return pieces;
}
