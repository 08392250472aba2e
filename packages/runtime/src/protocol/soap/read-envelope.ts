import type { XmlLimits } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { messageLimits } from "@bothends/xml/limits";
import { XmlReader } from "@bothends/xml/reader";
import type { Checkpoint } from "@bothends/xml/reader/scope";
import { DONE, END, START } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import { DecodeError } from "../../answer-errors.js";
import { encodingNamespaces } from "../../codec/element-attributes.js";
import { envelopeNamespace, findVersion, type SoapVersion } from "./envelope.js";

/** One block of a message's header. */
export interface HeaderBlock<Value = unknown> {
  /** The name of the block, `{namespace}local`. */
  readonly name: string;
  readonly mustUnderstand: boolean;
  /** The receiver of the block: `actor` in SOAP 1.1, `role` in SOAP 1.2. Absent if the block is for every receiver. */
  readonly actor?: string | undefined;
  /** The value that `readHeader` returned for the block. */
  readonly value: Value | undefined;
}

/** A message read up to the first child of its body. */
export interface Envelope<Value = unknown> {
  readonly version: SoapVersion;
  readonly headers: readonly HeaderBlock<Value>[];
  /**
   * The reader of the message. It is at the start tag of the body's first child, or at the end tag of an empty body.
   */
  readonly reader: XmlReader;
  /** The name of the body's first child, as `{namespace}local`. Undefined if the body is empty. */
  readonly firstChild: string | undefined;
  /**
   * Moves to the next child of the body. Returns its name, or undefined if there is none. Before the call, the reader
   * must be at the end tag of a child.
   */
  nextChild(): string | undefined;
  /** Reads the rest of the document to check that it is well-formed. */
  finish(): void;
}

/** Options for reading an envelope. `Value` is the type of a header block. */
export interface ReadEnvelopeOptions<Value> {
  readonly limits?: XmlLimits | undefined;
  /** The namespaces of prefixes that a message can use without declaring them. Default: none. */
  readonly prefixes?: ReadonlyMap<string, string> | undefined;
  /** Called with the version before the header is read, so that the version is known if reading fails. */
  readonly onVersion?: ((version: SoapVersion) => void) | undefined;
  /** Reads the current element, a header block, up to its end tag. Default: blocks are skipped. */
  readonly readHeader?: ((name: string, reader: XmlReader) => Value) | undefined;
  /**
   * A cache of the beginnings of earlier messages. These must have been read with the same limits, and without
   * `prefixes`.
   */
  readonly knownEnvelopes?: KnownEnvelopes | undefined;
}

/** Thrown for a well-formed document that is not a SOAP message. */
export class EnvelopeError extends Error {
  readonly problem: "version" | "envelope" | "body";
  /** The SOAP version of the envelope. Undefined if the envelope's namespace belongs to no version of SOAP. */
  readonly version: SoapVersion | undefined;

  constructor(problem: EnvelopeError["problem"], version: SoapVersion | undefined, message = messages[problem]) {
    super(message);
    this.name = "EnvelopeError";
    this.problem = problem;
    this.version = version;
  }
}

const messages: Readonly<Record<EnvelopeError["problem"], string>> = {
  version: "The root element is not in the namespace of SOAP 1.1 or 1.2.",
  envelope: "The root element is not soap:Envelope.",
  body: "The envelope has no soap:Body.",
};

const otherElementMessage =
  "The envelope has another element where soap:Body is expected: only one soap:Header may precede soap:Body.";

/**
 * Reads a SOAP message of either version. Throws `EnvelopeError`, or `XmlError` for a message that is not well-formed.
 */
export function readEnvelope<Value = unknown>(text: string, options: ReadEnvelopeOptions<Value> = {}): Envelope<Value> {
  const limits = options.limits ?? messageLimits;
  const knownEnvelope = options.knownEnvelopes?.find(text);
  if (knownEnvelope !== undefined) {
    options.onVersion?.(knownEnvelope.version);
    const reader = new XmlReader(text, limits, undefined, knownEnvelope.checkpoint);
    return readEnvelopeAt(reader, knownEnvelope.version, []);
  }
  const reader = new XmlReader(text, limits, options.prefixes);
  reader.next();
  const version = findVersion(reader.namespace);
  if (version === undefined) {
    throw new EnvelopeError("version", undefined);
  }
  options.onVersion?.(version);
  if (reader.localName !== "Envelope") {
    throw new EnvelopeError("envelope", version);
  }

  const headers: HeaderBlock<Value>[] = [];
  let hasElement = nextChild(reader);
  if (hasElement && isSoapElement(reader, version, "Header")) {
    while (nextChild(reader)) {
      headers.push(readBlock(reader, version, options.readHeader));
    }
    hasElement = nextChild(reader);
  }
  if (!hasElement || !isSoapElement(reader, version, "Body")) {
    throw new EnvelopeError("body", version, hasElement ? otherElementMessage : undefined);
  }
  if (headers.length === 0) {
    options.knownEnvelopes?.add(text.slice(0, reader.end), version, limits);
  }
  return readEnvelopeAt(reader, version, headers);
}

/** Returns the envelope of a message. The reader must be at the start tag of the body. */
function readEnvelopeAt<Value>(
  reader: XmlReader,
  version: SoapVersion,
  headers: readonly HeaderBlock<Value>[],
): Envelope<Value> {
  return {
    version,
    headers,
    reader,
    firstChild: readNextBodyChild(reader),
    nextChild: () => readNextBodyChild(reader),
    finish() {
      while (reader.next() !== DONE) {}
    },
  };
}

/** The beginning of a message, up to the start tag of its body. */
interface KnownEnvelope {
  readonly text: string;
  readonly version: SoapVersion;
  readonly checkpoint: Checkpoint;
}

/** The maximum number of message beginnings in the cache. */
const maxKnownEnvelopes = 4;
/** Once the cache is full, only one in this many messages with an unknown beginning replaces a cached beginning. */
const replacementInterval = 64;
/** The maximum length of a cached beginning, in UTF-16 units. */
const maxKnownLength = 1_024;

/**
 * A cache for the beginnings of messages without header blocks. A client begins all its messages with the same text, so
 * it is enough to read this text once. For a SOAP call without HTTP, this saves 1 of 9 µs.
 */
export class KnownEnvelopes {
  readonly #knownEnvelopes: KnownEnvelope[] = [];
  #nextIndex = 0;
  #unknownCount = 0;

  /** Returns the cached beginning of a message; undefined if the cache does not contain it. */
  find(text: string): KnownEnvelope | undefined {
    for (const knownEnvelope of this.#knownEnvelopes) {
      // Compares slices, because V8 compares strings of equal length several characters at a time; `startsWith`
      // compares one character at a time.
      if (text.slice(0, knownEnvelope.text.length) === knownEnvelope.text) {
        return knownEnvelope;
      }
    }
    return undefined;
  }

  /** Adds the beginning of a message to the cache. The beginning must end with the start tag of the body. */
  add(beginning: string, version: SoapVersion, limits: XmlLimits): void {
    const unknownNumber = this.#unknownCount;
    this.#unknownCount += 1;
    if (
      beginning.length > maxKnownLength ||
      (unknownNumber >= maxKnownEnvelopes && unknownNumber % replacementInterval !== 0)
    ) {
      return;
    }
    // Copies the string, because a slice would keep the whole message in memory.
    const text = new TextDecoder().decode(new TextEncoder().encode(beginning));
    const reader = new XmlReader(text, limits);
    do {
      reader.next();
    } while (reader.end < text.length);
    const { checkpoint } = reader;
    if (checkpoint !== undefined) {
      this.#knownEnvelopes[this.#nextIndex] = { text, version, checkpoint };
      this.#nextIndex = (this.#nextIndex + 1) % maxKnownEnvelopes;
    }
  }
}

/** Whether the current element is `Header`, `Body` or another element of SOAP. */
export function isSoapElement(reader: XmlReader, version: SoapVersion, localName: string): boolean {
  return reader.localName === localName && reader.namespace === envelopeNamespace[version];
}

/** Whether the current element is a Fault of either version. */
export function isFault(reader: XmlReader): boolean {
  return reader.localName === "Fault" && findVersion(reader.namespace) !== undefined;
}

/**
 * Moves to the start tag of the next child, and ignores text before it. Returns false if there are no more children;
 * the reader is then at the end tag of the parent.
 */
function nextChild(reader: XmlReader): boolean {
  for (;;) {
    const event = reader.next();
    if (event === START) {
      return true;
    }
    if (event === END || event === DONE) {
      return false;
    }
  }
}

/**
 * Moves to the next child of the body, and returns its name. Skips independent elements, which only exist so that other
 * elements can refer to them (SOAP 1.1 §5.6).
 */
function readNextBodyChild(reader: XmlReader): string | undefined {
  while (nextChild(reader)) {
    if (reader.attribute(encodingNamespaces.soap11, "root") !== "0") {
      return clark(reader.namespace, reader.localName);
    }
    reader.skip();
  }
  return undefined;
}

function readBlock<Value>(
  reader: XmlReader,
  version: SoapVersion,
  readHeader: ReadEnvelopeOptions<Value>["readHeader"],
): HeaderBlock<Value> {
  const namespace = envelopeNamespace[version];
  const name = clark(reader.namespace, reader.localName);
  // SOAP 1.1 §4.2.3 allows "1" and "0"; SOAP 1.2 Part 1 §5.2.3 allows any xs:boolean. Both are read as xs:boolean.
  const mustUnderstandText = reader.attribute(namespace, "mustUnderstand")?.trim();
  const mustUnderstand = mustUnderstandText === "1" || mustUnderstandText === "true";
  const actor = reader.attribute(namespace, version === "soap11" ? "actor" : "role");
  if (readHeader === undefined) {
    reader.skip();
  }
  return { name, mustUnderstand, actor, value: readHeader?.(name, reader) };
}

/** The path of the body, for errors. */
export const bodyPath = "/Envelope/Body";

/**
 * Returns the error for a body that does not contain the expected element. `name` is the element that it contains
 * instead; undefined if there is none.
 */
export function createUnexpectedElementError(name: string | undefined, expectedElement: string): DecodeError {
  if (name === undefined) {
    return new DecodeError(`${bodyPath}: The element ${expectedElement} is missing.`, { path: bodyPath });
  }
  const { localName } = splitClark(name);
  const differsInNamespace = name !== expectedElement && localName === splitClark(expectedElement).localName;
  const elementPath = `${bodyPath}/${localName}`;
  return new DecodeError(
    `${elementPath}: The element ${expectedElement} is expected here, not ${name.slice(0, 256)}.`,
    {
      path: elementPath,
      tolerance: differsInNamespace ? "namespaces" : undefined,
    },
  );
}
