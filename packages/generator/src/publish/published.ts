import type { Protocol } from "../model/soap.js";

/** A document that a server publishes: literal text, with slots that the runtime fills and escapes when it is asked. */
export type PublishedDocument = readonly Piece[];
export type Piece = string | Slot;

export interface Slot {
  /** `address`: where the document was asked for; `namespace` and `operation`: a wire name, by its slot in `bothends.json`. */
  readonly slot: "address" | "namespace" | "operation";
  /** Which namespace slot or operation; an address has none. */
  readonly name?: string;
  /** Which port's address; absent where all ports have one. */
  readonly port?: Protocol;
  readonly escape: "text" | "attribute";
}

/** Text in the making: what stands in an attribute, or between tags, before it is written. */
export type Template = readonly Piece[];

/** An element of the document in the making, under its final prefixed name. */
export interface PublishedElement {
  readonly name: string;
  /** A prefixed attribute says its namespace too: the writer asks for it. */
  readonly attributes: readonly (readonly [name: string, value: Template, namespace?: string])[];
  readonly children: readonly (PublishedElement | string)[];
  /** A component that came in by an include, and may go again. */
  readonly included?: boolean;
}

/** The root of the document. */
export interface PublishedDefinitions extends PublishedElement {
  readonly namespace: string;
}
