import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import { emptyContext } from "@bothends/datatypes/value-space";
import { clark } from "@bothends/xml/clark-names";
import { decodeText, decodeXml } from "@bothends/xml/decode";
import { XmlReader } from "@bothends/xml/reader";
import { DONE } from "@bothends/xml/reader-events";
import { DecodeError } from "../../answer-errors.js";
import { createProtocolFailure, createStatusFailure } from "../../client/errors/failures.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { resolveType } from "../../codec/resolve-type.js";
import type { HttpAnswer, TypeReference } from "../../descriptor.js";
import { ConfigError, LexicalError } from "../../errors.js";
import { isXml, readMediaType } from "../../http/media-type.js";
import { isSuccess, noSoapHeaders, type OperationAnswer, type OperationCoding, type ReadInputs } from "../client.js";
import { AnswerDecoder } from "../client-answer-decoder.js";
import { createDocumentFailure } from "../client-document-failure.js";

/** Reads any answer to one operation over HTTP GET or POST. */
export class HttpAnswerReader {
  readonly #answer: HttpAnswer;
  readonly #coding: OperationCoding;
  readonly #decoder: AnswerDecoder;

  constructor(answer: HttpAnswer, coding: OperationCoding) {
    this.#answer = answer;
    this.#coding = coding;
    this.#decoder = coding.codecs.get(AnswerDecoder);
  }

  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer {
    if (!isSuccess(answer)) {
      throw createStatusFailure(answer, call.limits, call.context);
    }
    return { value: this.#readValue(this.#answer, answer, call), soapHeaders: noSoapHeaders };
  }

  #readValue(expectedAnswer: HttpAnswer, answer: ClientAnswer, call: ReadInputs): unknown {
    switch (expectedAnswer.kind) {
      case "none":
        return undefined;
      case "bytes":
        return answer.body;
      case "text":
        return readText(expectedAnswer.type, answer, call);
      default:
        return this.#readXml(expectedAnswer, answer, call);
    }
  }

  #readXml(
    expectedAnswer: Extract<HttpAnswer, { readonly kind: "xml" }>,
    answer: ClientAnswer,
    call: ReadInputs,
  ): unknown {
    const mediaType = readMediaType(answer.headers.get("content-type"));
    if (answer.body.length === 0) {
      throw createProtocolFailure("The answer is empty.", answer, { ...call, problem: "empty" });
    }
    if (!isXml(mediaType)) {
      throw createProtocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, {
        ...call,
        problem: "mediaType",
      });
    }
    let text = "";
    this.#decoder.beginAnswer();
    try {
      text = decodeXml(answer.body, mediaType.parameters.get("charset"), "platform");
      const reader = new XmlReader(text, call.limits);
      reader.next();
      const name = clark(reader.namespace, reader.localName);
      const element = this.#coding.names.element(expectedAnswer.element);
      if (name !== element) {
        const path = `/${reader.localName}`;
        throw new DecodeError(`${path}: The element ${element} is expected here, not ${name.slice(0, 256)}.`, { path });
      }
      const value = this.#decoder.decode(reader, expectedAnswer.type, { nillable: expectedAnswer.nillable });
      while (reader.next() !== DONE) {}
      return value;
    } catch (error) {
      throw createDocumentFailure(error, answer, call, { text, decoder: this.#decoder });
    }
  }
}

function readText(reference: TypeReference<unknown>, answer: ClientAnswer, call: ReadInputs): unknown {
  const type = resolveType(reference);
  if (type.kind !== "simple") {
    throw new ConfigError("The type of a plain text answer must be simple.");
  }
  const { parameters } = readMediaType(answer.headers.get("content-type"));
  let text = "";
  try {
    text = decodeText(answer.body, parameters.get("charset"), "platform");
    return type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext);
  } catch (error) {
    const mismatch =
      error instanceof LexicalError ? new DecodeError(error.message, { path: "/", value: text, cause: error }) : error;
    throw createDocumentFailure(mismatch, answer, call);
  }
}
