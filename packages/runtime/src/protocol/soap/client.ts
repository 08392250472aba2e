import { decodeXml, XmlError } from "@bothends/xml";
import { protocolFailure, statusFailure } from "../../client/failures.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { Decoder } from "../../codec/decoder.js";
import { Encoder } from "../../codec/encoder.js";
import { instanceNamespace } from "../../codec/names.js";
import type { AnyOperationDescriptor, SoapBindingDescriptor } from "../../descriptor.js";
import { DecodeError } from "../../errors.js";
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
import type { Attachments, Packaged } from "./attachments.js";
import { readBody, readSoapFault, writeBody } from "./client-body.js";
import { HeaderBlocks } from "./client-headers.js";
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
  readonly #operation: AnyOperationDescriptor;
  readonly #version: SoapVersion;
  readonly #codec: OperationCodec;
  readonly #headers: Readonly<Record<string, string>>;
  /** The action that the header blocks of WS-Addressing must contain. */
  readonly #requiredAction: string | undefined;
  readonly #input: HeaderBlocks;
  readonly #output: HeaderBlocks;
  #lastMediaType: { readonly text: string | undefined; readonly mediaType: MediaType } | undefined;

  constructor(operation: AnyOperationDescriptor, { version, binding, coding, headers }: SoapParts) {
    const { names, codecs } = coding;
    const codec = { names, encoder: codecs.of(Encoder), decoder: codecs.of(Decoder) };
    this.#operation = operation;
    const { addressing } = binding;
    this.#requiredAction = addressing?.required === true ? codec.names.action(addressing.action) : undefined;
    this.#version = version;
    this.#codec = codec;
    this.#headers = Object.freeze(headers(names.action(binding.action)));
    this.#input = new HeaderBlocks([operation.input.headers], codec, {
      body: operation.input.body,
      version,
    });
    this.#output = new HeaderBlocks([operation.output?.headers, operation.output?.headerFaults], codec, {
      body: operation.output?.body,
      version,
    });
  }

  write(input: unknown, call: WriteFacts): PreparedRequest | Promise<PreparedRequest> {
    if (this.#requiredAction !== undefined && !call.hasAddressing) {
      return this.#writeAddressed(this.#requiredAction, input, call);
    }
    return this.#write(input, call);
  }

  async #writeAddressed(action: string, input: unknown, call: WriteFacts): Promise<PreparedRequest> {
    const { addressingHeaders, freshMessageId } = await import("./addressing.js");
    const added = addressingHeaders({ action, to: call.address.url, messageId: freshMessageId() }, this.#version);
    return this.#write(input, { ...call, extraSoapHeaders: [...added, ...(call.extraSoapHeaders ?? [])] });
  }

  #write(input: unknown, call: WriteFacts): PreparedRequest | Promise<PreparedRequest> {
    const { attachments } = this.#operation.input;
    if (attachments !== undefined) {
      return this.#writeWith(attachments, input, call);
    }
    return { method: "POST", url: call.address.url, headers: this.#headers, body: this.#envelope(input, call) };
  }

  async #writeWith(attachments: Attachments, input: unknown, call: WriteFacts): Promise<PreparedRequest> {
    const { detach, writeAttached } = await importAttachments();
    const { value, parts } = detach(input, attachments);
    const envelopeType = this.#headers["Content-Type"] ?? "";
    const { contentType, body } = writeAttached(this.#envelope(value, call), envelopeType, parts);
    return { method: "POST", url: call.address.url, headers: { ...this.#headers, "Content-Type": contentType }, body };
  }

  #envelope(input: unknown, { soapHeaders, extraSoapHeaders }: WriteFacts): string {
    const { body } = this.#operation.input;
    const encoding = encodingOf(body, this.#version);
    return writeEnvelope(this.#version, {
      body: writeBody(body, input, { codec: this.#codec, encoding }),
      headers: this.#input.write(soapHeaders, extraSoapHeaders),
    });
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer | Promise<OperationAnswer> {
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (answer.body.length === 0 && isSuccess) {
      if (this.#operation.output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw protocolFailure("The answer is empty.", answer, call);
    }
    const mediaType = this.#mediaType(answer.headers.get("content-type"));
    const { attachments } = this.#operation.output ?? {};
    if (attachments !== undefined || mediaType.name === "multipart/related") {
      return this.#readPackaged(attachments, mediaType, { answer, call });
    }
    return this.#readMessage({ body: answer.body, mediaType }, { answer, call });
  }

  /** A service usually sends the same media type with every answer, so it is parsed once. */
  #mediaType(text: string | undefined): MediaType {
    if (this.#lastMediaType?.text !== text || this.#lastMediaType === undefined) {
      this.#lastMediaType = { text, mediaType: readMediaType(text) };
    }
    return this.#lastMediaType.mediaType;
  }

  async #readPackaged(attachments: Attachments | undefined, packageType: MediaType, received: Received) {
    const { attach, readPackage, MultipartError } = await importAttachments();
    let packaged: Packaged;
    try {
      packaged = readPackage(received.answer.body, packageType);
    } catch (error) {
      throw error instanceof MultipartError ? protocolFailure(error.message, received.answer, received.call) : error;
    }
    const { value, soapHeaders } = this.#readMessage(packaged, received);
    if (attachments === undefined) {
      return { value, soapHeaders };
    }
    try {
      return { value: attach(value, attachments, packaged.parts), soapHeaders };
    } catch (error) {
      throw documentFailure(error, received.answer, received.call);
    }
  }

  #readMessage({ body, mediaType }: Pick<Packaged, "body" | "mediaType">, received: Received): OperationAnswer {
    const { answer, call } = received;
    const isSuccess = answer.status >= 200 && answer.status < 300;
    const { output } = this.#operation;
    if (!isXml(mediaType)) {
      if (!isSuccess) {
        throw statusFailure(answer, call.limits, call.context);
      }
      if (output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw protocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, call);
    }
    try {
      const text = decodeXml(body, mediaType.parameters.get("charset"));
      return this.#readEnvelope(text, received);
    } catch (error) {
      throw this.fault(error, answer, call);
    }
  }

  /** For statuses outside 2xx, the status is reported and an unreadable body is ignored. */
  fault(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (isSuccess) {
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
    const envelope: Envelope = readEnvelope(text, { limits, prefixes: impliedPrefixes, readHeader: this.#output.read });
    if (envelope.first !== undefined && isFault(envelope.reader)) {
      const { status } = answer;
      const fault = readSoapFault(envelope.reader, this.#operation.faults ?? [], {
        codec: this.#codec,
        context: call.context,
        status,
        encoding,
        soapHeaders: this.#output.values(envelope.headers),
      });
      envelope.finish();
      throw fault;
    }
    if (answer.status < 200 || answer.status > 299) {
      throw statusFailure(answer, call.limits, call.context);
    }
    const { output } = this.#operation;
    const value = output === undefined ? undefined : readBody(output, envelope, { codec: this.#codec, encoding });
    envelope.finish();
    return { value, soapHeaders: this.#output.values(envelope.headers) };
  }
}

/** Loads the code for attachments on first use, because few operations have them. */
function importAttachments() {
  return import("./attachments.js");
}

/** Writes an action as a quoted string. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
