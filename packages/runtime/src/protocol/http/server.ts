import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import { emptyContext } from "@bothends/datatypes/value-space";
import { clark } from "@bothends/xml/clark-names";
import { XmlError } from "@bothends/xml/error";
import { XmlReader } from "@bothends/xml/reader";
import { DONE } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import { DecodeError } from "../../answer-errors.js";
import { createNamesOnWire } from "../../codec/resolved-types.js";
import { describeInvalidText } from "../../codec/schema-mismatch.js";
import type { AnyOperationDescriptor, HttpAnswer, HttpBody, HttpProtocol, SimpleType } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import { FormLimitError, type FormLimits } from "../../http/body-collector.js";
import { isBytes } from "../../http/bytes.js";
import type { ParsedHeaders } from "../../http/headers.js";
import { isXml } from "../../http/media-type.js";
import type { EarlyRefusal, ServerAnswer } from "../../http/server-answer.js";
import { describeCompression, hasDotSegments } from "../../http/server-request.js";
import { reportUnfitAnswer } from "../../observe/incidents.js";
import { describeLostPlus, describeSimilarName, findMisspelledNames } from "../../observe/misspelled-names.js";
import { describeUnreadable } from "../../observe/unreadable-messages.js";
import { LimitError } from "../../server-limits.js";
import {
  type CallOutcome,
  describeMediaType,
  getFaultCode,
  headReasons,
  Refusal,
  type RequestHead,
  refuseUndefined,
  type ServedOperation,
  type ServedService,
  type ServiceCall,
} from "../server.js";
import { decodeMessage, ReplacedBytes } from "../server-message-text.js";
import { describeUnfitInput } from "../server-unfit-input.js";
import { xmlDeclaration } from "../soap/envelope.js";
import { type DecodeBytes, decodePart, decodeUtf8, type FormValues, readForm } from "./form-encoding.js";
import { getSimpleTypeOfParameter, type HttpParameters, splitLocation, writeText } from "./parameters.js";
import {
  createLineAnswer,
  createRefusalAnswer,
  createXmlAnswer,
  indentElements,
  rootDeclarations,
  textType,
} from "./server-answers.js";

const noSoapHeaders: Readonly<Record<string, unknown>> = Object.freeze({});

/** Reads the calls of one service over HTTP GET and POST, and writes the answers (WSDL 1.1 §4 and §5). */
export class HttpMessages {
  readonly #service: ServedService;
  readonly #replacedBytes: ReplacedBytes;
  /** Whether bytes of the current request that its encoding does not allow were replaced. */
  #hasReplacedBytes = false;
  readonly #parameters: ReadonlyMap<ServedOperation, readonly ServedParameter[]>;

  constructor(service: ServedService) {
    this.#service = service;
    this.#replacedBytes = new ReplacedBytes(service);
    this.#parameters = new Map(
      service.operations.map((operation) => [
        operation,
        createServedParameters(operation.descriptor.http?.parameters ?? {}),
      ]),
    );
  }

  /**
   * Creates a call of the operation that has the request's location. `readValues` reads the parameter values from the
   * request; it is not called if the location contains the parameters.
   */
  readValues(protocol: HttpProtocol, head: RequestHead, readValues: () => FormValues): ServiceCall {
    const parameters = this.#parameters.get(getOperation(protocol, head)) ?? [];
    return this.#readCall(protocol, head, () =>
      this.#readParameters(parameters, head.location?.values ?? readValues()),
    );
  }

  /** Builds the call from a posted XML document. */
  readDocument(
    protocol: HttpProtocol,
    head: RequestHead,
    postedDocument: { bytes: Uint8Array; body: HttpBody },
  ): ServiceCall {
    const operation = getOperation(protocol, head).descriptor.name;
    return this.#readCall(protocol, head, () => this.#readDocument(head, { ...postedDocument, operation }));
  }

  #readParameters(parameters: readonly ServedParameter[], values: FormValues): Record<string, unknown> {
    const input = readParameters(parameters, values, this.#service.conventions);
    if (values.size > Object.keys(input).length) {
      const unknownNames = listUnknownNames(parameters, values);
      const absentNames = parameters.map(({ name }) => name).filter((name) => !values.has(name));
      this.#service.ignoredElements.addParameters(findMisspelledNames(unknownNames, absentNames, "parameter"));
    }
    return input;
  }

  readonly #decode: DecodeBytes = (bytes) => {
    const text = decodeUtf8(bytes);
    this.#hasReplacedBytes ||= text.includes("\ufffd");
    return text;
  };

  readQuery(query: string): FormValues {
    const { queryPairs: pairs, paramName, paramValue } = this.#service.limits;
    return withServerLimit("queryPairs", () =>
      readForm(query, { limits: { pairs, paramName, paramValue }, decode: this.#decode }),
    );
  }

  readForm(head: RequestHead, bytes: Uint8Array): FormValues {
    const { mediaType, request } = head;
    refuseCompressed(request.parsedHeaders);
    if (mediaType?.name !== formType) {
      throw new Refusal("mediaType", { reason: `${headReasons.mediaType} ${describeMediaType(head, formType)}` });
    }
    const { formPairs: pairs, paramName, paramValue } = this.#service.limits;
    const limits: FormLimits = { pairs, paramName, paramValue };
    const decode = findDecoder(mediaType.parameters.get("charset")) ?? this.#decode;
    return withServerLimit("formPairs", () => readForm(decodeCharacters(bytes), { limits, decode }));
  }

  write({ operation: { descriptor }, protocol, request }: ServiceCall, outcome: CallOutcome): ServerAnswer {
    const { onError, conventions } = this.#service;
    if (descriptor.output === undefined) {
      return { status: "fault" in outcome ? 500 : 202, headers: [], body: "" };
    }
    if ("fault" in outcome) {
      const status = outcome.status ?? (outcome.timedOut ? 503 : conventions.getHttpFaultStatus(outcome.fault.code));
      const { reason, wireCode, code = "Server" } = outcome.fault;
      const answer = createLineAnswer(conventions, { status, text: reason }, "operation");
      return { ...answer, headers: [...answer.headers, ...(outcome.headerLines ?? [])], faultCode: wireCode ?? code };
    }
    try {
      refuseUndefined(descriptor.output, outcome.value);
      return this.#createValueAnswer(descriptor, outcome.value);
    } catch (error) {
      reportUnfitAnswer(onError, error, { operation: descriptor.name, protocol, request });
      return createLineAnswer(conventions, { status: 500, text: conventions.reasons.failed }, "operation");
    }
  }

  refuse({ problem, parameter }: Refusal, { request: { method } }: RequestHead): ServerAnswer {
    return createRefusalAnswer(this.#service.conventions, problem, { method, parameter });
  }

  refuseEarly({ headers = [], ...refusal }: EarlyRefusal): ServerAnswer {
    const answer = createLineAnswer(this.#service.conventions, refusal, "dispatch");
    return { ...answer, headers: [...answer.headers, ...headers], faultCode: getFaultCode(refusal.status) };
  }

  #readCall(protocol: HttpProtocol, head: RequestHead, readInput: () => unknown): ServiceCall {
    const operation = getOperation(protocol, head);
    const { request } = head;
    const { ignoredElements } = this.#service;
    this.#hasReplacedBytes = false;
    ignoredElements.clear();
    try {
      const input = readInput();
      ignoredElements.report({ protocol, operation: operation.descriptor.name, request });
      if (this.#hasReplacedBytes) {
        this.#replacedBytes.report({ protocol, operation, request });
      }
      const headers = { soapHeaders: noSoapHeaders, extraSoapHeaders: [], addressing: undefined };
      return { protocol, operation, request, input, ...headers };
    } catch (error) {
      throw getRefusal(error, operation.descriptor.name);
    }
  }

  #readDocument(
    head: RequestHead,
    { bytes, body, operation }: { bytes: Uint8Array; body: HttpBody; operation: string },
  ): unknown {
    const { mediaType, request } = head;
    const { limits, names, decoder, ignoredElements, conventions } = this.#service;
    refuseCompressed(request.parsedHeaders);
    if (mediaType === undefined || !isXml(mediaType)) {
      throw new Refusal("mediaType", {
        reason: `${headReasons.mediaType} ${describeMediaType(head, "text/xml")}`,
      });
    }
    const { malformedBytes } = conventions;
    const charset = mediaType.parameters.get("charset");
    const text = decodeMessage(bytes, charset, {
      malformedBytes,
      ignoresDeclaration: false,
      onReplaced: () => {
        this.#hasReplacedBytes = true;
      },
    });
    const reader = new XmlReader(text, limits);
    reader.next();
    const { namespace, localName } = createNamesOnWire(names).element(splitClark(body.element));
    if (reader.namespace !== namespace || reader.localName !== localName) {
      const advice = reader.localName === localName ? ` ${otherNamespaceReason}` : "";
      throw new DecodeError(
        `/${reader.localName}: The element ${clark(namespace, localName)} is expected here.${advice}`,
        {
          path: `/${reader.localName}`,
        },
      );
    }
    try {
      const value = decoder.decode(reader, body.type, { nillable: body.nillable });
      while (reader.next() !== DONE) {}
      return value;
    } catch (error) {
      if (!(error instanceof DecodeError)) {
        throw error;
      }
      const description = describeUnfitInput(error, { text, limits, parentPath: "", ignoredElements });
      throw new Refusal("unreadable", { operation, cause: error, path: error.path, ...description });
    }
  }

  #createValueAnswer({ http }: AnyOperationDescriptor, value: unknown): ServerAnswer {
    const cacheControl = this.#service.conventions.cacheControl("operation");
    const answer: HttpAnswer = http?.answer ?? { kind: "none" };
    switch (answer.kind) {
      case "xml": {
        const { element, type, nillable } = answer;
        const options = { nillable, declarations: rootDeclarations, indent: indentElements };
        const root = this.#service.encoder.encode(element, type, value, options);
        return createXmlAnswer(this.#service.conventions, `${xmlDeclaration}\n${root}`);
      }
      case "text":
        return { status: 200, headers: [textType, cacheControl], body: writeText(answer.type, value) };
      case "bytes":
        if (!isBytes(value)) {
          throw new TypeError("The handler must return a Uint8Array.");
        }
        return { status: 200, headers: [["Content-Type", answer.mediaType], cacheControl], body: value };
      case "none":
        return { status: 200, headers: [cacheControl], body: "" };
    }
  }
}

const otherNamespaceReason =
  "The body has an element of this name in another namespace: the client may use another version of the WSDL, or have omitted the namespace.";

function getOperation(protocol: HttpProtocol, { location }: RequestHead): ServedOperation {
  const operation = location?.[protocol];
  if (operation === undefined) {
    throw new TypeError("The request has not been recognized.");
  }
  return operation;
}

function refuseCompressed(headers: ParsedHeaders): void {
  if (headers.isCompressed) {
    throw new Refusal("mediaType", { reason: describeCompression(headers) });
  }
}

/**
 * Runs `readPairs`. If it exceeds a limit on forms, throws an error that names the corresponding limit of the server
 * instead.
 */
function withServerLimit(pairsLimit: "queryPairs" | "formPairs", readPairs: () => FormValues): FormValues {
  try {
    return readPairs();
  } catch (error) {
    if (!(error instanceof FormLimitError)) {
      throw error;
    }
    const limit = new LimitError(error.limit === "pairs" ? pairsLimit : error.limit, error.value);
    throw new Refusal("tooManyParameters", { cause: limit });
  }
}

function getRefusal(error: unknown, operation: string): unknown {
  if (error instanceof Refusal) {
    return error;
  }
  const source = { operation, cause: error, ...describeUnreadable(error) };
  if (error instanceof MissingParameterError) {
    return new Refusal("missingParameter", { ...source, parameter: error.parameter });
  }
  if (error instanceof DecodeError) {
    return new Refusal("unreadable", source);
  }
  return error instanceof XmlError ? new Refusal(error.limit === undefined ? "malformed" : "xmlLimit", source) : error;
}

/** Converts each byte to one character (ISO 8859-1). */
function decodeCharacters(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 8192) {
    // Passes the bytes with `apply`, because spreading them would call the iterator for each byte, which takes 6 µs for
    // 50 bytes instead of 0.5 µs.
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(offset, offset + 8192));
  }
  return text;
}

/** Returns the decoder for a form in ISO 8859-1; undefined for other charsets, which are read as UTF-8. */
function findDecoder(charset: string | undefined): DecodeBytes | undefined {
  return /^(?:iso[-_]?8859-1|latin-?1)$/i.test(charset?.trim() ?? "") ? decodeCharacters : undefined;
}

/** A parameter, prepared once for all requests. */
interface ServedParameter {
  /** The name of the input's member. */
  readonly key: string;
  /** The name of the parameter in requests. */
  readonly name: string;
  readonly type: SimpleType<unknown>;
  readonly isList: boolean;
  readonly isOptional: boolean;
}

/** Prepares the parameters of an operation for reading. */
export function createServedParameters(parameters: HttpParameters): readonly ServedParameter[] {
  return Object.entries(parameters).map(([key, { name = key, type, list, optional }]) => {
    return { key, name, type: getSimpleTypeOfParameter(type), isList: list === true, isOptional: optional === true };
  });
}

/**
 * Reads the input of an operation from a query, form or path. A parameter is required unless its descriptor makes it
 * optional. Names are case-sensitive; undeclared names are ignored. The conventions determine whether several
 * parameters with the same name are refused or their values are joined with commas, which is valid for a string but not
 * for a number. The conventions also determine whether characters that XML does not allow are refused or accepted.
 */
export function readParameters(
  parameters: readonly ServedParameter[],
  values: FormValues,
  { repeatedParameters, illegalParameters }: ParameterConventions,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const { key, name, type, isList, isOptional } of parameters) {
    const texts = values.get(name);
    if (texts === undefined) {
      if (isOptional) {
        continue;
      }
      throw new MissingParameterError(
        name,
        describeSimilarName(name, listUnknownNames(parameters, values), "parameter"),
      );
    }
    if (!isList && repeatedParameters === "refuse" && texts.length > 1) {
      throw new DecodeError(`${name}: ${repeatedReason}`, { path: `/${name}`, reason: repeatedReason });
    }
    if (illegalParameters === "refuse" && texts.some((text) => illegalCharacter.test(text))) {
      throw new DecodeError(`${name}: ${illegalCharacterReason}`, { path: `/${name}`, reason: illegalCharacterReason });
    }
    const value = isList ? texts.map((text) => readValue(type, name, text)) : readValue(type, name, texts.join(","));
    if (key === "__proto__") {
      // For the key `__proto__`, an assignment would replace the prototype instead of adding a member.
      Object.defineProperty(input, key, { value, writable: true, enumerable: true, configurable: true });
    } else {
      input[key] = value;
    }
  }
  return input;
}

/** Lists the names in a request that no parameter has. */
function listUnknownNames(parameters: readonly ServedParameter[], values: FormValues): readonly string[] {
  return [...values.keys()].filter((sentName) => !parameters.some(({ name }) => name === sentName));
}

/** The conventions of a server for reading parameters. */
interface ParameterConventions {
  readonly repeatedParameters: "refuse" | "join";
  readonly illegalParameters: "refuse" | "accept";
}

/** A character that XML does not allow (XML 1.0 §2.2). */
const illegalCharacter = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const illegalCharacterReason = "The parameter contains a character that XML does not allow.";
const repeatedReason = "The parameter occurs more than once.";

/** Thrown when a declared parameter is missing. */
export class MissingParameterError extends DecodeError {
  /** The parameter's name as the schema declares it, so the name never contains text from the request. */
  readonly parameter: string;
  constructor(parameter: string, cause: string) {
    super(`Missing parameter: ${parameter}.`, { path: `/${parameter}`, reason: `The parameter is missing.${cause}` });
    this.parameter = parameter;
  }
}

function readValue(type: SimpleType<unknown>, name: string, text: string): unknown {
  try {
    return type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext);
  } catch (error) {
    if (!(error instanceof LexicalError)) {
      throw error;
    }
    const reason = describeInvalidText(error, type.name) + describeLostPlus(text, (other) => canRead(type, other));
    throw new DecodeError(error.message, { path: `/${name}`, reason, value: text, cause: error });
  }
}

function canRead(type: SimpleType<unknown>, text: string): boolean {
  try {
    type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext);
    return true;
  } catch {
    return false;
  }
}

const formType = "application/x-www-form-urlencoded";

/**
 * Reads the parameters from a path that matches the location. Returns undefined for other paths, and for paths with dot
 * segments. Takes linear time, because each value ends at the first occurrence of the literal that follows it.
 */
export function matchLocation(location: string, path: string): FormValues | undefined {
  const { literals, names } = splitLocation(location);
  const values = new Map<string, string[]>();
  const [firstLiteral = "", ...otherLiterals] = literals;
  if (!path.startsWith(firstLiteral) || hasDotSegments(path)) {
    return undefined;
  }
  let start = firstLiteral.length;
  for (const [index, literal] of otherLiterals.entries()) {
    const isLast = index === otherLiterals.length - 1;
    const end = isLast ? getEndOfLast(path, literal, start) : path.indexOf(literal, start);
    if (end < start || (literal === "" && !isLast)) {
      return undefined;
    }
    const text = path.slice(start, end);
    if (text === "" || text.includes("/")) {
      return undefined;
    }
    const name = names[index] ?? "";
    values.set(name, [...(values.get(name) ?? []), decodePart(text.replaceAll("+", "%2B"))]);
    start = end + literal.length;
  }
  return start === path.length ? values : undefined;
}

function getEndOfLast(path: string, literal: string, start: number): number {
  if (literal === "") {
    return path.length;
  }
  return path.endsWith(literal) && path.length - literal.length >= start ? path.length - literal.length : -1;
}
