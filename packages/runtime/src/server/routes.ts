import type { ServerAnswer, ServerRequest } from "../http/server-messages.js";

/** The routes of a generated server. */
export interface Routes {
  readonly name: string;
  /** Answers a request. Returns undefined, and does not read the body, if the request is for other routes. */
  answer(request: ServerRequest): ServerAnswer | Promise<ServerAnswer> | undefined;
}

/** The answer of a handler, or a promise of it. */
export type Answer<T> = T | Promise<T>;
