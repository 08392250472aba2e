import { decodeXml, XmlError } from "@bothends/xml";
import { instanceNamespace } from "../../codec/names.js";
import type { AnyOperationDescriptor, SoapBindingDescriptor } from "../../descriptor.js";
import { DecodeError } from "../../errors.js";
import { isXml, readMediaType } from "../../media-type.js";
import { attach, detach, type Packaged, unpackaged, writeAttached } from "../../soap/attachments.js";
import { encodingOf, isEncoded } from "../../soap/encoding.js";
import { type BodyPart, MultipartError } from "../../soap/multipart.js";
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
    prepare(operation, codec) {
      const binding = operation.bindings[version];
      return binding && new SoapOperation(operation, { version, binding, codec });
    },
  };
}

interface SoapParts {
  readonly version: SoapVersion;
  readonly binding: SoapBindingDescriptor;
  readonly codec: OperationCodec;
}

class SoapOperation implements PreparedOperation {
  readonly #operation: AnyOperationDescriptor;
  readonly #version: SoapVersion;
  readonly #codec: OperationCodec;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #input: HeaderBlocks;
  readonly #output: HeaderBlocks;

  constructor(operation: AnyOperationDescriptor, { version, binding, codec }: SoapParts) {
    const action = codec.names.action(binding.action);
    this.#operation = operation;
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

  ask(input: unknown, { address, soapHeaders, extraSoapHeaders }: AskFacts): PreparedRequest {
    const { body, attachments } = this.#operation.input;
    const detached = attachments && detach(input, attachments);
    const envelope = writeEnvelope(this.#version, {
      body: writeBody(body, detached === undefined ? input : detached.value, {
        codec: this.#codec,
        encoding: encodingOf(body, this.#version),
      }),
      headers: this.#input.write(soapHeaders, extraSoapHeaders),
    });
    const url = `${address.origin}${address.path}${address.query}`;
    const headers = this.#headers;
    if (detached === undefined) return { method: "POST", url, headers, body: envelope };
    const { contentType, body: packaged } = writeAttached(envelope, headers["Content-Type"] ?? "", detached.parts);
    return { method: "POST", url, headers: { ...headers, "Content-Type": contentType }, body: packaged };
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer {
    const good = answer.status >= 200 && answer.status < 300;
    const { output } = this.#operation;
    if (answer.body.length === 0 && good) {
      if (output === undefined) return { value: undefined, soapHeaders: noSoapHeaders };
      throw protocolFailure("The answer is empty.", answer, call);
    }
    const { body, mediaType, parts } = unpackagedAnswer(answer, call);
    if (!isXml(mediaType)) {
      if (!good) throw statusFailure(answer, call.limits, call.place);
      if (output === undefined) return { value: undefined, soapHeaders: noSoapHeaders };
      throw protocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, call);
    }
    try {
      const text = decodeXml(body, mediaType.parameters.get("charset"));
      return this.#readEnvelope(text, parts, { answer, call });
    } catch (error) {
      throw good ? readFailure(error, answer, call) : unexplained(error, answer, call);
    }
  }

  #readEnvelope(
    text: string,
    parts: readonly BodyPart[],
    { answer, call }: { readonly answer: ClientAnswer; readonly call: ReadFacts },
  ): OperationAnswer {
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
    const inBody = output === undefined ? undefined : readBody(output, envelope, this.#codec);
    envelope.finish();
    const attachments = output?.attachments;
    const value = attachments === undefined ? inBody : attach(inBody, attachments, parts);
    return { value, soapHeaders: this.#output.values(envelope.headers) };
  }
}

function unpackagedAnswer(answer: ClientAnswer, call: ReadFacts): Packaged {
  try {
    return unpackaged(answer.body, readMediaType(answer.headers.get("content-type")));
  } catch (error) {
    throw error instanceof MultipartError ? protocolFailure(error.message, answer, call) : error;
  }
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
