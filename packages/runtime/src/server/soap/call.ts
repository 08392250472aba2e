import { escapeText } from "@bothends/xml";
import type { Encoder } from "../../codec/encoder.js";
import type { AnyElement, Protocol } from "../../descriptor.js";
import { SoapFault } from "../../errors.js";
import { isAnyElement, writeAnyElement } from "../../protocol/soap/any-element.js";
import { encodingOf } from "../../protocol/soap/envelope.js";
import type { FaultPieces } from "../../protocol/soap/fault.js";
import { type CallSignal, callHandler } from "../call-handler.js";
import { headerMap } from "../headers.js";
import { limitIncident, report } from "../incidents.js";
import type { OnError, ServerRequest } from "../types.js";
import type { OperationContext, SoapServerOptions } from "./service.js";
import type { ServedOperation } from "./table.js";
import { texts } from "./texts.js";

/** One request for one operation, its input decoded. */
export interface Call {
  readonly operation: ServedOperation;
  readonly protocol: Protocol;
  readonly request: ServerRequest;
  readonly input: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
}

export interface CallSettings {
  /** Where the client reaches the service. */
  readonly addressOf: (request: ServerRequest, port: Protocol | undefined) => string;
  readonly encoder: Encoder;
  readonly handlerTimeout: number;
  readonly ambient: readonly string[];
  readonly authorize: SoapServerOptions["authorize"];
  readonly onError: OnError | undefined;
}

/** How a call ended: a value and the header blocks to send with it, or a fault. */
export type Outcome =
  | { readonly value: unknown; readonly headers: object | undefined }
  | {
      readonly fault: FaultPieces;
      readonly headers: object | undefined;
      readonly timedOut: boolean;
      readonly faultName?: string;
    };

/** Asks whether the call is allowed, then calls the handler. Never rejects: what goes wrong becomes a fault. */
export async function runCall(call: Call, settings: CallSettings): Promise<Outcome> {
  let headers: object | undefined;
  const ambient = ambientOf(call.input, settings.ambient);
  try {
    const value = await callHandler(
      (signal) => {
        const context = new CallContext(call, { ambient, signal, addressOf: settings.addressOf }, (blocks) => {
          headers = blocks;
        });
        if (settings.authorize === undefined) return call.operation.call(call.input, context);
        return authorizedCall(settings.authorize, call, context);
      },
      { timeout: settings.handlerTimeout, request: call.request },
    );
    return { value, headers };
  } catch (error) {
    const outcome = failed(error, call, settings);
    const own = error instanceof SoapFault ? error.soapHeaders : {};
    return outcome.declared ? { ...outcome, headers: { ...headers, ...own } } : { ...outcome, headers: undefined };
  }
}

async function authorizedCall(
  authorize: NonNullable<SoapServerOptions["authorize"]>,
  call: Call,
  context: CallContext,
): Promise<unknown> {
  const { operation, protocol, headers, soapHeaders, extraSoapHeaders, ambient, username, remoteAddress } = context;
  const { input } = call;
  const own = { headers, soapHeaders, extraSoapHeaders, ambient, username, remoteAddress };
  const asked = { operation, protocol, input, ...own };
  if ((await authorize(asked)) !== true) throw new SoapFault({ code: "Client", reason: texts.forbidden });
  return call.operation.call(input, context);
}

interface CallSurroundings extends Pick<CallSettings, "addressOf"> {
  readonly ambient: Readonly<Record<string, unknown>>;
  readonly signal: CallSignal;
}

class CallContext implements OperationContext {
  readonly operation: string;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
  readonly ambient: Readonly<Record<string, unknown>>;
  readonly protocol: Protocol;
  readonly method: string;
  readonly remoteAddress: string | undefined;
  readonly sendSoapHeaders: (blocks: object) => void;
  readonly #request: ServerRequest;
  readonly #surroundings: CallSurroundings;
  #headers: ReadonlyMap<string, string> | undefined;

  constructor(call: Call, surroundings: CallSurroundings, sendSoapHeaders: (blocks: object) => void) {
    this.operation = call.operation.descriptor.name;
    this.soapHeaders = call.soapHeaders;
    this.extraSoapHeaders = call.extraSoapHeaders;
    this.ambient = surroundings.ambient;
    this.protocol = call.protocol;
    this.method = call.request.method;
    this.remoteAddress = call.request.remoteAddress;
    this.sendSoapHeaders = sendSoapHeaders;
    this.#request = call.request;
    this.#surroundings = surroundings;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= headerMap(this.#request.headers);
    return this.#headers;
  }

  get username(): string | undefined {
    const username = Object.hasOwn(this.ambient, "username") ? this.ambient["username"] : undefined;
    return typeof username === "string" ? username : undefined;
  }

  get address(): string {
    return this.#surroundings.addressOf(this.#request, this.protocol);
  }

  get signal(): AbortSignal {
    return this.#surroundings.signal.signal;
  }
}

function ambientOf(input: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null) return {};
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, Reflect.get(input, name)]),
  );
}

interface Failure {
  readonly fault: FaultPieces;
  /** It is what the handler said. */
  readonly declared: boolean;
  /** The fault of the operation that it is. */
  readonly faultName?: string;
  readonly timedOut: boolean;
}

/** Only a `SoapFault` speaks for itself; whatever else a handler throws is told to the hook alone. */
function failed(error: unknown, call: Call, settings: CallSettings): Failure {
  const place = { operation: call.operation.descriptor.name, protocol: call.protocol };
  const limit = limitIncident(error);
  if (limit !== undefined) {
    report(settings.onError, { ...limit, ...place });
    return { fault: { reason: texts.timeout, detail: "" }, declared: false, timedOut: true };
  }
  if (!(error instanceof SoapFault)) {
    report(settings.onError, { kind: "handler", message: "The handler threw.", error, ...place });
    return { fault: serverFault, declared: false, timedOut: false };
  }
  try {
    const { code, wireCode, subcodes, reason, actor, role } = error;
    const detail = detailXml(error, call, settings.encoder);
    const fault = { code, wireCode, subcodes, reason, actor, role, detail };
    return { fault, declared: true, ...named(error, call), timedOut: false };
  } catch (cause) {
    report(settings.onError, {
      kind: "encode",
      message: "The detail of a fault cannot be written.",
      error: cause,
      ...place,
    });
    return { fault: serverFault, declared: false, timedOut: false };
  }
}

function named(error: SoapFault, { operation }: Call): Pick<Failure, "faultName"> {
  const own = operation.descriptor.faults?.find((fault) => error instanceof fault.error());
  return own === undefined ? {} : { faultName: own.name };
}

/** The fault for everything that is not the client's business. */
export const serverFault: FaultPieces = { code: "Server", reason: texts.failed, detail: "" };

function detailXml(fault: SoapFault, { operation, protocol }: Call, encoder: Encoder): string {
  const { faults = [], output } = operation.descriptor;
  const own = faults.find(({ error }) => fault instanceof error());
  if (own !== undefined && !isWritable(fault.detail)) {
    const encoding = protocol === "soap11" || protocol === "soap12" ? encodingOf(output?.body, protocol) : undefined;
    return fault.detail === undefined
      ? ""
      : encoder.element(own.element, own.type, fault.detail, { typed: true, ...encoding });
  }
  return untypedDetail(fault.detail);
}

/** A detail that a client received and hands on has elements and text as they were. */
function isWritable(detail: unknown): detail is readonly (string | AnyElement)[] {
  return Array.isArray(detail) && detail.every((item) => typeof item === "string" || isAnyElement(item));
}

function untypedDetail(detail: unknown): string {
  if (typeof detail === "string") return escapeText(detail);
  const items: readonly unknown[] = Array.isArray(detail) ? detail : [detail];
  return items
    .map((item) => (typeof item === "string" ? escapeText(item) : isAnyElement(item) ? writeAnyElement(item) : ""))
    .join("");
}
