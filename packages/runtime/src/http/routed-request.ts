import type { LimitError } from "../server-limits.js";
import { type RequestFacts, readRequestFacts } from "./request-facts.js";
import type { HeaderLine, ServerRequest } from "./server-messages.js";

/** A body whose arrival is limited. */
export interface LimitedBody extends AsyncIterable<Uint8Array> {
  /** The limit that the body has exceeded. */
  readonly refusal: LimitError | undefined;
  /** Called when the request is answered. Returns whether the request was in flight. */
  end(): boolean;
}

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
  /** Replaces the body of the request while it arrives. Set by the router. */
  arriving: LimitedBody | undefined;
  readonly #request: ServerRequest;

  constructor(request: ServerRequest) {
    const { method, target, headers } = request;
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? "" : target.slice(mark + 1);
    this.headers = headers;
    this.facts = readRequestFacts(headers);
    this.#request = request;
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
