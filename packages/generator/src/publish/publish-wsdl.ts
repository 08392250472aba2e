import { createRequire } from "node:module";
import { escapeAttribute, escapeText, type XmlElement } from "@bothends/xml";
import type * as XmlBuilder from "xmlbuilder2";
import type { Port, Protocol, Service } from "../model/soap.js";
import { resolveLocation } from "../source/addresses.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { sourceLimits } from "../source/source-limits.js";
import type { Sources } from "../source/sources.js";
import { nameSpan, type SourceText } from "../source/span.js";
import { withoutUnused } from "./included-components.js";
import { inlineWsdl, type PublishLimits } from "./inline.js";
import {
  derivedNames,
  type Piece,
  type PublishedDefinitions,
  type PublishedElement,
  type PublishedWsdl,
  type Slot,
  type SlotSettings,
  type Template,
} from "./slots.js";
import {
  attributeOf,
  type CannotPublish,
  gatherDefinitions,
  type IsServed,
  type LoadDocument,
  type SchemaOf,
} from "./source-elements.js";

// Publishes a server's WSDL: gathers its parts, and writes them as text with slots.

/** The variable parts of a server's WSDL: its addresses, and the names that `bothends.json` lists. */
export interface PublishInputs {
  /** The services that get a document. */
  readonly services: readonly {
    /** Absent if all ports are served. */
    readonly isServed?: IsServed;
    readonly ports: readonly Pick<Port, "protocol" | "address">[];
  }[];
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  readonly operations: readonly string[];
  /** Loads schemas that no document declares. */
  readonly schemaOf?: SchemaOf;
  /** Default: the limits of sources. */
  readonly limits?: PublishLimits;
}

/** A WSDL as served: self-contained, with slots for its address and for configurable names. */
export function publishWsdl(root: XmlElement, load: LoadDocument, facts: PublishInputs): PublishedWsdl | CannotPublish {
  const served = facts.services.map(({ isServed = () => true, ports }) => ({
    isServed,
    addresses: addressesOf(ports),
  }));
  const gathered = gatherDefinitions(root, load, (port, document) =>
    served.some(({ isServed }) => isServed(port, document)),
  );
  const slots = {
    namespaces: facts.namespaces,
    operations: derivedNames([root, ...gathered.documents], facts.operations),
    addresses: new Map(),
  };
  const schemaOf = facts.schemaOf ?? (() => undefined);
  const limits = facts.limits ?? sourceLimits;
  const inlined = inlineWsdl(root, load, { facts: slots, served, gathered, schemaOf, limits });
  return "because" in inlined ? inlined : writeWsdl(withoutUnused(inlined.definitions), inlined.services);
}

/** The first port at each address, if there are several addresses. */
function addressesOf(ports: PublishInputs["services"][number]["ports"]): SlotSettings["addresses"] {
  const first = new Map<string, Protocol>();
  for (const { address, protocol } of ports) {
    if (address !== undefined && !first.has(address)) {
      first.set(address, protocol);
    }
  }
  return first.size > 1 ? first : new Map();
}

/** The services of one WSDL file, with the positions of their ports. */
export interface ToPublish extends Omit<PublishInputs, "services"> {
  readonly services: readonly [Service, ...Service[]];
}

/** Publishes a WSDL that was read before; undefined, with an info diagnostic, if it cannot become one document. */
export function publishServices(
  source: ToPublish,
  sources: Sources,
  diagnostics: Diagnostics,
): PublishedWsdl | undefined {
  const [{ span: from }] = source.services;
  const { path } = from.source;
  const expected = "a document that was read before";
  const main = sources.readXml(path, { from, expected });
  if (main === undefined) {
    return undefined;
  }

  const read = new Map<XmlElement, SourceText>([[main.root, main.source]]);
  const load = (reference: XmlElement, document: XmlElement): XmlElement | undefined => {
    const location = attributeOf(reference, "schemaLocation") ?? attributeOf(reference, "location");
    const resolved = location === undefined ? undefined : resolveLocation(location, read.get(document)?.path ?? path);
    if (resolved?.kind !== "path") {
      return undefined;
    }
    const loaded = sources.readXml(resolved.path, {
      from,
      expected,
      fallback: "what was read in its place",
    });
    if (loaded !== undefined) {
      read.set(loaded.root, loaded.source);
    }
    return loaded?.root;
  };
  const services = source.services.map(({ ports }) => ({
    ports,
    isServed: (port: XmlElement, document: XmlElement): boolean =>
      ports.some(({ span }) => span.source.path === read.get(document)?.path && span.start === port.start),
  }));
  const published = publishWsdl(main.root, load, { ...source, services, limits: sources.limits });
  if (!("because" in published)) {
    return published;
  }

  const { code, message } = problems(sources.limits)[published.because];
  diagnostics.info(code, nameSpan(read.get(published.document) ?? main.source, published.element), {
    message: `Servers serve no WSDL for this file: ${message}.`,
  });
  return undefined;
}

const problems = ({ nodes, outputBytes }: PublishLimits) =>
  ({
    redefine: {
      code: "PUB001",
      message: "a redefinition refers to a component that its document does not have, or the document is also included",
    },
    import: { code: "PUB002", message: "an imported document is not a WSDL, or two definitions have the same name" },
    size: {
      code: "PUB003",
      message: `with its imports, it exceeds the limit nodes (${nodes}) or outputBytes (${outputBytes})`,
    },
  }) as const;

/**
 * Writes the documents of a WSDL's services and splits them at their slots. xmlbuilder2 writes the declaration and the root with
 * its namespaces; it would take 15 times as long for the rest, which may be megabytes. While a document is written, a slot is
 * represented by its number between two private-use characters. If a source contains these characters, they are replaced first.
 */
function writeWsdl(
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

/** The text before the children of the root, and the text after them. */
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
  // An empty text gives the root an end tag.
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

/** Loads xmlbuilder2 with the first document, because importing it takes 90 ms (30 in the published package). */
function loadXmlBuilder(): typeof XmlBuilder {
  return createRequire(import.meta.url)("xmlbuilder2");
}

/**
 * Text for xmlbuilder2. It leaves `&lt;` in text unchanged, so every ampersand must be escaped first. It also writes CR, LF and
 * TAB in attributes unchanged, which readers convert to spaces (XML 1.0 §3.3.3).
 */
export function builderText(text: string): string {
  return text.replaceAll("&", "&amp;").replace(/[\r\n\t]/g, " ");
}

function elementText(element: PublishedElement, depth: number, slots: Slot[]): string {
  const { name, attributes, children, slot } = element;
  let plain = "";
  let prefixed = "";
  for (let index = 0; index < attributes.length; index += 1) {
    const attribute = attributes[index];
    if (attribute !== undefined) {
      const text = ` ${attribute[0]}="${escapeAttribute(templateText(attribute[1], slots))}"`;
      if (attribute[2] === undefined) {
        plain += text;
      } else {
        prefixed += text;
      }
    }
  }
  const tag = `<${name}${plain}${prefixed}`;
  if (slot !== undefined) {
    return `${tag}>${templateText([slot], slots)}</${name}>`;
  }
  return children.length === 0 ? `${tag} />` : `${tag}>${contentText(element, depth, slots)}</${name}>`;
}

/** Children on separate lines, unless there is text between them: white space would then be content. */
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
