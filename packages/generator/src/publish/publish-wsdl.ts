import type { XmlElement } from "@bothends/xml";
import type { Port, Protocol } from "../model/soap.js";
import { sourceLimits } from "../source/source-limits.js";
import { gatherDefinitions, type IsServed } from "./definitions.js";
import { derivedNames } from "./derived-names.js";
import { type CannotPublish, inlineWsdl, type LoadDocument, type PublishLimits, type SchemaOf } from "./inline.js";
import { withoutUnused } from "./prune.js";
import type { PublishedDocument } from "./published.js";
import type { SlotFacts } from "./slots.js";
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
