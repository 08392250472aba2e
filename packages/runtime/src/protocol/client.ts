import { XmlError } from "@bothends/xml";
import type { Address } from "../client/address.js";
import type { ClientLimits } from "../client/client-limits.js";
import { type CallContext, contentFailure, protocolFailure } from "../client/failures.js";
import type { ClientAnswer } from "../client/hooks.js";
import type { Decoder } from "../codec/decoder.js";
import type { Encoder } from "../codec/encoder.js";
import type { CodecOptions } from "../codec/options.js";
import type { AnyElement, AnyOperationDescriptor, Protocol } from "../descriptor.js";
import { DecodeError } from "../errors.js";
import type { OperationNames } from "../wire-names.js";

/**
 * The client's end of a protocol, in four steps: `choose` an operation's binding, `write` a request, `read` an answer,
 * and turn a `fault` into an error. It is an imported value, so that a bundle contains only the protocols it names.
 */
export interface ProtocolBinding {
  readonly name: Protocol;
  /** Prepares an operation. Returns undefined if it has no binding of this protocol. */
  choose(operation: AnyOperationDescriptor, coding: OperationCoding): PreparedOperation | undefined;
}

/** The codecs for one operation, and its names on the wire. */
export interface OperationCoding {
  readonly names: OperationNames;
  readonly codecs: Codecs;
}

/** The encoder and decoder of one operation, and its names on the wire. */
export interface OperationCodec {
  readonly names: OperationNames;
  readonly encoder: Encoder;
  readonly decoder: Decoder;
}

/** One operation over one protocol. */
export interface PreparedOperation {
  /** The HTTP method of its requests. */
  readonly method: PreparedRequest["method"];
  /** Writes the request for an input. Throws `EncodeError`. */
  write(input: unknown, call: WriteFacts): PreparedRequest | Promise<PreparedRequest>;
  /** Reads the result in an answer. Throws `fault`'s error if the answer has none. */
  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer | Promise<OperationAnswer>;
  /** Creates the error for an answer whose reading failed with `error`. */
  fault(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown;
}

/** The parts of a request beside its input. */
export interface WriteFacts {
  readonly address: Address;
  readonly soapHeaders: object | undefined;
  readonly extraSoapHeaders: readonly AnyElement[] | undefined;
  /** Whether a hook adds the header blocks of WS-Addressing. */
  readonly hasAddressing: boolean;
}

export interface PreparedRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
}

/** The call that an answer belongs to. */
export interface ReadFacts {
  readonly limits: ClientLimits;
  readonly context: CallContext;
}

export interface OperationAnswer {
  readonly value: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
}

export const noSoapHeaders: Readonly<Record<string, unknown>> = {};

type CodecClass<Codec> = new (options: CodecOptions) => Codec;

/** Codecs of one set of options, each created on first use, so that a bundle contains only those its protocols import. */
export class Codecs {
  readonly #options: CodecOptions;
  readonly #created = new Map<CodecClass<unknown>, unknown>();

  constructor(options: CodecOptions) {
    this.#options = options;
  }

  of<Codec>(codecClass: CodecClass<Codec>): Codec {
    const existing = this.#created.get(codecClass);
    if (existing instanceof codecClass) {
      return existing;
    }
    const created = new codecClass(this.#options);
    this.#created.set(codecClass, created);
    return created;
  }
}

/** The error for a document that is too large, is not well-formed, or does not fit the schema. */
export function documentFailure(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
  if (error instanceof DecodeError) {
    return contentFailure(error, answer, call);
  }
  if (!(error instanceof XmlError)) {
    return error;
  }
  if (error.limit !== undefined) {
    return protocolFailure(error.message, answer, call);
  }
  const message = `The answer is not well-formed (line ${error.line}, column ${error.column}): ${error.message}`;
  return contentFailure(new DecodeError(message, { path: "/", cause: error }), answer, call);
}
