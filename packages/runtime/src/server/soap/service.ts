import type {
  AnyElement,
  AnyOperationDescriptor,
  Protocol,
  ServiceDescriptor,
  ServiceFacts,
} from "../../descriptor.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import type { WireNameOptions } from "../../wire-names.js";
import type { LimitOptions } from "../limits.js";
import type { OnError } from "../types.js";
import type { PublishedDocument } from "./documents.js";

/** What a generated server module knows of its service. */
export interface SoapService {
  readonly service: ServiceDescriptor;
  /** By the name of the handler. */
  readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
  /** One function per operation; the generated interface has checked their types. */
  readonly handlers: object;
  /** The document behind `?wsdl`. */
  readonly wsdl?: PublishedDocument | undefined;
  readonly facts?: ServiceFacts | undefined;
  /** How the server answers where the specifications leave a choice; default: as the specifications say. */
  readonly conventions?: ServerConventions | undefined;
}

/** What the user of a generated server may choose. */
export interface SoapServerOptions {
  /** Where the service is served; default the path of its ports' addresses. */
  readonly path?: string | undefined;
  /** How clients reach the server, `https://api.example.org`: for the addresses in the WSDL. Default: the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** The real names for those that the schema stands in for. */
  readonly wireNames?: WireNameOptions | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * Header blocks, `{namespace}local`, that the WSDL does not declare and the service understands all the same, a security
   * token for one. They come as `extraSoapHeaders`; other blocks that must be understood are answered by a fault.
   */
  readonly understands?: readonly string[] | undefined;
  /** Asked before each call, when its input is decoded: false, or a thrown `SoapFault`, refuses it. */
  readonly authorize?: ((call: CallToAuthorize) => boolean | Promise<boolean>) | undefined;
  /** What to do with characters of an answer that XML cannot carry: `refuse` (a Server fault) or `replace` by U+FFFD. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Told of everything that the wire does not tell. */
  readonly onError?: OnError | undefined;
  /**
   * The pages for people at the service's address: what the service and its operations (`?op=Name`) are, with sample
   * messages and a form that calls them. False turns them off; a function makes one of its own.
   */
  readonly page?: false | ((page: ServicePage) => string) | undefined;
}

export interface CallToAuthorize {
  /** As the schema names it. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly input: unknown;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  /** The header blocks that the option `understands` names. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** The ambient arguments of the input, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  readonly remoteAddress?: string | undefined;
}

export interface ServicePage {
  readonly service: string;
  /** Where the WSDL is. */
  readonly wsdlUrl: string;
  /** The operations' names on the wire. */
  readonly operations: readonly string[];
}

/** What a handler is told beside its input. */
export interface OperationContext<
  SoapHeaders extends object = Readonly<Record<string, unknown>>,
  AnswerHeaders extends object = object,
> {
  /** As the schema names it. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly method: string;
  /** The HTTP headers, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The decoded header blocks that the operation declares, by member name. */
  readonly soapHeaders: SoapHeaders;
  /** The header blocks that the option `understands` names, as they came. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** Fires when the client goes away and when the time for the handler is over. */
  readonly signal: AbortSignal;
  /** The ambient arguments of the input, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  /** The address the client used for the service. */
  readonly address: string;
  readonly remoteAddress?: string | undefined;
  /** Gives the answer, or the fault that is thrown, the header blocks that the operation declares for it. */
  sendSoapHeaders(blocks: AnswerHeaders): void;
}
