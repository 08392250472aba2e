import type { Address } from "../client/address.js";
import type { CallDescription } from "../client/errors/failures.js";
import type { ClientAnswer } from "../client/hooks.js";
import type { ClientLimits } from "../client/options.js";
import type { CodecOptions } from "../codec/codec-options.js";
import type { Decoder } from "../codec/decoder.js";
import type { AnyElement, AnyOperationDescriptor, Protocol } from "../descriptor.js";
import type { OperationNames } from "../wire-names.js";

/**
 * The client side of a protocol, in three steps: `choose` the binding of an operation, `write` a request, and `read` an
 * answer. Programs import only the protocols that they use, so a bundle does not contain the others.
 */
export interface ProtocolBinding {
  readonly name: Protocol;
  /** Prepares an operation for this protocol. Returns undefined if the operation has no binding for the protocol. */
  choose(operation: AnyOperationDescriptor, coding: OperationCoding): PreparedOperation | undefined;
}

/** The codecs of one operation, and its names on the wire. */
export interface OperationCoding {
  readonly names: OperationNames;
  readonly codecs: Codecs;
}

/** The decoder of one operation, and its names on the wire. */
export interface OperationDecoder {
  readonly names: OperationNames;
  readonly decoder: Decoder;
}

/** An operation that is prepared for one protocol. */
export interface PreparedOperation {
  /** The HTTP method of the operation's requests. */
  readonly method: PreparedRequest["method"];
  /** Writes the request that sends an input. Throws `EncodeError` for an invalid input. */
  write(input: unknown, call: WriteInputs): PreparedRequest | Promise<PreparedRequest>;
  /** Reads the result from an answer. If the answer is a fault or an error, throws it. */
  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer | Promise<OperationAnswer>;
}

/** The values from which a request is written, in addition to its input. */
export interface WriteInputs {
  readonly address: Address;
  readonly soapHeaders: object | undefined;
  readonly extraSoapHeaders: readonly AnyElement[] | undefined;
  /** Whether a hook adds WS-Addressing headers. */
  readonly hasAddressing: boolean;
}

/** A request that a binding has written. `url` is absolute. */
export interface PreparedRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined if the request has none. A string is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
}

/** The limits for reading an answer, and a description of the call for errors. */
export interface ReadInputs {
  readonly limits: ClientLimits;
  readonly context: CallDescription;
}

/** The result of an operation, and the header blocks of the answer by member name. */
export interface OperationAnswer {
  readonly value: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
}

/** The header blocks of an answer that has none. */
export const noSoapHeaders: Readonly<Record<string, unknown>> = {};

type CodecClass<Codec> = new (options: CodecOptions) => Codec;

/**
 * Encoders and decoders that share their options. Each is created on first use. The class of the codec is an argument,
 * so that programs load only the classes that they use.
 */
export class Codecs {
  readonly #options: CodecOptions;
  readonly #codecs = new Map<CodecClass<unknown>, unknown>();

  constructor(options: CodecOptions) {
    this.#options = options;
  }

  /** Whether `QuickDecoder` can replace `Decoder`. It can if no option changes which documents are accepted. */
  get canBeQuick(): boolean {
    const { unknown, tolerant, identity } = this.#options;
    return unknown !== "error" && tolerant === undefined && identity !== true;
  }

  get<Codec>(codecClass: CodecClass<Codec>): Codec {
    const existingCodec = this.#codecs.get(codecClass);
    if (existingCodec instanceof codecClass) {
      return existingCodec;
    }
    const newCodec = new codecClass(this.#options);
    this.#codecs.set(codecClass, newCodec);
    return newCodec;
  }
}

/** Whether the status of an answer is 2xx. */
export function isSuccess({ status }: ClientAnswer): boolean {
  return status >= 200 && status < 300;
}
