import { createRequire } from "node:module";
import { escapeAttribute, escapeText } from "@bothends/xml";
import type * as XmlBuilder from "xmlbuilder2";
import type { Piece, PublishedDefinitions, PublishedElement, PublishedWsdl, Slot, Template } from "./slots.js";

/**
 * Writes the documents of a WSDL's services and cuts them at their slots. xmlbuilder2 writes the declaration and the root with
 * its namespaces; the rest, which may be megabytes, would take it 15 times as long. While a document is written, a slot
 * is a mark of two private-use characters with its number between them; a source that contains these characters has
 * them replaced beforehand.
 */
export function writeWsdl(
  definitions: PublishedDefinitions,
  services: readonly (readonly PublishedElement[])[],
): PublishedWsdl {
  const slots: Slot[] = [];
  const { start, end } = writeFrame(definitions, slots);
  const shared = `${start}\n${lines(definitions.children, slots)}`;
  return {
    shared: cut(shared, slots),
    services: services.map((elements) => cut(lines(elements, slots) + end, slots)),
  };
}

const OPEN = "\uE0B0";
const CLOSE = "\uE0B1";

/** The text before the children of the root, and the text behind them. */
function writeFrame(root: PublishedDefinitions, slots: Slot[]): { readonly start: string; readonly end: string } {
  let text = "";
  const { createCB } = loadXmlBuilder();
  const builder = createCB({
    data: (chunk: string) => {
      text += chunk;
    },
    error: (error: Error) => {
      throw error;
    },
    wellFormed: true,
    prettyPrint: true,
    spaceBeforeSlash: true,
  });
  builder.dec({ version: "1.0", encoding: "utf-8" }).ele(root.namespace, root.name);
  for (const [name, value, namespace] of root.attributes) {
    if (namespace === undefined) {
      builder.att(name, builderText(templateText(value, slots)));
    }
  }
  for (const [name, value, namespace] of root.attributes) {
    if (namespace !== undefined) {
      builder.att(namespace, name, builderText(templateText(value, slots)));
    }
  }
  // With a text, even an empty one, the root gets an end tag.
  builder.txt("");
  const start = text;
  builder.end();
  return { start, end: `${text.slice(start.length)}\n` };
}

function lines(children: PublishedElement["children"], slots: Slot[]): string {
  let text = "";
  for (const child of children) {
    text += `  ${childText(child, 1, slots)}\n`;
  }
  return text;
}

/** Loads xmlbuilder2 with the first document, because importing it takes 90 ms; in the published package, 30. */
function loadXmlBuilder(): typeof XmlBuilder {
  return createRequire(import.meta.url)("xmlbuilder2");
}

/**
 * Text for xmlbuilder2. It leaves `&lt;` in text unchanged, so that every ampersand must be escaped beforehand; and it
 * writes CR, LF and TAB in attributes as they are, where a reader makes spaces of them (XML 1.0 §3.3.3).
 */
export function builderText(text: string): string {
  return text.replaceAll("&", "&amp;").replace(/[\r\n\t]/g, " ");
}

function elementText(element: PublishedElement, depth: number, slots: Slot[]): string {
  const { name, attributes, children, slot } = element;
  let plain = "";
  let prefixed = "";
  for (const [attribute, value, namespace] of attributes) {
    const text = ` ${attribute}="${escapeAttribute(templateText(value, slots))}"`;
    if (namespace === undefined) {
      plain += text;
    } else {
      prefixed += text;
    }
  }
  const tag = `<${name}${plain}${prefixed}`;
  if (slot !== undefined) {
    return `${tag}>${templateText([slot], slots)}</${name}>`;
  }
  return children.length === 0 ? `${tag} />` : `${tag}>${contentText(element, depth, slots)}</${name}>`;
}

/** Children on lines of their own, unless there is text between them: there, white space would be content. */
function contentText({ children }: PublishedElement, depth: number, slots: Slot[]): string {
  const mixed = children.length === 0 || children.some((child) => typeof child === "string");
  const line = mixed ? "" : `\n${"  ".repeat(depth + 1)}`;
  let text = "";
  for (const child of children) {
    text += line + childText(child, depth + 1, slots);
  }
  return mixed ? text : `${text}\n${"  ".repeat(depth)}`;
}

function childText(child: PublishedElement | string, depth: number, slots: Slot[]): string {
  return typeof child === "string" ? escapeText(withoutMarks(child)) : elementText(child, depth, slots);
}

function templateText(template: Template, slots: Slot[]): string {
  if (typeof template === "string") {
    return withoutMarks(template);
  }
  let text = "";
  for (const piece of template) {
    if (typeof piece === "string") {
      text += withoutMarks(piece);
    } else {
      text += `${OPEN}${slots.push(piece) - 1}${CLOSE}`;
    }
  }
  return text;
}

function withoutMarks(text: string): string {
  return /[\uE0B0\uE0B1]/.test(text) ? text.replace(/[\uE0B0\uE0B1]/g, "\uFFFD") : text;
}

function cut(text: string, slots: readonly Slot[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(OPEN).entries()) {
    const close = index === 0 ? -1 : part.indexOf(CLOSE);
    const slot = slots[Number(part.slice(0, Math.max(close, 0)))];
    if (close >= 0 && slot !== undefined) {
      pieces.push(slot);
    }
    if (part.length > close + 1) {
      pieces.push(part.slice(close + 1));
    }
  }
  return pieces;
}
