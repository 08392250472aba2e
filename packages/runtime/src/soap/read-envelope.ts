import { clark, DONE, END, messageLimits, START, type XmlLimits, XmlReader } from "@bothends/xml";
import { envelopeNamespace, type SoapVersion, versionOf } from "./version.js";

/** One block of a message's header. */
export interface HeaderBlock<Value = unknown> {
  /** `{namespace}local`. */
  readonly name: string;
  readonly mustUnderstand: boolean;
  /** SOAP 1.1 `actor`, 1.2 `role`; absent: for whoever receives the message. */
  readonly actor?: string | undefined;
  /** What `readHeader` made of it. */
  readonly value: Value | undefined;
}

/** A message, read as far as the first child of its body. */
export interface Envelope<Value = unknown> {
  readonly version: SoapVersion;
  readonly headers: readonly HeaderBlock<Value>[];
  /** At the START of the body's first child; without one (`first` undefined) at the body's END. */
  readonly reader: XmlReader;
  /** The name of the body's first child, `{namespace}local`. */
  readonly first: string | undefined;
  /** Moves to the START of the body's next child; call it when the reader is at the END of one. */
  nextChild(): string | undefined;
  /** Reads what is left, so that the whole document is known to be well-formed. */
  finish(): void;
}

export interface ReadEnvelopeOptions<Value> {
  readonly limits?: XmlLimits | undefined;
  /** Prefixes, with their namespaces, that are bound where the message does not declare them. Default: none. */
  readonly prefixes?: ReadonlyMap<string, string> | undefined;
  /** Told the version as soon as it is known: before the header is read, which may fail. */
  readonly onVersion?: ((version: SoapVersion) => void) | undefined;
  /** Reads a header block: the reader is at its START and must be left at its END. Absent: blocks are skipped. */
  readonly readHeader?: ((name: string, reader: XmlReader) => Value) | undefined;
}

/** A well-formed document that is no SOAP message. */
export class EnvelopeError extends Error {
  readonly problem: "version" | "envelope" | "body";
  /** The version of the envelope namespace, where it is one of SOAP's. */
  readonly version: SoapVersion | undefined;

  constructor(problem: EnvelopeError["problem"], version: SoapVersion | undefined) {
    super(messages[problem]);
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

/** Reads a SOAP message of either version. Throws `EnvelopeError`, or `XmlError` for what is not well-formed. */
export function readEnvelope<Value = unknown>(text: string, options: ReadEnvelopeOptions<Value> = {}): Envelope<Value> {
  const reader = new XmlReader(text, options.limits ?? messageLimits, options.prefixes);
  reader.next();
  const version = versionOf(reader.namespace);
  if (version === undefined) throw new EnvelopeError("version", undefined);
  options.onVersion?.(version);
  if (reader.localName !== "Envelope") throw new EnvelopeError("envelope", version);

  const headers: HeaderBlock<Value>[] = [];
  let found = nextChild(reader);
  if (found && isSoap(reader, version, "Header")) {
    while (nextChild(reader)) headers.push(readBlock(reader, version, options.readHeader));
    found = nextChild(reader);
  }
  if (!found || !isSoap(reader, version, "Body")) throw new EnvelopeError("body", version);

  return {
    version,
    headers,
    reader,
    first: nextName(reader),
    nextChild: () => nextName(reader),
    finish() {
      while (reader.next() !== DONE);
    },
  };
}

function isSoap(reader: XmlReader, version: SoapVersion, localName: string): boolean {
  return reader.localName === localName && reader.namespace === envelopeNamespace[version];
}

/** Moves to the START of the next child; false at the parent's END. Text between children says nothing. */
function nextChild(reader: XmlReader): boolean {
  for (;;) {
    const event = reader.next();
    if (event === START) return true;
    if (event === END || event === DONE) return false;
  }
}

function nextName(reader: XmlReader): string | undefined {
  return nextChild(reader) ? clark(reader.namespace, reader.localName) : undefined;
}

function readBlock<Value>(
  reader: XmlReader,
  version: SoapVersion,
  readHeader: ReadEnvelopeOptions<Value>["readHeader"],
): HeaderBlock<Value> {
  const namespace = envelopeNamespace[version];
  const name = clark(reader.namespace, reader.localName);
  // SOAP 1.1 §4.2.3 knows "1" and "0", 1.2 part 1 §5.2.3 an xs:boolean; both are read as the latter.
  const flag = reader.attribute(namespace, "mustUnderstand")?.trim();
  const mustUnderstand = flag === "1" || flag === "true";
  const actor = reader.attribute(namespace, version === "soap11" ? "actor" : "role");
  if (readHeader === undefined) reader.skip();
  return { name, mustUnderstand, actor, value: readHeader?.(name, reader) };
}
