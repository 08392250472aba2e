import { SoapFault } from "../../answer-errors.js";
import type { DeclaredElements } from "../../codec/codec-options.js";
import type {
  AnyElement,
  AnyOperationDescriptor,
  HttpProtocol,
  InterfaceSettings,
  Protocol,
  ServiceDescriptor,
} from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { ClientCertificate } from "../../http/client-certificate.js";
import type { OnError } from "../../observe/events.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import type { ServedNames, ServedOperation } from "../../protocol/server.js";
import type { LimitOptions } from "../../server-limits.js";
import { describeValue } from "../../value-problems.js";
import {
  applyWireNames,
  listElementFields,
  type OperationNames,
  readWireNames,
  type WireNameOptions,
} from "../../wire-names.js";
import type { Middleware } from "../calls/middleware.js";
import { checkHandlerNames, describeSimilarHandler, getHandlerMember } from "../handler-names.js";
import type { NotNull } from "../refuse-request.js";

/** A service as generated code describes it. */
export interface SoapService {
  readonly service: ServiceDescriptor;
  /** The operations by the name of their handler. */
  readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
  /** The handlers: one function per operation. The generated code has checked their types. */
  readonly handlers: object;
  /** The document that the server publishes at `?wsdl`, or a function that loads it when it is requested. */
  readonly wsdl?: PublishedDocument | (() => Promise<PublishedDocument>) | undefined;
  readonly settings?: InterfaceSettings | undefined;
  /** The server's behavior where the specifications leave a choice. Default: `standardConventions`. */
  readonly conventions?: ServerConventions | undefined;
}

/**
 * A published document. It consists of literal text, of slots whose values are inserted and escaped for each request,
 * and of parts that it shares with other documents.
 */
export type PublishedDocument = readonly (string | PublishedSlot | PublishedDocument)[];

/** A place in a published document that is filled when the document is sent. */
export interface PublishedSlot {
  /**
   * The kind of value with which the slot is filled: the service's address, or the wire name of a namespace or an
   * operation.
   */
  readonly slot: "address" | "namespace" | "operation";
  /** The configured name of the namespace, or the name of the operation in the schema. */
  readonly name?: string;
  /** The port with whose address the slot is filled. Default: the first port of the service. */
  readonly port?: Protocol;
  /**
   * The separator between a namespace and the rest of an action that begins with the namespace. It is written if the
   * namespace does not end with a separator (`/`, `#` or `:`).
   */
  readonly separator?: string;
  readonly escape?: "text" | "attribute";
}

/** Options of a SOAP server. `Principal` is the result type of `authenticate`. */
export interface SoapServerOptions<Principal = unknown> {
  /** The path of the service. Default: the path in the address of each port. */
  readonly path?: string | undefined;
  /** The origin of the addresses in the WSDL: `https://api.example.org`. Default: the `Host` of the request. */
  readonly publicUrl?: string | undefined;
  /** The names of namespaces and operations on the wire, where they differ from those in the schema. */
  readonly wireNames?: WireNameOptions | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * Additional checks for requests. `identity` checks unique, key and keyref constraints, and IDs. `wildcards` checks
   * an element that matches a wildcard against its declaration. With `true`, the declarations are those in the messages
   * of the service; otherwise, pass the result of `messageElements(operations)`.
   */
  readonly validate?:
    | { readonly identity?: boolean | undefined; readonly wildcards?: boolean | DeclaredElements | undefined }
    | undefined;
  /**
   * The names of header blocks, as `{namespace}local`, that the service understands although the WSDL does not declare
   * them, such as a security token. Handlers read these blocks from `extraSoapHeaders`. Any other undeclared block with
   * `mustUnderstand` causes a fault.
   */
  readonly understands?: readonly string[] | undefined;
  /**
   * Identifies the caller. `authorize`, the handler's context and call events receive the result as `principal`. Return
   * undefined for an anonymous caller; throw a `SoapFault` to refuse the call.
   */
  readonly authenticate?: ((call: CallToAuthenticate) => NotNull<Principal> | Promise<NotNull<Principal>>) | undefined;
  /**
   * Called before each handler, with the decoded input. Return true to allow the call. To refuse it, return false or
   * throw a `SoapFault`.
   */
  readonly authorize?: AuthorizeHook<Principal> | undefined;
  /** Functions that run around each handler. The first is the outermost. */
  readonly use?:
    | Middleware<OperationContext<Principal>>
    | readonly Middleware<OperationContext<Principal>>[]
    | undefined;
  /**
   * Whether pages of an origin can call operations with a cookie. Pages of the server's own origin always can; pages of
   * all other origins get status 403, because any page can submit a form with the user's cookies, or make the browser
   * call over HTTP GET with a link. Older browsers do not report that a link belongs to another site. So do not offer
   * operations that change data over HTTP GET.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  /**
   * Whether pages of other origins can read answers (CORS). If `allowOrigin` is not set, all pages can read answers
   * without credentials; if it is set, pages of the allowed origins can read answers with credentials. Default: true if
   * `allowOrigin` is set, otherwise false.
   */
  readonly cors?: boolean | undefined;
  /**
   * How an answer with characters that XML does not allow is treated. With `refuse`, the answer becomes a Server fault;
   * with `replace`, the characters become U+FFFD. Default `refuse`.
   */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Called for incidents, such as errors of handlers and exceeded limits. */
  readonly onError?: OnError | undefined;
  /**
   * The HTML pages of the service and of each operation (`?op=Name`), with sample messages and a form for calls. False
   * turns these pages off; a function returns a different page for the service.
   */
  readonly page?: false | ((page: ServicePage) => string) | undefined;
}

/**
 * The type of the option `authorize`. It is written as a method, so that the function can declare the type of its
 * principal.
 */
type AuthorizeHook<Principal> = { hook(call: CallToAuthorize<Principal>): boolean | Promise<boolean> }["hook"];

/** The parameter of the option `authenticate`. */
export interface CallToAuthenticate {
  /** The name of the operation in the schema. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly input: unknown;
  /** The HTTP headers of the request, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  /** The header blocks of the request whose names are in the option `understands`. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** The members of the input that the interface's settings declare as ambient, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  readonly remoteAddress?: string | undefined;
  /**
   * The certificate of the client, if the server asks for certificates (`tls.requestCert`) and accepts this one.
   * Undefined for requests that a trusted proxy has sent, and on platforms other than Node.
   */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly requestId: string;
}

/** The parameter of the option `authorize`. `Principal` is the result type of `authenticate`. */
export interface CallToAuthorize<Principal = unknown> extends CallToAuthenticate {
  readonly principal: Principal;
}

/** The service that a page of the option `page` describes. */
export interface ServicePage {
  readonly service: string;
  /** The address of the WSDL. */
  readonly wsdlUrl: string;
  /** The names of all operations of the service, as they are on the wire. */
  readonly operations: readonly string[];
}

/** The context of a call, which is the second parameter of its handler. It can be copied: `{ ...context }`. */
export interface OperationContext<
  Principal = unknown,
  SoapHeaders extends object = Readonly<Record<string, unknown>>,
  AnswerHeaders extends object = object,
> {
  /** The name of the operation in the schema. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly method: string;
  /** The HTTP headers of the request, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The decoded values of the header blocks that the operation declares, by member name. */
  readonly soapHeaders: SoapHeaders;
  /** The header blocks of the request whose names are in the option `understands`, as they were received. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** Aborted when the handler times out or the client disconnects. */
  readonly signal: AbortSignal;
  /** The members of the input that the interface's settings declare as ambient, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  /** The address at which the client called the service. */
  readonly address: string;
  /** The result of the option `authenticate`. */
  readonly principal: Principal;
  /**
   * The id of the request, from its header `X-Request-Id`, or a new id. Write it to logs, and send it with calls to
   * other services.
   */
  readonly requestId: string;
  readonly remoteAddress?: string | undefined;
  /**
   * The certificate of the client, if the server asks for certificates (`tls.requestCert`) and accepts this one.
   * Undefined for requests that a trusted proxy has sent, and on platforms other than Node.
   */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Sets the header blocks to send with the answer, or with the fault that the handler throws. */
  sendSoapHeaders(blocks: AnswerHeaders): void;
}

/** A service before its handlers are checked. */
interface UnservedService {
  readonly service: ServiceDescriptor;
  /** The operations by the name of their handler. */
  readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
  readonly handlers: object;
  /** Whether some operations can have no handler. A call of such an operation is answered with a fault. */
  readonly mayLackHandlers: boolean;
}

/** Checks the handlers of a service. Returns its operations, each with its handler. */
export function createServedOperations(unserved: UnservedService, names: ServedNames): readonly ServedOperation[] {
  const { service, operations, handlers } = unserved;
  // TypeScript checks this, but in JavaScript, the handlers of one of several services may be missing.
  if (typeof handlers !== "object" || handlers === null) {
    throw new ConfigError(`The handlers of the service ${service.name} are missing. Pass an object with its handlers.`);
  }
  checkHandlerNames(handlers, { names: Object.keys(operations), owner: service.name });
  return Object.entries(operations).map(([key, descriptor]) =>
    createServedOperation(descriptor, getHandler(key, descriptor, unserved), names),
  );
}

type Handler = Pick<ServedOperation, "call">;

function getHandler(
  key: string,
  { name }: AnyOperationDescriptor,
  { operations, handlers, mayLackHandlers }: UnservedService,
): Handler {
  const handler = getHandlerMember(handlers, key);
  if (typeof handler === "function") {
    return {
      call: (input, context) => Reflect.apply(handler, handlers, [input, context]),
    };
  }
  if (handler !== undefined) {
    const form = describeValue(handler);
    throw new ConfigError(`The handler ${key} of the operation ${name} must be a function, not ${form}.`, {
      operation: name,
    });
  }
  const describeSimilar = () => describeSimilarHandler(handlers, key, Object.keys(operations));
  if (!mayLackHandlers) {
    throw new ConfigError(
      `There is no handler ${key} for the operation ${name}. Add it, or set the option "missing".${describeSimilar()}`,
      {
        operation: name,
      },
    );
  }
  return {
    call() {
      const cause = new ConfigError(`There is no handler ${key} for the operation ${name}.${describeSimilar()}`);
      throw new SoapFault({ code: "Server", reason: `The operation ${name} is not implemented.`, cause });
    },
  };
}

function createServedOperation(
  descriptor: AnyOperationDescriptor,
  handler: Handler,
  names: ServedNames,
): ServedOperation {
  const { bindings } = descriptor;
  const wireNames = names.getOperationNames(descriptor);
  const findLocation = (protocol: HttpProtocol) => {
    const binding = bindings[protocol];
    return binding && { text: wireNames.location(binding.location), replace: binding.replace === true };
  };
  return {
    descriptor,
    element: getFirstElement(descriptor, wireNames),
    actions: keepDefinedMembers({
      soap11: bindings.soap11 && wireNames.action(bindings.soap11.action),
      soap12: bindings.soap12 && wireNames.action(bindings.soap12.action),
    }),
    locations: keepDefinedMembers({ httpGet: findLocation("httpGet"), httpPost: findLocation("httpPost") }),
    ...handler,
  };
}

type Defined<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

function keepDefinedMembers<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function getFirstElement({ input: { body } }: AnyOperationDescriptor, names: OperationNames): string {
  if ("element" in body) {
    return names.element(body.element);
  }
  const [part] = listElementFields(body.parts());
  return part === undefined ? "" : names.element(part.name);
}

/** Returns the names on the wire: the names in the schema, after the option `wireNames` has been applied. */
export function createServedNames(
  operations: readonly AnyOperationDescriptor[],
  settings: InterfaceSettings = {},
  options: WireNameOptions = {},
): ServedNames {
  const names = readWireNames(settings, options);
  const namesByOperation = new Map(operations.map((operation) => [operation, applyWireNames(operation, names)]));
  const getNamespace = (namespace: string) => names.namespaces.get(namespace) ?? namespace;
  const slots = new Map(Object.entries(settings.slots?.namespaces ?? {}));
  return {
    namespaces: names.namespaces,
    elements: new Map([...namesByOperation.values()].flatMap(({ elements }) => [...elements])),
    getOperationNames: (operation) => namesByOperation.get(operation) ?? applyWireNames(operation, names),
    getNamespace,
    fillOperationSlot: (name) => names.operations.get(name) ?? name,
    fillNamespaceSlot: (slot) => getNamespace(slots.get(slot) ?? ""),
  };
}
