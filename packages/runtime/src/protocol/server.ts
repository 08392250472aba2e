import type { Decoder } from "../codec/decoder.js";
import type { Encoder } from "../codec/encoder.js";
import type { AnyElement, Protocol } from "../descriptor.js";
import type { MediaType } from "../http/media-type.js";
import type { OnError } from "../server/incidents.js";
import type { ServerLimits } from "../server/limits.js";
import type { ServedNames, ServedOperation } from "../server/soap/served-operations.js";
import type { ServerAnswer, ServerRequest } from "../server/types.js";
import type { Problem, ServerConventions } from "./conventions.js";
import type { AskedAddressing } from "./soap/addressing.js";
import type { SoapVersion } from "./soap/envelope.js";
import type { FaultPieces } from "./soap/fault.js";

/**
 * A protocol as a server speaks it, in four steps: `recognize` a request by its head, `read` the call, `write` the answer,
 * and turn what could not be read into a `fault`. The server asks its protocols in turn.
 */
export interface ServerProtocol {
  readonly name: Protocol;
  /** Whether requests have a body that `read` needs. */
  readonly hasBody: boolean;
  recognize(head: RequestHead): boolean;
  /** Reads a call. Throws `Refusal` where the request has none. */
  read(head: RequestHead, body: Uint8Array): Call;
  write(call: Call, outcome: Outcome): ServerAnswer;
  fault(refusal: Refusal, head: RequestHead): ServerAnswer;
}

/** The head of a request for a service, read once. */
export interface RequestHead {
  readonly request: ServerRequest;
  readonly method: string;
  /** The decoded path after the service's address; "" for the address itself. */
  readonly below: string;
  /** After `?`, as received. */
  readonly query: string;
  /** The operations with this location. */
  readonly location: Location | undefined;
  /** Undefined if there is none, or more than one, or one that is malformed. */
  readonly mediaType: MediaType | undefined;
  readonly soapAction: string | undefined;
  /** The body is compressed, which requests may not be: the limit of bytes would not bound it. */
  readonly compressed: boolean;
  /** The announced length of the body. */
  readonly length: number | undefined;
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

/** One call of an operation, its input decoded. `read` builds it; nothing changes it. */
export interface Call {
  /** The protocol of the answer: of SOAP, the version of the envelope. */
  readonly protocol: Protocol;
  readonly operation: ServedOperation;
  readonly request: ServerRequest;
  readonly input: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
  /** Present where the request is addressed (WS-Addressing). */
  readonly addressing: AskedAddressing | undefined;
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

/** A request that is not read as a call. */
export class Refusal extends Error {
  readonly problem: Problem;
  /** The version of the envelope, once it is known. */
  readonly version: SoapVersion | undefined;
  readonly operation: string | undefined;
  /** The member that does not fit the schema. */
  readonly path: string | undefined;
  /** What the operator learns; absent where a request is refused by its head alone. */
  readonly reason: string | undefined;
  /** The parameter that is missing, by its name in the schema. */
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
  /** The limit that was passed, or the error of the reader. */
  readonly cause?: unknown;
}
