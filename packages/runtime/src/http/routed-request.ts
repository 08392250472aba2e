import type { CallRecord, OnError } from "../observe/events.js";
import type { LimitError } from "../server-limits.js";
import { headerValue } from "./header-lines.js";
import { type RequestFacts, readRequestFacts } from "./request-facts.js";
import type { HeaderLine, ServerRequest } from "./server-messages.js";

/** A body whose arrival is limited. */
export interface LimitedBody extends AsyncIterable<Uint8Array> {
  /** The limit that the body has exceeded. */
  readonly refusal: LimitError | undefined;
  /** Called when the request is answered. Returns whether the request was in flight. */
  end(): boolean;
}

export interface RoutedRequestOptions {
  readonly onError?: OnError | undefined;
  /** In lower case. Default `x-request-id`. */
  readonly requestIdHeader?: string | undefined;
  /** Whether compressed bodies are accepted. Default false. */
  readonly compressed?: boolean | undefined;
}

/** The formats of `DecompressionStream`, which each platform has. */
export type Compression = "gzip" | "deflate";

/** By content encoding (RFC 9110 §8.4.1). */
const compressions: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/** A request as routes see it: its target is split and its headers are read once for the router and all routes. */
export class RoutedRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  /** The target before `?`, as received. */
  readonly path: string;
  /** The target after `?`, as received. */
  readonly query: string;
  readonly headers: readonly HeaderLine[];
  readonly facts: RequestFacts;
  /** How to decompress the body; undefined if it is not compressed, or if the router does not accept that. */
  readonly compression: Compression | undefined;
  /** Replaces the body of the request while it arrives. Set by the router. */
  arriving: LimitedBody | undefined;
  /** Set by the router if somebody observes calls. */
  record: CallRecord | undefined;
  /** The result of the option `authenticate`; undefined until it was called. */
  authentication: { readonly principal: unknown } | undefined;
  /** The hook of the router, which gets the incidents of routes without a hook. */
  readonly onError: OnError | undefined;
  readonly #request: ServerRequest;
  readonly #idHeader: string;
  #id: string | undefined;

  constructor(
    request: ServerRequest,
    { onError, requestIdHeader = "x-request-id", compressed }: RoutedRequestOptions = {},
  ) {
    const { method, target, headers } = request;
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? "" : target.slice(mark + 1);
    this.headers = headers;
    const facts = readRequestFacts(headers);
    this.compression = compressed === true ? compressions.get(facts.contentEncoding ?? "") : undefined;
    this.facts = this.compression === undefined ? facts : { ...facts, isCompressed: false };
    this.onError = onError;
    this.#request = request;
    this.#idHeader = requestIdHeader;
  }

  /** The id in the request's header if it is printable ASCII without spaces, otherwise a new one. */
  get id(): string {
    if (this.#id === undefined) {
      const received = headerValue(this.headers, this.#idHeader);
      this.#id = received !== undefined && /^[\x21-\x7e]{1,128}$/.test(received) ? received : crypto.randomUUID();
    }
    return this.#id;
  }

  get draining(): boolean {
    return this.#request.draining === true;
  }

  /** Calls `done` when the answer has been written; at once if the adapter does not know. */
  whenWritten(done: (bytes: number | undefined, isComplete: boolean) => void): void {
    if (this.#request.whenWritten === undefined) {
      done(undefined, true);
    } else {
      this.#request.whenWritten((bytes) => done(bytes, bytes !== undefined));
    }
  }

  get body(): ServerRequest["body"] {
    return this.arriving ?? this.#request.body;
  }

  get secure(): boolean {
    return this.#request.secure === true;
  }

  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** The request as the router passes it; for a request that comes without a router, a new one. */
export function routedRequest(request: ServerRequest): RoutedRequest {
  return request instanceof RoutedRequest ? request : new RoutedRequest(request);
}
