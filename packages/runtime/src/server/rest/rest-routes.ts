import type { JsonValue } from "../../descriptor.js";
import { ConfigError, EncodeError } from "../../errors.js";
import { RoutedRequest, routedRequest } from "../../http/routed-request.js";
import type { ServerAnswer } from "../../http/server-messages.js";
import type { IndexLinks } from "../../pages/index.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import { RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { DisconnectError } from "../body.js";
import { callHandler, isPromise } from "../call-handler.js";
import type { Routes } from "../routes.js";
import { interfacePaths, isPlainPath, type RequestTarget, readTarget } from "./address.js";
import { refuseScript, withFields, writeAnswer } from "./answer.js";
import {
  AuthorizationContext,
  CallContext,
  findCall,
  type ReceivedCall,
  type RestCall,
  readCall,
  receiveCall,
  withQuery,
  withRoute,
} from "./call.js";
import { withEmbedded } from "./embed.js";
import { conventionalError, errorAnswer } from "./errors.js";
import { allowedMethods, hasCredentials, refuseForgery } from "./permission.js";
import type { RestServerOptions, RestService } from "./service.js";
import { type RestServing, restServing } from "./serving.js";

/** The routes of one discovery index: its endpoints by the handlers, the index itself, OPTIONS and HEAD. */
export function restRoutes(service: RestService, options: RestServerOptions = {}): Routes {
  if (service.interface.descriptorFormat !== 2) {
    throw new ConfigError("The generated code is for another version of the runtime: generate it again.");
  }
  const serving = restServing(service, options);
  return {
    name: service.interface.name,
    paths: interfacePaths(serving),
    answer(received) {
      const request = routedRequest(received);
      const target = readTarget(request, serving);
      if (target === undefined) {
        return undefined;
      }
      return isPageRequest(request, target, serving)
        ? answerPage(request, target, serving)
        : answerRequest(receiveCall(request, target, serving));
    },
  };
}

async function answerRequest(received: ReceivedCall): Promise<ServerAnswer> {
  const answered = await answerCall(received, { isEmbedded: false });
  const { call, authorized, close } = answered;
  let answer: ServerAnswer;
  try {
    const embedded = withEmbedded(answered.answer, call, answerEmbedded);
    const written = finishAnswer(embedded instanceof Promise ? await embedded : embedded, answered);
    answer = written instanceof Promise ? await written : written;
  } catch (error) {
    answer = await finishAnswer(refusalAnswer(error, call), { call, authorized });
  }
  return close ? { ...answer, close } : answer;
}

/** Answers the target of an embedded link like a separate request. */
async function answerEmbedded(received: ReceivedCall): Promise<RestAnswer> {
  return (await answerCall(received, { isEmbedded: true })).answer;
}

/** A call as far as it was read, and its answer: the handler's, or a refusal. */
interface AnsweredCall {
  readonly call: ReceivedCall;
  readonly answer: RestAnswer;
  /** The result of the `authorize` hook; undefined if it was not called. */
  readonly authorized: boolean | undefined;
  /** Part of the request was not read, so the connection is closed. */
  readonly close: boolean;
}

/**
 * Answers a call in WordPress's order: the query, the nonce, the route and its method, the body, the arguments, the
 * permission, the handler. Steps that have nothing to wait for return no promise.
 */
async function answerCall(
  received: ReceivedCall,
  { isEmbedded }: { readonly isEmbedded: boolean },
): Promise<AnsweredCall> {
  let call = received;
  let authorized: boolean | undefined;
  try {
    call = withQuery(call);
    const refusal = refuseScript(call);
    if (refusal !== undefined) {
      return { call, answer: refusal, authorized, close: false };
    }
    const check = isEmbedded ? undefined : refuseForgery(call);
    if (check !== undefined) {
      await check;
    }
    if (call.request.method === "OPTIONS") {
      call = withRoute(call);
      return { call, answer: withFields(describeRoute(call), call), authorized, close: false };
    }
    const found = findCall(call);
    if (found === undefined) {
      throw conventionalError("noRoute", call.serving.conventions);
    }
    call = found;
    const reading = readCall(found);
    const read = reading instanceof Promise ? await reading : reading;
    call = read;
    if (call.serving.options.authorize !== undefined) {
      authorized = false;
      authorized = await authorize(read);
      if (!authorized) {
        // 401 asks for credentials; 403 refuses those that were sent.
        throw conventionalError(hasCredentials(call.request) ? "forbidden" : "unauthorized", call.serving.conventions);
      }
    }
    const result = runHandler(read);
    const answer = handlerAnswer(isPromise(result) ? await result : result, read);
    return { call, answer: withFields(answer, call), authorized, close: false };
  } catch (error) {
    // A client that disconnected gets no answer, and is not an incident.
    const isDisconnected = error instanceof DisconnectError;
    const refusal = isDisconnected ? conventionalError("noRoute", call.serving.conventions) : error;
    const answer = refusalAnswer(refusal, call);
    // The rest of a body that is too large is not read.
    return { call, answer, authorized, close: isDisconnected || answer.status === 413 };
  }
}

function authorize(call: RestCall): boolean | Promise<boolean> {
  const { serving, endpoint, method, input } = call;
  const context = new AuthorizationContext(call, { operation: endpoint.descriptor.name, method }, input);
  return serving.options.authorize?.(context) ?? true;
}

/** OPTIONS: the route's entry in the index, or an empty list if there is no route. */
function describeRoute({ match, serving, baseUrl }: ReceivedCall): RestAnswer {
  return restAnswer({ body: match === undefined ? [] : serving.index.entry(match.route.key, baseUrl) });
}

/** Calls the handler; returns a promise only if the handler does. */
function runHandler(call: RestCall): unknown {
  const { request, serving, endpoint, input, method } = call;
  const { descriptor, handler } = endpoint;
  return callHandler(
    (signal) => handler(input, new CallContext(call, { operation: descriptor.name, method }, signal)),
    { timeout: serving.limits.handlerTimeout, request },
  );
}

function handlerAnswer(result: unknown, { serving, endpoint }: RestCall): RestAnswer {
  // A result that is not a JSON value is refused when it is written.
  const answer: RestAnswer =
    result instanceof RestAnswer ? result : restAnswer({ body: (result ?? null) as JsonValue });
  if (serving.options.validate !== undefined) {
    validateAnswer(answer, endpoint.descriptor.name, serving.options.validate);
  }
  return answer;
}

/** Checks the handler's answer before `_fields` removes members from it. */
function validateAnswer({ status, body }: RestAnswer, operation: string, check: AnswerCheck): void {
  if (status >= 300 || body instanceof Uint8Array) {
    return;
  }
  const problem = check({ operation, body, partial: false });
  if (problem !== undefined) {
    throw new EncodeError(problem.message, { path: problem.path, operation });
  }
}

function refusalAnswer(error: unknown, { serving, endpoint, match }: ReceivedCall): RestAnswer {
  const called = { operation: endpoint?.descriptor.name, route: match?.route.key };
  return errorAnswer(error, called, { conventions: serving.conventions, onError: serving.options.onError });
}

function finishAnswer(
  answer: RestAnswer,
  { call, authorized }: Pick<AnsweredCall, "call" | "authorized">,
): ServerAnswer | Promise<ServerAnswer> {
  const methods = allowedMethods(call, authorized);
  return methods instanceof Promise
    ? methods.then((allowed) => writeAnswer(answer, call, allowed))
    : writeAnswer(answer, call, methods);
}

function isPageRequest({ method }: RoutedRequest, { path }: RequestTarget, { pagePath }: RestServing): boolean {
  return pagePath !== undefined && path === pagePath && (method === "GET" || method === "HEAD");
}

/**
 * Answers with the page for people, which is loaded on first use. The page shows the answer of the index route to the
 * same request: a client that may not read the index gets that route's refusal.
 */
async function answerPage(request: RoutedRequest, target: RequestTarget, serving: RestServing): Promise<ServerAnswer> {
  const indexRequest = new RoutedRequest({
    method: "GET",
    target: request.target,
    headers: request.headers,
    body: new Uint8Array(),
    signal: request.signal,
    secure: request.secure,
    remoteAddress: request.remoteAddress,
  });
  const index = await answerRequest(receiveCall(indexRequest, { ...target, path: "/", query: "" }, serving));
  const answer = index.status === 200 && typeof index.body === "string" ? await pageAnswer(index.body) : index;
  return request.method === "HEAD" ? { ...answer, body: undefined } : answer;

  async function pageAnswer(text: string): Promise<ServerAnswer> {
    const document: JsonValue = JSON.parse(text);
    const pages = await import("../../pages/index.js");
    const route = new URLSearchParams(target.query).get("route") ?? undefined;
    return pages.indexPage({ document, route, links: pageLinks(request, target, serving.conventions) });
  }
}

function pageLinks(
  request: RoutedRequest,
  { path = "", variables }: RequestTarget,
  conventions: RestConventions,
): IndexLinks {
  const [requestPath = ""] = request.target.split("?", 1);
  if (!isPlainPath(requestPath, conventions)) {
    const levels = path.split("/").length - 2 + (requestPath.endsWith("/") ? 1 : 0);
    const routePage = (key: string) => `?route=${encodeURIComponent(key)}`;
    return { overview: "?", routePage, prefix: levels === 0 ? "./" : "../".repeat(levels), joiner: "?" };
  }
  const values = [...variables].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`);
  const start = `?${values.join("")}${encodeURIComponent(conventions.parameters.route)}=`;
  const routePage = (key: string) => `${start}${path}&route=${encodeURIComponent(key)}`;
  return { overview: start + path, routePage, prefix: `${start}/`, joiner: "&" };
}
