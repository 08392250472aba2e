import type { XmlElement } from "@bothends/xml";
import type { Port, Protocol } from "../model/soap.js";
import { resolveLocation } from "../source/addresses.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { sourceLimits } from "../source/source-limits.js";
import type { Sources } from "../source/sources.js";
import { nameSpan, type SourceText, type Span } from "../source/span.js";
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

/** What may differ in the WSDL of a server: its addresses, and the names that `bothends.json` lists. */
export interface PublishFacts {
  /** Absent: all ports are served. */
  readonly isServed?: IsServed;
  readonly ports: readonly Pick<Port, "protocol" | "address">[];
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  readonly operations: readonly string[];
  /** Loads schemas that no document declares. */
  readonly schemaOf?: SchemaOf;
  /** Absent: the limits of sources. */
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
    if (address !== undefined && !first.has(address)) {
      first.set(address, protocol);
    }
  }
  return first.size > 1 ? first : new Map();
}

/** A WSDL to publish, with the positions of its service and of its ports. */
export interface ToPublish extends Omit<PublishFacts, "isServed" | "ports"> {
  readonly service: Span;
  readonly ports: readonly Port[];
}

/** Publishes a WSDL that was read before; undefined, with an info diagnostic, where it cannot become one document. */
export function publishDocument(
  source: ToPublish,
  sources: Sources,
  diagnostics: Diagnostics,
): PublishedDocument | undefined {
  const { path } = source.service.source;
  const expected = "a document that was read before";
  const main = sources.readXml(path, { from: source.service, expected });
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
      from: source.service,
      expected,
      fallback: "what was read in its place",
    });
    if (loaded !== undefined) {
      read.set(loaded.root, loaded.source);
    }
    return loaded?.root;
  };
  const isServed = (port: XmlElement, document: XmlElement): boolean =>
    source.ports.some(({ span }) => span.source.path === read.get(document)?.path && span.start === port.start);
  const published = publishWsdl(main.root, load, { ...source, isServed, limits: sources.limits });
  if (!("because" in published)) {
    return published;
  }

  const { code, message } = problems(sources.limits)[published.because];
  diagnostics.info(code, nameSpan(read.get(published.document) ?? main.source, published.element), {
    message: `The server serves no WSDL for this service: ${message}.`,
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
