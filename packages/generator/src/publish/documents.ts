import type { XmlElement } from "@bothends/xml";
import type { Diagnostics } from "../source/diagnostics.js";
import { resolveLocation } from "../source/location.js";
import type { Sources } from "../source/sources.js";
import type { SourceText, Span } from "../source/span.js";
import { spanOf } from "../source/xml-span.js";
import { attributeOf } from "./attribute.js";
import { type PublishFacts, publishWsdl } from "./publish-wsdl.js";
import type { PublishedDocument } from "./published.js";

/** A WSDL to publish: the place of its service, in the document that has it. */
export interface ToPublish extends PublishFacts {
  readonly service: Span;
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
    const loaded = sources.xml(resolved.path, { from: of.service, expected });
    if (loaded !== undefined) read.set(loaded.root, loaded.source);
    return loaded?.root;
  };
  const published = publishWsdl(main.root, load, of);
  if (!("because" in published)) return published;

  const { code, message } = problems[published.because];
  diagnostics.info(code, spanOf(read.get(published.document) ?? main.source, published.element), {
    message: `The server serves no WSDL for this service: ${message}.`,
  });
  return undefined;
}

const problems = {
  redefine: { code: "PUB001", message: "a redefined schema cannot stand in one document with what it redefines" },
  import: { code: "PUB002", message: "it imports a WSDL of another namespace, and a document has one namespace" },
} as const;
