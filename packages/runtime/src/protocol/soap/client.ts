import { decodeXml, XmlError } from "@bothends/xml";
import { protocolFailure, statusFailure } from "../../client/failures.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { Decoder } from "../../codec/decoder.js";
import { Encoder } from "../../codec/encoder.js";
import { writeAnyElement } from "../../codec/kinds/any-element.js";
import { instanceNamespace } from "../../codec/names.js";
import type {
  AnyBodyDescriptor,
  AnyElement,
  AnyOperationDescriptor,
  HeadersDescriptor,
  SoapBindingDescriptor,
} from "../../descriptor.js";
import { ConfigError, DecodeError, EncodeError } from "../../errors.js";
import { isXml, type MediaType, readMediaType } from "../../http/media-type.js";
import {
  documentFailure,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCodec,
  type OperationCoding,
  type PreparedOperation,
  type PreparedRequest,
  type ReadFacts,
  type WriteFacts,
} from "../client.js";
import { readBody, readSoapFault, writeBody } from "./client-body.js";
import { type DeclaredBlocks, importedPart } from "./client-parts.js";
import {
  type Envelope,
  EnvelopeError,
  encodingOf,
  readEnvelope,
  type SoapVersion,
  soapEncodingOf,
  writeEnvelope,
} from "./envelope.js";
import { isFault } from "./fault.js";
import type { Packaged } from "./related.js";

/** Prefixes that a message may use without declaring them: some servers write `xsi:nil` without declaring `xsi`. */
const impliedPrefixes: ReadonlyMap<string, string> = new Map([["xsi", instanceNamespace]]);

/** The binding of an operation, and the differences between the versions of SOAP. */
interface SoapParts {
  readonly version: SoapVersion;
  readonly binding: SoapBindingDescriptor;
  readonly coding: OperationCoding;
  /** Creates the HTTP headers of requests with this action, which is the name on the wire. */
  readonly headers: (action: string) => Readonly<Record<string, string>>;
}

interface Received {
  readonly answer: ClientAnswer;
  readonly call: ReadFacts;
}

/** One operation over SOAP of either version. */
export class SoapOperation implements PreparedOperation {
  readonly method = "POST";
  readonly #operation: AnyOperationDescriptor;
  readonly #binding: SoapBindingDescriptor;
  readonly #version: SoapVersion;
  readonly #codec: OperationCodec;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sentBlocks: DeclaredBlocks | undefined;
  readonly #receivedBlocks: DeclaredBlocks | undefined;
  #lastMediaType: { readonly text: string | undefined; readonly mediaType: MediaType } | undefined;

  constructor(operation: AnyOperationDescriptor, { version, binding, coding, headers }: SoapParts) {
    const { names, codecs } = coding;
    const { input, output } = operation;
    this.#operation = operation;
    this.#binding = binding;
    this.#version = version;
    this.#codec = { names, encoder: codecs.of(Encoder), decoder: codecs.of(Decoder) };
    this.#headers = Object.freeze(headers(names.action(binding.action)));
    this.#sentBlocks = this.#blocks([input.headers], input.body);
    this.#receivedBlocks = this.#blocks([output?.headers, output?.headerFaults], output?.body);
  }

  #blocks(
    declared: readonly (HeadersDescriptor | undefined)[],
    body: AnyBodyDescriptor | undefined,
  ): DeclaredBlocks | undefined {
    const headers = declared.filter((each) => each !== undefined);
    const records = headers.map(({ record }) => record);
    return headers[0] && importedPart(headers[0].by).declare(records, this.#codec, { body, version: this.#version });
  }

  write(input: unknown, call: WriteFacts): PreparedRequest {
    const { url } = call.address;
    const { attachments } = this.#operation.input;
    if (attachments === undefined) {
      return { method: "POST", url, headers: this.#headers, body: this.#envelope(input, call) };
    }
    const { detach, write } = importedPart(attachments.by);
    const { value, parts } = detach(input, attachments.parts);
    const { contentType, body } = write(this.#envelope(value, call), this.#headers["Content-Type"] ?? "", parts);
    return { method: "POST", url, headers: { ...this.#headers, "Content-Type": contentType }, body };
  }

  #envelope(
    input: unknown,
    { address: { url: to }, soapHeaders, extraSoapHeaders = [], hasAddressing }: WriteFacts,
  ): string {
    const { body } = this.#operation.input;
    const { addressing } = this.#binding;
    const encoding = encodingOf(body, this.#version);
    const [unknown] = this.#sentBlocks === undefined ? Object.keys(soapHeaders ?? {}) : [];
    if (unknown !== undefined) {
      throw new ConfigError(`The operation has no header "${unknown}".`);
    }
    const declared = (soapHeaders && this.#sentBlocks?.write(soapHeaders)) ?? [];
    let extra = extraSoapHeaders;
    if (addressing?.required === true && !hasAddressing) {
      const action = this.#codec.names.action(addressing.action);
      extra = [...importedPart(addressing.by).blocks({ action, to }, this.#version), ...extra];
    }
    return writeEnvelope(this.#version, {
      body: writeBody(body, input, { codec: this.#codec, encoding }),
      headers: extra.length === 0 ? declared : [...declared, ...extra.map(writeExtra)],
    });
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer | Promise<OperationAnswer> {
    const { output } = this.#operation;
    const received = { answer, call };
    const mediaType = this.#mediaType(answer.headers.get("content-type"));
    if (answer.body.length === 0 && isSuccess(answer)) {
      if (output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw protocolFailure("The answer is empty.", answer, call);
    }
    return mediaType.name === "multipart/related"
      ? this.#readRelated(mediaType, received)
      : this.#readAttached({ body: answer.body, mediaType, parts: [] }, received);
  }

  async #readRelated(mediaType: MediaType, received: Received): Promise<OperationAnswer> {
    const { answer, call } = received;
    const { readRelatedMessageOrProblem } = await import("./lazy-related.js");
    const packaged = readRelatedMessageOrProblem(answer.body, mediaType, readMediaType);
    if (!("problem" in packaged)) {
      return this.#readAttached(packaged, received);
    }
    throw isSuccess(answer)
      ? protocolFailure(packaged.problem, answer, call)
      : statusFailure(answer, call.limits, call.context);
  }

  /** Reads a message, and the attachments that the operation declares. Others are ignored. */
  #readAttached(packaged: Packaged, received: Received): OperationAnswer {
    const message = this.#readMessage(packaged, received);
    const attachments = this.#operation.output?.attachments;
    if (attachments === undefined) {
      return message;
    }
    try {
      const value = importedPart(attachments.by).attach(message.value, attachments.parts, packaged.parts);
      return { value, soapHeaders: message.soapHeaders };
    } catch (error) {
      throw documentFailure(error, received.answer, received.call);
    }
  }

  /** A service usually sends the same media type with every answer, so it is parsed once. */
  #mediaType(text: string | undefined): MediaType {
    if (this.#lastMediaType?.text !== text || this.#lastMediaType === undefined) {
      this.#lastMediaType = { text, mediaType: readMediaType(text) };
    }
    return this.#lastMediaType.mediaType;
  }

  #readMessage({ body, mediaType }: Pick<Packaged, "body" | "mediaType">, received: Received): OperationAnswer {
    const { answer, call } = received;
    const { output } = this.#operation;
    if (!isXml(mediaType)) {
      if (!isSuccess(answer)) {
        throw statusFailure(answer, call.limits, call.context);
      }
      if (output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw protocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, call);
    }
    try {
      const text = decodeXml(body, mediaType.parameters.get("charset"), "platform");
      return this.#readEnvelope(text, received);
    } catch (error) {
      throw this.fault(error, answer, call);
    }
  }

  /** For statuses outside 2xx, the status is reported and an unreadable body is ignored. */
  fault(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
    if (isSuccess(answer)) {
      const isEnvelope = error instanceof EnvelopeError;
      const mismatch = isEnvelope ? new DecodeError(error.message, { path: "/Envelope", cause: error }) : error;
      return documentFailure(mismatch, answer, call);
    }
    const unreadable = error instanceof EnvelopeError || error instanceof XmlError || error instanceof DecodeError;
    return unreadable ? statusFailure(answer, call.limits, call.context) : error;
  }

  #readEnvelope(text: string, { answer, call }: Received): OperationAnswer {
    const { limits } = call;
    const encoding = soapEncodingOf(this.#operation.output?.body)?.bodyRules(text, {
      limits,
      prefixes: impliedPrefixes,
    });
    const envelope: Envelope = readEnvelope(text, {
      limits,
      prefixes: impliedPrefixes,
      readHeader: this.#receivedBlocks?.read,
    });
    if (envelope.first !== undefined && isFault(envelope.reader)) {
      const { status } = answer;
      const fault = readSoapFault(envelope.reader, this.#operation.faults ?? [], {
        codec: this.#codec,
        context: call.context,
        status,
        encoding,
        soapHeaders: this.#receivedBlocks?.values(envelope.headers) ?? noSoapHeaders,
      });
      envelope.finish();
      throw fault;
    }
    if (!isSuccess(answer)) {
      throw statusFailure(answer, call.limits, call.context);
    }
    const { output } = this.#operation;
    const value = output === undefined ? undefined : readBody(output, envelope, { codec: this.#codec, encoding });
    envelope.finish();
    return { value, soapHeaders: this.#receivedBlocks?.values(envelope.headers) ?? noSoapHeaders };
  }
}

function isSuccess({ status }: ClientAnswer): boolean {
  return status >= 200 && status < 300;
}

function writeExtra(block: AnyElement): string {
  try {
    return writeAnyElement(block);
  } catch (cause) {
    throw new EncodeError(
      "A block of the option extraSoapHeaders cannot be written as XML: a name or a text is not valid XML.",
      { path: "/Envelope/Header", cause },
    );
  }
}

/** Writes an action as a quoted string. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
