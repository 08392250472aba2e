import type { AnyElement, Protocol } from "../../descriptor.js";
import { headerMap } from "../../http/server-messages.js";
import type { ServiceCall } from "../../protocol/server.js";
import { type CallSignal, gettersAsMembers, makeCopyable } from "../call-handler.js";
import type { PublicAddress } from "./addresses.js";
import type { OperationContext } from "./service.js";

/** Settings of a service that the members of a context depend on. */
export interface ContextSettings {
  /** Returns the address at which clients reach the service. */
  readonly addressOf: PublicAddress;
  readonly ambient: readonly string[];
}

/** The context of a handler. Rarely used members are computed on first use. */
export class SoapHandlerContext implements OperationContext {
  readonly operation: string;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
  readonly protocol: Protocol;
  readonly method: string;
  readonly remoteAddress: string | undefined;
  readonly #call: ServiceCall;
  readonly #settings: ContextSettings;
  readonly #signal: CallSignal;
  #headers: ReadonlyMap<string, string> | undefined;
  #sentHeaders: object | undefined;

  constructor(call: ServiceCall, settings: ContextSettings, signal: CallSignal) {
    this.operation = call.operation.descriptor.name;
    this.soapHeaders = call.soapHeaders;
    this.extraSoapHeaders = call.extraSoapHeaders;
    this.protocol = call.protocol;
    this.method = call.request.method;
    this.remoteAddress = call.request.remoteAddress;
    this.#call = call;
    this.#settings = settings;
    this.#signal = signal;
  }

  /** Returns the header blocks to send with the answer. */
  findSentHeaders(): object | undefined {
    return this.#sentHeaders;
  }

  get principal(): unknown {
    return this.#call.request.authentication?.principal;
  }

  get requestId(): string {
    return this.#call.request.id;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= headerMap(this.#call.request.headers);
    return this.#headers;
  }

  get ambient(): Readonly<Record<string, unknown>> {
    return getAmbient(this.#call.input, this.#settings.ambient);
  }

  get address(): string {
    return this.#settings.addressOf(this.#call.request, this.protocol);
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  // A property rather than a method, because handlers may destructure their context.
  readonly sendSoapHeaders = (blocks: object): void => {
    this.#sentHeaders = blocks;
  };
}

const contextGetters = /* @__PURE__ */ gettersAsMembers(SoapHandlerContext.prototype);

/** Wraps a context so that it can be copied: `{ ...context }`. */
export function copyableContext(context: SoapHandlerContext): SoapHandlerContext {
  return makeCopyable(context, contextGetters);
}

function getAmbient(input: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null) {
    return {};
  }
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, Reflect.get(input, name)]),
  );
}
