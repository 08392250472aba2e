export { LexicalError } from "@bothends/datatypes/lexical-error";

// The errors that callers receive and handlers throw. `instanceof` recognizes these errors across copies of this
// package, and minifiers do not change their names.

/** A class that recognizes instances of the same class from another copy of this package. */
interface BrandedClass {
  readonly name: string;
  readonly brand: symbol;
}

const brandPrefix = "@bothends/runtime/";

/** Returns the brand of a class: the same symbol in every copy of this package, and unchanged by minifiers. */
export function createBrand(name: string): symbol {
  return Symbol.for(brandPrefix + name);
}

/**
 * Returns the name of a branded class, unchanged by minifiers; for a subclass without a brand, its `name` in the code.
 */
export function getClassName(brandedClass: BrandedClass): string {
  return Object.hasOwn(brandedClass, "brand")
    ? String(brandedClass.brand.description).slice(brandPrefix.length)
    : brandedClass.name;
}

/**
 * Implements `instanceof`. A program can contain two copies of this package if two dependencies each install one. Each
 * copy must recognize the errors of the other copy. Subclasses without a brand are compared by prototype, as in plain
 * `instanceof`.
 */
export function isInstance(this: BrandedClass, value: unknown): boolean {
  if (!Object.hasOwn(this, "brand")) {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
  let level: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value)?.constructor;
  while (
    typeof level === "function" &&
    !(Object.hasOwn(level, "brand") && Reflect.get(level, "brand") === this.brand)
  ) {
    level = Object.getPrototypeOf(level);
  }
  return typeof level === "function";
}

/** The context of an error: the operation, address and cause, if known. Errors never contain credentials. */
export interface ErrorContext {
  /** The operation or endpoint, as the schema names it. */
  readonly operation?: string | undefined;
  /** The HTTP method of the call. */
  readonly method?: string | undefined;
  /** The address that was called, without user information. */
  readonly address?: string | undefined;
  readonly cause?: unknown;
}

/** The base class of all errors that callers receive. */
export class BothendsError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("BothendsError");
  static override [Symbol.hasInstance] = isInstance;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly address: string | undefined;
  /** The id of the call. Undefined if the call neither has the option `requestId` nor is observed. */
  declare readonly requestId?: string;

  constructor(message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = getClassName(new.target);
    this.operation = context.operation;
    this.method = context.method;
    this.address = context.address;
  }
}

/** Thrown for invalid options, before anything is sent. */
export class ConfigError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("ConfigError");
}

/**
 * Thrown for a network failure: a refused or reset connection, an unknown host, an invalid certificate, a truncated
 * body. `code` is the system's error code: `ECONNREFUSED`.
 */
export class TransportError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("TransportError");
  readonly code: string | undefined;
  constructor(message: string, init: ErrorContext & { readonly code?: string | undefined } = {}) {
    super(message, init);
    this.code = init.code;
  }
}

/** Thrown if the caller aborts the call. `cause` is the reason of the abort signal. */
export class AbortError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("AbortError");
}

/** Thrown if the timeout of a call, of its connection, or of an `AbortSignal.timeout` signal expires. */
export class TimeoutError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("TimeoutError");
  /** The timeout in milliseconds; undefined for the timeout of a signal. */
  readonly milliseconds: number | undefined;
  constructor(message: string, init: ErrorContext & { readonly milliseconds?: number | undefined }) {
    super(message, init);
    this.milliseconds = init.milliseconds;
  }
}
