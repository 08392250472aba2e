import { type JsonValue, RestError } from "@bothends/runtime";
import {
  type RestAnswer,
  type RestCallToAuthorize,
  type RestContext,
  type RestServerOptions,
  type Routes,
  restAnswer,
} from "@bothends/runtime/server";
import type { Call } from "./expected-calls.js";
import type { GeneratedSite } from "./generated-site.js";
import { completeBody, findEmbeddedBody, findHeader, getHandlerAnswer, isObject } from "./recorded-body.js";
import type { RecordedCase } from "./recorded-case.js";

/**
 * The site behind the generated server. Every handler records its call, and returns the recorded site's answer to the
 * current case. Permissions come from the `Allow` header of the recorded site.
 */
export class RecordedSite {
  readonly routes: Routes;
  /** The calls of handlers: first the call for the request, then the server's calls for embedded objects. */
  readonly #calls: Call[] = [];
  #authorized: Call | undefined;
  #recorded: RecordedCase | undefined;

  constructor(site: GeneratedSite, options: Pick<RestServerOptions, "name" | "description" | "url">) {
    const handlers = {};
    for (const { name, route } of site.endpoints) {
      if (isIndexRoute(route)) {
        continue;
      }
      putHandler(handlers, name.split("."), (input: Call["input"], context: RestContext) =>
        this.#handle(input, context),
      );
    }
    this.routes = site.routes(handlers, { ...options, authorize: (call) => this.#authorize(call) });
  }

  /** Begins a case: from now on, handlers return the answers of this case. */
  begin(recordedCase: RecordedCase): void {
    this.#recorded = recordedCase;
    this.#authorized = undefined;
    this.#calls.length = 0;
  }

  /** The handler call caused by the request. */
  get handledCall(): Call | undefined {
    return this.#calls[0];
  }

  /**
   * The first call for which the site was asked to authorize a user. If the request is valid according to the index,
   * this is the call of the request.
   */
  get authorizedCall(): Call | undefined {
    return this.#authorized;
  }

  #handle(input: Call["input"], context: RestContext): RestAnswer {
    const recordedCase = this.#getReplayed();
    const isEmbedded = this.#calls.length > 0;
    this.#calls.push(callOf(input, context));
    return isEmbedded ? restAnswer({ body: findEmbeddedBody(recordedCase, context, input) }) : answerOf(recordedCase);
  }

  #authorize(call: RestCallToAuthorize): boolean {
    const recordedCase = this.#getReplayed();
    const [requestedCall] = this.#calls;
    if (requestedCall !== undefined && requestedCall.route !== call.route) {
      return true;
    }
    const isFirst = this.#authorized === undefined;
    this.#authorized ??= callOf(call.input, call);
    if (call.nonce === "bad") {
      throw getError(recordedCase);
    }
    // A successful call was permitted, even if it cannot be repeated.
    if (isFirst && recordedCase.method !== "OPTIONS" && getHandlerAnswer(recordedCase).status < 400) {
      return true;
    }
    const allowHeader = findHeader(getHandlerAnswer(recordedCase), "allow") ?? "";
    if (allowHeader.split(", ").includes(call.method)) {
      return true;
    }
    throw getError(recordedCase);
  }

  #getReplayed(): RecordedCase {
    if (this.#recorded === undefined) {
      throw new Error("No case is being replayed.");
    }
    return this.#recorded;
  }
}

function callOf(input: Call["input"], { route, method }: Pick<RestContext, "route" | "method">): Call {
  return { route, method, input };
}

/** Whether a route belongs to an index: `/`, or a namespace, which consists of a name and a version. */
function isIndexRoute(route: string): boolean {
  return /^\/(?:[^/]+\/v?[\d.]+)?$/.test(route) && route !== "/batch/v1";
}

function answerOf(recordedCase: RecordedCase): RestAnswer {
  const answer = getHandlerAnswer(recordedCase);
  const headers = Object.fromEntries(answer.headers.filter(([name, value]) => isOfHandler(name, value)));
  if (recordedCase.raw?.startsWith("<?xml")) {
    const body = new TextEncoder().encode(recordedCase.raw);
    return restAnswer<JsonValue>({
      headers: { ...headers, "Content-Type": findHeader(answer, "content-type") ?? "" },
      body,
    });
  }
  // A handler returns this content as a body, because an error cannot contain it.
  const isBody = isObject(answer.body) && answer.body["additional_data"] !== undefined;
  if (answer.status >= 400 && !isBody) {
    throw getError(recordedCase);
  }
  const total = findHeader(answer, "x-wp-total");
  const body = completeBody(answer, recordedCase.path);
  return restAnswer({ status: answer.status, headers, body, total: total === undefined ? undefined : Number(total) });
}

/** Whether a handler sets a header. The server sets all other headers. */
function isOfHandler(name: string, value: string): boolean {
  return /^(?:location|x-wp-upload-attachment-id)$/i.test(name) || value.includes('rel="alternate"');
}

/**
 * Returns the recorded refusal; for HEAD, only its status. Undefined if the site did not refuse the request, or never
 * received it.
 */
function getError(recordedCase: RecordedCase): RestError {
  const { body, status } = getHandlerAnswer(recordedCase);
  const isOfSite = isObject(body) && body["code"] !== "rest_no_route";
  if (isOfSite && typeof body["code"] === "string" && typeof body["message"] === "string") {
    const data = isObject(body["data"]) ? body["data"] : {};
    return new RestError({ code: body["code"], message: body["message"], status, data });
  }
  const recordedStatus = recordedCase.method === "HEAD" && status >= 400 ? status : 418;
  return new RestError({
    code: "not_recorded",
    message: "The recording does not contain this refusal of the site.",
    status: recordedStatus,
  });
}

function putHandler(tree: object, [firstName = "", ...rest]: readonly string[], handler: unknown): void {
  if (rest.length === 0) {
    Reflect.set(tree, firstName, handler);
    return;
  }
  const existingMember: unknown = Reflect.get(tree, firstName);
  const subtree = typeof existingMember === "object" && existingMember !== null ? existingMember : {};
  Reflect.set(tree, firstName, subtree);
  putHandler(subtree, rest, handler);
}
