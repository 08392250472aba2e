import { decodeXml, XmlError } from "@bothends/xml";
import { instanceNamespace } from "../../codec/names.js";
import type { AnyOperationDescriptor, SoapBindingDescriptor } from "../../descriptor.js";
import { DecodeError } from "../../errors.js";
import { isXml, readMediaType } from "../../media-type.js";
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
    const { body } = this.#operation.input;
    const envelope = writeEnvelope(this.#version, {
      body: writeBody(body, input, { codec: this.#codec, encoding: encodingOf(body, this.#version) }),
      headers: this.#input.write(soapHeaders, extraSoapHeaders),
    });
    const url = `${address.origin}${address.path}${address.query}`;
    return { method: "POST", url, headers: this.#headers, body: envelope };
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer {
    const good = answer.status >= 200 && answer.status < 300;
    const { output } = this.#operation;
    if (answer.body.length === 0 && good) {
      if (output === undefined) return { value: undefined, soapHeaders: noSoapHeaders };
      throw protocolFailure("The answer is empty.", answer, call);
    }
    const mediaType = readMediaType(answer.headers.get("content-type"));
    if (!isXml(mediaType)) {
      if (!good) throw statusFailure(answer, call.limits, call.place);
      if (output === undefined) return { value: undefined, soapHeaders: noSoapHeaders };
      throw protocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, call);
    }
    try {
      return this.#readEnvelope(decodeXml(answer.body, mediaType.parameters.get("charset")), answer, call);
    } catch (error) {
      throw good ? readFailure(error, answer, call) : unexplained(error, answer, call);
    }
  }

  #readEnvelope(text: string, answer: ClientAnswer, call: ReadFacts): OperationAnswer {
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
