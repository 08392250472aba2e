import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RouterOptions, Routes } from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { type LambdaEvent, lambdaHandler } from "@bothends/runtime/server/lambda";
import { listen } from "@bothends/runtime/server/node";
import { webHandler, webMiddleware } from "@bothends/runtime/server/web";
import { getRequestListener } from "@hono/node-server";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";

/** A server on the loopback address. */
export interface AdapterServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

type Start = (routes: readonly Routes[], options?: RouterOptions) => Promise<AdapterServer>;

/** Functions that start a server with an adapter, as docs/server.md describes. */
export const adapters: Readonly<Record<string, Start>> = {
  Node: async (routes, options) => {
    const server = await listen(routes, { host: "127.0.0.1", ...options });
    return { url: server.url, port: server.port, close: async () => void (await server.close()) };
  },
  Express: (routes, options) =>
    listening(createServer(express().disable("x-powered-by").use(expressMiddleware(routes, options)))),
  NestJS: async (routes, options) => {
    class App {}
    const app = await NestFactory.create(App, new ExpressAdapter(), { bodyParser: false, logger: false });
    app.use(expressMiddleware(routes, options));
    await app.listen(0, "127.0.0.1");
    return { ...addressOf(app.getHttpServer()), close: () => app.close() };
  },
  Fastify: async (routes, options) => {
    const app = Fastify();
    await app.register(fastifyPlugin(routes, options));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { ...addressOf(app.server), close: () => app.close() };
  },
  Hono: (routes, options) => {
    const answer = webMiddleware(routes, options);
    const app = new Hono().use(async ({ req }, next) => (await answer(req.raw)) ?? next());
    return listening(createServer(getRequestListener(app.fetch)));
  },
  "a web handler": (routes, options) => listening(createServer(getRequestListener(webHandler(routes, options)))),
  Lambda: (routes, options) => listening(createServer(gateway(lambdaHandler(routes, options)))),
};

async function listening(server: Server): Promise<AdapterServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...addressOf(server),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function addressOf(server: Server): Omit<AdapterServer, "close"> {
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

/** Passes requests to a Lambda function, as an HTTP API does (payload format 2.0). */
function gateway(handler: ReturnType<typeof lambdaHandler>): RequestListener {
  return async (incoming, outgoing) => {
    const { statusCode, headers, cookies = [], body, isBase64Encoded } = await handler(await eventOf(incoming));
    writeAnswer(outgoing, {
      statusCode,
      headers,
      cookies,
      bytes: Buffer.from(body, isBase64Encoded ? "base64" : "utf8"),
    });
  };
}

async function eventOf(incoming: IncomingMessage): Promise<LambdaEvent> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk);
  }
  const [rawPath = "", ...query] = (incoming.url ?? "").split("?");
  const headers: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    headers[name] = values.join(",");
  }
  return {
    version: "2.0",
    rawPath,
    rawQueryString: query.join("?"),
    headers,
    requestContext: { http: { method: incoming.method, sourceIp: incoming.socket.remoteAddress } },
    body: Buffer.concat(chunks).toString("base64"),
    isBase64Encoded: true,
  };
}

interface GatewayAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly bytes: Buffer;
}

function writeAnswer(outgoing: ServerResponse, { statusCode, headers, cookies, bytes }: GatewayAnswer): void {
  outgoing.writeHead(statusCode, { ...headers, "content-length": bytes.length, "set-cookie": [...cookies] }).end(bytes);
}
