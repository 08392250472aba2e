import { create } from "xmlbuilder2";
import type { Piece, PublishedDocument, PublishedElement, Slot, Template } from "./published.js";

/**
 * Writes a document with xmlbuilder2 and cuts it at its slots. While it is written, a slot is a mark of two private-use
 * characters with its number between them; a source that holds these characters itself has them replaced beforehand.
 */
export function writeDocument(root: PublishedElement): PublishedDocument {
  const slots: Slot[] = [];
  const document = create({ version: "1.0", encoding: "utf-8" });
  const open: Step[] = [{ parent: document, child: root, depth: 0 }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { parent, child, depth } = step;
    if (typeof child === "string") {
      parent.txt(writerText(clean(child)));
      continue;
    }
    const node = parent.ele(child.name, attributeMap(child, slots));
    for (const [name, value, namespace] of child.attributes) {
      if (namespace !== undefined) node.att(namespace, name, writerText(marked(value, slots)));
    }
    for (const inner of indented(child, depth).reverse()) open.push({ parent: node, child: inner, depth: depth + 1 });
  }
  const text = document.end({ wellFormed: true, spaceBeforeSlash: true }).replace("?>", "?>\n");
  return cut(text, slots);
}

interface Step {
  readonly parent: ReturnType<typeof create>;
  readonly child: PublishedElement | string;
  readonly depth: number;
}

/** Children on lines of their own, unless there is text between them: there, white space would be content. */
function indented(element: PublishedElement, depth: number): (PublishedElement | string)[] {
  const { children } = element;
  if (children.length === 0 || children.some((child) => typeof child === "string")) return [...children];
  const inner = `\n${"  ".repeat(depth + 1)}`;
  return [...children.flatMap((child) => [inner, child]), `\n${"  ".repeat(depth)}`];
}

function attributeMap(element: PublishedElement, slots: Slot[]): Map<string, string> {
  const plain = element.attributes.filter(([, , namespace]) => namespace === undefined);
  return new Map(plain.map(([name, value]) => [name, writerText(marked(value, slots))]));
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
