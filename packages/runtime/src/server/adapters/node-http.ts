import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from "node:https";
import type { Socket } from "node:net";
import { report } from "../incidents.js";
import { LimitError, type LimitOptions, type ServerLimits, withLimits } from "../limits.js";
import { busy, createRouter, type Router } from "../router.js";
import type { OnError, Routes, ServerAnswer } from "../types.js";
import { writeNodeAnswer } from "./node-answer.js";
import { NodeRequest } from "./node-request.js";

export interface ListenOptions {
  /** 0, the default: one that is free. */
  readonly port?: number | undefined;
  /** The address to listen on; default all. */
  readonly host?: string | undefined;
  /** Key and certificate: the server speaks HTTPS. */
  readonly tls?: Pick<TlsOptions, "key" | "cert" | "ca" | "pfx" | "passphrase"> | undefined;
  readonly limits?: LimitOptions | undefined;
  readonly onError?: OnError | undefined;
}

export interface RunningServer {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, waits for requests in flight as long as `drainTimeout` says, then closes what is left. */
  close(): Promise<void>;
}

/** Serves routes with `node:http`. Signals are the program's business: `process.once("SIGTERM", () => server.close())`. */
export async function listen(routes: readonly Routes[], options: ListenOptions = {}): Promise<RunningServer> {
  const limits = withLimits(options.limits);
  const connections = new Connections(limits, options.onError);
  const router = createRouter(routes, options);
  const server = serverOf(options, limits, listenerOf(router, connections, options.onError));
  connections.watch(server);
  const port = await listening(server, options);
  let closing: Promise<void> | undefined;
  return {
    url: `${options.tls === undefined ? "http" : "https"}://${hostOf(options.host)}:${port}`,
    port,
    close() {
      closing ??= closed(server, connections, limits.drainTimeout);
      return closing;
    },
  };
}

function serverOf(options: ListenOptions, limits: ServerLimits, listener: RequestListener): Server {
  const settings = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: positive(limits.headersTimeout),
    requestTimeout: positive(limits.requestTimeout),
    keepAliveTimeout: positive(limits.keepAliveTimeout),
    connectionsCheckingInterval: positive(limits.checkInterval),
  };
  const { tls } = options;
  const server =
    tls === undefined ? createServer(settings, listener) : createTlsServer({ ...settings, ...tls }, listener);
  // One more than allowed: node:http drops what is over, the router refuses it.
  server.maxHeadersCount = limits.headers + 1;
  server.maxRequestsPerSocket = limits.requestsPerSocket;
  // A client that does not read its answer may not keep it in memory for ever.
  server.timeout = positive(limits.requestTimeout + limits.handlerTimeout);
  server.on("checkContinue", listener);
  return server;
}

/** Zero means zero here, and "for ever" to `node:http`. */
function positive(milliseconds: number): number {
  return Math.max(1, Math.min(Math.floor(milliseconds), 2_147_483_647));
}

function listenerOf(router: Router, connections: Connections, onError: OnError | undefined): RequestListener {
  return (incoming, outgoing) => {
    if (connections.isRefused(incoming.socket)) return;
    answer(incoming, outgoing, { router, connections }).catch((error: unknown) => {
      report(onError, { kind: "internal", message: "The answer cannot be written.", error });
      outgoing.destroy();
    });
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { router, connections }: { router: Router; connections: Connections },
): Promise<void> {
  const expectsContinue = incoming.headers.expect?.toLowerCase() === "100-continue";
  const request = new NodeRequest(incoming, outgoing, expectsContinue);
  const found = connections.noRequests ? busy() : await router(request);
  const lastOne = connections.draining || connections.noKeepAlive;
  const written: ServerAnswer = lastOne ? { ...found, close: true } : found;
  if (!outgoing.destroyed) await writeNodeAnswer(written, { request, incoming, outgoing });
}

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** The connections of one server: how many there may be, and whether they may go on. */
class Connections {
  draining = false;
  readonly noRequests: boolean;
  readonly noKeepAlive: boolean;
  readonly #limit: number;
  readonly #onError: OnError | undefined;
  readonly #refused = new WeakSet<Socket>();
  #open = 0;

  constructor({ connections, requestsPerSocket, keepAliveTimeout }: ServerLimits, onError: OnError | undefined) {
    this.#limit = connections;
    this.#onError = onError;
    this.noRequests = requestsPerSocket === 0;
    this.noKeepAlive = keepAliveTimeout === 0;
  }

  watch(server: Server): void {
    server.prependListener("connection", (socket: Socket) => {
      this.#open++;
      socket.once("close", () => this.#open--);
      if (this.#open > this.#limit) this.#refuse(socket);
    });
  }

  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket);
  }

  #refuse(socket: Socket): void {
    this.#refused.add(socket);
    const error = new LimitError("connections", this.#limit);
    const limit = { name: "connections", value: this.#limit, option: "limits.connections" };
    report(this.#onError, { kind: "limit.connections", message: error.message, error, limit });
    socket.on("error", () => socket.destroy());
    socket.end(refusal, () => socket.destroy());
  }
}

function listening(server: Server, { port = 0, host }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.removeListener("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function hostOf(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function closed(server: Server, connections: Connections, drainTimeout: number): Promise<void> {
  connections.draining = true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainTimeout);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
