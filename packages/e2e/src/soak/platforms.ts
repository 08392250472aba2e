import { once } from "node:events";
import { Server } from "node:http";
import type { RouterOptions, Routes } from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { listen } from "@bothends/runtime/server/node";
import { webHandler } from "@bothends/runtime/server/web";
import { serve } from "@hono/node-server";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";

/** A server of the loopback address. */
export interface StartedServer {
  readonly port: number;
  /** Stops accepting connections. Resolves when all connections have ended. */
  close(): Promise<unknown>;
}

/** The servers that can be tested, by name. Each is started and stopped like a server that `scaffold` writes. */
export const platforms: Readonly<
  Record<string, (routes: readonly Routes[], options: RouterOptions) => Promise<StartedServer>>
> = {
  listen: async (routes, options) => await listen(routes, { ...options, host }),

  async express(routes, options) {
    const app = express();
    app.use(expressMiddleware(routes, options));
    return await useServer(app.listen(0, host));
  },

  async fastify(routes, options) {
    const app = fastify();
    await app.register(fastifyPlugin(routes, options));
    await app.listen({ port: 0, host });
    const { port } = await useServer(app.server);
    return {
      port,
      async close() {
        closeIdleConnections(app.server);
        await app.close();
      },
    };
  },

  async hono(routes, options) {
    const handle = webHandler(routes, options);
    const app = new Hono();
    app.all("*", (context) => handle(context.req.raw, context.env));
    const server = serve({ fetch: app.fetch, port: 0, hostname: host });
    if (!(server instanceof Server)) {
      throw new Error("The server of Hono is not one of node:http.");
    }
    return await useServer(server);
  },
};

const host = "127.0.0.1";

async function useServer(server: Server): Promise<StartedServer> {
  if (!server.listening) {
    await once(server, "listening");
  }
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 1_024 });
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    async close() {
      closeIdleConnections(server);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Closes connections as soon as they are idle, and the remaining ones after ten seconds. */
function closeIdleConnections(server: Server): void {
  setInterval(() => server.closeIdleConnections(), 100).unref();
  setTimeout(() => server.closeAllConnections(), 10_000).unref();
}
