import { decodeXml, XmlError } from "@bothends/xml";
import { Decoder } from "../../codec/decoder.js";
import { Encoder } from "../../codec/encoder.js";
import { instanceNamespace } from "../../codec/names.js";
import type { AnyOperationDescriptor, SoapBindingDescriptor } from "../../descriptor.js";
import { DecodeError } from "../../errors.js";
import { isXml, type MediaType, readMediaType } from "../../media-type.js";
import type { Attachments, Packaged } from "../../soap/attachments.js";
import { encodingOf, isEncoded } from "../../soap/encoding.js";
import { type Envelope, EnvelopeError, readEnvelope } from "../../soap/read-envelope.js";
import { isFault } from "../../soap/read-fault.js";
import type { SoapVersion } from "../../soap/version.js";
import { writeEnvelope } from "../../soap/write-envelope.js";
import { protocolFailure, statusFailure } from "../failures.js";
import type { ClientAnswer } from "../hooks.js";
import { documentFailure } from "./document-failure.js";
import { HeaderBlocks } from "./header-blocks.js";
import {
  type AskFacts,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCodec,
  type PreparedOperation,
  type PreparedRequest,
  type ProtocolBinding,
  type ReadFacts,
} from "./protocol.js";
import { readBody, writeBody } from "./soap-body.js";
import { readSoapFault } from "./soap-fault.js";

/** Servers exist that write `xsi:nil` and never declare its prefix. */
const undeclared: ReadonlyMap<string, string> = new Map([["xsi", instanceNamespace]]);

/** The protocol of a SOAP version. */
export function soapProtocol(version: SoapVersion): ProtocolBinding {
  return {
    name: version,
    prepare(operation, { names, codecs }) {
      const binding = operation.bindings[version];
      const codec = { names, encoder: codecs.of(Encoder), decoder: codecs.of(Decoder) };
      return binding && new SoapOperation(operation, { version, binding, codec });
    },
  };
}

interface SoapParts {
  readonly version: SoapVersion;
  readonly binding: SoapBindingDescriptor;
  readonly codec: OperationCodec;
}

interface Received {
  readonly answer: ClientAnswer;
  readonly call: ReadFacts;
}

class SoapOperation implements PreparedOperation {
  readonly #operation: AnyOperationDescriptor;
  readonly #version: SoapVersion;
  readonly #codec: OperationCodec;
  readonly #headers: Readonly<Record<string, string>>;
  /** The action that the request's headers have to say. */
  readonly #addressed: string | undefined;
  readonly #input: HeaderBlocks;
  readonly #output: HeaderBlocks;

  constructor(operation: AnyOperationDescriptor, { version, binding, codec }: SoapParts) {
    const action = codec.names.action(binding.action);
    this.#operation = operation;
    const { addressing } = binding;
    this.#addressed = addressing?.required === true ? codec.names.action(addressing.action) : undefined;
    this.#version = version;
    this.#codec = codec;
    this.#headers =
      version === "soap11" ? headers11(action) : headers12(binding.sendAction === true ? action : undefined);
    this.#input = new HeaderBlocks([operation.input.headers], codec, encodingOf(operation.input.body, version));
    this.#output = new HeaderBlocks(
      [operation.output?.headers, operation.output?.headerFaults],
      codec,
      encodingOf(operation.output?.body, version),
    );
  }

  ask(input: unknown, call: AskFacts): PreparedRequest | Promise<PreparedRequest> {
    if (this.#addressed !== undefined && !call.addressed) return this.#askAddressed(this.#addressed, input, call);
    return this.#ask(input, call);
  }

  async #askAddressed(action: string, input: unknown, call: AskFacts): Promise<PreparedRequest> {
    const { addressingHeaders, freshMessageId } = await import("../../soap/addressing.js");
    const own = addressingHeaders({ action, to: urlOf(call), messageId: freshMessageId() }, this.#version);
    return this.#ask(input, { ...call, extraSoapHeaders: [...own, ...(call.extraSoapHeaders ?? [])] });
  }

  #ask(input: unknown, call: AskFacts): PreparedRequest | Promise<PreparedRequest> {
    const { attachments } = this.#operation.input;
    if (attachments !== undefined) return this.#askWith(attachments, input, call);
    return { method: "POST", url: urlOf(call), headers: this.#headers, body: this.#envelope(input, call) };
  }

  async #askWith(attachments: Attachments, input: unknown, call: AskFacts): Promise<PreparedRequest> {
    const { detach, writeAttached } = await packaging();
    const { value, parts } = detach(input, attachments);
    const own = this.#headers["Content-Type"] ?? "";
    const { contentType, body } = writeAttached(this.#envelope(value, call), own, parts);
    return { method: "POST", url: urlOf(call), headers: { ...this.#headers, "Content-Type": contentType }, body };
  }

  #envelope(input: unknown, { soapHeaders, extraSoapHeaders }: AskFacts): string {
    const { body } = this.#operation.input;
    const encoding = encodingOf(body, this.#version);
    return writeEnvelope(this.#version, {
      body: writeBody(body, input, { codec: this.#codec, encoding }),
      headers: this.#input.write(soapHeaders, extraSoapHeaders),
    });
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer | Promise<OperationAnswer> {
    const good = answer.status >= 200 && answer.status < 300;
    if (answer.body.length === 0 && good) {
      if (this.#operation.output === undefined) return { value: undefined, soapHeaders: noSoapHeaders };
      throw protocolFailure("The answer is empty.", answer, call);
    }
    const mediaType = readMediaType(answer.headers.get("content-type"));
    const { attachments } = this.#operation.output ?? {};
    if (attachments !== undefined || mediaType.name === "multipart/related") {
      return this.#readPackage(attachments, mediaType, { answer, call });
    }
    return this.#readMessage({ body: answer.body, mediaType }, { answer, call });
  }

  async #readPackage(attachments: Attachments | undefined, packageType: MediaType, place: Received) {
    const { attach, unpackaged, MultipartError } = await packaging();
    let packaged: Packaged;
    try {
      packaged = unpackaged(place.answer.body, packageType);
    } catch (error) {
      throw error instanceof MultipartError ? protocolFailure(error.message, place.answer, place.call) : error;
    }
    const { value, soapHeaders } = this.#readMessage(packaged, place);
    if (attachments === undefined) return { value, soapHeaders };
    try {
      return { value: attach(value, attachments, packaged.parts), soapHeaders };
    } catch (error) {
      throw documentFailure(error, place.answer, place.call);
    }
  }

  #readMessage({ body, mediaType }: Pick<Packaged, "body" | "mediaType">, { answer, call }: Received): OperationAnswer {
    const good = answer.status >= 200 && answer.status < 300;
    const { output } = this.#operation;
    if (!isXml(mediaType)) {
      if (!good) throw statusFailure(answer, call.limits, call.place);
      if (output === undefined) return { value: undefined, soapHeaders: noSoapHeaders };
      throw protocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, call);
    }
    try {
      const text = decodeXml(body, mediaType.parameters.get("charset"));
      return this.#readEnvelope(text, { answer, call });
    } catch (error) {
      throw good ? readFailure(error, answer, call) : unexplained(error, answer, call);
    }
  }

  #readEnvelope(text: string, { answer, call }: Received): OperationAnswer {
    const { limits } = call;
    const envelope: Envelope = readEnvelope(text, { limits, prefixes: undeclared, readHeader: this.#output.read });
    if (envelope.first !== undefined && isFault(envelope.reader)) {
      const { status } = answer;
      const fault = readSoapFault(envelope.reader, this.#operation.faults ?? [], {
        codec: this.#codec,
        place: call.place,
        status,
        encoded: isEncoded(this.#operation.output?.body),
        soapHeaders: this.#output.values(envelope.headers),
      });
      envelope.finish();
      throw fault;
    }
    if (answer.status < 200 || answer.status > 299) throw statusFailure(answer, call.limits, call.place);
    const { output } = this.#operation;
    const value = output === undefined ? undefined : readBody(output, envelope, this.#codec);
    envelope.finish();
    return { value, soapHeaders: this.#output.values(envelope.headers) };
  }
}

/** Few operations have attachments: what packages them is loaded when one is met. */
function packaging() {
  return import("../../soap/attachments.js");
}

function urlOf({ address: { origin, path, query } }: AskFacts): string {
  return `${origin}${path}${query}`;
}

/** SOAP 1.1 §6.1.1: SOAPAction is a quoted URI. */
function headers11(action: string): Readonly<Record<string, string>> {
  return Object.freeze({
    "Content-Type": "text/xml; charset=utf-8",
    Accept: "text/xml",
    "Accept-Encoding": "identity",
    SOAPAction: quoted(action),
  });
}

/** RFC 3902 §2: the action is a parameter of the media type, and optional. */
function headers12(action: string | undefined): Readonly<Record<string, string>> {
  const parameter = action === undefined ? "" : `; action=${quoted(action)}`;
  return Object.freeze({
    "Content-Type": `application/soap+xml; charset=utf-8${parameter}`,
    Accept: "application/soap+xml, text/xml;q=0.5",
    "Accept-Encoding": "identity",
  });
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** A document that is XML, but no envelope, does not fit either. */
function readFailure(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
  const misfit =
    error instanceof EnvelopeError ? new DecodeError(error.message, { path: "/Envelope", cause: error }) : error;
  return documentFailure(misfit, answer, call);
}

/** Outside 2xx, what cannot be read is no news: the status is. */
function unexplained(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
  const unreadable = error instanceof EnvelopeError || error instanceof XmlError || error instanceof DecodeError;
  return unreadable ? statusFailure(answer, call.limits, call.place) : error;
}
