import { emptyContext, normalizeWhiteSpace } from "@bothends/datatypes";
import { clark, DONE, decodeText, decodeXml, XmlReader } from "@bothends/xml";
import { protocolFailure, statusFailure } from "../../client/failures.js";
import type { ClientAnswer } from "../../client/hooks.js";
import { Decoder } from "../../codec/decoder.js";
import { resolveType } from "../../codec/types.js";
import { describeValue } from "../../describe-value.js";
import type {
  AnyOperationDescriptor,
  HttpAnswer,
  HttpBindingDescriptor,
  HttpBody,
  TypeReference,
} from "../../descriptor.js";
import { ConfigError, DecodeError, EncodeError, LexicalError } from "../../errors.js";
import { isXml, readMediaType } from "../../http/media-type.js";
import { nearest } from "../../nearest.js";
import {
  documentFailure,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCoding,
  type PreparedOperation,
  type PreparedRequest,
  type ReadFacts,
  type WriteFacts,
} from "../client.js";
import { writeForm } from "./form-encoding.js";
import { fillLocation, type HttpParameters, writeParameters } from "./parameters.js";

type Verb = "GET" | "POST";

const formType = "application/x-www-form-urlencoded";
const xmlType = "text/xml; charset=utf-8";

/** Writes an input as an XML document. */
type WriteDocument = (body: HttpBody, input: object, coding: OperationCoding) => string;

interface HttpParts {
  readonly verb: Verb;
  readonly binding: HttpBindingDescriptor;
  readonly coding: OperationCoding;
  /** Absent if the input is always written as parameters. */
  readonly writeDocument?: WriteDocument;
}

/** One operation over HTTP GET or POST (WSDL 1.1 §4). */
export class HttpOperation implements PreparedOperation {
  readonly method: Verb;
  readonly #parameters: HttpParameters;
  readonly #body: HttpBody | undefined;
  readonly #answer: HttpAnswer;
  readonly #coding: OperationCoding;
  readonly #decoder: Decoder;
  readonly #writeDocument: WriteDocument | undefined;
  readonly #location: string;
  readonly #replace: boolean;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(operation: AnyOperationDescriptor, { verb, binding, coding, writeDocument }: HttpParts) {
    if (operation.http === undefined) {
      throw new ConfigError(`The operation ${operation.name} has no HTTP parameters.`);
    }
    this.#parameters = operation.http.parameters ?? {};
    this.#body = operation.http.body;
    this.#answer = operation.http.answer;
    this.method = verb;
    this.#coding = coding;
    this.#decoder = coding.codecs.of(Decoder);
    this.#writeDocument = writeDocument;
    this.#location = coding.names.location(binding.location);
    this.#replace = binding.replace === true;
    this.#headers = Object.freeze({
      Accept: this.#answer.kind === "xml" ? "text/xml, application/xml" : "*/*",
      ...(verb === "POST" ? { "Content-Type": this.#body === undefined ? formType : xmlType } : {}),
    });
  }

  write(values: unknown, { address, soapHeaders, extraSoapHeaders }: WriteFacts): PreparedRequest {
    const input = values ?? {};
    if (typeof input !== "object") {
      const expected =
        this.#body === undefined ? ` with the parameters ${Object.keys(this.#parameters).join(", ")}` : "";
      throw new EncodeError(`The input must be an object${expected}, not ${describeValue(input)}.`, { path: "/" });
    }
    if (soapHeaders !== undefined || extraSoapHeaders !== undefined) {
      throw new ConfigError("HTTP GET and POST cannot send soapHeaders and extraSoapHeaders.");
    }
    if (this.#body !== undefined && this.#writeDocument !== undefined) {
      const document = this.#writeDocument(this.#body, input, this.#coding);
      const url = `${address.origin}${address.path}${this.#location}${address.query}`;
      return { method: "POST", url, headers: this.#headers, body: document };
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
    const base = `${address.origin}${address.path}`;
    const location = this.#replace ? fillLocation(this.#location, pairs) : this.#location;
    const url = `${base}${location}${address.query}`;
    const form = this.#replace ? "" : writeForm(pairs);
    if (this.method === "POST") {
      return { method: "POST", url, headers: this.#headers, body: form };
    }
    const fullUrl = form === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${form}`;
    return { method: "GET", url: fullUrl, headers: this.#headers, body: undefined };
  }

  read(answer: ClientAnswer, call: ReadFacts): OperationAnswer {
    if (answer.status < 200 || answer.status > 299) {
      throw statusFailure(answer, call.limits, call.context);
    }
    return { value: this.#value(this.#answer, answer, call), soapHeaders: noSoapHeaders };
  }

  fault(error: unknown, answer: ClientAnswer, call: ReadFacts): unknown {
    return documentFailure(error, answer, call);
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
      throw this.fault(error, answer, call);
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
