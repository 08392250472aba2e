import type {
  AnyElement,
  AnyOperationDescriptor,
  Protocol,
  ServiceDescriptor,
  ServiceFacts,
} from "../../descriptor.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import type { WireNameOptions } from "../../wire-names.js";
import type { OnError } from "../incidents.js";
import type { LimitOptions } from "../limits.js";

/** A service, as generated code describes it. */
export interface SoapService {
  readonly service: ServiceDescriptor;
  /** By the name of the handler. */
  readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
  /** One function per operation; the generated interface has checked their types. */
  readonly handlers: object;
  /** The document at `?wsdl`. */
  readonly wsdl?: PublishedDocument | undefined;
  readonly facts?: ServiceFacts | undefined;
  /** How the server answers where the specifications leave a choice; default: as the specifications say. */
  readonly conventions?: ServerConventions | undefined;
}

/** A published document: literal text, with slots that are filled and escaped for each request. */
export type PublishedDocument = readonly (string | PublishedSlot)[];

export interface PublishedSlot {
  /** `address`: where the service is; `namespace` and `operation`: a wire name. */
  readonly slot: "address" | "namespace" | "operation";
  /** Which namespace slot or operation. */
  readonly name?: string;
  /** Which port's address; absent: the service's first. */
  readonly port?: Protocol;
  readonly escape?: "text" | "attribute";
}

/** Options of a SOAP server. */
export interface SoapServerOptions {
  /** The path of the service. Default: the path of its ports' addresses. */
  readonly path?: string | undefined;
  /** The origin in the addresses of the WSDL, `https://api.example.org`. Default: the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** The real names for those that the schema stands in for. */
  readonly wireNames?: WireNameOptions | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * Header blocks, `{namespace}local`, that the WSDL does not declare and the service understands, such as a security
   * token. Handlers find them in `extraSoapHeaders`. Other blocks that must be understood are answered with a fault.
   */
  readonly understands?: readonly string[] | undefined;
  /** Called before each handler, with the decoded input. Return false, or throw a `SoapFault`, to refuse the call. */
  readonly authorize?: ((call: CallToAuthorize) => boolean | Promise<boolean>) | undefined;
  /**
   * Origins whose pages may call operations by POST with a cookie, beside the server's own. Other pages get 403: browsers
   * send cookies with the forms of any page. HTTP GET has no such check, because links to the service are requests as well:
   * operations that change something should not be bound to it.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  /** What to do with characters of an answer that XML cannot carry: `refuse` (a Server fault) or `replace` by U+FFFD. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Called for what the wire does not say in full. */
  readonly onError?: OnError | undefined;
  /**
   * The pages for people at the service's address and for each operation (`?op=Name`), with sample messages and a form to
   * call it. False turns them off; a function returns a page of your own.
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
  /** The address of the WSDL. */
  readonly wsdlUrl: string;
  /** The operations' names on the wire. */
  readonly operations: readonly string[];
}

/** What a handler learns about a call beside its input. */
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
  /** The header blocks that the option `understands` names, as received. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** Aborted when the handler times out or the client disconnects. */
  readonly signal: AbortSignal;
  /** The ambient arguments of the input, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  /** The address the client used for the service. */
  readonly address: string;
  readonly remoteAddress?: string | undefined;
  /** Sets the header blocks to send with the answer, or with the fault that the handler throws. */
  sendSoapHeaders(blocks: AnswerHeaders): void;
}
