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
import { bareAnswer, embeddedBody, headerOf, isObject, wholeBody } from "./recorded-body.js";
import type { RecordedCase } from "./recorded-case.js";

/**
 * The site behind the generated server: every handler notes that it was called, and answers what the recorded site
 * answered to the case that is being replayed. Who may do what is the site's own knowledge too: its `Allow` tells.
 */
export class RecordedSite {
  readonly routes: Routes;
  /** The request's own call comes first; what is embedded in its answer is called by the server. */
  readonly #calls: Call[] = [];
  #asked: Call | undefined;
  #recorded: RecordedCase | undefined;

  constructor(site: GeneratedSite, facts: Pick<RestServerOptions, "name" | "description" | "url">) {
    const handlers = {};
    for (const { name, route } of site.endpoints) {
      if (isIndexRoute(route)) {
        continue;
      }
      put(handlers, name.split("."), (input: Call["input"], context: RestContext) => this.#handle(input, context));
    }
    this.routes = site.routes(handlers, { ...facts, authorize: (call) => this.#authorize(call) });
  }

  /** From here on, this case is being replayed. */
  begin(recorded: RecordedCase): void {
    this.#recorded = recorded;
    this.#asked = undefined;
    this.#calls.length = 0;
  }

  /** The handler's call that the request led to. */
  get made(): Call | undefined {
    return this.#calls[0];
  }

  /** The first call that the site was asked to allow: the request's own, where it passed what the index can know. */
  get asked(): Call | undefined {
    return this.#asked;
  }

  #handle(input: Call["input"], context: RestContext): RestAnswer {
    const recorded = this.#replayed();
    const isEmbedded = this.#calls.length > 0;
    this.#calls.push(callOf(input, context));
    return isEmbedded ? restAnswer({ body: embeddedBody(recorded, context, input) }) : answerOf(recorded);
  }

  #authorize(call: RestCallToAuthorize): boolean {
    const recorded = this.#replayed();
    const [own] = this.#calls;
    if (own !== undefined && own.route !== call.route) {
      return true;
    }
    const isFirst = this.#asked === undefined;
    this.#asked ??= callOf(call.input, call);
    if (call.nonce === "bad") {
      throw errorOf(recorded);
    }
    // What was done was allowed, though it may not be possible again.
    if (isFirst && recorded.method !== "OPTIONS" && bareAnswer(recorded).status < 400) {
      return true;
    }
    const allowed = headerOf(bareAnswer(recorded), "allow") ?? "";
    if (allowed.split(", ").includes(call.method)) {
      return true;
    }
    throw errorOf(recorded);
  }

  #replayed(): RecordedCase {
    if (this.#recorded === undefined) {
      throw new Error("No case is being replayed.");
    }
    return this.#recorded;
  }
}

function callOf(input: Call["input"], { route, method }: Pick<RestContext, "route" | "method">): Call {
  return { route, method, input };
}

/** `/`, or a namespace: a name and a version, nothing behind. */
function isIndexRoute(route: string): boolean {
  return /^\/(?:[^/]+\/v?[\d.]+)?$/.test(route) && route !== "/batch/v1";
}

function answerOf(recorded: RecordedCase): RestAnswer {
  const bare = bareAnswer(recorded);
  const headers = Object.fromEntries(bare.headers.filter(([name, value]) => isOfHandler(name, value)));
  if (recorded.raw?.startsWith("<?xml")) {
    const body = new TextEncoder().encode(recorded.raw);
    return restAnswer<JsonValue>({
      headers: { ...headers, "Content-Type": headerOf(bare, "content-type") ?? "" },
      body,
    });
  }
  // What an error has no place for, a handler answers as a body.
  const isBody = isObject(bare.body) && bare.body["additional_data"] !== undefined;
  if (bare.status >= 400 && !isBody) {
    throw errorOf(recorded);
  }
  const total = headerOf(bare, "x-wp-total");
  const body = wholeBody(bare, recorded.path);
  return restAnswer({ status: bare.status, headers, body, total: total === undefined ? undefined : Number(total) });
}

/** All other headers are the server's. */
function isOfHandler(name: string, value: string): boolean {
  return /^(?:location|x-wp-upload-attachment-id)$/i.test(name) || value.includes('rel="alternate"');
}

/** The recorded refusal; of HEAD, its status alone. Where the site did not refuse, or never saw the request, there is none. */
function errorOf(recorded: RecordedCase): RestError {
  const { body, status } = bareAnswer(recorded);
  const isOfSite = isObject(body) && body["code"] !== "rest_no_route";
  if (isOfSite && typeof body["code"] === "string" && typeof body["message"] === "string") {
    const data = isObject(body["data"]) ? body["data"] : {};
    return new RestError({ code: body["code"], message: body["message"], status, data });
  }
  const known = recorded.method === "HEAD" && status >= 400 ? status : 418;
  return new RestError({ code: "not_recorded", message: "What the site said is not recorded.", status: known });
}

function put(tree: object, [first = "", ...rest]: readonly string[], handler: unknown): void {
  if (rest.length === 0) {
    Reflect.set(tree, first, handler);
    return;
  }
  const known: unknown = Reflect.get(tree, first);
  const inner = typeof known === "object" && known !== null ? known : {};
  Reflect.set(tree, first, inner);
  put(inner, rest, handler);
}
