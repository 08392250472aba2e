import { decodeXml } from "@bothends/xml/decode";
import { XmlError } from "@bothends/xml/error";
import { protocolFailure, statusFailure } from "../../../client/failures.js";
import type { ClientAnswer } from "../../../client/hooks.js";
import { Decoder } from "../../../codec/decoder.js";
import type { AnyOperationDescriptor } from "../../../descriptor.js";
import { DecodeError } from "../../../errors.js";
import { isXml, readMediaType } from "../../../http/media-type.js";
import {
  isSuccess,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCoding,
  type OperationDecoder,
  type ReadFacts,
} from "../../client.js";
import { documentFailure } from "../../client-failures.js";
import { soapEncodingOf } from "../envelope.js";
import { EnvelopeError, isFault, readEnvelope } from "../read-envelope.js";
import { type Packaged, readRelatedMessageOrProblem } from "../related.js";
import { type DeclaredBlocks, importedPart } from "./parts.js";
import { impliedPrefixes } from "./quick-answer.js";
import { readBody, readSoapFault } from "./result.js";

interface Received {
  readonly answer: ClientAnswer;
  readonly call: ReadFacts;
}

/** Reads any answer to one operation over SOAP of either version, and the faults. */
export class SoapAnswerReader {
  readonly #operation: AnyOperationDescriptor;
  readonly #codec: OperationDecoder;
  readonly #blocks: DeclaredBlocks | undefined;

  constructor(
    operation: AnyOperationDescriptor,
    { names, codecs, blocks }: OperationCoding & { readonly blocks: DeclaredBlocks | undefined },
  ) {
    this.#operation = operation;
    this.#codec = { names, decoder: codecs.of(Decoder) };
    this.#blocks = blocks;
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer {
    const { output } = this.#operation;
    const received = { answer, call };
    const mediaType = readMediaType(answer.headers.get("content-type"));
    if (answer.body.length === 0 && isSuccess(answer)) {
      if (output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw protocolFailure("The answer is empty.", answer, call);
    }
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
      throw readFailure(error, received);
    }
  }

  #readEnvelope(text: string, { answer, call }: Received): OperationAnswer {
    const { limits } = call;
    const blocks = this.#blocks;
    const { decoder } = this.#codec;
    const encoding = soapEncodingOf(this.#operation.output?.body)?.bodyRules(text, {
      limits,
      prefixes: impliedPrefixes,
    });
    const envelope = readEnvelope(text, {
      limits,
      prefixes: impliedPrefixes,
      readHeader: blocks && ((name, reader) => blocks.read(name, reader, decoder)),
    });
    if (envelope.first !== undefined && isFault(envelope.reader)) {
      const { status } = answer;
      const fault = readSoapFault(envelope.reader, this.#operation.faults ?? [], {
        codec: this.#codec,
        context: call.context,
        status,
        encoding,
        soapHeaders: blocks?.values(envelope.headers) ?? noSoapHeaders,
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
    return { value, soapHeaders: blocks?.values(envelope.headers) ?? noSoapHeaders };
  }
}

/** For statuses outside 2xx, the status is reported and an unreadable body is ignored. */
function readFailure(error: unknown, { answer, call }: Received): unknown {
  if (isSuccess(answer)) {
    const isEnvelope = error instanceof EnvelopeError;
    const mismatch = isEnvelope ? new DecodeError(error.message, { path: "/Envelope", cause: error }) : error;
    return documentFailure(mismatch, answer, call);
  }
  const unreadable = error instanceof EnvelopeError || error instanceof XmlError || error instanceof DecodeError;
  return unreadable ? statusFailure(answer, call.limits, call.context) : error;
}
