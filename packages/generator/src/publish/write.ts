import { escapeAttribute, escapeText } from "@bothends/xml";
import { create } from "xmlbuilder2";
import type { Piece, PublishedDocument, PublishedElement, Slot, Template } from "./published.js";

/**
 * Writes a document and cuts it at its slots. xmlbuilder2 writes the frame: the root with every namespace. What stands in it
 * has its prefixes already and is handed over whole: xmlbuilder2 would copy all namespaces for each element of it. While the
 * document is written, a slot is a mark of two private-use characters with its number between them; a source that holds
 * these characters itself has them replaced beforehand.
 */
export function writeDocument(root: PublishedElement): PublishedDocument {
  const slots: Slot[] = [];
  const content = contentText(root, 0, slots);
  const [before = "", behind = ""] = frameText(root, slots).split(CONTENT);
  return cut(`${before}${content}${behind}\n`, slots);
}

const OPEN = "\uE0B0";
const CLOSE = "\uE0B1";
/** Stands in the frame where its content comes. */
const CONTENT = `${OPEN}${CLOSE}`;

function frameText(root: PublishedElement, slots: Slot[]): string {
  const document = create({ version: "1.0", encoding: "utf-8" });
  const plain = root.attributes.filter(([, , namespace]) => namespace === undefined);
  const node = document.ele(
    root.name,
    new Map(plain.map(([name, value]) => [name, ampersands(attributeText(value, slots))])),
  );
  for (const [name, value, namespace] of root.attributes) {
    if (namespace !== undefined) node.att(namespace, name, ampersands(attributeText(value, slots)));
  }
  if (root.children.length > 0) node.txt(CONTENT);
  return document.end({ wellFormed: true, spaceBeforeSlash: true }).replace("?>", "?>\n");
}

/** xmlbuilder2 leaves `&name;` as it is: an ampersand must be a reference before it sees it. */
function ampersands(text: string): string {
  return text.replaceAll("&", "&amp;");
}

function elementText(element: PublishedElement, depth: number, slots: Slot[]): string {
  const { name, attributes, children } = element;
  let plain = "";
  let prefixed = "";
  for (const [attribute, value, namespace] of attributes) {
    const text = ` ${attribute}="${escapeAttribute(attributeText(value, slots))}"`;
    if (namespace === undefined) plain += text;
    else prefixed += text;
  }
  const tag = `<${name}${plain}${prefixed}`;
  return children.length === 0 ? `${tag} />` : `${tag}>${contentText(element, depth, slots)}</${name}>`;
}

/** Children on lines of their own, unless there is text between them: there, white space would be content. */
function contentText({ children }: PublishedElement, depth: number, slots: Slot[]): string {
  const mixed = children.length === 0 || children.some((child) => typeof child === "string");
  const line = mixed ? "" : `\n${"  ".repeat(depth + 1)}`;
  let text = "";
  for (const child of children) {
    text += line + (typeof child === "string" ? escapeText(clean(child)) : elementText(child, depth + 1, slots));
  }
  return mixed ? text : `${text}\n${"  ".repeat(depth)}`;
}

function attributeText(template: Template, slots: Slot[]): string {
  let text = "";
  for (const piece of template) {
    if (typeof piece === "string") text += clean(piece).replace(/[\n\t]+/g, " ");
    else text += `${OPEN}${slots.push(piece) - 1}${CLOSE}`;
  }
  return text;
}

/** CR would be lost when it is read again; the marks must be ours alone. */
function clean(text: string): string {
  return /[\r\uE0B0\uE0B1]/.test(text) ? text.replace(/\r\n?/g, "\n").replace(/[\uE0B0\uE0B1]/g, "\uFFFD") : text;
}

function cut(text: string, slots: readonly Slot[]): PublishedDocument {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(OPEN).entries()) {
    const close = index === 0 ? -1 : part.indexOf(CLOSE);
    const slot = slots[Number(part.slice(0, Math.max(close, 0)))];
    if (close >= 0 && slot !== undefined) pieces.push(slot);
    if (part.length > close + 1) pieces.push(part.slice(close + 1));
  }
  return pieces;
}
