import { escapeText } from "@bothends/xml/escape";
import { anonymousReasons, isForCallers, RestError, SoapFault } from "../../answer-errors.js";
import { type Encoder, writeAnyElement } from "../../codec/encoder.js";
import { isAnyElement } from "../../codec/kinds/any-element.js";
import type { AnyElement, Protocol } from "../../descriptor.js";
import type { ClientCertificate } from "../../http/client-certificate.js";
import { createHeaderMap } from "../../http/headers.js";
import { isPromise } from "../../is-promise.js";
import type { OnError } from "../../observe/events.js";
import {
  createLimitIncident,
  createThrownIncident,
  createUnreadableError,
  findEncodeErrorPath,
  type LateEnd,
  OptionError,
  report,
} from "../../observe/incidents.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import { type CallOutcome, getFaultCode, type ServiceCall } from "../../protocol/server.js";
import { findEncoding } from "../../protocol/soap/encoding.js";
import { describeValue } from "../../value-problems.js";
import { type CallSignal, callHandler } from "../calls/call-handler.js";
import { exposeGetters, makeCopyable } from "../calls/copyable-context.js";
import { createProblemReporter, type Middleware, runMiddleware } from "../calls/middleware.js";
import { addMistakes, findMisspelledMembers, findRestErrorMistakes } from "../error-mistakes.js";
import { type Authentication, checkPrincipal, formatRefusedCaller } from "../refuse-request.js";
import { checkFault, findIllegalText } from "./fault-mistakes.js";
import type { OperationContext, SoapServerOptions } from "./service.js";
import type { PublicAddress } from "./service-addresses.js";

/** The settings of a service that apply to each call. */
export interface CallSettings extends ContextSettings {
  readonly encoder: Encoder;
  readonly handlerTimeout: number;
  readonly authenticate: SoapServerOptions["authenticate"];
  readonly authorize: SoapServerOptions["authorize"];
  readonly middleware: readonly Middleware<OperationContext>[];
  readonly reasons: ServerConventions["reasons"];
  readonly onError: OnError | undefined;
}

/** Checks whether the call is allowed, then calls its handler. Never throws or rejects: an error becomes a fault. */
export function runCall(call: ServiceCall, settings: CallSettings): CallOutcome | Promise<CallOutcome> {
  let context: SoapHandlerContext | undefined;
  const findSentHeaders = () => context?.findSentHeaders();
  const reportLateEnd = (incident: LateEnd) => {
    const source = { operation: call.operation.descriptor.name, protocol: call.protocol };
    report(settings.onError, { ...incident, ...source }, call.request);
  };
  try {
    const answer = callHandler(
      (signal) => {
        const { authenticate, authorize, middleware } = settings;
        const runAs = (caller: Caller | undefined): unknown => {
          context = new SoapHandlerContext(call, settings, { signal, caller });
          const handlerContext = makeContextCopyable(context);
          return authorize === undefined && middleware.length === 0
            ? call.operation.call(call.input, handlerContext)
            : callGuarded(call, handlerContext, { settings, signal, caller });
        };
        return authenticate === undefined
          ? runAs(undefined)
          : identifyCaller(call, authenticate, { settings, signal }).then(runAs);
      },
      { timeout: settings.handlerTimeout, request: call.request, reportLateEnd, refusesErrors: true },
    );
    if (!isPromise(answer)) {
      return { value: answer, headers: findSentHeaders() };
    }
    return answer.then(
      (value) => ({ value, headers: findSentHeaders() }),
      (error: unknown) => createFailedOutcome(error, { call, settings, sentHeaders: findSentHeaders() }),
    );
  } catch (error) {
    return createFailedOutcome(error, { call, settings, sentHeaders: findSentHeaders() });
  }
}

/** The caller of an operation, as the option `authenticate` has identified it. */
interface Caller extends Authentication {
  /** The headers of the request, which have been read for this option. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Calls the option `authenticate`, and records the principal for the call's event. */
async function identifyCaller(
  call: ServiceCall,
  authenticate: NonNullable<SoapServerOptions["authenticate"]>,
  { settings, signal }: { readonly settings: CallSettings; readonly signal: CallSignal },
): Promise<Caller> {
  const receivedCall = describeCall(call, new SoapHandlerContext(call, settings, { signal, caller: undefined }));
  signal.option = "authenticate";
  try {
    const principal = checkPrincipal(await authenticate(receivedCall));
    signal.option = undefined;
    call.request.record.principal = principal;
    return { principal, headers: receivedCall.headers, anonymousReason: anonymousReasons.get(receivedCall) };
  } catch (error) {
    throw new OptionError("authenticate", error);
  }
}

/** Returns the members of a call that the options `authenticate` and `authorize` receive. */
function describeCall({ input }: ServiceCall, context: SoapHandlerContext) {
  const { operation, protocol, headers, soapHeaders, extraSoapHeaders, ambient } = context;
  const { remoteAddress, clientCertificate, requestId } = context;
  return {
    operation,
    protocol,
    input,
    headers,
    soapHeaders,
    extraSoapHeaders,
    ambient,
    remoteAddress,
    clientCertificate,
    requestId,
  };
}

interface GuardedCall {
  readonly settings: CallSettings;
  readonly signal: CallSignal;
  readonly caller: Caller | undefined;
}

/** Checks whether the call is allowed, and calls the middleware, which calls the handler. */
async function callGuarded(
  call: ServiceCall,
  context: SoapHandlerContext,
  { settings, signal, caller }: GuardedCall,
): Promise<unknown> {
  const { authorize, middleware, reasons } = settings;
  const { operation, protocol, principal } = context;
  const { input, request } = call;
  signal.option = "authorize";
  const permission =
    authorize === undefined || (await askPermission(authorize, { ...describeCall(call, context), principal }));
  if (permission !== true) {
    const message = formatRefusedCaller(request, { result: permission, authentication: caller });
    report(settings.onError, { kind: "request", message, operation, protocol }, request);
    throw new SoapFault({ code: "Client", reason: reasons.forbidden });
  }
  signal.option = undefined;
  const reportProblem = createProblemReporter({ onError: settings.onError, source: { operation, protocol }, request });
  const { output } = call.operation.descriptor;
  return runMiddleware(
    middleware,
    { operation, input, context, report: reportProblem },
    {
      handler: (value) => call.operation.call(value, context),
      hasOutput: output !== undefined && output.empty !== true,
      signal,
      record: request.record,
    },
  );
}

/**
 * Calls the function in the option `authorize`. In JavaScript, it could return values that are not booleans, so the
 * caller must check that the result is true.
 */
async function askPermission<Received>(
  authorize: (call: Received) => boolean | Promise<boolean>,
  call: Received,
): Promise<unknown> {
  try {
    return await authorize(call);
  } catch (error) {
    throw new OptionError("authorize", error);
  }
}

interface FailedCall {
  readonly call: ServiceCall;
  readonly settings: CallSettings;
  /** The header blocks that the handler has set for the answer. */
  readonly sentHeaders: object | undefined;
}

/**
 * Converts an error of a handler to a fault. The client receives the details of a `SoapFault`. It also receives the
 * details of a `RestError`, because middleware for both SOAP and REST throws such errors. The details of other errors
 * are only reported to `onError`.
 */
function createFailedOutcome(error: unknown, failedCall: FailedCall): CallOutcome {
  try {
    return describeError(error, failedCall);
  } catch (cause) {
    // A value in the error cannot be read, such as a revoked Proxy in the detail of a fault.
    return describeError(createUnreadableError(cause), failedCall);
  }
}

function describeError(error: unknown, { call, settings, sentHeaders }: FailedCall): CallOutcome {
  const { onError, reasons, encoder } = settings;
  const source = { operation: call.operation.descriptor.name, protocol: call.protocol };
  const thrown = error instanceof OptionError ? error.cause : error;
  const ownError = isForCallers(thrown) ? thrown : undefined;
  const checkedFault = ownError instanceof SoapFault ? checkFault(ownError) : undefined;
  const restMistakes = ownError instanceof RestError ? findRestErrorMistakes(ownError) : [];
  const misspelledMembers = ownError === undefined ? [] : findMisspelledMembers(ownError);
  const mistakes = [...(checkedFault?.mistakes ?? []), ...restMistakes, ...misspelledMembers];
  if (ownError instanceof SoapFault && !canWriteDetail(ownError, call)) {
    const { name } = ownError;
    const reason = `${detailRule}, not ${describeValue(ownError.detail)}.`;
    const advice = name === "SoapFault" ? "" : ` The operation ${source.operation} does not declare the fault ${name}.`;
    mistakes.push(`The detail of the SoapFault is left out: ${reason}${advice}`);
  }
  const lacksDetail =
    ownError instanceof SoapFault &&
    (ownError.detail ?? null) === null &&
    findDeclaredFault(ownError, call) !== undefined;
  if (lacksDetail) {
    mistakes.push(
      `The fault ${ownError.name} has no detail, which the WSDL declares, so the client receives a fault without details: pass the member "detail" to its constructor.`,
    );
  }
  const illegalText =
    ownError instanceof RestError ? findIllegalText(ownError.reason, "the message of the RestError") : undefined;
  if (illegalText !== undefined) {
    mistakes.push(illegalText);
  }
  const errorForClient = restMistakes.length === 0 ? ownError : undefined;
  const incident = createThrownIncident(error, { errorForClient, request: call.request });
  const completeIncident = addMistakes(incident, mistakes, thrown);
  if (completeIncident !== undefined) {
    report(onError, { ...completeIncident, ...source }, call.request);
  }
  if (createLimitIncident(thrown) !== undefined) {
    return { fault: { reason: reasons.timedOut, detail: "" }, headers: undefined, timedOut: true };
  }
  const outcomeWithoutDetails: CallOutcome = {
    fault: { code: "Server", reason: reasons.failed, detail: "" },
    headers: undefined,
    timedOut: false,
  };
  if (errorForClient instanceof RestError) {
    return createOutcomeOfRestError(errorForClient);
  }
  if (errorForClient === undefined || lacksDetail || checkedFault?.sent.reason === undefined) {
    return outcomeWithoutDetails;
  }
  try {
    const { status, reason, ...sentMembers } = checkedFault.sent;
    const fault = { ...sentMembers, reason, detail: writeDetail(errorForClient, call, encoder) };
    const headers = { ...sentHeaders, ...errorForClient.soapHeaders };
    return { fault, headers, timedOut: false, status, ...getFaultName(errorForClient, call) };
  } catch (cause) {
    const message = "The detail of a fault cannot be written.";
    report(
      onError,
      { kind: "encode", message, path: findEncodeErrorPath(cause), error: cause, ...source },
      call.request,
    );
    return outcomeWithoutDetails;
  }
}

/**
 * Returns the fault for a `RestError`. The answer has the status and the headers of this error, such as `Retry-After`.
 */
function createOutcomeOfRestError(error: RestError): CallOutcome {
  const fault = { code: getFaultCode(error.status), reason: error.reason, detail: "" };
  return { fault, headers: undefined, timedOut: false, status: error.status, headerLines: [...error.headers] };
}

function findDeclaredFault(fault: SoapFault, { operation }: ServiceCall) {
  return operation.descriptor.faults?.find(({ error }) => fault instanceof error());
}

function getFaultName(error: SoapFault, call: ServiceCall): { readonly faultName?: string } {
  const declaredFault = findDeclaredFault(error, call);
  return declaredFault === undefined ? {} : { faultName: declaredFault.name };
}

function writeDetail(fault: SoapFault, call: ServiceCall, encoder: Encoder): string {
  const { operation, protocol } = call;
  const { output } = operation.descriptor;
  const declaredFault = findDeclaredFault(fault, call);
  if (declaredFault !== undefined && !isUntyped(fault.detail)) {
    const encoding = protocol === "soap11" || protocol === "soap12" ? findEncoding(output?.body, protocol) : undefined;
    return encoder.encode(declaredFault.element, declaredFault.type, fault.detail, {
      declaresType: true,
      ...encoding,
    });
  }
  return writeUntypedDetail(fault.detail);
}

const detailRule = "it must be a string or an element, a list of them, or the value of a fault that the WSDL declares";

/** Whether the detail of a fault belongs to a declared fault, or can be written without a declaration. */
function canWriteDetail(fault: SoapFault, call: ServiceCall): boolean {
  const { detail } = fault;
  const items: readonly unknown[] = Array.isArray(detail) ? detail : [detail ?? ""];
  return isUntyped(items) || findDeclaredFault(fault, call) !== undefined;
}

/**
 * Whether a detail consists of elements and text, as does the detail of a fault that this server has received as a
 * client of another server.
 */
function isUntyped(detail: unknown): detail is readonly (string | AnyElement)[] {
  return Array.isArray(detail) && detail.every((item) => typeof item === "string" || isAnyElement(item));
}

function writeUntypedDetail(detail: unknown): string {
  if (typeof detail === "string") {
    return escapeText(detail);
  }
  const items: readonly unknown[] = Array.isArray(detail) ? detail : [detail];
  return items
    .map((item) => (typeof item === "string" ? escapeText(item) : isAnyElement(item) ? writeAnyElement(item) : ""))
    .join("");
}

/** The settings of a service from which the members of a handler's context are computed. */
interface ContextSettings {
  /** Returns the address at which clients reach the service. */
  readonly getAddress: PublicAddress;
  readonly ambient: readonly string[];
}

/** The context of a handler. Rarely used members are computed on first use. */
class SoapHandlerContext implements OperationContext {
  readonly operation: string;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
  readonly protocol: Protocol;
  readonly method: string;
  readonly remoteAddress: string | undefined;
  readonly principal: unknown;
  readonly #call: ServiceCall;
  readonly #settings: ContextSettings;
  readonly #signal: CallSignal;
  #headers: ReadonlyMap<string, string> | undefined;
  #sentHeaders: object | undefined;

  constructor(
    call: ServiceCall,
    settings: ContextSettings,
    { signal, caller }: { readonly signal: CallSignal; readonly caller: Caller | undefined },
  ) {
    this.operation = call.operation.descriptor.name;
    this.soapHeaders = call.soapHeaders;
    this.extraSoapHeaders = call.extraSoapHeaders;
    this.protocol = call.protocol;
    this.method = call.request.method;
    this.remoteAddress = call.request.remoteAddress;
    this.principal = caller?.principal;
    this.#call = call;
    this.#settings = settings;
    this.#signal = signal;
    this.#headers = caller?.headers;
  }

  /** Returns the header blocks that the handler has set for the answer. */
  findSentHeaders(): object | undefined {
    return this.#sentHeaders;
  }

  get requestId(): string {
    return this.#call.request.id;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#call.request.clientCertificate;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= createHeaderMap(this.#call.request.headers);
    return this.#headers;
  }

  get ambient(): Readonly<Record<string, unknown>> {
    return getAmbient(this.#call.input, this.#settings.ambient);
  }

  get address(): string {
    return this.#settings.getAddress(this.#call.request, this.protocol);
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  // A property rather than a method, because handlers may destructure their context.
  readonly sendSoapHeaders = (blocks: object): void => {
    this.#sentHeaders = blocks;
  };
}

const contextGetters = /* @__PURE__ */ exposeGetters(SoapHandlerContext.prototype);

/** Wraps a context so that a copy, `{ ...context }`, contains all its members. */
function makeContextCopyable(context: SoapHandlerContext): SoapHandlerContext {
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
