import { open, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { devNull } from "node:os";
import { ConfigError } from "../../../errors.js";
import { addressOfTarget, type ServerAnswer } from "../../../http/server-messages.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { withLimits } from "../../../server-limits.js";
import { isPromise } from "../../call-handler.js";
import { busyAnswer, createRouter, type Router, type RouterOptions } from "../../router.js";
import type { Routes } from "../../routes.js";
import { type AnswerMode, Connections, type WaitingExchange } from "./connections.js";
import { type NodeExchange, writeNodeAnswer } from "./node-answer.js";
import { isClosed, NodeRequest, nodeHost, streamOf } from "./node-request.js";
import {
  closeServer,
  createNodeServer,
  type NodeServer,
  nodeTimeout,
  type ServerAddress,
  type ServerTlsOptions,
} from "./node-server.js";

export type { ServerTlsOptions } from "./node-server.js";

export interface ListenOptions extends RouterOptions, ServerAddress {
  /**
   * Milliseconds for which `close` still accepts requests while `/ready` of `healthRoutes` answers 503, so that a load balancer
   * stops sending requests. Default 0.
   */
  readonly drainDelay?: number | undefined;
}

export interface RunningServer {
  /** The address of the server: `http://127.0.0.1:8080`, or `unix:/run/service.sock` for a Unix socket. */
  readonly url: string;
  /** The port that the server listens on; 0 for a Unix socket. */
  readonly port: number;
  /**
   * Stops the server: waits for `drainDelay`, stops accepting connections, waits up to `drainTimeout` for requests in flight, and
   * closes all connections.
   */
  close(): Promise<void>;
}

/** Serves routes with `node:http`. Handle signals in your program: `process.once("SIGTERM", () => server.close())`. */
export async function listen(routes: readonly Routes[], options: ListenOptions = {}): Promise<RunningServer> {
  const limits = withLimits(options.limits);
  const connections = new Connections(limits, options.onError);
  const router = createRouter(routes, options, nodeHost);
  const { onCall, observe } = options;
  const isObserved = () => onCall !== undefined || observe !== undefined || nodeHost.channels.call.hasSubscribers;
  const readTimeout = nodeTimeout(limits.requestTimeout + limits.handlerTimeout);
  const exchangeHost = { router, connections, onError: options.onError, readTimeout, isObserved };
  const server = await createNodeServer({ ...options, limits }, (incoming, outgoing, expectsContinue) =>
    new Exchange(exchangeHost, incoming, outgoing, expectsContinue).receive(),
  ).catch((error: unknown) => throwNamingTls(error, options));
  connections.watch(server, options);
  if (options.tls?.cert) {
    await checkCertificates(options.tls.cert, options.onError);
  }
  const port = await startListening(server, options);
  await checkOpenFiles(limits.connections, options.onError);
  const openFiles = setInterval(openFilesCheck(options.onError), openFilesInterval).unref();
  const stalls = setInterval(stallCheck(options.onError), stallInterval).unref();
  // Long enough for a client to begin its next request and to send all of it. Requests that have arrived are read first.
  const unusedInterval = nodeTimeout(limits.keepAliveTimeout + limits.requestTimeout);
  const unused = setInterval(() => setImmediate(() => connections.closeUnused()), unusedInterval).unref();
  server.once("close", () => {
    clearInterval(openFiles);
    clearInterval(stalls);
    clearInterval(unused);
  });
  let closing: Promise<void> | undefined;
  return {
    url: urlOf(options, port),
    port,
    close() {
      closing ??= closeServer(server, connections, { ...limits, drainDelay: options.drainDelay ?? 0 });
      return closing;
    },
  };
}

/** Starts to listen, and resolves to the port. */
function startListening(server: NodeServer, { port = 0, host, path, onError }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path === undefined ? { port, host } : { path }, () => {
      server.removeListener("error", reject);
      // Otherwise an error of the operating system, such as too many open files, would end the process.
      server.on("error", (error) => {
        report(onError, { kind: "internal", message: "The server cannot accept a connection.", error });
      });
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/** Adds the option and possible causes to errors of OpenSSL, which name neither. Its errors about `pfx` have no code. */
function throwNamingTls(error: unknown, { tls }: ListenOptions): never {
  if (tls === undefined || !(error instanceof Error) || error instanceof ConfigError) {
    throw error;
  }
  const reason = "code" in error ? String(error.code) : error.message;
  if ("code" in error && !reason.startsWith("ERR_OSSL_")) {
    throw error;
  }
  const advice =
    "Check that key and cert are in PEM format and belong together, that pfx is in PKCS #12 format, and that passphrase is correct.";
  throw new ConfigError(`The option tls cannot be used: ${reason}. ${advice}`, { cause: error });
}

function urlOf({ tls, host, path }: ListenOptions, port: number): string {
  return path === undefined ? `${tls === undefined ? "http" : "https"}://${hostOf(host)}:${port}` : `unix:${path}`;
}

function hostOf(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::") {
    return "127.0.0.1";
  }
  return host.includes(":") ? `[${host}]` : host;
}

interface ExchangeHost {
  readonly router: Router;
  readonly connections: Connections;
  readonly onError: OnError | undefined;
  /** Milliseconds after which a client that does not read its answer is disconnected. */
  readonly readTimeout: number;
  readonly isObserved: () => boolean;
}

/** One request and its answer. A class rather than closures, because one is created for each request. */
class Exchange implements WaitingExchange, NodeExchange {
  readonly request: NodeRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly #host: ExchangeHost;
  #answerMode: AnswerMode = "next";
  #readTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ExchangeHost, incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean) {
    this.request = new NodeRequest(incoming, outgoing, { expectsContinue, reportsWritten: true });
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.#host = host;
  }

  receive(): void {
    if (this.incoming.httpVersionMajor < 1) {
      this.#refuseVersion();
      return;
    }
    // Requests of one HTTP/2 connection are independent of each other.
    if (this.incoming.httpVersionMajor >= 2) {
      this.#host.connections.beginStream(streamOf(this.outgoing)?.session, this);
      this.begin("next");
    } else {
      this.#host.connections.begin(this.incoming.socket, this);
    }
  }

  disconnect(): void {
    this.request.disconnect();
  }

  wait(): void {
    if (this.#host.isObserved()) {
      this.request.receivedAt = performance.now();
    }
  }

  /**
   * Answers the request in the next tick if its body may have arrived with its head: the body can then be read without events.
   */
  begin(turn: AnswerMode): void {
    this.#answerMode = turn;
    if (turn !== "busy" && this.request.mayArriveNow) {
      process.nextTick(answerExchange, this);
    } else {
      this.answer();
    }
  }

  answer(): void {
    try {
      this.request.readArrivedBody();
      this.request.draining = this.#host.connections.draining;
      const answer = this.#answerMode === "busy" ? busyAnswer() : this.#host.router(this.request);
      if (isPromise(answer)) {
        answer.then((ended) => this.#write(ended)).catch((error: unknown) => this.#reportFailure(error));
      } else {
        const writing = this.#write(answer);
        writing?.catch((error: unknown) => this.#reportFailure(error));
      }
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  #write(answer: ServerAnswer): undefined | Promise<void> {
    if (isClosed(this.outgoing)) {
      this.request.reportWritten();
      return undefined;
    }
    const isLast = this.#answerMode === "last" || this.#host.connections.isDrained(this.incoming.socket);
    const writing = writeNodeAnswer(isLast ? { ...answer, close: true } : answer, this);
    if (writing === undefined) {
      this.#afterWrite();
      return undefined;
    }
    return writing.then(() => this.#afterWrite());
  }

  #afterWrite(): void {
    this.#limitReading();
    this.request.reportWritten();
  }

  /**
   * Limits how long a client that does not read its answer can keep it in memory. Set only for such clients: `server.timeout`
   * would reset a timer on each request.
   */
  #limitReading(): void {
    const { socket } = this.outgoing;
    if (this.incoming.httpVersionMajor < 2 && socket !== null && socket.writableLength > 0) {
      const disconnect = () => this.#disconnectReader(socket);
      socket.setTimeout(this.#host.readTimeout, disconnect);
      this.outgoing.once("close", () => socket.removeListener("timeout", disconnect));
    }
  }

  /**
   * Limits how long an HTTP/2 client may take to receive a part of its answer. Node's own timeouts would not expire: other
   * frames, such as pings, restart them.
   */
  beginPart(): void {
    if (isClosed(this.outgoing)) {
      return;
    }
    if (this.#readTimer === undefined) {
      this.outgoing.once("close", () => clearTimeout(this.#readTimer));
    }
    clearTimeout(this.#readTimer);
    const disconnect = () => this.#disconnectReader(streamOf(this.outgoing));
    this.#readTimer = setTimeout(disconnect, this.#host.readTimeout).unref();
  }

  /** Refuses a request without an HTTP version, as in HTTP/0.9. Such requests have no headers, but node:http accepts them. */
  #refuseVersion(): void {
    const message = `A request from ${this.request.remoteAddress ?? "an unknown address"} has no HTTP version.`;
    report(this.#host.onError, { kind: "request", message });
    this.outgoing.writeHead(505, { Connection: "close", "Content-Length": 0 }).end();
  }

  #disconnectReader(connection: { destroy(): unknown } | undefined): void {
    const { readTimeout, onError } = this.#host;
    this.request.isUnread = true;
    const { method, target, remoteAddress = "an unknown address" } = this.request;
    const message = `The client at ${remoteAddress} did not read its answer for ${readTimeout} ms, and was disconnected. The options limits.requestTimeout and limits.handlerTimeout set this time.`;
    report(onError, { kind: "request", message, method, address: addressOfTarget(target) });
    connection?.destroy();
  }

  #reportFailure(error: unknown): void {
    report(this.#host.onError, { kind: "internal", message: "The answer cannot be written.", error });
    this.outgoing.destroy();
    this.request.reportWritten();
  }
}

function answerExchange(exchange: Exchange): void {
  exchange.answer();
}

// Checks of the options and of the system. They only report problems, because the server cannot correct them.

/** The number of files that a process needs besides connections: for its program, logs, and connections to other servers. */
const otherFiles = 32;

/**
 * Reports a limit of open files that is too low for the limit of connections. Over the system's limit, libuv closes new
 * connections, and no event reports that. Only Linux shows the limit; Node itself raises it to the highest value that the system
 * allows.
 */
async function checkOpenFiles(connections: number, onError: OnError | undefined): Promise<void> {
  const text = await readFile("/proc/self/limits", "latin1").catch(() => "");
  const files = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  if (files !== undefined && Number(files) < connections + otherFiles) {
    report(onError, {
      kind: "config",
      message: `This process may open ${files} files, fewer than limits.connections = ${connections} needs. Further connections are reset, and no error reports that. Raise the limit of the system (ulimit -n, LimitNOFILE), or lower the option.`,
      limit: { name: "connections", value: connections, option: "limits.connections" },
    });
  }
}

/** Milliseconds between checks whether the process has stalled. */
const stallInterval = 500;
/** Milliseconds after which a stall is reported. */
const longStall = 2_000;
/** The minimum time between two reports, in milliseconds. */
const stallReports = 60_000;

/** Returns a function that reports, at most once a minute, that this process could answer nobody for some time. */
function stallCheck(onError: OnError | undefined): () => void {
  let lastCheckTime = performance.now();
  let lastReport = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const stallDuration = Math.round(now - lastCheckTime - stallInterval);
    lastCheckTime = now;
    if (stallDuration < longStall || now - lastReport < stallReports) {
      return;
    }
    lastReport = now;
    const message = `This process answered no request for ${stallDuration} ms: a handler or other code computed for so long without waiting, or the machine is overloaded. This is reported at most once a minute.`;
    report(onError, { kind: "stalled", message });
  };
}

/** Milliseconds between checks whether the process can open another file. */
const openFilesInterval = 2_000;

/** Returns a function that reports if the process can open no further file, once until it can again. */
function openFilesCheck(onError: OnError | undefined): () => Promise<void> {
  let isReported = false;
  return async () => {
    try {
      await (await open(devNull)).close();
      isReported = false;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (isReported || (code !== "EMFILE" && code !== "ENFILE")) {
        return;
      }
      isReported = true;
      const message =
        "This process can open no further file. New connections are reset, and no error reports that. Raise the limit of the system (ulimit -n, LimitNOFILE), lower limits.connections, or look for files that are not closed.";
      report(onError, { kind: "config", message, error });
    }
  };
}

/** Reports certificates that are not valid yet, have expired, or expire within a week. */
async function checkCertificates(
  cert: NonNullable<ServerTlsOptions["cert"]>,
  onError: OnError | undefined,
): Promise<void> {
  const { X509Certificate } = await import("node:crypto");
  for (const text of [cert].flat()) {
    const { validFrom, validTo } = new X509Certificate(text);
    const oneWeekFromNow = Date.now() + 7 * 86_400_000;
    if (Date.parse(validFrom) > Date.now() || Date.parse(validTo) < oneWeekFromNow) {
      const message = `The certificate of the option tls is valid from ${validFrom} to ${validTo}. Clients refuse it at any other time.`;
      report(onError, { kind: "config", message });
    }
  }
}
