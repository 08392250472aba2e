import { clark } from "@bothends/xml/names";
import type { ClientAnswer } from "../../client/hooks.js";
import { QuickDecoder } from "../../codec/quick/quick-decoder.js";
import { QuickReader, stopQuickCodec } from "../../codec/quick/quick-reader.js";
import type { AnyOperationDescriptor, HttpAnswer, HttpBindingDescriptor, HttpBody } from "../../descriptor.js";
import { ConfigError, describeValue, EncodeError, nearest } from "../../errors.js";
import {
  decodeUsualText,
  isSuccess,
  loaded,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCoding,
  type PreparedOperation,
  type PreparedRequest,
  type ReadInputs,
  type WriteInputs,
} from "../client.js";
import type { HttpAnswerReader } from "../client-unusual-messages.js";
import { writeForm } from "./form-encoding.js";
import { fillLocation, type HttpParameters, writeParameters } from "./parameters.js";

type Verb = "GET" | "POST";

const formType = "application/x-www-form-urlencoded";
const xmlType = "text/xml; charset=utf-8";

interface HttpParts {
  readonly verb: Verb;
  readonly binding: HttpBindingDescriptor;
  readonly coding: OperationCoding;
  /** Writes an input that is sent as an XML document. Undefined for GET. */
  readonly writeDocument?: (body: HttpBody, input: object, coding: OperationCoding) => Promise<string | Uint8Array>;
}

/** One operation over HTTP GET or POST (WSDL 1.1 §4). */
export class PreparedHttpOperation implements PreparedOperation {
  readonly method: Verb;
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

  constructor(operation: AnyOperationDescriptor, { verb, binding, coding, writeDocument }: HttpParts) {
    if (operation.http === undefined) {
      throw new ConfigError(`${operation.name} was generated without HTTP parameters. Generate it again.`);
    }
    this.#parameters = operation.http.parameters ?? {};
    this.#body = operation.http.body;
    this.#answer = operation.http.answer;
    this.method = verb;
    this.#coding = coding;
    this.#quickDecoder = coding.codecs.areQuick ? coding.codecs.get(QuickDecoder) : undefined;
    this.#location = coding.names.location(binding.location);
    this.#replace = binding.replace === true;
    this.#writeDocument = writeDocument;
    this.#headers = Object.freeze({
      Accept: this.#answer.kind === "xml" ? "text/xml, application/xml" : "*/*",
      ...(verb === "POST" ? { "Content-Type": this.#body === undefined ? formType : xmlType } : {}),
    });
  }

  write(values: unknown, call: WriteInputs): PreparedRequest | Promise<PreparedRequest> {
    const { address, soapHeaders, extraSoapHeaders } = call;
    const input = values ?? {};
    if (typeof input !== "object") {
      const expectedAnswer =
        this.#body === undefined ? ` with the parameters ${Object.keys(this.#parameters).join(", ")}` : "";
      throw new EncodeError(`The input must be an object${expectedAnswer}, not ${describeValue(input)}.`, {
        path: "/",
      });
    }
    if (soapHeaders !== undefined || extraSoapHeaders !== undefined) {
      throw new ConfigError(
        'Calls over HTTP GET and POST cannot have the options "soapHeaders" and "extraSoapHeaders". Remove them, or set the option "protocol" to soap11 or soap12.',
      );
    }
    const baseUrl = `${address.origin}${address.path}`;
    if (this.#body !== undefined && this.#writeDocument !== undefined) {
      const url = `${baseUrl}${this.#location}${address.query}`;
      return this.#writeDocument(this.#body, input, this.#coding).then((body) => ({
        method: "POST",
        url,
        headers: this.#headers,
        body,
      }));
    }
    refuseUnknown(input, this.#parameters);
    const pairs = writeParameters(this.#parameters, input);
    for (const [name, value] of pairs) {
      if (/\p{Surrogate}/u.test(value)) {
        throw new EncodeError(`The parameter ${name} contains half of a surrogate pair, which UTF-8 cannot encode.`, {
          path: name,
        });
      }
    }
    const location = this.#replace ? fillLocation(this.#location, pairs) : this.#location;
    const url = `${baseUrl}${location}${address.query}`;
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
    const { HttpAnswerReader } = await loaded(import("../client-unusual-messages.js"));
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

function refuseUnknown(input: object, parameters: HttpParameters): void {
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(parameters, key) || Reflect.get(input, key) === undefined) {
      continue;
    }
    throw new EncodeError(`There is no parameter "${key}".${nearest(key, Object.keys(parameters))}`, {
      path: `/${key}`,
    });
  }
}
