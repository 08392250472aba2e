import { emptyContext, normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import { decodeText, decodeXml } from "@bothends/xml/decode";
import { clark } from "@bothends/xml/names";
import { DONE, XmlReader } from "@bothends/xml/reader";
import { DecodeError } from "../../answer-errors.js";
import { protocolFailure, statusFailure } from "../../client/failures.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { Decoder } from "../../codec/decoder.js";
import { resolveType } from "../../codec/types.js";
import type { HttpAnswer, TypeReference } from "../../descriptor.js";
import { ConfigError, LexicalError } from "../../errors.js";
import { isXml, readMediaType } from "../../http/media-type.js";
import { isSuccess, noSoapHeaders, type OperationAnswer, type OperationCoding, type ReadFacts } from "../client.js";
import { documentFailure } from "../client-failures.js";

/** Reads any answer to one operation over HTTP GET or POST. */
export class HttpAnswerReader {
  readonly #answer: HttpAnswer;
  readonly #coding: OperationCoding;
  readonly #decoder: Decoder;

  constructor(answer: HttpAnswer, coding: OperationCoding) {
    this.#answer = answer;
    this.#coding = coding;
    this.#decoder = coding.codecs.of(Decoder);
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer {
    if (!isSuccess(answer)) {
      throw statusFailure(answer, call.limits, call.context);
    }
    return { value: this.#value(this.#answer, answer, call), soapHeaders: noSoapHeaders };
  }

  #value(expected: HttpAnswer, answer: ClientAnswer, call: ReadFacts): unknown {
    switch (expected.kind) {
      case "none":
        return undefined;
      case "bytes":
        return answer.body;
      case "text":
        return readText(expected.type, answer, call);
      default:
        return this.#xml(expected, answer, call);
    }
  }

  #xml(expected: Extract<HttpAnswer, { readonly kind: "xml" }>, answer: ClientAnswer, call: ReadFacts): unknown {
    const mediaType = readMediaType(answer.headers.get("content-type"));
    if (answer.body.length === 0) {
      throw protocolFailure("The answer is empty.", answer, call);
    }
    if (!isXml(mediaType)) {
      throw protocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, call);
    }
    try {
      const reader = new XmlReader(
        decodeXml(answer.body, mediaType.parameters.get("charset"), "platform"),
        call.limits,
      );
      reader.next();
      const name = clark(reader.namespace, reader.localName);
      const element = this.#coding.names.element(expected.element);
      if (name !== element) {
        const path = `/${reader.localName}`;
        throw new DecodeError(`${path}: ${element} is expected here, not ${name.slice(0, 256)}.`, { path });
      }
      const value = this.#decoder.element(reader, expected.type, { nillable: expected.nillable });
      while (reader.next() !== DONE) {}
      return value;
    } catch (error) {
      throw documentFailure(error, answer, call);
    }
  }
}

function readText(reference: TypeReference<unknown>, answer: ClientAnswer, call: ReadFacts): unknown {
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
    throw documentFailure(mismatch, answer, call);
  }
}
