import type { Decoder } from "../../codec/decoder.js";
import type { Encoder } from "../../codec/encoder.js";
import type { AnyElement, AnyOperationDescriptor, Protocol } from "../../descriptor.js";
import type { OperationNames } from "../../wire-names.js";
import type { Address } from "../address.js";
import type { CallPlace } from "../failures.js";
import type { ClientAnswer } from "../hooks.js";
import type { ClientLimits } from "../limits.js";
import type { Codecs } from "./codecs.js";

/** A protocol as an imported value: what is not imported is not shipped. */
export interface ProtocolBinding {
  readonly name: Protocol;
  /** Makes an operation ready to be called, once; undefined: the operation has no such binding. */
  prepare(operation: AnyOperationDescriptor, coding: OperationCoding): PreparedOperation | undefined;
}

/** Where a protocol finds the codecs it needs for one operation, and the operation's names on the wire. */
export interface OperationCoding {
  readonly names: OperationNames;
  readonly codecs: Codecs;
}

/** What encodes and decodes one operation, under its names on the wire. */
export interface OperationCodec {
  readonly names: OperationNames;
  readonly encoder: Encoder;
  readonly decoder: Decoder;
}

/** One operation over one protocol. */
export interface PreparedOperation {
  /** The request for an input. Throws `EncodeError`. */
  ask(input: unknown, call: AskFacts): PreparedRequest | Promise<PreparedRequest>;
  /** The result in an answer. Throws what the answer says instead. */
  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer | Promise<OperationAnswer>;
}

export interface AskFacts {
  readonly address: Address;
  readonly soapHeaders: object | undefined;
  readonly extraSoapHeaders: readonly AnyElement[] | undefined;
  /** A hook gives the message its addressing headers. */
  readonly addressed: boolean;
}

export interface PreparedRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
}

export interface ReadFacts {
  readonly limits: ClientLimits;
  readonly place: CallPlace;
}

export interface OperationAnswer {
  readonly value: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
}

export const noSoapHeaders: Readonly<Record<string, unknown>> = {};
