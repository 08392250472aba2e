import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from "node:https";
import type { Socket } from "node:net";
import type { ServerAnswer } from "../../http/server-messages.js";
import { type OnError, report } from "../../observe/incidents.js";
import { LimitError, type LimitOptions, type ServerLimits, withLimits } from "../../server-limits.js";
import { isPromise } from "../call-handler.js";
import { busy, createRouter, type Router } from "../router.js";
import type { Routes } from "../routes.js";
import { writeNodeAnswer } from "./node-answer.js";
import { NodeRequest } from "./node-request.js";

export interface ListenOptions {
  /** Default 0: a free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: all addresses. */
  readonly host?: string | undefined;
  /** Key and certificate, for HTTPS. */
  readonly tls?: Pick<TlsOptions, "key" | "cert" | "ca" | "pfx" | "passphrase"> | undefined;
  readonly limits?: LimitOptions | undefined;
  readonly onError?: OnError | undefined;
}

export interface RunningServer {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections, waits up to `drainTimeout` for requests in flight, then closes the rest. */
  close(): Promise<void>;
}

/** Serves routes with `node:http`. Handle signals in your program: `process.once("SIGTERM", () => server.close())`. */
export async function listen(routes: readonly Routes[], options: ListenOptions = {}): Promise<RunningServer> {
  const limits = withLimits(options.limits);
  const connections = new Connections(limits, options.onError);
  const router = createRouter(routes, options);
  const server = serverOf(options, limits, listenerOf(router, connections, options.onError));
  connections.watch(server, options.tls === undefined ? "connection" : "secureConnection");
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
    // node:http refuses a longer timeout for the headers than for the whole request.
    headersTimeout: positive(Math.min(limits.headersTimeout, limits.requestTimeout)),
    requestTimeout: positive(limits.requestTimeout),
    keepAliveTimeout: positive(limits.keepAliveTimeout),
    connectionsCheckingInterval: positive(limits.checkInterval),
  };
  const { tls } = options;
  const server =
    tls === undefined
      ? createServer(settings, listener)
      : createTlsServer({ ...settings, handshakeTimeout: settings.headersTimeout, ...tls }, listener);
  // The router limits the number of headers: node:http would drop further ones, or refuse them without an answer. Their
  // size has a limit.
  server.maxHeadersCount = 0;
  // Bounds the time for which a client that does not read its answer keeps it in memory.
  server.timeout = positive(limits.requestTimeout + limits.handlerTimeout);
  server.on("checkContinue", listener);
  return server;
}

/** In `node:http`, 0 means no timeout. */
function positive(milliseconds: number): number {
  return Math.max(1, Math.min(Math.floor(milliseconds), 2_147_483_647));
}

function listenerOf(router: Router, connections: Connections, onError: OnError | undefined): RequestListener {
  return (incoming, outgoing) => {
    connections.begin(incoming.socket, outgoing, (turn) => {
      const expectsContinue = incoming.headers.expect?.toLowerCase() === "100-continue";
      const request = new NodeRequest(incoming, outgoing, expectsContinue);
      const write = (answer: ServerAnswer): void | Promise<void> => {
        if (outgoing.destroyed) {
          return undefined;
        }
        const last = turn === "last" || connections.draining;
        return writeNodeAnswer(last ? { ...answer, close: true } : answer, { request, incoming, outgoing });
      };
      const failed = (error: unknown): void => {
        report(onError, { kind: "internal", message: "The answer cannot be written.", error });
        outgoing.destroy();
      };
      try {
        const answer = turn === "busy" ? busy() : router(request);
        const written = isPromise(answer) ? answer.then(write) : write(answer);
        if (written instanceof Promise) {
          written.catch(failed);
        }
      } catch (error) {
        failed(error);
      }
    });
  };
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
  if (host === undefined || host === "0.0.0.0" || host === "::") {
    return "127.0.0.1";
  }
  return host.includes(":") ? `[${host}]` : host;
}

function closed(server: Server, connections: Connections, drainTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainTimeout);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    connections.drain();
  });
}

const refusal = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** The requests of one connection: their number, whether one is being answered, and those that wait. */
interface Progress {
  begun: number;
  busy: boolean;
  /** The last answer has been written. */
  ended: boolean;
  readonly waiting: (() => void)[];
}

/** How to answer a request: normally, as the last of its connection, or with 503. */
export type Turn = "next" | "last" | "busy";

/** The open connections of one server. Limits their number and their requests, and closes them when the server stops. */
export class Connections {
  /** The server is stopping: connections accept no further requests. */
  draining = false;
  readonly #noKeepAlive: boolean;
  readonly #limit: number;
  readonly #requestLimit: number;
  readonly #onError: OnError | undefined;
  readonly #refused = new WeakSet<Socket>();
  readonly #open = new Map<Socket, Progress>();

  constructor({ connections, requestsPerSocket, keepAliveTimeout }: ServerLimits, onError: OnError | undefined) {
    this.#limit = connections;
    this.#onError = onError;
    this.#requestLimit = requestsPerSocket;
    this.#noKeepAlive = keepAliveTimeout === 0;
  }

  /** Registers the connections of a server; with TLS, once they are secure. */
  watch(server: Server, event: "connection" | "secureConnection"): void {
    server.prependListener(event, (socket: Socket) => {
      this.#open.set(socket, { begun: 0, busy: false, ended: false, waiting: [] });
      socket.once("close", () => this.#open.delete(socket));
      if (this.#open.size > this.#limit) {
        this.#refuse(socket);
      }
    });
  }

  /**
   * Calls `answer` when it is the request's turn. Requests of one connection are answered one after another, so that none
   * is begun after an answer that closes the connection (RFC 9112 §9.6).
   */
  begin(socket: Socket, outgoing: ServerResponse, answer: (turn: Turn) => void): void {
    const progress = this.#open.get(socket);
    if (progress === undefined || progress.ended || this.#refused.has(socket)) {
      return;
    }
    progress.begun++;
    const turn = this.#turnOf(progress);
    if (turn === undefined) {
      return;
    }
    outgoing.once("close", () => this.#answered(progress, outgoing));
    if (progress.busy) {
      progress.waiting.push(() => answer(turn));
    } else {
      progress.busy = true;
      answer(turn);
    }
  }

  /** Closes idle connections; the others close after their answers. */
  drain(): void {
    this.draining = true;
    for (const [socket, { busy }] of this.#open) {
      if (!busy) {
        socket.destroy();
      }
    }
  }

  /** Undefined if the request is ignored, because the connection is closing. */
  #turnOf({ begun }: Progress): Turn | undefined {
    if (begun > this.#requestLimit) {
      return begun === 1 ? "busy" : undefined;
    }
    return this.draining || this.#noKeepAlive || begun === this.#requestLimit ? "last" : "next";
  }

  #answered(progress: Progress, outgoing: ServerResponse): void {
    progress.ended ||= !outgoing.shouldKeepAlive || !outgoing.writableFinished;
    const next = progress.ended ? undefined : progress.waiting.shift();
    progress.busy = next !== undefined;
    next?.();
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
