import { clark } from "@bothends/xml/clark-names";
import { omitSlash } from "../../client/address.js";
import { awaitLoading, copyInput } from "../../client/exchange/lazy-code.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { QuickDecoder } from "../../codec/quick/quick-decoder.js";
import { decodeUsualText, QuickReader, stopQuickCodec } from "../../codec/quick/quick-reader.js";
import { findType } from "../../codec/resolved-types.js";
import type { AnyOperationDescriptor, HttpBindingDescriptor, TextContext } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
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
import type { HttpAnswerReader } from "./client-answer-reader.js";
import { writeForm } from "./form-encoding.js";
import type { FormPairs, HttpParameters } from "./parameters.js";

type HttpMethod = "GET" | "POST";

interface HttpParts {
  readonly binding: HttpBindingDescriptor;
  readonly coding: OperationCoding;
  readonly method: HttpMethod;
  /** The headers of requests, except `Accept`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Writes an input that is sent as an XML document. Undefined if the operation has no such input. */
  readonly writeDocument?: ((input: object) => Promise<string | Uint8Array>) | undefined;
}

/** One operation over HTTP GET or POST (WSDL 1.1 §4). */
export class PreparedHttpOperation implements PreparedOperation {
  readonly method: HttpMethod;
  readonly #http: NonNullable<AnyOperationDescriptor["http"]>;
  readonly #parts: HttpParts;
  readonly #headers: Readonly<Record<string, string>>;
  /** The decoder that is tried first; undefined if `Decoder` must read all answers. */
  #quickDecoder: QuickDecoder | undefined;
  #reader: HttpAnswerReader | undefined;

  constructor({ http, name }: AnyOperationDescriptor, parts: HttpParts) {
    if (http === undefined) {
      throw new ConfigError(`${name} was generated without HTTP parameters. Generate it again.`);
    }
    const { codecs } = parts.coding;
    this.method = parts.method;
    this.#http = http;
    this.#parts = parts;
    this.#headers = Object.freeze({
      Accept: http.answer.kind === "xml" ? "text/xml, application/xml" : "*/*",
      ...parts.headers,
    });
    this.#quickDecoder = codecs.canBeQuick ? codecs.get(QuickDecoder) : undefined;
  }

  write(values: unknown, call: WriteInputs): PreparedRequest | Promise<PreparedRequest> {
    const { writeDocument } = this.#parts;
    const input = values ?? {};
    try {
      if (
        typeof input !== "object" ||
        call.soapHeaders !== undefined ||
        call.extraSoapHeaders !== undefined ||
        this.#parts.binding.replace === true
      ) {
        stopQuickCodec();
      }
      return writeDocument === undefined
        ? this.#writeRequest(call, writeForm(writeValidPairs(this.#http.parameters, input)))
        : writeDocument(input).then((document) => this.#writeRequest(call, document));
    } catch {
      return this.#writeUnusual(input, call);
    }
  }

  /**
   * Writes a request whose location contains the parameters, and throws the error for an invalid input. The code for
   * both is loaded on first use.
   */
  async #writeUnusual(input: unknown, call: WriteInputs): Promise<PreparedRequest> {
    const snapshot = copyInput(input);
    const { writeCheckedPairs, fillLocation } = await awaitLoading(import("../client-unusual-messages.js"));
    const { binding, writeDocument } = this.#parts;
    const { parameters = {} } = this.#http;
    const pairs = writeCheckedPairs(writeDocument === undefined ? parameters : undefined, snapshot, call);
    return binding.replace === true
      ? this.#writeRequest(call, "", fillLocation(this.#location, pairs))
      : this.#writeRequest(call, writeForm(pairs));
  }

  /** The location of the binding with the names on the wire. */
  get #location(): string {
    const { binding, coding } = this.#parts;
    return coding.names.location(binding.location);
  }

  #writeRequest({ address }: WriteInputs, body: string | Uint8Array, location = this.#location): PreparedRequest {
    const { method } = this;
    const headers = this.#headers;
    const url = `${address.origin}${omitSlash(address.path)}${location}${address.query}`;
    if (method === "POST") {
      return { method, url, headers, body };
    }
    return {
      method,
      url: body === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${body}`,
      headers,
      body: undefined,
    };
  }

  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer | Promise<OperationAnswer> {
    if (isSuccess(answer)) {
      try {
        return { value: this.#readQuickly(answer, call), soapHeaders: noSoapHeaders };
      } catch {
        // The answer is unusual or invalid. The full decoder reads it again, and reports any error.
      }
    }
    return this.#readUnusual(answer, call);
  }

  #readQuickly(answer: ClientAnswer, { limits }: ReadInputs): unknown {
    const expectedAnswer = this.#http.answer;
    if (expectedAnswer.kind === "none") {
      return undefined;
    }
    if (expectedAnswer.kind !== "xml" || this.#quickDecoder === undefined) {
      return stopQuickCodec();
    }
    const reader = new QuickReader(decodeUsualText(answer), limits);
    reader.nextChild();
    const { element, type, nillable } = expectedAnswer;
    if (clark(reader.namespace, reader.localName) !== this.#parts.coding.names.element(element)) {
      stopQuickCodec();
    }
    const value = this.#quickDecoder.decode(reader, type, nillable);
    reader.finish();
    return value;
  }

  async #readUnusual(answer: ClientAnswer, call: ReadInputs): Promise<OperationAnswer> {
    if (this.#reader === undefined) {
      const { HttpAnswerReader } = await awaitLoading(import("../client-unusual-messages.js"));
      this.#reader = new HttpAnswerReader(this.#http.answer, this.#parts.coding);
    }
    const operationAnswer = this.#reader.read(answer, call);
    // The answer is valid, but `QuickDecoder` does not support it. Later answers from this server are therefore read
    // without `QuickDecoder`.
    this.#quickDecoder = undefined;
    return operationAnswer;
  }
}

/**
 * Writes the input of an operation as name and value pairs, in the order of the schema. Throws for an invalid input.
 */
export function writeValidPairs(parameters: HttpParameters = {}, input: object): FormPairs {
  const isUnknown = (key: string) => !Object.hasOwn(parameters, key) && Reflect.get(input, key) !== undefined;
  if (Object.keys(input).some(isUnknown)) {
    stopQuickCodec();
  }
  return Object.entries(parameters).flatMap(([key, { name = key, type, list, optional }]) => {
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined;
    if (optional && value === undefined) {
      return [];
    }
    const simpleType = findType(type);
    return (list ? requireList(value) : [value ?? stopQuickCodec()]).map((item) => {
      const text = simpleType?.kind === "simple" ? simpleType.write(item, noNamespaces) : stopQuickCodec();
      // UTF-8 cannot encode a lone surrogate, so a text that contains one is invalid.
      return /[\ud800-\udfff]/u.test(text) ? stopQuickCodec() : ([name, text] as const);
    });
  });
}

/** The context of form values. A form cannot declare namespaces. */
const noNamespaces: TextContext = { resolve: () => undefined, prefixFor: stopQuickCodec };

function requireList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : stopQuickCodec();
}
