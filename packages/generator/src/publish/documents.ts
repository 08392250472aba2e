import type { XmlElement } from "@bothends/xml";
import type { Port } from "../model/soap.js";
import { resolveLocation } from "../source/addresses.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { Sources } from "../source/sources.js";
import { type SourceText, type Span, spanOf } from "../source/span.js";

import { attributeOf } from "./attribute.js";
import type { PublishLimits } from "./inline.js";
import { type PublishFacts, publishWsdl } from "./publish-wsdl.js";
import type { PublishedDocument } from "./published.js";

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
