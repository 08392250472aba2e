import type { Decoder } from "../codec/decoder.js";
import type { Encoder } from "../codec/encoder.js";
import type { AnyElement, Protocol } from "../descriptor.js";
import type { MediaType } from "../http/media-type.js";
import type { RoutedRequest, ServerAnswer } from "../http/server-messages.js";

import type { OnError } from "../observe/events.js";
import type { ServerLimits } from "../server-limits.js";
import type { Problem, ServerConventions } from "./conventions.js";
import type { ServedNames, ServedOperation } from "./server-operations.js";
import type { RequestAddressing } from "./soap/addressing.js";
import type { SoapVersion } from "./soap/envelope.js";
import type { FaultPieces } from "./soap/fault.js";

/**
 * The server's end of a protocol, in four steps: `recognize` a request by its head, `read` the call, `write` the answer, or
 * answer with a `fault` if the request cannot be read. The server uses the first protocol that recognizes a request.
 */
export interface ServerProtocol {
  readonly name: Protocol;
  /** Whether requests have a body that `read` needs. */
  readonly hasBody: boolean;
  recognize(head: RequestHead): boolean;
  /** Reads a call. Throws `Refusal` if the request is not a valid call. */
  read(head: RequestHead, body: Uint8Array): Call;
  write(call: Call, outcome: Outcome): ServerAnswer;
  fault(refusal: Refusal, head: RequestHead): ServerAnswer;
}

/** The head of a request for a service, read once. */
export interface RequestHead {
  readonly request: RoutedRequest;
  /** The decoded path after the service's address; "" for the address itself. */
  readonly below: string;
  /** The operations with this location. */
  readonly location: Location | undefined;
  /** Undefined if there is none, or more than one, or one that is malformed. */
  readonly mediaType: MediaType | undefined;
}

/** The operations that HTTP GET and POST call at one path. */
export interface Location {
  readonly httpGet?: ServedOperation | undefined;
  readonly httpPost?: ServedOperation | undefined;
  /** Parameters in the path (WSDL 1.1 §4.6), decoded. */
  readonly values?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** A service, prepared once for all of its requests. */
export interface ServedService {
  readonly operations: readonly ServedOperation[];
  readonly names: ServedNames;
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  readonly limits: ServerLimits;
  readonly conventions: ServerConventions;
  /** Header blocks, `{namespace}local`, that every operation understands. */
  readonly understands: readonly string[];
  readonly onError: OnError | undefined;
}

/** One call of an operation, with its decoded input. Created by `read` and never changed. */
export interface Call {
  /** The protocol of the answer. For SOAP, the version of the request's envelope. */
  readonly protocol: Protocol;
  readonly operation: ServedOperation;
  readonly request: RoutedRequest;
  readonly input: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
  /** Absent if the request has no addressing headers (WS-Addressing). */
  readonly addressing: RequestAddressing | undefined;
}

/** How a call ended: with a value or a fault, and the header blocks that the handler sent. */
export type Outcome =
  | { readonly value: unknown; readonly headers: object | undefined }
  | {
      readonly fault: FaultPieces;
      readonly headers: object | undefined;
      readonly timedOut: boolean;
      /** The name of the declared fault. */
      readonly faultName?: string;
    };

/** The reason for refusing a request, and the facts that are known about it. */
export class Refusal extends Error {
  readonly problem: Problem;
  /** The version of the envelope, once it is known. */
  readonly version: SoapVersion | undefined;
  readonly operation: string | undefined;
  /** The member that does not fit the schema. */
  readonly path: string | undefined;
  /** The message of the incident. Absent if the request is refused because of its head, which is not reported. */
  readonly reason: string | undefined;
  /** The missing parameter, by its name in the schema. */
  readonly parameter: string | undefined;

  constructor(problem: Problem, init: RefusalInit = {}) {
    super(init.reason ?? "The request is refused.", { cause: init.cause });
    this.name = "Refusal";
    this.problem = problem;
    this.version = init.version;
    this.operation = init.operation;
    this.path = init.path;
    this.reason = init.reason;
    this.parameter = init.parameter;
  }
}

export interface RefusalInit {
  readonly version?: SoapVersion | undefined;
  readonly operation?: string | undefined;
  readonly path?: string | undefined;
  readonly reason?: string | undefined;
  readonly parameter?: string | undefined;
  /** The limit that was exceeded, or the error of the reader. */
  readonly cause?: unknown;
}
