import type { XmlElement } from "@bothends/xml";
import type { SourceLimits } from "../source/limits.js";

export type RoomLimits = Pick<SourceLimits, "nodes" | "outputBytes">;

/**
 * What a published document may still take in. One file may come into it once for each namespace, so that little files
 * can make a document that nobody can read, nor memory hold.
 */
export class Room {
  readonly #sizes = new Map<XmlElement, number>();
  #nodes: number;
  #characters: number;

  constructor({ nodes, outputBytes }: RoomLimits) {
    this.#nodes = nodes;
    this.#characters = outputBytes;
  }

  /** Whether there was room for one more document. */
  take(document: XmlElement): boolean {
    const nodes = this.#sizes.get(document) ?? countNodes(document);
    this.#sizes.set(document, nodes);
    this.#nodes -= nodes;
    this.#characters -= document.end - document.start;
    return this.#nodes >= 0 && this.#characters >= 0;
  }
}

function countNodes(document: XmlElement): number {
  let count = 0;
  const open: XmlElement[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1 + next.children.length;
    for (const child of next.children) if (child.kind === "element") open.push(child);
  }
  return count;
}
