import type { XmlElement } from "@bothends/xml";
import { derivedNames } from "./derived-names.js";
import { type CannotPublish, inlineWsdl, type LoadDocument } from "./inline.js";
import { withoutUnused } from "./prune.js";
import type { PublishedDocument } from "./published.js";
import { writeDocument } from "./write.js";

/** What `bothends.json` lets a server rename in the WSDL that it serves. */
export interface PublishFacts {
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  readonly operations: readonly string[];
}

/** The WSDL as a server serves it: self-contained, with slots for its address and for the names that may change. */
export function publishWsdl(
  root: XmlElement,
  load: LoadDocument,
  facts: PublishFacts,
): PublishedDocument | CannotPublish {
  const inlined = inlineWsdl(root, load, {
    namespaces: facts.namespaces,
    operations: derivedNames(root, facts.operations),
  });
  return "because" in inlined ? inlined : writeDocument(withoutUnused(inlined));
}
