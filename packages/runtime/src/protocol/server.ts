import { EncodeError } from "../answer-errors.js";
import type { Encoder } from "../codec/encoder.js";
import type { AnyElement, AnyOperationDescriptor, HttpProtocol, Protocol } from "../descriptor.js";
import { findHeader, type HeaderLine } from "../http/headers.js";
import { type MediaType, nameMediaType } from "../http/media-type.js";
import type { EarlyRefusal, ServerAnswer } from "../http/server-answer.js";
import type { ParsedRequest } from "../http/server-request.js";
import type { OnError } from "../observe/events.js";
import type { ServerLimits } from "../server-limits.js";
import type { OperationNames } from "../wire-names.js";
import type { Problem, ServerConventions } from "./conventions.js";
import type { RequestAddressing } from "./soap/addressing.js";
import type { SoapVersion } from "./soap/envelope.js";
import type { FaultPieces } from "./soap/fault.js";
import type { ReportingDecoder } from "./soap/server-ignored-elements.js";

/**
 * The server side of a protocol, in four steps: `recognize` a request by its head, `read` the call, `write` the answer,
 * or `refuse` the request if it cannot be read. The first protocol that recognizes a request is used. `findOperation`
 * is not a step: it is for reports about requests that are not read.
 */
export interface ServerProtocol {
  readonly name: Protocol;
  /** Whether requests of this protocol have a body that `read` needs. */
  readonly hasBody: boolean;
  recognize(head: RequestHead): boolean;
  /** Reads a call. Throws `Refusal` if the request is not a valid call. */
  read(head: RequestHead, body: Uint8Array): ServiceCall;
  write(call: ServiceCall, outcome: CallOutcome): ServerAnswer;
  refuse(refusal: Refusal, head: RequestHead): ServerAnswer;
  /** Refuses a request that has not been read, for a reason that does not depend on the protocol. */
  refuseEarly(refusal: EarlyRefusal, head: RequestHead): ServerAnswer;
  /**
   * Returns the name of the operation that the head of a request names, for reports to the operator. Returns undefined
   * if the head names no operation.
   */
  findOperation(head: RequestHead): string | undefined;
}

/** The head of a request to a service. It is parsed once for all protocols. */
export interface RequestHead {
  readonly request: ParsedRequest;
  /** The part of the decoded path that follows the service's address. Empty if the path is the address itself. */
  readonly subpath: string;
  /** The operations whose location matches the path of the request; undefined if there are none. */
  readonly location: Location | undefined;
  /** The value of `Content-Type`; undefined if the header is absent, repeated or malformed. */
  readonly mediaType: MediaType | undefined;
}

/** The operations that are called at one path, by HTTP GET and by HTTP POST. */
export interface Location {
  readonly httpGet?: ServedOperation | undefined;
  readonly httpPost?: ServedOperation | undefined;
  /**
   * The decoded values of the parameters in the path, by parameter name (WSDL 1.1 §4.6). Undefined if the location
   * contains no parameters.
   */
  readonly values?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** A service, prepared once for all its requests. */
export interface ServedService extends ReportingDecoder {
  readonly operations: readonly ServedOperation[];
  readonly names: ServedNames;
  readonly encoder: Encoder;
  readonly limits: ServerLimits;
  readonly conventions: ServerConventions;
  /** The names of the header blocks that every operation understands, as `{namespace}local`. */
  readonly understands: readonly string[];
  readonly onError: OnError | undefined;
}

/** One call of an operation, with its decoded input. Created by `read` and never changed. */
export interface ServiceCall {
  /** The protocol of the answer. For SOAP, the version of the request's envelope. */
  readonly protocol: Protocol;
  readonly operation: ServedOperation;
  readonly request: ParsedRequest;
  readonly input: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
  /** The WS-Addressing headers of the request; undefined if it has none. */
  readonly addressing: RequestAddressing | undefined;
}

/** The result of a call: a value or a fault, and the header blocks that the handler set. */
export type CallOutcome =
  | { readonly value: unknown; readonly headers: object | undefined }
  | {
      readonly fault: FaultPieces;
      readonly headers: object | undefined;
      readonly timedOut: boolean;
      /** The name of the declared fault. */
      readonly faultName?: string;
      /** The status that the thrown error requests. Default: the status for the fault's code. */
      readonly status?: number | undefined;
      /** The HTTP headers that the thrown error adds to the answer, such as `Retry-After`. */
      readonly headerLines?: readonly HeaderLine[];
    };

/** Thrown to refuse a request. Contains the reason, and the properties of the request that have been read. */
export class Refusal extends Error {
  readonly problem: Problem;
  /** The SOAP version of the envelope; undefined if the version is not known. */
  readonly version: SoapVersion | undefined;
  readonly operation: string | undefined;
  /** The path of the invalid member, if a member is invalid. */
  readonly path: string | undefined;
  /** The message that is reported to the operator; undefined if the cause is an exceeded limit. */
  readonly reason: string | undefined;
  /** Sentences for the operator with values that the client chose. They follow the reason. */
  readonly details: string | undefined;
  /** The missing parameter's name in the schema, if the request lacks a parameter. */
  readonly parameter: string | undefined;

  constructor(problem: Problem, init: RefusalInit = {}) {
    super(init.reason ?? "The request is refused.", { cause: init.cause });
    this.name = "Refusal";
    this.problem = problem;
    this.version = init.version;
    this.operation = init.operation;
    this.path = init.path;
    this.reason = init.reason;
    this.details = init.details;
    this.parameter = init.parameter;
  }
}

const supportedEncodings = "Supported: UTF-8, UTF-16, ISO-8859-1, windows-1252 and US-ASCII.";

/** The reasons for refusing a request because of its media type or encoding, as reported to operators. */
export const headReasons = {
  mediaType: "The service does not accept the Content-Type of the request.",
  charset: `The charset of the Content-Type is not supported. ${supportedEncodings}`,
  declaration: `The encoding in the XML declaration is not supported. ${supportedEncodings}`,
} as const;

/** Describes, for operators, the wrong `Content-Type` of a request. `expected` lists the right ones. */
export function describeMediaType({ mediaType, request }: RequestHead, expected: string): string {
  if (mediaType === undefined) {
    const mistake =
      request.parsedHeaders.contentType !== undefined
        ? "not valid"
        : findHeader(request.headers, "content-type") === undefined
          ? "missing"
          : "repeated, as a proxy may have added one";
    return `The Content-Type is ${mistake}. It must be ${expected}.`;
  }
  return `The Content-Type is ${nameMediaType(mediaType)} instead of ${expected}.`;
}

/** The members of a `Refusal`: what is known about the request, and why it is refused. */
export interface RefusalInit {
  readonly version?: SoapVersion | undefined;
  readonly operation?: string | undefined;
  readonly path?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: string | undefined;
  readonly parameter?: string | undefined;
  /** The exceeded limit, or the reader's error. */
  readonly cause?: unknown;
}

/** One operation of a service, with its names on the wire. */
export interface ServedOperation {
  readonly descriptor: AnyOperationDescriptor;
  /** The name of the first element in the body of a request, as `{namespace}local`. Empty for an empty body. */
  readonly element: string;
  readonly actions: Readonly<Partial<Record<SoapVersion, string>>>;
  /** The path of each HTTP binding, relative to the service's address. */
  readonly locations: Readonly<Partial<Record<HttpProtocol, { readonly text: string; readonly replace: boolean }>>>;
  call(input: unknown, context: unknown): unknown;
}

/** The names of one service on the wire. */
export interface ServedNames {
  /** For each namespace in the schema: its name on the wire. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly elements: ReadonlyMap<string, string>;
  getOperationNames(operation: AnyOperationDescriptor): OperationNames;
  getNamespace(namespace: string): string;
  /** Returns the text that replaces the placeholder for an operation's name in a published document. */
  fillOperationSlot(name: string): string;
  fillNamespaceSlot(slot: string): string;
}

/** Returns the code of the fault for a status. It is Server if the same call may succeed later (SOAP 1.1 §4.4.1). */
export function getFaultCode(status: number): "Server" | "Client" {
  return status >= 500 || status === 429 || status === 408 ? "Server" : "Client";
}

/**
 * Throws an `EncodeError` if a handler returned undefined although its operation has an answer. Usually, such a handler
 * lacks a `return`.
 */
export function refuseUndefined(output: AnyOperationDescriptor["output"], value: unknown): void {
  if (value === undefined && output !== undefined && output.empty !== true) {
    throw new EncodeError("The answer is undefined. Return the result of the operation, or null if it has none.");
  }
}
