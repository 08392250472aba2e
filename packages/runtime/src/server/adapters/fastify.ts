import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouterOptions } from "../router.js";
import type { Routes } from "../routes.js";
import { frameworkRoutes } from "./framework-routes.js";

/** The members of a Fastify instance that the plugin uses. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  all(path: string, handle: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
}

export interface FastifyReplyLike {
  readonly raw: ServerResponse;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** Serves routes in Fastify: `app.register(fastifyPlugin([…]))`. Other requests are not found. */
export function fastifyPlugin(
  routes: readonly Routes[],
  options: RouterOptions = {},
): (instance: FastifyLike) => Promise<void> {
  const findAnswer = frameworkRoutes(routes, options);
  return async (instance) => {
    // The routes read bodies themselves, under their limits.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", (_request, _payload, done) => done(null));
    instance.all("/*", async ({ raw: incoming }, reply) => {
      const write = await findAnswer({ incoming, outgoing: reply.raw });
      if (write === undefined) {
        reply.callNotFound();
        return reply;
      }
      reply.hijack();
      await write();
      return reply;
    });
  };
}
