import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { isBytes } from "../../http/bytes.js";
import type { HeaderLine } from "../../http/headers.js";
import { report } from "../../observe/incidents.js";
import { mergeServerLimits } from "../../server-limits.js";
import { limitTimeout } from "../limits/running-clock.js";
import type { RouterOptions } from "../router.js";
import { mayAnswer, type Routes } from "../routes.js";
import { compressPayload } from "./node/encode-answer.js";
import { createFrameworkRoutes, type FrameworkAnswer, hasName, isSetByFramework } from "./node/write-answer.js";
import { isClosed } from "./node-answers.js";

/** The members of a Fastify instance that the plugin uses. */
export interface FastifyLike {
  /** The prefix with which the plugin is registered. */
  readonly prefix?: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  /** Adds a strategy by which Fastify chooses between routes with the same path. Fastify 4 and later have it. */
  addConstraintStrategy?(strategy: never): unknown;
  addHook?(name: never, hook: never): unknown;
  /**
   * `pluginTimeout` is the time in milliseconds after which Fastify reports a hook as failed. 0 means never; the
   * default is 10,000.
   */
  readonly initialConfig?: { readonly pluginTimeout?: number; readonly bodyLimit?: number };
  route(options: {
    readonly method: string[];
    readonly url: string;
    readonly constraints?: Readonly<Record<string, unknown>>;
    /** Tells `@fastify/compress` that the routes decompress requests themselves. */
    readonly decompress: false;
    readonly handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;
    readonly onSend: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: unknown) => Promise<unknown>;
    readonly onError: (request: FastifyRequestLike, reply: FastifyReplyLike, error: unknown) => Promise<void>;
  }): unknown;
}

/** The members of a request of Fastify that the routes use. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
}

/** The members of a reply of Fastify that the routes use. */
export interface FastifyReplyLike {
  readonly raw: ServerResponse;
  readonly statusCode?: number;
  callNotFound(): unknown;
  code(status: number): unknown;
  header(name: string, value: string | string[]): unknown;
  getHeader(name: string): unknown;
  send(body?: string | Uint8Array): unknown;
}

/** The methods that the routes always answer. If the option `handleOptions` is true, they also answer `OPTIONS`. */
const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

/**
 * Serves routes in Fastify: `app.register(fastifyPlugin([…]))`. Answers are sent with `reply`, so that they pass
 * through hooks, `inject` and plugins. Requests that match no route are left to the other routes of the app.
 */
export function fastifyPlugin(
  routes: readonly Routes[],
  options: FastifyOptions = {},
): (instance: FastifyLike) => Promise<void> {
  const findAnswer = createFrameworkRoutes(routes, options, ["framework"]);
  const handlesOptions = options.handleOptions !== false;
  const { drainTimeout } = mergeServerLimits(options.limits);
  return async (instance) => {
    reportLostPath(routes, instance.prefix, options.onError);
    reportBodyLimit(routes, instance.initialConfig?.bodyLimit, options.onError);
    // The plugin's routes read bodies within their own limits, so Fastify must not parse any.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const answers = new WeakMap<IncomingMessage, FrameworkAnswer>();
    const unsentAnswers = new UnsentAnswers();
    addCloseHook(instance, () => unsentAnswers.wait(Math.min(drainTimeout, findHookTime(instance))));
    instance.route({
      method: handlesOptions ? [...methods, "OPTIONS"] : methods,
      url: "/*",
      ...addConstraint(instance, routes),
      decompress: false,
      handler: async ({ raw: incoming }, reply) => {
        const answer = await findAnswer({ incoming, outgoing: reply.raw });
        if (answer === undefined) {
          reply.callNotFound();
          return reply;
        }
        unsentAnswers.add(reply.raw);
        const { status, headers, body } = answer.toWrite;
        reply.code(status);
        setMissingHeaders(reply, headers, handlesOptions);
        reply.raw.once("finish", () => answer.setSize(reply.getHeader("content-length")));
        answers.set(incoming, answer);
        return body === undefined ? reply.send() : reply.send(body);
      },
      // Fastify runs the hook of a route after the app's own hooks, so the app's hooks can read and replace the answer
      // before it is compressed.
      onSend: async ({ raw: incoming }, reply, payload) => {
        const answer = answers.get(incoming);
        answer?.reportReplaced(reply.statusCode ?? 0);
        return answer === undefined
          ? payload
          : preparePayload(await compressReply(incoming, reply, payload), { answer, reply });
      },
      onError: async ({ raw: incoming }, _reply, error) =>
        answers.get(incoming)?.reportReplaced(Number(Object(error).statusCode ?? 500), { error }),
    });
  };
}

/** Reports a path that no request can reach, because it does not begin with the prefix of the plugin. */
function reportLostPath(routes: readonly Routes[], prefix = "", onError: FastifyOptions["onError"]): void {
  const lostPath = routes.flatMap(({ paths = [] }) => paths).find((path) => !`${path}/`.startsWith(`${prefix}/`));
  if (prefix !== "" && lostPath !== undefined) {
    const message = `The plugin is registered with the prefix "${prefix}", which Fastify does not remove from paths. So no request reaches the routes of ${lostPath}. Remove the prefix, or set the option "path" of SOAP routes or "base" of REST routes to the whole path.`;
    report(onError, { kind: "config", message });
  }
}

/** The default of Fastify's option `bodyLimit`, in bytes. */
const defaultBodyLimit = 1_048_576;

/**
 * Reports a `bodyLimit` of the app that is smaller than a limit of the routes, because the routes read bodies
 * themselves. Fastify does not say whether its default was set.
 */
function reportBodyLimit(
  routes: readonly Routes[],
  bodyLimit = defaultBodyLimit,
  onError: FastifyOptions["onError"],
): void {
  const bodyBytes = Math.max(0, ...routes.flatMap(({ limits = [] }) => limits).map((limits) => limits.bodyBytes));
  if (bodyLimit !== defaultBodyLimit && bodyLimit < bodyBytes) {
    const message = `The option bodyLimit of Fastify, ${bodyLimit}, does not limit the requests of the plugin's routes, which accept bodies of up to ${bodyBytes} bytes: set the option "limits.bodyBytes" of the routes.`;
    report(onError, { kind: "config", message });
  }
}

/**
 * Adds a constraint that only requests to the given routes satisfy, and returns the options of a route with this
 * constraint. REST paths can begin with a variable, but other paths belong to the app, which may also have a route for
 * `/*`. Therefore, the plugin has a single route for all paths.
 */
function addConstraint(
  instance: FastifyLike,
  routes: readonly Routes[],
): { readonly constraints?: Readonly<Record<string, true>> } {
  if (instance.addConstraintStrategy === undefined) {
    return {};
  }
  // The name of the constraint is unique, because an app can register several plugins.
  const name = `bothends_${randomUUID().replaceAll("-", "_")}`;
  const strategy = {
    name,
    storage: () => new Map(),
    // A request whose target is a URL also satisfies the constraint, because the routes refuse such a request.
    deriveConstraint: ({ url = "" }: IncomingMessage) => !url.startsWith("/") || mayAnswer(routes, url),
  };
  // The type of a strategy differs between versions of Fastify, so it is declared as `never` here.
  instance.addConstraintStrategy(strategy as never);
  return { constraints: { [name]: true } };
}

/**
 * Sets the headers of an answer that the app has not set. If the app answers OPTIONS, it also decides on the allowed
 * origin.
 */
function setMissingHeaders(reply: FastifyReplyLike, headers: readonly HeaderLine[], handlesOptions: boolean): void {
  const names = ["access-control-allow-origin", ...headers.map(([name]) => name.toLowerCase())];
  const earlierNames = new Set(names.filter((name) => reply.getHeader(name) !== undefined));
  if (!handlesOptions) {
    earlierNames.add("access-control-allow-origin");
  }
  for (const [name, value] of headers) {
    if (!isSetByFramework(name.toLowerCase(), earlierNames)) {
      setHeader(reply, name, value);
    }
  }
}

/** Returns the payload of an answer, compressed if that is useful and the app has not compressed it. */
async function compressReply(incoming: IncomingMessage, reply: FastifyReplyLike, payload: unknown): Promise<unknown> {
  if (reply.getHeader("content-encoding") !== undefined) {
    return payload;
  }
  const compressedPayload = await compressPayload(payload, {
    contentType: String(reply.getHeader("content-type") ?? ""),
    acceptedEncodings: incoming.headers["accept-encoding"],
  });
  if (compressedPayload === undefined) {
    return payload;
  }
  setHeader(reply, "Vary", "Accept-Encoding");
  if (compressedPayload.encoding !== undefined) {
    reply.header("Content-Encoding", compressedPayload.encoding);
  }
  return compressedPayload.payload;
}

/** Returns the payload that Fastify must send so that the client receives it even if its request was not read. */
function preparePayload(
  payload: unknown,
  { answer, reply }: { readonly answer: FrameworkAnswer; readonly reply: FastifyReplyLike },
): unknown {
  if (!(typeof payload === "string" || isBytes(payload))) {
    return payload;
  }
  const { waitForRest } = answer;
  if (waitForRest === undefined) {
    return payload;
  }
  reply.header("Content-Length", String(Buffer.byteLength(payload)));
  // The stream ends only when the rest of the request has arrived.
  return new PassThrough({ flush: (done) => void waitForRest().then(() => done()) }).end(payload);
}

/**
 * Calls a function before the app closes its server. Does nothing in Fastify before 4.16, which has no such hook and
 * refuses the hook's name.
 */
function addCloseHook(instance: FastifyLike, beforeClose: () => Promise<void>): void {
  try {
    instance.addHook?.("preClose" as never, beforeClose as never);
  } catch {}
}

/**
 * Returns the time in milliseconds that a hook of the app may take: 90 % of the time after which Fastify reports the
 * hook as failed.
 */
function findHookTime({ initialConfig: { pluginTimeout = 10_000 } = {} }: FastifyLike): number {
  return pluginTimeout === 0 ? Infinity : pluginTimeout * 0.9;
}

/**
 * The answers that clients have not received completely. When a server closes, Node destroys connections whose answers
 * are written but not yet sent, so the app must first wait for these answers.
 */
class UnsentAnswers {
  readonly #outgoing = new Set<ServerResponse>();

  add(outgoing: ServerResponse): void {
    if (isClosed(outgoing)) {
      return;
    }
    this.#outgoing.add(outgoing);
    const remove = () => this.#outgoing.delete(outgoing);
    outgoing.once("finish", remove).once("close", remove);
  }

  /** Waits until all answers are sent, but at most for `timeout` milliseconds. */
  async wait(timeout: number): Promise<void> {
    const answers = [...this.#outgoing].map(
      (outgoing) => new Promise((resolve) => outgoing.once("finish", resolve).once("close", resolve)),
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expiry = new Promise((resolve) => {
      timer = setTimeout(resolve, limitTimeout(timeout));
    });
    await Promise.race([Promise.all(answers), expiry]);
    clearTimeout(timer);
  }
}

/** Options for `fastifyPlugin`. */
export interface FastifyOptions extends RouterOptions {
  /**
   * Whether the routes answer `OPTIONS`, and determine which origins can read answers. Set this to false if
   * `@fastify/cors` does so. Default true.
   */
  readonly handleOptions?: boolean | undefined;
}

/**
 * Sets a header of an answer. The values of `Vary` are joined, because Fastify would replace a `Vary` header that a
 * plugin has set.
 */
function setHeader(reply: FastifyReplyLike, name: string, value: string): void {
  const existingVary = name.toLowerCase() === "vary" ? reply.getHeader(name) : undefined;
  if (typeof existingVary !== "string") {
    reply.header(name, value);
  } else if (!hasName(existingVary, value)) {
    reply.header(name, `${existingVary}, ${value}`);
  }
}
