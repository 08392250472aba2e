import { RestError } from "../../../answer-errors.js";
import type { Method } from "../../../descriptor.js";
import { isPromise } from "../../../is-promise.js";
import { createThrownIncident, isOptionTimeout, OptionError, report } from "../../../observe/incidents.js";
import { LimitError } from "../../../server-limits.js";
import { type CallSignal, callHandler } from "../../calls/call-handler.js";
import { checkPrincipal, formatRefusedCaller } from "../../refuse-request.js";
import { readRestInput } from "../arguments.js";
import type { ReceivedCall, RestCall } from "../request.js";
import { AuthorizationContext, findNonce, makeContextCopyable, RestHandlerContext } from "../rest-context.js";
import { createConventionalError, RefusedRequest } from "../rest-errors.js";
import type { ServedEndpoint } from "../served-interface.js";
import type { RestInput, RestServerOptions } from "../service.js";

// Finds out who calls, with the option `authenticate`, and what the caller may do, with the option `authorize`.

/**
 * Calls the option `authenticate`, whose result is the principal of the call. Returns a promise only if the option
 * does.
 */
export function identifyCaller(
  call: ReceivedCall,
  { endpoint, method }: Pick<RestCall, "endpoint" | "method">,
  { authenticate, startedAt }: TimedOption<"authenticate">,
): unknown {
  const run = (signal: CallSignal): unknown => {
    const principal: unknown = authenticate(
      makeContextCopyable(new RestHandlerContext(call, { operation: endpoint.descriptor.name, method }, signal)),
    );
    return isPromise(principal) ? principal.then(checkPrincipal) : checkPrincipal(principal);
  };
  return callOption("authenticate", call, { startedAt, run });
}

/**
 * Adds the caller to a call that has not been authenticated, because `authorize` needs the caller to list the methods
 * of the route for the header `Allow`. Throws or rejects if `authenticate` does.
 */
export function withCaller(call: ReceivedCall): ReceivedCall | Promise<ReceivedCall> {
  const { authenticate, authorize } = call.servedInterface.options;
  const [firstEndpoint] = call.match?.route.endpoints ?? [];
  const { endpoint = firstEndpoint } = call;
  if (authenticate === undefined || authorize === undefined || call.authentication !== undefined || !endpoint) {
    return call;
  }
  const { method = endpoint.descriptor.methods[0] } = call;
  const caller = identifyCaller(call, { endpoint, method }, { authenticate, startedAt: performance.now() });
  const addCaller = (principal: unknown): ReceivedCall => {
    call.request.record.principal = principal;
    return { ...call, authentication: { principal } };
  };
  return isPromise(caller) ? caller.then(addCaller) : addCaller(caller);
}

/** An option, and the instant from which its time limit is counted. The handler shares this limit. */
type TimedOption<Name extends "authenticate" | "authorize"> = {
  readonly [Option in Name]: NonNullable<RestServerOptions[Option]>;
} & { readonly startedAt: number | undefined };

/** Calls the option `authorize`. Returns a promise only if the option returns one. */
export function askPermission(
  call: RestCall,
  { authorize, startedAt }: TimedOption<"authorize">,
): boolean | Promise<boolean> {
  const { endpoint, method, input } = call;
  const { name: operation } = endpoint.descriptor;
  const run = (signal: CallSignal) =>
    authorize(makeContextCopyable(new AuthorizationContext(call, { operation, method, input, signal })));
  return callOption("authorize", call, { startedAt, run });
}

/** Returns the error for a call that the option `authorize` refuses: 403 if the caller is known, or has credentials. */
export function createRefusedCaller(
  call: RestCall,
  { isEmbedded, result }: { readonly isEmbedded: boolean; readonly result: unknown },
): RefusedRequest {
  const { request, servedInterface } = call;
  const isKnown = call.authentication?.principal !== undefined;
  const name = isKnown || request.parsedHeaders.hasAuthorization ? "forbidden" : "unauthorized";
  const { options, conventions } = servedInterface;
  const lacksNonce =
    options.verifyNonce !== undefined && request.parsedHeaders.hasCookie && findNonce(call) === undefined;
  const anonymousReason = lacksNonce
    ? `The request has a cookie, but no nonce in the header X-WP-Nonce or the parameter ${conventions.parameters.nonce}, so its user is not known.`
    : undefined;
  const reason = formatRefusedCaller(request, { result, authentication: call.authentication, anonymousReason });
  return new RefusedRequest(createConventionalError(name, conventions), isEmbedded ? [] : [{ reason }]);
}

/**
 * Calls a function in the options. The time limit for handlers applies, counted from `startedAt`. Throws an
 * `OptionError` if the function throws or exceeds this limit. Returns a promise only if the function returns one.
 */
export function callOption<T>(
  option: "authenticate" | "authorize" | "verifyNonce",
  { request, servedInterface }: ReceivedCall,
  { startedAt, run }: { readonly startedAt: number | undefined; readonly run: (signal: CallSignal) => T | Promise<T> },
): T | Promise<T> {
  const throwOptionError = (error: unknown): never => {
    throw new OptionError(option, error);
  };
  return callHandler(
    (signal) => {
      signal.option = option;
      try {
        const result = run(signal);
        return isPromise(result) ? Promise.resolve(result).catch(throwOptionError) : result;
      } catch (error) {
        return throwOptionError(error);
      }
    },
    { timeout: servedInterface.limits.handlerTimeout, startedAt, request },
  );
}

/** The result of the option `authorize` for a call, as far as it is known. */
interface Authorization {
  /** The result of the option, so that it need not be called again. Undefined if the option was not called. */
  readonly authorized: boolean | undefined;
  /** Whether the function of the option threw an exception. If so, the exception has already been reported. */
  readonly hasThrown?: boolean | undefined;
}

/** Returns the methods of a call's route that its client may use, for the `Allow` header. */
export function findAllowedMethods(
  call: ReceivedCall,
  authorization: Authorization,
): readonly Method[] | Promise<readonly Method[]> {
  const { match, servedInterface } = call;
  if (match === undefined) {
    return [];
  }
  return servedInterface.options.authorize === undefined
    ? match.route.methods
    : findAuthorizedMethods(call, authorization);
}

async function findAuthorizedMethods(
  call: ReceivedCall,
  { authorized, hasThrown = false }: Authorization,
): Promise<readonly Method[]> {
  const { endpoints = [], methods = [] } = call.match?.route ?? {};
  const allowedMethods = new Set<Method>();
  const startedAt = performance.now();
  let hasTimedOut = false;
  let isReported = hasThrown;
  for (const endpoint of endpoints) {
    for (const method of endpoint.descriptor.methods) {
      const isCalled = endpoint === call.endpoint && method === call.method && authorized !== undefined;
      if (isCalled ? authorized : !hasTimedOut && (await isAuthorized(endpoint, method))) {
        allowedMethods.add(method);
      }
    }
  }
  return methods.filter((method) => allowedMethods.has(method));

  /**
   * Whether the option `authorize` allows the client to call an endpoint of the route. False if the option throws, or
   * if the time limit for all methods together has expired. Such a failure, unlike a refusal, is reported once per
   * call.
   */
  async function isAuthorized(endpoint: ServedEndpoint, method: Method): Promise<boolean> {
    const { descriptor } = endpoint;
    const input = readPathInput(call, endpoint);
    const { request, servedInterface, match } = call;
    const { authorize, onError } = servedInterface.options;
    const operation = descriptor.name;
    if (input === undefined) {
      return false;
    }
    const run = (signal: CallSignal) =>
      authorize?.(makeContextCopyable(new AuthorizationContext(call, { operation, method, input, signal })));
    try {
      return (await callOption("authorize", call, { startedAt, run })) === true;
    } catch (error) {
      hasTimedOut = isOptionTimeout(error);
      const { cause } = error as Error;
      const errorForClient = cause instanceof RestError ? cause : undefined;
      const incident = isReported ? undefined : createThrownIncident(error, { errorForClient, request });
      if (incident !== undefined && incident.kind !== "request") {
        isReported = true;
        const message = `${incident.message} It was called to list the methods for the header Allow, which therefore omits this method.`;
        const source = { operation, route: match?.route.key, protocol: "rest" } as const;
        report(onError, { ...incident, message, ...source }, request, { endsCall: false });
      }
      return false;
    }
  }
}

const noValues: ReadonlyMap<string, string> = new Map();

/**
 * Reads the variables of a call's path for an endpoint of its route, with the types of the endpoint's arguments.
 * Returns undefined if the endpoint would refuse them.
 */
function readPathInput({ match, servedInterface }: ReceivedCall, { args }: ServedEndpoint): RestInput | undefined {
  const { variables: path = noValues } = match ?? {};
  try {
    const pathArgs = args.filter(({ name }) => path.has(name));
    return readRestInput(pathArgs, { path, json: undefined, form: undefined, query: noValues }, servedInterface);
  } catch (error) {
    if (error instanceof RefusedRequest || error instanceof LimitError) {
      return undefined;
    }
    throw error;
  }
}
