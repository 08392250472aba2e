import { readEditedTree, type XmlElement, type XmlLimits } from "@bothends/xml";
import type { SourceText, Span } from "./span.js";

// The documents and parts of documents that earlier runs of this process have read, such as those of `watch`.

/** A document that was read without errors. */
export interface XmlDocument {
  readonly source: SourceText;
  readonly root: XmlElement;
}

/**
 * The XML documents of earlier runs. A document is parsed again only if its bytes have changed, and then only around
 * the edits.
 */
export class KnownDocuments {
  readonly #documents = new Map<string, { readonly bytes: Uint8Array; readonly document: XmlDocument }>();

  find(path: string, bytes: Uint8Array): XmlDocument | undefined {
    const knownDocument = this.#documents.get(path);
    return knownDocument !== undefined && areEqualBytes(knownDocument.bytes, bytes)
      ? knownDocument.document
      : undefined;
  }

  /**
   * Reads the edited text of a known document, parsing only the text around the edit. Returns undefined if the whole
   * text must be parsed.
   */
  readEdited(path: string, text: string, limits: XmlLimits): XmlElement | undefined {
    const knownDocument = this.#documents.get(path)?.document;
    const root =
      knownDocument && readEditedTree({ text: knownDocument.source.text, root: knownDocument.root }, text, limits);
    if (root !== undefined) {
      // The elements of the old tree now belong to the new tree, so the old document must not be reused.
      this.#documents.delete(path);
    }
    return root;
  }

  keep(path: string, bytes: Uint8Array, document: XmlDocument): void {
    this.#documents.set(path, { bytes, document });
  }

  clear(): void {
    this.#documents.clear();
  }
}

export function areEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || Buffer.compare(a, b) === 0;
}

/**
 * Keeps the results of reading elements, called parts, for later runs of this process. After an edit, `readEditedTree`
 * reuses unchanged elements at new offsets, and their parts are reused with moved spans.
 */
export class KnownParts<Part extends object> {
  readonly #knownParts = new WeakMap<XmlElement, KnownPart<Part>>();

  has(element: XmlElement): boolean {
    return this.#knownParts.has(element);
  }

  /**
   * Returns the part of an element, moved to the element's current offset. `settings` identifies everything else that
   * affects the part.
   */
  find(element: XmlElement, source: SourceText, settings = ""): Part | undefined {
    const knownPart = this.#knownParts.get(element);
    if (knownPart === undefined || knownPart.settings !== settings) {
      return undefined;
    }
    const distance = element.start - knownPart.start;
    for (const span of knownPart.spans) {
      span.start += distance;
      span.end += distance;
      span.source = source;
    }
    knownPart.start = element.start;
    return knownPart.part;
  }

  /** Stores a part for later runs. The part must have been read without diagnostics. */
  keep(element: XmlElement, part: Part, settings = ""): void {
    const spans = new Set<MovableSpan>();
    collectSpans(part, spans);
    // A span outside the element would not move with the element, so the part could not be reused.
    if ([...spans].every(({ start, end }) => start >= element.start && end <= element.end)) {
      this.#knownParts.set(element, { part, settings, spans: [...spans], start: element.start });
    }
  }
}

interface KnownPart<Part> {
  readonly part: Part;
  readonly settings: string;
  readonly spans: readonly MovableSpan[];
  /** The offset of the element to which the spans belong. */
  start: number;
}

type MovableSpan = { -readonly [Name in keyof Span]: Span[Name] };

/** Adds all spans inside a value, which consists of lists and plain objects, to a set. */
function collectSpans(value: object, spans: Set<MovableSpan>): void {
  if (isSpan(value)) {
    spans.add(value);
  } else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
    for (const member of Object.values(value)) {
      if (typeof member === "object" && member !== null) {
        collectSpans(member, spans);
      }
    }
  }
}

function isSpan(value: object): value is MovableSpan {
  return "source" in value && "start" in value && "end" in value;
}
