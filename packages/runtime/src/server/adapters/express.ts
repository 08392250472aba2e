import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouterOptions } from "../router.js";
import type { Routes } from "../routes.js";
import { createFrameworkRoutes } from "./node/write-answer.js";

/** Express middleware. Some other frameworks accept the same kind of function. */
export type ExpressMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Serves routes in Express: `app.use(expressMiddleware([…]))`. This must come before any body parser. Requests that
 * match no route go to the next middleware. If the middleware is mounted below a path, set `publicUrl`.
 */
export function expressMiddleware(routes: readonly Routes[], options: RouterOptions = {}): ExpressMiddleware {
  const findAnswer = createFrameworkRoutes(routes, options);
  return (incoming, outgoing, next) => {
    findAnswer({ incoming, outgoing }).then((answer) => (answer === undefined ? next() : answer.write()), next);
  };
}
