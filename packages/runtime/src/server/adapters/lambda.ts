import { ConfigError } from "../../errors.js";
import { decodeBase64, encodeBase64 } from "../../http/bytes.js";
import { report } from "../../observe/incidents.js";
import { limitTimeout } from "../limits/running-clock.js";
import type { Routes } from "../routes.js";
import { findPlainAddress } from "../trusted-proxies.js";
import { type WebHandlerOptions, webHandler } from "./web-fetch.js";

/** The event of an HTTP request from an API Gateway (payload format 1.0 or 2.0), a function URL or a load balancer. */
export interface LambdaEvent {
  readonly version?: string | undefined;
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly cookies?: readonly string[] | undefined;
  readonly path?: string | undefined;
  readonly httpMethod?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext?:
    | {
        readonly http?: { readonly method?: string | undefined; readonly sourceIp?: string | undefined } | undefined;
        readonly identity?: { readonly sourceIp?: string | undefined } | undefined;
        readonly elb?: object | undefined;
      }
    | undefined;
}

/**
 * The result of a function of AWS Lambda that answers an HTTP request. `body` is text, or Base64 if `isBase64Encoded`
 * is true.
 */
export interface LambdaAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All headers of the answer. Set if the event has payload format 1.0 or comes from a load balancer. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  /** The values of the `Set-Cookie` headers. Set if the event has payload format 2.0. */
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** The member that `lambdaHandler` uses of the context of a call of a function. */
export interface LambdaContext {
  /** Returns the time in milliseconds until Lambda ends the function. */
  getRemainingTimeInMillis?(): number;
}

/**
 * Serves routes in AWS Lambda: `export const handler = lambdaHandler([…])`. A handler that has not ended shortly before
 * Lambda would end the function is answered as one that exceeds `limits.handlerTimeout`. Rejects with `ConfigError` for
 * an event that is not an HTTP request, such as one of a queue.
 */
export function lambdaHandler(
  routes: readonly Routes[],
  options: WebHandlerOptions = {},
): (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaAnswer> {
  const answerRequest = webHandler(routes, options);
  return async (receivedEvent, context) => {
    // Any value can be sent to a Lambda function, even null, which is read as an empty event.
    const event: LambdaEvent = Object(receivedEvent ?? {});
    checkEvent(event, options);
    const remainingTime = context?.getRemainingTimeInMillis?.();
    const answerBefore =
      remainingTime === undefined ? undefined : performance.now() + remainingTime - getAnswerTime(remainingTime);
    // Lambda ends a function without an answer if nothing keeps the process running.
    const keepAlive = remainingTime === undefined ? undefined : setTimeout(() => {}, limitTimeout(remainingTime));
    const { http, identity } = event.requestContext ?? {};
    const hostname = http?.sourceIp ?? identity?.sourceIp ?? findBalancedAddress(event);
    const platform = { remoteAddr: { hostname }, answerBefore };
    const request = createWebRequest(event, options);
    try {
      const answer = await createLambdaAnswer(
        request === undefined ? createInvalidRequest() : await answerRequest(request, platform),
        event,
      );
      reportLargeAnswer(answer, event, options);
      return answer;
    } finally {
      clearTimeout(keepAlive);
    }
  };
}

/** Returns the time in milliseconds for writing an answer and the log before Lambda ends the function. */
function getAnswerTime(remainingTime: number): number {
  return Math.min(500, remainingTime / 10);
}

/** The maximum size of an answer in bytes: `balancer` behind a load balancer, `lambda` otherwise. */
const maxAnswerBytes = { lambda: 6_291_456, balancer: 1_048_576 };

/**
 * Reports an answer that is too large for Lambda to pass on. The handler cannot know what the client receives in its
 * place.
 */
function reportLargeAnswer({ body }: LambdaAnswer, event: LambdaEvent, { onError }: WebHandlerOptions): void {
  const limit = isBalanced(event) ? maxAnswerBytes.balancer : maxAnswerBytes.lambda;
  if (body.length * 3 <= limit) {
    return;
  }
  const { length } = new TextEncoder().encode(body);
  if (length > limit) {
    const loadBalancerNote = isBalanced(event) ? " behind a load balancer" : "";
    const message = `The answer has ${length} bytes. Lambda${loadBalancerNote} passes on at most ${limit}, so the client receives an error instead. Send less data in one answer, or set the option "compress".`;
    report(onError, { kind: "config", message, method: getMethod(event), address: getPath(event) });
  }
}

/**
 * Returns the client's address as a load balancer reports it: the last address in `X-Forwarded-For`, which includes a
 * port if the attribute `routing.http.xff_client_port.enabled` of the load balancer is set. In the load balancer's mode
 * `preserve`, a client could forge this address.
 */
function findBalancedAddress(event: LambdaEvent): string | undefined {
  if (!isBalanced(event)) {
    return undefined;
  }
  const lines = listHeaderValues(event).filter(([name]) => name.toLowerCase() === "x-forwarded-for");
  return findPlainAddress(
    lines
      .flatMap(([, values]) => values)
      .join(",")
      .split(",")
      .at(-1),
  );
}

function isBalanced({ requestContext }: LambdaEvent): boolean {
  return "elb" in Object(requestContext ?? {});
}

/** Returns the answer to an event that is not a valid HTTP request. */
function createInvalidRequest(): Response {
  return new Response("The event is not a valid HTTP request.", {
    status: 400,
    headers: { "Content-Type": "text/plain" },
  });
}

/**
 * Throws if an event is not that of an HTTP request, because an answer would mean success to the service that sent it:
 * a queue would delete its messages.
 */
function checkEvent({ rawPath, path, httpMethod, requestContext }: LambdaEvent, { onError }: WebHandlerOptions): void {
  if ((rawPath ?? path ?? httpMethod ?? requestContext?.http) === undefined) {
    const message =
      "The event is not a request, because it has neither a path nor a method: another service may have sent it, such as a queue or a schedule. Let API Gateway, a function URL or a load balancer call this function, and another function receive such events. The function failed, so a queue keeps its messages.";
    report(onError, { kind: "config", message });
    throw new ConfigError(message);
  }
}

/** Converts an event to a request. If the event is not a valid HTTP request, reports this and returns undefined. */
function createWebRequest(event: LambdaEvent, { onError }: WebHandlerOptions): Request | undefined {
  try {
    return createRequest(event);
  } catch (error) {
    // In this code, only `atob` throws a `DOMException`.
    const isBase64Error = error instanceof DOMException;
    const reason = isBase64Error
      ? "isBase64Encoded is true, but the body is not Base64"
      : "its path has a dot segment, or its path, host, method or a header is not valid";
    const message = `The event is not a valid request: ${reason}.`;
    report(onError, { kind: "request", message, method: getMethod(event), address: getPath(event) });
    return undefined;
  }
}

function getMethod({ requestContext, httpMethod = "GET" }: LambdaEvent): string {
  return requestContext?.http?.method ?? httpMethod;
}

/** Matches a path that `Request` would change, or whose beginning it would read as a part of the host. */
const changeablePath = /^(?!\/)|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Converts an event to a request. Throws an error if the event is not a valid request, or if `Request` would change its
 * path, because the gateway has checked only the original path.
 */
function createRequest(event: LambdaEvent): Request {
  const method = getMethod(event);
  const path = getPath(event);
  if (changeablePath.test(path)) {
    throw new TypeError("The path is not valid.");
  }
  const headers = new Headers();
  for (const [name, values] of listHeaderValues(event)) {
    for (const value of values) {
      headers.append(name, value);
    }
  }
  if (event.cookies !== undefined) {
    headers.set("cookie", event.cookies.join("; "));
  }
  const scheme = headers.get("x-forwarded-proto") === "http" ? "http" : "https";
  const address = `${scheme}://${headers.get("host") ?? "localhost"}${path}`;
  const query = readQuery(event);
  const hasBody = event.body !== null && event.body !== undefined && method !== "GET" && method !== "HEAD";
  return new Request(query === "" ? address : `${address}?${query.replaceAll("#", "%23")}`, {
    method,
    headers,
    body: hasBody ? readBody(event) : null,
  });
}

/**
 * Returns the path, which API Gateway may have decoded. Encodes `?` and `#`, because they would begin a query or a
 * fragment, and the characters that `Request` would change or remove.
 */
function getPath({ rawPath, path = "" }: LambdaEvent): string {
  return String(rawPath ?? path)
    .replace(/^$/, "/")
    .replace(/[?#\\\u0000-\u0020]/g, encodeURIComponent);
}

function listHeaderValues({
  headers,
  multiValueHeaders,
}: LambdaEvent): readonly (readonly [string, readonly string[]])[] {
  if (multiValueHeaders !== undefined && multiValueHeaders !== null) {
    return Object.entries(multiValueHeaders).map(([name, values]) => [name, values ?? []]);
  }
  return Object.entries(headers ?? {}).map(([name, value]) => [name, value === undefined ? [] : [value]]);
}

/**
 * Returns the encoded query. In payload format 1.0, API Gateway has decoded the parameters, so they are encoded again;
 * a load balancer passes the parameters as the client sent them.
 */
function readQuery(event: LambdaEvent): string {
  if (event.rawQueryString !== undefined) {
    return event.rawQueryString;
  }
  const { multiValueQueryStringParameters: parameterLists, queryStringParameters: parameterValues } = event;
  const pairs = parameterLists
    ? Object.entries(parameterLists).flatMap(([name, list = []]) => list.map((value) => [name, value] as const))
    : Object.entries(parameterValues ?? {}).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
  const write = isBalanced(event) ? (text: string) => text : encodeURIComponent;
  return pairs.map(([name, value]) => `${write(name)}=${write(value)}`).join("&");
}

/**
 * Returns the headers that set several cookies behind a load balancer without the attribute
 * `lambda.multi_value_headers.enabled`. It reads only `headers`, an object, and passes on names that differ in their
 * letter case.
 */
function spellCookies(cookies: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    cookies.map((cookie, index) => {
      let bits = index;
      const name = "set-cookie".replace(/[a-z]/g, (letter) => {
        const isUpperCase = bits % 2 === 1;
        bits >>= 1;
        return isUpperCase ? letter.toUpperCase() : letter;
      });
      return [name, cookie];
    }),
  );
}

function readBody({ body, isBase64Encoded }: LambdaEvent): Uint8Array<ArrayBuffer> {
  const text = body ?? "";
  return isBase64Encoded === true ? decodeBase64(text) : new TextEncoder().encode(text);
}

/** Converts an answer for Lambda. The body becomes a string if it is uncompressed text, otherwise Base64. */
async function createLambdaAnswer(response: Response, event: LambdaEvent): Promise<LambdaAnswer> {
  const cookies = response.headers.getSetCookie();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== "set-cookie"));
  const isText = /^(?:text\/|application\/(?:.*\+)?(?:xml|json))/.test(response.headers.get("content-type") ?? "");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isBase64Encoded = !isText || response.headers.has("content-encoding");
  const answer = {
    statusCode: response.status,
    headers,
    body: isBase64Encoded ? encodeBase64(bytes) : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
    isBase64Encoded,
  };
  if (cookies.length === 0 && !event.multiValueHeaders) {
    return answer;
  }
  if (event.version === "2.0") {
    return { ...answer, cookies };
  }
  if (isBalanced(event) && !event.multiValueHeaders) {
    return { ...answer, headers: { ...headers, ...spellCookies(cookies) } };
  }
  const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return cookies.length === 0
    ? { ...answer, multiValueHeaders }
    : { ...answer, multiValueHeaders: { ...multiValueHeaders, "set-cookie": cookies } };
}
