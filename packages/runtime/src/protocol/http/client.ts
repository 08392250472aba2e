import { emptyContext } from "@bothends/datatypes/simple-type";
import { clark } from "@bothends/xml/names";
import type { Address } from "../../client/address.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { awaitLoading } from "../../client/lazy-code.js";
import { QuickDecoder } from "../../codec/quick/quick-decoder.js";
import { QuickReader, stopQuickCodec } from "../../codec/quick/quick-reader.js";
import { resolveType } from "../../codec/types.js";
import type { AnyOperationDescriptor, HttpAnswer, HttpBindingDescriptor, HttpBody } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
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
import type { HttpAnswerReader } from "../client-unusual-messages.js";
import { encodePart, writeForm } from "./form-encoding.js";
import type { FormPairs, HttpParameters } from "./parameters.js";

type HttpMethod = "GET" | "POST";

const formType = "application/x-www-form-urlencoded";
const xmlType = "text/xml; charset=utf-8";

interface HttpParts {
  readonly method: HttpMethod;
  readonly binding: HttpBindingDescriptor;
  readonly coding: OperationCoding;
  /** Writes an input that is sent as an XML document. Undefined for GET. */
  readonly writeDocument?: (body: HttpBody, input: object, coding: OperationCoding) => Promise<string | Uint8Array>;
}

/** One operation over HTTP GET or POST (WSDL 1.1 §4). */
export class PreparedHttpOperation implements PreparedOperation {
  readonly method: HttpMethod;
  readonly #parameters: HttpParameters;
  readonly #body: HttpBody | undefined;
  readonly #answer: HttpAnswer;
  readonly #coding: OperationCoding;
  /** The decoder that is tried first; undefined if `Decoder` must read all answers. */
  #quickDecoder: QuickDecoder | undefined;
  #reader: HttpAnswerReader | undefined;
  readonly #location: string;
  readonly #replace: boolean;
  readonly #writeDocument: HttpParts["writeDocument"];
  readonly #headers: Readonly<Record<string, string>>;

  constructor(operation: AnyOperationDescriptor, { method, binding, coding, writeDocument }: HttpParts) {
    if (operation.http === undefined) {
      throw new ConfigError(`${operation.name} was generated without HTTP parameters. Generate it again.`);
    }
    this.#parameters = operation.http.parameters ?? {};
    this.#body = operation.http.body;
    this.#answer = operation.http.answer;
    this.method = method;
    this.#coding = coding;
    this.#quickDecoder = coding.codecs.canBeQuick ? coding.codecs.get(QuickDecoder) : undefined;
    this.#location = coding.names.location(binding.location);
    this.#replace = binding.replace === true;
    this.#writeDocument = writeDocument;
    this.#headers = Object.freeze({
      Accept: this.#answer.kind === "xml" ? "text/xml, application/xml" : "*/*",
      ...(method === "POST" ? { "Content-Type": this.#body === undefined ? formType : xmlType } : {}),
    });
  }

  write(values: unknown, call: WriteInputs): PreparedRequest | Promise<PreparedRequest> {
    const { address, soapHeaders, extraSoapHeaders } = call;
    const input = values ?? {};
    if (typeof input !== "object" || soapHeaders !== undefined || extraSoapHeaders !== undefined) {
      return this.#writeInvalid(input, call);
    }
    if (this.#body !== undefined && this.#writeDocument !== undefined) {
      const url = `${address.origin}${address.path}${this.#location}${address.query}`;
      return this.#writeDocument(this.#body, input, this.#coding).then((body) => ({
        method: "POST",
        url,
        headers: this.#headers,
        body,
      }));
    }
    let pairs: FormPairs;
    try {
      pairs = validPairs(this.#parameters, input);
    } catch {
      return this.#writeInvalid(input, call);
    }
    return this.#writePairs(pairs, address);
  }

  /** Throws the error for an invalid input, whose text is loaded with the first one. */
  async #writeInvalid(input: unknown, call: WriteInputs): Promise<PreparedRequest> {
    const { checkedPairs } = await awaitLoading(import("../client-unusual-messages.js"));
    const parameters = this.#body === undefined ? this.#parameters : undefined;
    return this.#writePairs(checkedPairs(parameters, input, call), call.address);
  }

  #writePairs(pairs: FormPairs, address: Address): PreparedRequest {
    const location = this.#replace ? fillLocation(this.#location, pairs) : this.#location;
    const url = `${address.origin}${address.path}${location}${address.query}`;
    const form = this.#replace ? "" : writeForm(pairs);
    if (this.method === "POST") {
      return { method: "POST", url, headers: this.#headers, body: form };
    }
    const fullUrl = form === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${form}`;
    return { method: "GET", url: fullUrl, headers: this.#headers, body: undefined };
  }

  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer | Promise<OperationAnswer> {
    const expectedAnswer = this.#answer;
    if (isSuccess(answer) && expectedAnswer.kind === "none") {
      return { value: undefined, soapHeaders: noSoapHeaders };
    }
    if (isSuccess(answer) && expectedAnswer.kind === "xml" && this.#quickDecoder !== undefined) {
      try {
        return { value: this.#readQuickly(expectedAnswer, answer, call), soapHeaders: noSoapHeaders };
      } catch {
        // The answer is unusual or invalid: the full decoder reads it again and reports any error.
      }
    }
    return this.#reader === undefined ? this.#readWithLoaded(answer, call) : this.#readWith(this.#reader, answer, call);
  }

  #readQuickly(expectedAnswer: XmlAnswer, answer: ClientAnswer, { limits }: ReadInputs): unknown {
    const reader = new QuickReader(decodeUsualText(answer), limits);
    reader.nextChild();
    if (clark(reader.namespace, reader.localName) !== this.#coding.names.element(expectedAnswer.element)) {
      stopQuickCodec();
    }
    const value = this.#quickDecoder?.element(reader, expectedAnswer.type, expectedAnswer.nillable);
    reader.finish();
    return value;
  }

  async #readWithLoaded(answer: ClientAnswer, call: ReadInputs): Promise<OperationAnswer> {
    const { HttpAnswerReader } = await awaitLoading(import("../client-unusual-messages.js"));
    this.#reader = new HttpAnswerReader(this.#answer, this.#coding);
    return this.#readWith(this.#reader, answer, call);
  }

  #readWith(reader: HttpAnswerReader, answer: ClientAnswer, call: ReadInputs): OperationAnswer {
    const operationAnswer = reader.read(answer, call);
    // The answer is valid, but `QuickDecoder` does not support it, so `QuickDecoder` is not tried for later answers of this server.
    this.#quickDecoder = undefined;
    return operationAnswer;
  }
}

type XmlAnswer = Extract<HttpAnswer, { readonly kind: "xml" }>;

/** Writes the input of an operation as name and value pairs, in the order of the schema. Throws for an invalid input. */
export function validPairs(parameters: HttpParameters, input: object): FormPairs {
  const isUnknown = (key: string) => !Object.hasOwn(parameters, key) && Reflect.get(input, key) !== undefined;
  if (Object.keys(input).some(isUnknown)) {
    stopQuickCodec();
  }
  return Object.entries(parameters).flatMap(([key, { name = key, type, list, optional }]) => {
    const value: unknown = Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined;
    if (optional && value === undefined) {
      return [];
    }
    const simpleType = resolveType(type);
    return (list ? listOf(value) : [value ?? stopQuickCodec()]).map((item) => {
      const text = simpleType.kind === "simple" ? simpleType.write(item, emptyContext) : stopQuickCodec();
      // UTF-8 cannot encode half of a surrogate pair.
      return /\p{Surrogate}/u.test(text) ? stopQuickCodec() : ([name, text] as const);
    });
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : stopQuickCodec();
}

/** Replaces each name in parentheses in a location with the value of that parameter (WSDL 1.1 §4.6 `http:urlReplacement`). */
export function fillLocation(location: string, pairs: FormPairs): string {
  const values = new Map(pairs);
  return location.replace(/\(([^()]*)\)/g, (_, name: string) => encodePart(values.get(name) ?? ""));
}
