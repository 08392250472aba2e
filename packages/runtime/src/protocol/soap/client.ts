import type { XmlLimits } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { awaitLoading, copyInput } from "../../client/exchange/lazy-code.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { QuickDecoder } from "../../codec/quick/quick-decoder.js";
import { QuickEncoder } from "../../codec/quick/quick-encoder.js";
import { decodeUsualText, QuickReader, stopQuickCodec } from "../../codec/quick/quick-reader.js";
import type {
  AnyBodyDescriptor,
  AnyOperationDescriptor,
  AttachmentsDescriptor,
  OutputDescriptor,
  SoapBindingDescriptor,
} from "../../descriptor.js";
import type { OperationNames } from "../../wire-names.js";
import {
  isSuccess,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCoding,
  type PreparedOperation,
  type PreparedRequest,
  type ReadInputs,
  type WriteInputs,
} from "../client.js";
import type { SoapAnswerReader } from "./client/answer-reader.js";
import type { SoapRequestWriter } from "./client/request-writer.js";
import { findVersion, getOperationResult, impliedPrefixes, type SoapVersion, writeEnvelope } from "./envelope.js";

/** An operation's binding, and the parts of a request that depend on the SOAP version. */
interface SoapParts {
  readonly version: SoapVersion;
  readonly binding: SoapBindingDescriptor;
  readonly coding: OperationCoding;
  /** Creates the HTTP headers of requests. `action` is the action on the wire. */
  readonly headers: (action: string) => Readonly<Record<string, string>>;
}

/** An operation that is prepared for SOAP 1.1 or SOAP 1.2. */
export class PreparedSoapOperation implements PreparedOperation {
  readonly method = "POST";
  readonly #operation: AnyOperationDescriptor;
  readonly #version: SoapVersion;
  readonly #binding: SoapBindingDescriptor;
  readonly #coding: OperationCoding;
  readonly #headers: Readonly<Record<string, string>>;
  /** The description of the body, for `QuickEncoder`. Undefined if `Encoder` must write all inputs. */
  #quickBody: LiteralElement | undefined;
  #writer: SoapRequestWriter | undefined;
  /** The description of the output, for `QuickDecoder`. Undefined if `Decoder` must read all answers. */
  #quickOutput: QuickOutput | undefined;
  #reader: SoapAnswerReader | undefined;

  constructor(operation: AnyOperationDescriptor, { version, binding, coding, headers }: SoapParts) {
    const { names, codecs } = coding;
    const { input, output } = operation;
    this.#operation = operation;
    this.#version = version;
    this.#binding = binding;
    this.#coding = coding;
    this.#headers = Object.freeze(headers(names.action(binding.action)));
    this.#quickBody = binding.addressing === undefined ? getLiteralElement(input) : undefined;
    this.#quickOutput = codecs.canBeQuick
      ? createQuickOutput(output, { names, decoder: codecs.get(QuickDecoder) })
      : undefined;
  }

  write(input: unknown, call: WriteInputs): PreparedRequest | Promise<PreparedRequest> {
    const body = this.#quickBody;
    if (body !== undefined && call.soapHeaders === undefined && call.extraSoapHeaders === undefined) {
      try {
        const xml = this.#coding.codecs.get(QuickEncoder).encode(body.element, body.type, input, body.nillable);
        const envelope = writeEnvelope(this.#version, { body: xml });
        return { method: "POST", url: call.address.url, headers: this.#headers, body: envelope };
      } catch {
        // The input is unusual or invalid. The full encoder writes it again, and reports any error. If the quick
        // encoder throws any other error in a test, `testing/quick-codec-errors.ts` reports it.
      }
    }
    return this.#writer === undefined ? this.#writeWithLoaded(input, call) : this.#writeWith(this.#writer, input, call);
  }

  async #writeWithLoaded(input: unknown, call: WriteInputs): Promise<PreparedRequest> {
    const inputSnapshot = copyInput(input);
    const { soapHeaders, extraSoapHeaders } = call;
    const callSnapshot = { ...call, ...copyInput({ soapHeaders, extraSoapHeaders }) };
    const { SoapRequestWriter } = await awaitLoading(import("../client-unusual-messages.js"));
    this.#writer = new SoapRequestWriter(this.#operation, {
      ...this.#coding,
      version: this.#version,
      binding: this.#binding,
      headers: this.#headers,
    });
    try {
      return this.#writeWith(this.#writer, inputSnapshot, callSnapshot);
    } catch {
      // The input is invalid, or has objects that cannot be copied, such as those with private members.
      return this.#writeWith(this.#writer, input, call);
    }
  }

  #writeWith(writer: SoapRequestWriter, input: unknown, call: WriteInputs): PreparedRequest {
    const request = writer.write(input, call);
    // The input is valid, but `QuickEncoder` does not support it. Later inputs are therefore written without
    // `QuickEncoder`.
    this.#quickBody = undefined;
    return request;
  }

  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer | Promise<OperationAnswer> {
    const quickOutput = this.#quickOutput;
    if (quickOutput !== undefined && isSuccess(answer)) {
      try {
        return { value: readQuickly(decodeUsualText(answer), call.limits, quickOutput), soapHeaders: noSoapHeaders };
      } catch {
        // The answer is unusual or invalid. The full decoder reads it again, and reports any error. If the quick
        // decoder throws any other error in a test, `testing/quick-codec-errors.ts` reports it.
      }
    }
    return this.#reader === undefined ? this.#readWithLoaded(answer, call) : this.#readWith(this.#reader, answer, call);
  }

  async #readWithLoaded(answer: ClientAnswer, call: ReadInputs): Promise<OperationAnswer> {
    const { SoapAnswerReader } = await awaitLoading(import("../client-unusual-messages.js"));
    this.#reader = new SoapAnswerReader(this.#operation, { ...this.#coding, version: this.#version });
    return this.#readWith(this.#reader, answer, call);
  }

  #readWith(reader: SoapAnswerReader, answer: ClientAnswer, call: ReadInputs): OperationAnswer {
    const operationAnswer = reader.read(answer, call);
    // The answer is valid, but `QuickDecoder` does not support it. Later answers from this server are therefore read
    // without `QuickDecoder`.
    this.#quickOutput = undefined;
    return operationAnswer;
  }
}

/** Returns an action as a quoted string. Quotation marks and backslashes in it are escaped. */
export function quoteText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

interface Message {
  readonly body: AnyBodyDescriptor | undefined;
  readonly attachments?: AttachmentsDescriptor;
}

type LiteralElement = Extract<AnyBodyDescriptor, { readonly element: string }>;

/**
 * Returns the only element in the body of a message. Returns undefined if the message has attachments, or if its body
 * is anything other than one literal element.
 */
function getLiteralElement({ body, attachments }: Message): LiteralElement | undefined {
  const isLiteral = body !== undefined && "element" in body && !("encoded" in body);
  return isLiteral && [attachments, body.default, body.fixed].every((part) => part === undefined) ? body : undefined;
}

/**
 * An output that is read with `QuickDecoder`. Messages that `QuickDecoder` does not support are read with `Decoder`.
 */
export interface QuickOutput {
  readonly output: OutputDescriptor<unknown>;
  readonly body: LiteralElement;
  readonly decoder: QuickDecoder;
  readonly names: OperationNames;
  /**
   * The reader's state at the body's element in an earlier message. It is reused, because a server begins all its
   * messages with the same envelope.
   */
  bookmark?: QuickReader | undefined;
}

/**
 * Prepares the output of an operation for `QuickDecoder`. Returns undefined unless the output is exactly one literal
 * element.
 */
export function createQuickOutput(
  output: OutputDescriptor<unknown> | undefined,
  { decoder, names }: Pick<QuickOutput, "decoder" | "names">,
): QuickOutput | undefined {
  const hasHeaders = output?.headers !== undefined || output?.headerFaults !== undefined;
  const body = output === undefined || hasHeaders ? undefined : getLiteralElement(output);
  return output && body && { output, body, decoder, names };
}

/**
 * Reads the result from a SOAP message with `QuickDecoder`. Throws an error of any kind for messages that are invalid
 * or that `QuickDecoder` does not support.
 */
export function readQuickly(text: string, limits: XmlLimits, quickOutput: QuickOutput): unknown {
  const { output, body, decoder } = quickOutput;
  const reader = new QuickReader(text, limits, impliedPrefixes);
  if (!reader.resume(quickOutput.bookmark)) {
    enterBody(reader, quickOutput);
  }
  const value = decoder.decode(reader, body.type, body.nillable);
  // Reads the end tags of Body and Envelope. Other elements before these tags are not supported.
  if (reader.nextChild() || reader.nextChild()) {
    stopQuickCodec();
  }
  reader.finish();
  return getOperationResult(output, value);
}

/** Reads a message to the start of the body's element. */
function enterBody(reader: QuickReader, quickOutput: QuickOutput): void {
  const { body, names } = quickOutput;
  reader.nextChild();
  const version = findVersion(reader.namespace);
  if (version === undefined || reader.localName !== "Envelope") {
    stopQuickCodec();
  }
  reader.nextChild();
  const hasHeader = isSoap(reader, version, "Header");
  if (hasHeader) {
    reader.skip();
    reader.nextChild();
  }
  if (!isSoap(reader, version, "Body") || !reader.nextChild()) {
    stopQuickCodec();
  }
  if (clark(reader.namespace, reader.localName) !== names.element(body.element) || reader.attributes.length > 0) {
    stopQuickCodec();
  }
  quickOutput.bookmark = hasHeader ? undefined : reader.bookmark();
}

function isSoap({ localName, namespace }: QuickReader, version: SoapVersion, name: string): boolean {
  return localName === name && findVersion(namespace) === version;
}
