import type { XmlElement } from "@bothends/xml";
import type { Port, Protocol } from "../model/soap.js";
import { resolveLocation } from "../source/addresses.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { sourceLimits } from "../source/source-limits.js";
import type { Sources } from "../source/sources.js";
import { type SourceText, type Span, spanOf } from "../source/span.js";
import {
  type CannotPublish,
  gatherDefinitions,
  type IsServed,
  type LoadDocument,
  type SchemaOf,
} from "./definitions.js";
import { inlineWsdl, type PublishLimits } from "./inline.js";
import { withoutUnused } from "./prune.js";
import { derivedNames, type PublishedDocument, type SlotFacts } from "./slots.js";
import { attributeOf } from "./source-elements.js";
import { writeDocument } from "./write.js";

/** What differs in the WSDL that a server serves: its addresses, and what `bothends.json` lets it rename. */
export interface PublishFacts {
  /** Absent: all ports are. */
  readonly isServed?: IsServed;
  readonly ports: readonly Pick<Port, "protocol" | "address">[];
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  readonly operations: readonly string[];
  /** The schema of a namespace that is imported, and that no document has. */
  readonly schemaOf?: SchemaOf;
  /** Absent: those of sources. */
  readonly limits?: PublishLimits;
}

/** The WSDL as a server serves it: self-contained, with slots for its address and for the names that may change. */
export function publishWsdl(
  root: XmlElement,
  load: LoadDocument,
  facts: PublishFacts,
): PublishedDocument | CannotPublish {
  const gathered = gatherDefinitions(root, load, facts.isServed ?? (() => true));
  const slots = {
    namespaces: facts.namespaces,
    operations: derivedNames([root, ...gathered.documents], facts.operations),
    addresses: addressesOf(facts.ports),
  };
  const schemaOf = facts.schemaOf ?? (() => undefined);
  const limits = facts.limits ?? sourceLimits;
  const inlined = inlineWsdl(root, load, { facts: slots, gathered, schemaOf, limits });
  return "because" in inlined ? inlined : writeDocument(withoutUnused(inlined));
}

/** The first port at each address, where there are several addresses. */
function addressesOf(ports: PublishFacts["ports"]): SlotFacts["addresses"] {
  const first = new Map<string, Protocol>();
  for (const { address, protocol } of ports) {
    if (address !== undefined && !first.has(address)) first.set(address, protocol);
  }
  return first.size > 1 ? first : new Map();
}

/** A WSDL to publish: the places of its service and of its ports, in the document that has them. */
export interface ToPublish extends Omit<PublishFacts, "isServed" | "ports"> {
  readonly service: Span;
  readonly ports: readonly Port[];
}

/** Publishes a WSDL that was read before; undefined, with an info diagnostic, where it cannot stand in one document. */
export function publishDocument(
  of: ToPublish,
  sources: Sources,
  diagnostics: Diagnostics,
): PublishedDocument | undefined {
  const { path } = of.service.source;
  const expected = "a document that was read before";
  const main = sources.xml(path, { from: of.service, expected });
  if (main === undefined) return undefined;

  const read = new Map<XmlElement, SourceText>([[main.root, main.source]]);
  const load = (reference: XmlElement, document: XmlElement): XmlElement | undefined => {
    const location = attributeOf(reference, "schemaLocation") ?? attributeOf(reference, "location");
    const resolved = location === undefined ? undefined : resolveLocation(location, read.get(document)?.path ?? path);
    if (resolved?.kind !== "path") return undefined;
    const loaded = sources.xml(resolved.path, { from: of.service, expected, standIn: "what was read in its place" });
    if (loaded !== undefined) read.set(loaded.root, loaded.source);
    return loaded?.root;
  };
  const isServed = (port: XmlElement, document: XmlElement): boolean =>
    of.ports.some(({ span }) => span.source.path === read.get(document)?.path && span.start === port.start);
  const published = publishWsdl(main.root, load, { ...of, isServed, limits: sources.limits });
  if (!("because" in published)) return published;

  const { code, message } = problems(sources.limits)[published.because];
  diagnostics.info(code, spanOf(read.get(published.document) ?? main.source, published.element), {
    message: `The server serves no WSDL for this service: ${message}.`,
  });
  return undefined;
}

const problems = ({ nodes, outputBytes }: PublishLimits) =>
  ({
    redefine: {
      code: "PUB001",
      message: "it redefines what is not in the document that it names, or was included before",
    },
    import: { code: "PUB002", message: "it imports what is no WSDL, or a definition that has the name of another" },
    size: {
      code: "PUB003",
      message: `with all that it imports it is over the limits nodes (${nodes}) or outputBytes (${outputBytes})`,
    },
  }) as const;
