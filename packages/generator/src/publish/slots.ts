import type { Protocol } from "../model/soap.js";
import type { Piece, Template } from "./published.js";

/** Which texts of a document may be another at run time. */
export interface SlotFacts {
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  /** For each operation that may be renamed: the names derived from it, its own included (`CheckX`, `CheckXResponse`, `CheckXSoapIn`). */
  readonly operations: ReadonlyMap<string, { readonly operation: string; readonly rest: string }>;
  /** The port at each address; empty where all ports have one. */
  readonly addresses: ReadonlyMap<string, Protocol>;
}

/** The address of a port. */
export function addressTemplate(address: string, facts: SlotFacts): Template {
  const port = facts.addresses.get(address);
  return [{ slot: "address", ...(port === undefined ? {} : { port }), escape: "attribute" }];
}

/** A namespace, where it stands whole. */
export function namespaceTemplate(namespace: string, facts: SlotFacts): Template {
  const found = facts.namespaces.find((slot) => slot.namespace === namespace);
  return found === undefined ? [namespace] : [{ slot: "namespace", name: found.slot, escape: "attribute" }];
}

/** A name, or a prefixed name, whose local part may belong to a renamed operation. */
export function nameTemplate(name: string, facts: SlotFacts): Template {
  const colon = name.indexOf(":") + 1;
  const derived = facts.operations.get(name.slice(colon));
  if (derived === undefined) return [name];
  return withoutEmpty([
    name.slice(0, colon),
    { slot: "operation", name: derived.operation, escape: "attribute" },
    derived.rest,
  ]);
}

/** A soapAction or a location: a namespace in front, an operation's name behind. */
export function actionTemplate(action: string, facts: SlotFacts): Template {
  const head = facts.namespaces
    .filter((slot) => action.startsWith(slot.namespace))
    .sort((a, b) => b.namespace.length - a.namespace.length)[0];
  const rest = action.slice(head?.namespace.length ?? 0);
  const slash = rest.lastIndexOf("/") + 1;
  const tail = nameTemplate(rest.slice(slash), facts);
  const front: Piece[] = head === undefined ? [] : [{ slot: "namespace", name: head.slot, escape: "attribute" }];
  return withoutEmpty([...front, rest.slice(0, slash), ...tail]);
}

function withoutEmpty(pieces: readonly Piece[]): Template {
  return pieces.filter((piece) => piece !== "");
}
