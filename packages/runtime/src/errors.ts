export { LexicalError } from "@bothends/datatypes/lexical-error";

/**
 * The errors that callers receive and handlers throw. They are recognised across copies of this package, and keep their names when
 * a program is minified.
 */

/** A class that recognises instances of the same class from another copy of this package. */
interface BrandedClass {
  readonly name: string;
  readonly brand: symbol;
}

const prefix = "@bothends/runtime/";

/** The brand of a class: the same symbol in every copy of this package, and unchanged by minifiers. */
export function brandOf(name: string): symbol {
  return Symbol.for(prefix + name);
}

/** The name of a branded class, unchanged by minifiers; for a subclass without a brand, the name in the code. */
export function classNameOf(branded: BrandedClass): string {
  return Object.hasOwn(branded, "brand") ? String(branded.brand.description).slice(prefix.length) : branded.name;
}

/**
 * Implements `instanceof`. A program can contain two copies of this package if two dependencies install one each; an error
 * thrown by one copy must be recognised by the other. Subclasses without a brand are compared by prototype, as usual.
 */
export function isInstance(this: BrandedClass, value: unknown): boolean {
  if (!Object.hasOwn(this, "brand")) {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
  if (typeof value !== "object") {
    return false;
  }
  for (let level = value; level !== null; level = prototypeOf(level)) {
    if (Object.hasOwn(level, "constructor") && hasBrand(Reflect.get(level, "constructor"), this.brand)) {
      return true;
    }
  }
  return false;
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value);
}

function hasBrand(made: unknown, brand: symbol): boolean {
  return typeof made === "function" && Object.hasOwn(made, "brand") && Reflect.get(made, "brand") === brand;
}

/**
 * The context of an error: the operation, address and cause, if known. Errors never contain credentials. All errors that
 * callers receive extend `BothendsError`.
 */
export interface ErrorContext {
  /** The operation or endpoint, as the schema names it. */
  readonly operation?: string | undefined;
  /** The HTTP method of the call. */
  readonly method?: string | undefined;
  /** The address that was called, without user information. */
  readonly address?: string | undefined;
  readonly cause?: unknown;
}

export class BothendsError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ brandOf("BothendsError");
  static override [Symbol.hasInstance] = isInstance;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly address: string | undefined;
  /** The id of the call, if a client observes its calls. */
  declare readonly requestId?: string;

  constructor(message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = classNameOf(new.target);
    this.operation = context.operation;
    this.method = context.method;
    this.address = context.address;
  }
}

/** Invalid options. Thrown before anything is sent. */
export class ConfigError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("ConfigError");
}

/** A value that the schema does not allow. Thrown before anything is sent. `path` is its position: `/CheckAustria/NatCode`. */
export class EncodeError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("EncodeError");
  readonly path: string;
  constructor(message: string, init: ErrorContext & { readonly path?: string } = {}) {
    super(message, init);
    this.path = init.path ?? "";
  }
}

/** An answer (or, on a server, a request) that the schema does not allow. `path` is the position in the document. */
export class DecodeError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("DecodeError");
  readonly path: string;
  /** The message without the path and the offending text. */
  readonly reason: string;
  /** At most 64 characters of the offending text. */
  readonly value: string | undefined;
  /** The status of an answer, and at most 64 KiB of its body. */
  readonly status: number | undefined;
  readonly body: string | undefined;
  /** The value of the client's option `tolerate` that accepts such an answer. */
  readonly tolerance: Tolerance | undefined;
  constructor(message: string, init: DecodeErrorInit = {}) {
    super(message, init);
    this.tolerance = init.tolerance;
    this.path = init.path ?? "";
    this.reason = init.reason ?? (init.value === undefined ? message : "The text is not valid for its type.");
    this.value = init.value === undefined ? undefined : init.value.slice(0, 64);
    this.status = init.status;
    this.body = init.body;
  }
}

export interface DecodeErrorInit extends ErrorContext {
  readonly path?: string;
  readonly reason?: string | undefined;
  readonly value?: string | undefined;
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly tolerance?: Tolerance | undefined;
}

/**
 * A difference between an answer and its schema that a client can accept:
 *
 * - `enumeration`: a value that the enumeration does not have
 * - `facets`: a value that does not pass another facet, such as a length or a pattern
 * - `nil`: `xsi:nil` at an element that is not nillable; its value is null
 * - `empty`: an element without text whose type requires text; its value is null
 * - `fixed`: another value than the fixed value
 * - `namespaces`: elements with the right local name in another namespace
 */
export type Tolerance = "enumeration" | "facets" | "nil" | "empty" | "fixed" | "namespaces";

/** A network failure: connection refused or reset, unknown host, invalid certificate, truncated body. `code` is the system's. */
export class TransportError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("TransportError");
  readonly code: string | undefined;
  constructor(message: string, init: ErrorContext & { readonly code?: string | undefined } = {}) {
    super(message, init);
    this.code = init.code;
  }
}

/** The caller aborted the call. `cause` is the reason of its signal. */
export class AbortError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("AbortError");
}

/** The timeout of a call or of its connection has expired, or that of a signal made by `AbortSignal.timeout`. */
export class TimeoutError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("TimeoutError");
  /** The timeout; undefined if a signal set it. */
  readonly milliseconds: number | undefined;
  constructor(message: string, init: ErrorContext & { readonly milliseconds?: number | undefined }) {
    super(message, init);
    this.milliseconds = init.milliseconds;
  }
}

export interface AnswerErrorInit extends ErrorContext {
  readonly status: number;
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** At most 64 KiB of the body. */
  readonly body?: string | undefined;
}

/** An error that concerns a whole answer. */
class AnswerError extends BothendsError {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The reason in the body: the first line of a text, the title of a page, the text of an XML document; else empty. */
  readonly reason: string = "";
  constructor(message: string, init: AnswerErrorInit) {
    super(message, init);
    this.status = init.status;
    this.headers = init.headers ?? new Map();
    this.body = init.body ?? "";
  }
}

/** An unusable HTTP answer: a redirect, a body over the size limit, an unexpected media type or encoding. */
export class ProtocolError extends AnswerError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("ProtocolError");
}

/** An answer outside 2xx that is neither a SOAP fault nor a REST error body. */
export class HttpStatusError extends AnswerError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("HttpStatusError");
}

export interface SoapFaultInit<Detail = unknown> extends ErrorContext {
  /**
   * The fault code by its SOAP 1.1 name. On the wire, SOAP 1.2 has `Sender` for `Client` and `Receiver` for `Server`.
   */
  readonly code?: "Client" | "Server" | "VersionMismatch" | "MustUnderstand" | "DataEncodingUnknown" | undefined;
  /** The code as it was on the wire, `{namespace}local`, and its subcodes. */
  readonly wireCode?: string | undefined;
  readonly subcodes?: readonly string[] | undefined;
  readonly reason: string;
  /** faultactor (1.1) or Node (1.2). */
  readonly actor?: string | undefined;
  /** SOAP 1.2 Role. */
  readonly role?: string | undefined;
  /** The decoded detail of a declared fault; otherwise the children of the detail, not decoded. */
  readonly detail?: Detail | undefined;
  /** Header blocks of the fault message, by member name, declared as output headers or header faults. */
  readonly soapHeaders?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: number | undefined;
}

/** A SOAP fault of either version: received by a client, or thrown by a handler. */
export class SoapFault<Detail = unknown> extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("SoapFault");
  readonly code: NonNullable<SoapFaultInit["code"]>;
  readonly wireCode: string | undefined;
  readonly subcodes: readonly string[];
  readonly reason: string;
  readonly actor: string | undefined;
  readonly role: string | undefined;
  readonly detail: Detail | undefined;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;
  constructor(init: SoapFaultInit<Detail>) {
    super(init.reason, init);
    this.code = init.code ?? "Server";
    this.wireCode = init.wireCode;
    this.subcodes = init.subcodes ?? [];
    this.reason = init.reason;
    this.actor = init.actor;
    this.role = init.role;
    this.detail = init.detail;
    this.soapHeaders = init.soapHeaders ?? {};
    this.status = init.status;
  }
}

export interface RestErrorInit extends ErrorContext {
  /** `rest_invalid_param`, `rest_post_invalid_id` … */
  readonly code: string;
  readonly message: string;
  readonly status: number;
  /** The members of `data` beside `status`: `params`, `details`, and any others that the server sends. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: ReadonlyMap<string, string> | undefined;
}

/** A REST error body `{code, message, data: {status, …}}`: received by a client, or thrown by a handler. */
export class RestError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ brandOf("RestError");
  readonly code: string;
  readonly status: number;
  /** The message of the server or handler; the `message` of an error that a client throws has more. */
  readonly reason: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly headers: ReadonlyMap<string, string>;
  constructor(init: RestErrorInit) {
    super(init.message, init);
    this.reason = init.message;
    this.code = init.code;
    this.status = init.status;
    this.data = init.data ?? {};
    this.headers = init.headers ?? new Map();
  }
}

/** Whether an error is a `RestError`, optionally with one of these codes: `isRestError(error, "rest_post_invalid_id")`. */
export function isRestError<Code extends string = string>(
  error: unknown,
  ...codes: readonly Code[]
): error is RestError & { readonly code: Code } {
  return error instanceof RestError && (codes.length === 0 || codes.some((code) => code === error.code));
}
