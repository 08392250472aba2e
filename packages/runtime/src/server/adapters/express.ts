import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouterOptions } from "../router.js";
import type { Routes } from "../types.js";
import { within } from "./within.js";

/** A function in the chain of Express, or of anything that works like it. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Serves routes in Express: `app.use(expressMiddleware([…]))`, before any body parser. What is not theirs goes on. Below
 * a path of Express, `publicUrl` tells the routes their address.
 */
export function expressMiddleware(routes: readonly Routes[], options: RouterOptions = {}): Middleware {
  const answered = within(routes, options);
  return (incoming, outgoing, next) => {
    answered({ incoming, outgoing }).then((write) => (write === undefined ? next() : write()), next);
  };
}
