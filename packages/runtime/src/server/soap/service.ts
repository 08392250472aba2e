import { SoapFault } from "../../answer-errors.js";
import type { DeclaredElements } from "../../codec/options.js";
import type {
  AnyElement,
  AnyOperationDescriptor,
  HttpProtocol,
  InterfaceSettings,
  Protocol,
  ServiceDescriptor,
} from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { OnError } from "../../observe/events.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import type { ServedNames, ServedOperation } from "../../protocol/server.js";
import type { LimitOptions } from "../../server-limits.js";
import {
  applyWireNames,
  listElementFields,
  type OperationNames,
  readWireNames,
  type WireNameOptions,
} from "../../wire-names.js";
import type { Middleware } from "../call-handler.js";
import { checkHandlerNames, describeSimilarHandler, getHandlerMember } from "../handler-names.js";

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
 * A published document: literal text, with slots that are filled and escaped for each request, and parts shared with other
 * documents.
 */
export type PublishedDocument = readonly (string | PublishedSlot | PublishedDocument)[];

export interface PublishedSlot {
  /** The kind of value that fills the slot: the address of the service, or the name of a namespace or operation on the wire. */
  readonly slot: "address" | "namespace" | "operation";
  /** The configured name of the namespace, or the name of the operation in the schema. */
  readonly name?: string;
  /** The port whose address fills the slot. Default: the service's first port. */
  readonly port?: Protocol;
  /**
   * The separator to write after a namespace that does not end with one (`/`, `#` or `:`), if an action continues after
   * the namespace.
   */
  readonly separator?: string;
  readonly escape?: "text" | "attribute";
}

/** Options of a SOAP server. `Principal` is the type of the result of `authenticate`. */
export interface SoapServerOptions<Principal = unknown> {
  /** The path of the service. Default: the path of its ports' addresses. */
  readonly path?: string | undefined;
  /** The origin in the addresses of the WSDL: `https://api.example.org`. Default: the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** The names of namespaces and operations on the wire, where they differ from those in the schema. */
  readonly wireNames?: WireNameOptions | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * Additional checks for requests. `identity` checks the constraints unique, key and keyref, and IDs. `wildcards` checks elements
   * that match wildcards against their declarations: with `true`, those of the service's messages; otherwise those of
   * `messageElements(operations)`.
   */
  readonly validate?:
    | { readonly identity?: boolean | undefined; readonly wildcards?: boolean | DeclaredElements | undefined }
    | undefined;
  /**
   * Header blocks, `{namespace}local`, that the service understands although the WSDL does not declare them, such as a security
   * token. Handlers read them from `extraSoapHeaders`. Other undeclared mustUnderstand blocks cause a fault.
   */
  readonly understands?: readonly string[] | undefined;
  /**
   * Identifies the caller. `authorize`, the handler's context and call events receive the result as `principal`. Return undefined
   * for an anonymous caller; throw a `SoapFault` to refuse the call.
   */
  readonly authenticate?: ((call: CallToAuthenticate) => Principal | Promise<Principal>) | undefined;
  /** Called before each handler, with the decoded input. Return false, or throw a `SoapFault`, to refuse the call. */
  readonly authorize?: AuthorizeHook<Principal> | undefined;
  /** Functions that run around each handler. The first is the outermost. */
  readonly use?:
    | Middleware<OperationContext<Principal>>
    | readonly Middleware<OperationContext<Principal>>[]
    | undefined;
  /**
   * Origins whose pages may call operations by POST with a cookie, in addition to pages of the server's own origin.
   * Pages of other origins get 403: any page can submit a form with the user's cookies. HTTP GET has no such check,
   * because links cause such requests too: do not offer operations that change data over HTTP GET.
   */
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  /**
   * Whether pages of other origins may read answers (CORS): all pages without credentials, or, with `allowOrigin`, pages of those
   * origins with credentials. Default: true if `allowOrigin` is set.
   */
  readonly cors?: boolean | undefined;
  /**
   * How to treat characters in an answer that XML does not allow: `refuse` (a Server fault) or `replace` (by U+FFFD). Default
   * `refuse`.
   */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /** Called for incidents, such as errors of handlers and exceeded limits. */
  readonly onError?: OnError | undefined;
  /**
   * The HTML pages of the service and of each operation (`?op=Name`), with sample messages and a form for calls. False turns them
   * off; a function replaces the service's page.
   */
  readonly page?: false | ((page: ServicePage) => string) | undefined;
}

/** The type of the option `authorize`. It is written as a method so that the option may declare the type of its principal. */
type AuthorizeHook<Principal> = { hook(call: CallToAuthorize<Principal>): boolean | Promise<boolean> }["hook"];

/** The parameter of the option `authenticate`. */
export interface CallToAuthenticate {
  /** The name of the operation in the schema. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly input: unknown;
  /** The HTTP headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  /** The header blocks that the option `understands` lists. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** The ambient arguments of the input, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  readonly remoteAddress?: string | undefined;
  readonly requestId: string;
}

/** The parameter of the option `authorize`. `Principal` is the type of the result of `authenticate`. */
export interface CallToAuthorize<Principal = unknown> extends CallToAuthenticate {
  readonly principal: Principal;
}

export interface ServicePage {
  readonly service: string;
  /** The address of the WSDL. */
  readonly wsdlUrl: string;
  /** The names of the operations on the wire. */
  readonly operations: readonly string[];
}

/** The context of a call, which a handler receives as its second parameter. It may be copied: `{ ...context }`. */
export interface OperationContext<
  Principal = unknown,
  SoapHeaders extends object = Readonly<Record<string, unknown>>,
  AnswerHeaders extends object = object,
> {
  /** The name of the operation in the schema. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly method: string;
  /** The HTTP headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The decoded header blocks that the operation declares, by member name. */
  readonly soapHeaders: SoapHeaders;
  /** The header blocks that the option `understands` lists, as received. */
  readonly extraSoapHeaders: readonly AnyElement[];
  /** Aborted when the handler times out or the client disconnects. */
  readonly signal: AbortSignal;
  /** The ambient arguments of the input, by name. */
  readonly ambient: Readonly<Record<string, unknown>>;
  /** The address under which the client called the service. */
  readonly address: string;
  /** The result of the option `authenticate`. */
  readonly principal: Principal;
  /** The id of the request, from its header `X-Request-Id` or new. Log it, and send it with calls to other services. */
  readonly requestId: string;
  readonly remoteAddress?: string | undefined;
  /** Sets the header blocks to send with the answer, or with the fault that the handler throws. */
  sendSoapHeaders(blocks: AnswerHeaders): void;
}

/** A service before its handlers are checked. */
interface UnservedService {
  readonly service: ServiceDescriptor;
  /** The operations by the name of their handler. */
  readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
  readonly handlers: object;
  /** Whether to answer calls of operations without a handler with a fault. */
  readonly mayLackHandlers: boolean;
}

/** Returns the operations of a service with their handlers. */
export function createServedOperations(unserved: UnservedService, names: ServedNames): readonly ServedOperation[] {
  const { service, operations, handlers } = unserved;
  // In JavaScript, the handlers of one of several services may be missing.
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
  const describeSimilar = () => describeSimilarHandler(handlers, key, Object.keys(operations));
  if (handler !== undefined || !mayLackHandlers) {
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
  const wireNames = names.ofOperation(descriptor);
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

/** Applies the option `wireNames` to the names in the schema. */
export function createServedNames(
  operations: readonly AnyOperationDescriptor[],
  settings: InterfaceSettings = {},
  options: WireNameOptions = {},
): ServedNames {
  const names = readWireNames(settings, options);
  const namesOf = new Map(operations.map((operation) => [operation, applyWireNames(operation, names)]));
  const getNamespace = (namespace: string) => names.namespaces.get(namespace) ?? namespace;
  const slots = new Map(Object.entries(settings.slots?.namespaces ?? {}));
  return {
    namespaces: names.namespaces,
    elements: new Map([...namesOf.values()].flatMap(({ elements }) => [...elements])),
    ofOperation: (operation) => namesOf.get(operation) ?? applyWireNames(operation, names),
    namespace: getNamespace,
    operationSlot: (name) => names.operations.get(name) ?? name,
    namespaceSlot: (slot) => getNamespace(slots.get(slot) ?? ""),
  };
}
