import { createRequire } from "node:module";
import { findAttribute, type XmlElement } from "@bothends/xml";
import type * as XmlBuilder from "xmlbuilder2";
import type { Port, Protocol, Service } from "../model/soap.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { resolveLocation } from "../source/document-addresses.js";
import { sourceLimits } from "../source/source-limits.js";
import type { Sources } from "../source/sources.js";
import { getNameSpan, type SourceText } from "../source/span.js";
import { withoutUnused } from "./included-components.js";
import { inlineWsdl, type KnownPublished, type PublishLimits } from "./inline.js";
import {
  listDerivedNames,
  listPieces,
  type Piece,
  type PublishedDefinitions,
  type PublishedElement,
  type PublishedWsdl,
  type Slot,
  type SlotSources,
  type Template,
  writeElements,
} from "./slots.js";
import {
  type CannotPublish,
  gatherDefinitions,
  type IsServed,
  type LoadDocument,
  type LoadSchema,
} from "./source-elements.js";

// Makes the WSDL that a server publishes: gathers its definitions, and writes them as text with slots.

/** The inputs for published WSDLs: the services, and the names that may change at run time. */
export interface PublishInputs {
  /** The services. A separate document is made for each of them. */
  readonly services: readonly {
    /** Whether a server serves a port. Absent if it serves all ports. */
    readonly isServed?: IsServed;
    readonly ports: readonly Pick<Port, "protocol" | "address">[];
  }[];
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  readonly operations: readonly string[];
  /** Loads the schemas of imported namespaces that no document declares. */
  readonly loadSchema?: LoadSchema;
  /** The limits on the size of the published documents. Default: the limits on sources. */
  readonly limits?: PublishLimits;
  /** The elements that earlier runs converted. */
  readonly knownPublished?: KnownPublished | undefined;
}

/**
 * Makes the published documents of a WSDL: self-contained, with slots for the address and for names that may change at
 * run time.
 */
export function publishWsdl(
  root: XmlElement,
  load: LoadDocument,
  inputs: PublishInputs,
): PublishedWsdl | CannotPublish {
  const servedServices = inputs.services.map(({ isServed = () => true, ports }) => ({
    isServed,
    addresses: listAddresses(ports),
  }));
  const definitionsSet = gatherDefinitions(root, load, (port, document) =>
    servedServices.some(({ isServed }) => isServed(port, document)),
  );
  const slots = {
    namespaces: inputs.namespaces,
    operations: listDerivedNames([root, ...definitionsSet.documents], inputs.operations),
    addresses: new Map(),
  };
  const loadSchema = inputs.loadSchema ?? (() => undefined);
  const limits = inputs.limits ?? sourceLimits;
  const inlinedWsdl = inlineWsdl(root, load, {
    sources: slots,
    servedServices,
    definitionsSet,
    loadSchema,
    limits,
    knownPublished: inputs.knownPublished,
  });
  return "reason" in inlinedWsdl
    ? inlinedWsdl
    : writeWsdl(withoutUnused(inlinedWsdl.definitions), inlinedWsdl.services);
}

/** Returns the protocol of the first port at each address; empty if there is only one address. */
function listAddresses(ports: PublishInputs["services"][number]["ports"]): SlotSources["addresses"] {
  const firstProtocols = new Map<string, Protocol>();
  for (const { address, protocol } of ports) {
    if (address !== undefined && !firstProtocols.has(address)) {
      firstProtocols.set(address, protocol);
    }
  }
  return firstProtocols.size > 1 ? firstProtocols : new Map();
}

/**
 * The inputs for publishing the services of one WSDL file. The positions of their ports identify the `wsdl:port`
 * elements.
 */
export interface ServicesToPublish extends Omit<PublishInputs, "services"> {
  readonly services: readonly [Service, ...Service[]];
}

/**
 * Makes the published documents of a WSDL that was already read. If this is not possible, reports the reason and
 * returns undefined.
 */
export function publishServices(
  source: ServicesToPublish,
  sources: Sources,
  diagnostics: Diagnostics,
): PublishedWsdl | undefined {
  const [{ span }] = source.services;
  const { path } = span.source;
  const expected = "a document that was read before";
  const mainDocument = sources.readXml(path, { reference: span, expected });
  if (mainDocument === undefined) {
    return undefined;
  }

  const sourcesByRoot = new Map<XmlElement, SourceText>([[mainDocument.root, mainDocument.source]]);
  const load = (reference: XmlElement, document: XmlElement): XmlElement | undefined => {
    const location = findAttribute(reference, "schemaLocation") ?? findAttribute(reference, "location");
    const resolvedLocation =
      location === undefined ? undefined : resolveLocation(location, sourcesByRoot.get(document)?.path ?? path);
    if (resolvedLocation?.kind !== "path") {
      return undefined;
    }
    const importedDocument = sources.readXml(resolvedLocation.path, {
      reference: span,
      expected,
      fallback: "the document that was read in its place",
    });
    if (importedDocument !== undefined) {
      sourcesByRoot.set(importedDocument.root, importedDocument.source);
    }
    return importedDocument?.root;
  };
  const services = source.services.map(({ ports }) => ({
    ports,
    isServed: (port: XmlElement, document: XmlElement): boolean =>
      ports.some(({ span }) => span.source.path === sourcesByRoot.get(document)?.path && span.start === port.start),
  }));
  const result = publishWsdl(mainDocument.root, load, { ...source, services, limits: sources.limits });
  if (!("reason" in result)) {
    return result;
  }

  const { code, message } = findPublishingProblems(sources.limits)[result.reason];
  diagnostics.info(code, getNameSpan(sourcesByRoot.get(result.document) ?? mainDocument.source, result.element), {
    message: `Servers cannot publish this WSDL: ${message}.`,
  });
  return undefined;
}

const findPublishingProblems = ({ nodes, outputBytes }: PublishLimits) =>
  ({
    redefine: {
      code: "PUB001",
      message:
        "a redefinition refers to a component that the redefined document does not have, or the redefined document is also included",
    },
    import: { code: "PUB002", message: "an imported document is not a WSDL, or two definitions have the same name" },
    size: {
      code: "PUB003",
      message: `with its imports, it exceeds the limit nodes (${nodes}) or outputBytes (${outputBytes})`,
    },
  }) as const;

/**
 * Writes the documents of a WSDL's services. xmlbuilder2 writes only the XML declaration and the root with its
 * namespaces. `PieceWriter` writes the content, which may have several megabytes, because xmlbuilder2 would take 15
 * times as long.
 */
function writeWsdl(
  definitions: PublishedDefinitions,
  services: readonly (readonly PublishedElement[])[],
): PublishedWsdl {
  const { start, end } = writeFrame(definitions);
  return {
    sharedPieces: [...start, ...writeElements(definitions.children, 1)],
    services: services.map((elements) => [...writeElements(elements, 1), ...end]),
  };
}

/** Writes the parts of a document around its content: the beginning, up to the start tag of the root, and the end. */
function writeFrame(root: PublishedDefinitions): { readonly start: readonly Piece[]; readonly end: readonly Piece[] } {
  const slots: Slot[] = [];
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
      builder.att(name, writeWithBuilder(markText(value, slots)));
    }
  }
  for (const [name, value, namespace] of root.attributes) {
    if (namespace !== undefined) {
      builder.att(namespace, name, writeWithBuilder(markText(value, slots)));
    }
  }
  // An empty text node makes xmlbuilder2 write an end tag for the root.
  builder.txt("");
  const start = text;
  builder.end();
  return { start: splitAtSlots(`${start}\n`, slots), end: splitAtSlots(`${text.slice(start.length)}\n`, slots) };
}

/** The private-use characters that enclose the number of a slot in strings passed to xmlbuilder2. */
const slotStart = "\uE0B0";
const slotEnd = "\uE0B1";

/**
 * Returns a template as a string with numbers in place of its slots. Replaces `slotStart` and `slotEnd` if the source
 * contains them.
 */
function markText(template: Template, slots: Slot[]): string {
  return listPieces(template)
    .map((piece) =>
      typeof piece === "string"
        ? piece.replace(/[\uE0B0\uE0B1]/g, "\uFFFD")
        : `${slotStart}${slots.push(piece) - 1}${slotEnd}`,
    )
    .join("");
}

/** Splits a string from `markText` at its slots. */
function splitAtSlots(text: string, slots: readonly Slot[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(slotStart).entries()) {
    const close = index === 0 ? -1 : part.indexOf(slotEnd);
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

/**
 * Loads xmlbuilder2. It is loaded only when a document is written, because importing it takes 90 ms (30 ms in the
 * published package).
 */
function loadXmlBuilder(): typeof XmlBuilder {
  return createRequire(import.meta.url)("xmlbuilder2");
}

/**
 * Prepares a string for xmlbuilder2. Escapes every ampersand, because xmlbuilder2 would write an existing `&lt;`
 * unchanged. Replaces CR, LF and TAB with spaces, as XML readers do in attributes (XML 1.0 §3.3.3).
 */
export function writeWithBuilder(text: string): string {
  return text.replaceAll("&", "&amp;").replace(/[\r\n\t]/g, " ");
}
