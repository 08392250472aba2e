import type { XmlElement } from "@bothends/xml";
import type { Port, Protocol, Service } from "../model/soap.js";
import { resolveLocation } from "../source/addresses.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { sourceLimits } from "../source/source-limits.js";
import type { Sources } from "../source/sources.js";
import { nameSpan, type SourceText } from "../source/span.js";
import { withoutUnused } from "./included-components.js";
import { inlineWsdl, type PublishLimits } from "./inline.js";
import { derivedNames, type PublishedWsdl, type SlotFacts } from "./slots.js";
import {
  attributeOf,
  type CannotPublish,
  gatherDefinitions,
  type IsServed,
  type LoadDocument,
  type SchemaOf,
} from "./source-elements.js";
import { writeWsdl } from "./write.js";

/** What may differ in the WSDL of a server: its addresses, and the names that `bothends.json` lists. */
export interface PublishFacts {
  /** The services that get a document. */
  readonly services: readonly {
    /** Absent: all ports are served. */
    readonly isServed?: IsServed;
    readonly ports: readonly Pick<Port, "protocol" | "address">[];
  }[];
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  readonly operations: readonly string[];
  /** Loads schemas that no document declares. */
  readonly schemaOf?: SchemaOf;
  /** Absent: the limits of sources. */
  readonly limits?: PublishLimits;
}

/** A WSDL as servers serve it: self-contained, with slots for its address and for the names that may change. */
export function publishWsdl(root: XmlElement, load: LoadDocument, facts: PublishFacts): PublishedWsdl | CannotPublish {
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

/** The first port at each address, where there are several addresses. */
function addressesOf(ports: PublishFacts["services"][number]["ports"]): SlotFacts["addresses"] {
  const first = new Map<string, Protocol>();
  for (const { address, protocol } of ports) {
    if (address !== undefined && !first.has(address)) {
      first.set(address, protocol);
    }
  }
  return first.size > 1 ? first : new Map();
}

/** The services of one WSDL file, with the positions of their ports. */
export interface ToPublish extends Omit<PublishFacts, "services"> {
  readonly services: readonly [Service, ...Service[]];
}

/** Publishes a WSDL that was read before; undefined, with an info diagnostic, where it cannot become one document. */
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
