import type { XmlLimits } from "@bothends/xml";
import { clark } from "@bothends/xml/names";
import type { ClientAnswer } from "../../client/hooks.js";
import { Encoder } from "../../codec/encoder.js";
import { QuickDecoder } from "../../codec/quick/quick-decoder.js";
import { QuickReader, stopQuickReading } from "../../codec/quick/quick-reader.js";
import type {
  AnyBodyDescriptor,
  AnyElement,
  AnyOperationDescriptor,
  HeadersDescriptor,
  OutputDescriptor,
  SoapBindingDescriptor,
} from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { OperationNames } from "../../wire-names.js";
import {
  decodeUsualText,
  isSuccess,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCoding,
  type PreparedOperation,
  type PreparedRequest,
  type ReadInputs,
  type WriteInputs,
} from "../client.js";
import type { SoapAnswerReader } from "../client-answers.js";
import { type DeclaredBlocks, importedFeature, resultOf, writeBody } from "./client-parts.js";
import { encodingOf, impliedPrefixes, type SoapVersion, versionOf, writeEnvelope } from "./envelope.js";

/** The binding of an operation, and the parts of its requests that depend on the SOAP version. */
interface SoapParts {
  readonly version: SoapVersion;
  readonly binding: SoapBindingDescriptor;
  readonly coding: OperationCoding;
  /** Creates the HTTP headers of requests. `action` is the real name of the action. */
  readonly headers: (action: string) => Readonly<Record<string, string>>;
}

/** An operation that is prepared for SOAP 1.1 or SOAP 1.2. */
export class SoapOperation implements PreparedOperation {
  readonly method = "POST";
  readonly #operation: AnyOperationDescriptor;
  readonly #binding: SoapBindingDescriptor;
  readonly #version: SoapVersion;
  readonly #coding: OperationCoding;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sentBlocks: DeclaredBlocks | undefined;
  /** Reads usual answers; undefined if the full decoder must read all answers. */
  #quickOutput: QuickOutput | undefined;
  #reader: SoapAnswerReader | undefined;

  constructor(operation: AnyOperationDescriptor, { version, binding, coding, headers }: SoapParts) {
    const { names, codecs } = coding;
    const { input, output } = operation;
    this.#operation = operation;
    this.#binding = binding;
    this.#version = version;
    this.#coding = coding;
    this.#headers = Object.freeze(headers(names.action(binding.action)));
    this.#sentBlocks = this.#declaredBlocks([input.headers], input.body);
    this.#quickOutput = codecs.areQuick ? quickOutput(output, { names, decoder: codecs.get(QuickDecoder) }) : undefined;
  }

  #declaredBlocks(
    declaredHeaders: readonly (HeadersDescriptor | undefined)[],
    body: AnyBodyDescriptor | undefined,
  ): DeclaredBlocks | undefined {
    const headers = declaredHeaders.filter((header) => header !== undefined);
    const records = headers.map(({ record }) => record);
    const message = { body, version: this.#version };
    return headers[0] && importedFeature(headers[0].by).declare(records, this.#coding.names, message);
  }

  write(input: unknown, call: WriteInputs): PreparedRequest | Promise<PreparedRequest> {
    const { addressing } = this.#binding;
    const { address, extraSoapHeaders = [], hasAddressing } = call;
    let extraBlocks = extraSoapHeaders;
    if (addressing?.required === true && !hasAddressing) {
      const action = this.#coding.names.action(addressing.action);
      extraBlocks = [
        ...importedFeature(addressing.by).blocks({ action, to: address.url }, this.#version),
        ...extraBlocks,
      ];
    }
    return extraBlocks.length === 0
      ? this.#request(input, call, [])
      : this.#requestWithBlocks(input, call, extraBlocks);
  }

  async #requestWithBlocks(input: unknown, call: WriteInputs, blocks: readonly AnyElement[]): Promise<PreparedRequest> {
    const { writeBlocks } = await import("../client-answers.js");
    return this.#request(input, call, writeBlocks(blocks));
  }

  #request(input: unknown, call: WriteInputs, blocks: readonly string[]): PreparedRequest {
    const { url } = call.address;
    const { attachments } = this.#operation.input;
    if (attachments === undefined) {
      return { method: "POST", url, headers: this.#headers, body: this.#envelope(input, call, blocks) };
    }
    const { detach, write } = importedFeature(attachments.by);
    const { value, parts } = detach(input, attachments.parts);
    const envelope = this.#envelope(value, call, blocks);
    const { contentType, body } = write(envelope, this.#headers["Content-Type"] ?? "", parts);
    return { method: "POST", url, headers: { ...this.#headers, "Content-Type": contentType }, body };
  }

  #envelope(input: unknown, { soapHeaders }: WriteInputs, blocks: readonly string[]): string {
    const { body } = this.#operation.input;
    const encoder = this.#coding.codecs.get(Encoder);
    const encoding = encodingOf(body, this.#version);
    const [unknownHeader] = this.#sentBlocks === undefined ? Object.keys(soapHeaders ?? {}) : [];
    if (unknownHeader !== undefined) {
      throw new ConfigError(`The operation has no header "${unknownHeader}".`);
    }
    const declaredBlocks = (soapHeaders && this.#sentBlocks?.write(soapHeaders, encoder)) ?? [];
    return writeEnvelope(this.#version, {
      body: writeBody(body, input, { encoder, encoding }),
      headers: [...declaredBlocks, ...blocks],
    });
  }

  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer | Promise<OperationAnswer> {
    const quick = this.#quickOutput;
    if (quick !== undefined && isSuccess(answer)) {
      try {
        return { value: readQuickly(decodeUsualText(answer), call.limits, quick), soapHeaders: noSoapHeaders };
      } catch {
        // The answer is unusual or invalid: the full decoder reads it again and reports any error.
      }
    }
    return this.#reader === undefined ? this.#readWithLoaded(answer, call) : this.#readWith(this.#reader, answer, call);
  }

  async #readWithLoaded(answer: ClientAnswer, call: ReadInputs): Promise<OperationAnswer> {
    const { SoapAnswerReader } = await import("../client-answers.js");
    const { output } = this.#operation;
    const blocks = this.#declaredBlocks([output?.headers, output?.headerFaults], output?.body);
    this.#reader = new SoapAnswerReader(this.#operation, { ...this.#coding, blocks });
    return this.#readWith(this.#reader, answer, call);
  }

  #readWith(reader: SoapAnswerReader, answer: ClientAnswer, call: ReadInputs): OperationAnswer {
    const operationAnswer = reader.read(answer, call);
    // The answer is valid but unusual: later answers of this server are not tried with the quick decoder first.
    this.#quickOutput = undefined;
    return operationAnswer;
  }
}

/** Writes an action as a quoted string. */
export function quotedString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** An output whose usual messages `QuickDecoder` can read. */
export interface QuickOutput {
  readonly output: OutputDescriptor<unknown>;
  readonly body: Extract<AnyBodyDescriptor, { readonly element: string }>;
  readonly decoder: QuickDecoder;
  readonly names: OperationNames;
}

/** The output of an operation, if it consists of exactly one literal element. */
export function quickOutput(
  output: OutputDescriptor<unknown> | undefined,
  { decoder, names }: Pick<QuickOutput, "decoder" | "names">,
): QuickOutput | undefined {
  const { body, ...otherParts }: { readonly body?: AnyBodyDescriptor } & Partial<OutputDescriptor<unknown>> =
    output ?? {};
  if (output === undefined || body === undefined || !("element" in body) || "encoded" in body) {
    return undefined;
  }
  const { headers, headerFaults, attachments } = otherParts;
  const isUsual = [headers, headerFaults, attachments, body.default, body.fixed].every((part) => part === undefined);
  return isUsual ? { output, body, decoder, names } : undefined;
}

/** Reads the result from a usual SOAP message. Throws an arbitrary error for unusual and invalid messages. */
export function readQuickly(text: string, limits: XmlLimits, { output, body, decoder, names }: QuickOutput): unknown {
  const reader = new QuickReader(text, limits, impliedPrefixes);
  reader.nextChild();
  const version = versionOf(reader.namespace);
  if (version === undefined || reader.localName !== "Envelope") {
    stopQuickReading();
  }
  reader.nextChild();
  if (isSoap(reader, version, "Header")) {
    reader.skip();
    reader.nextChild();
  }
  if (!isSoap(reader, version, "Body") || !reader.nextChild()) {
    stopQuickReading();
  }
  if (clark(reader.namespace, reader.localName) !== names.element(body.element) || reader.attributes.length > 0) {
    stopQuickReading();
  }
  const value = decoder.element(reader, body.type, body.nillable);
  // Reads the end tags of Body and Envelope.
  if (reader.nextChild() || reader.nextChild()) {
    stopQuickReading();
  }
  reader.finish();
  return resultOf(output, value);
}

function isSoap({ localName, namespace }: QuickReader, version: SoapVersion, name: string): boolean {
  return localName === name && versionOf(namespace) === version;
}
