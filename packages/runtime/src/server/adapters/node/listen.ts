import { report } from "../../../observe/incidents.js";
import { mergeServerLimits } from "../../../server-limits.js";
import { createRouter, type RouterOptions } from "../../router.js";
import type { Routes } from "../../routes.js";
import { Connections } from "./connections.js";
import { Exchange, UnreadAnswers } from "./exchange.js";
import { nodeHost } from "./request.js";
import {
  closeServer,
  createNodeServer,
  limitTimeout,
  type NodeServer,
  type ServerAddress,
  type StopSummary,
} from "./server.js";
import {
  checkOpenFiles,
  createOpenFilesCheck,
  createStallCheck,
  openFilesInterval,
  stallInterval,
} from "./system-checks.js";
import { certificateInterval, checkCertificates, throwTlsError } from "./tls.js";

export type { StopSummary } from "./server.js";
export type { ServerTlsOptions } from "./tls.js";

export interface ListenOptions extends RouterOptions, ServerAddress {
  /**
   * The time in milliseconds for which the server still accepts requests after `close` is called. During this time,
   * `/ready` of `healthRoutes` answers 503, so that a load balancer stops sending requests. Default 0.
   */
  readonly drainDelay?: number | undefined;
}

export interface RunningServer {
  /** The address of the server: `http://127.0.0.1:8080`, or `unix:/run/service.sock` for a Unix socket. */
  readonly url: string;
  /** The port that the server listens on; 0 for a Unix socket. */
  readonly port: number;
  /**
   * Stops the server: waits for `drainDelay`, stops accepting connections, waits up to `drainTimeout` for requests in
   * flight, and closes all connections. Resolves to counts and a duration, which you can log.
   */
  close(): Promise<StopSummary>;
}

/** Serves routes with `node:http`. Handle signals in your program: `process.once("SIGTERM", () => server.close())`. */
export async function listen(routes: readonly Routes[], options: ListenOptions = {}): Promise<RunningServer> {
  const limits = mergeServerLimits(options.limits);
  const connections = new Connections(limits, options.onError);
  const { onCall, observe } = options;
  const unreadAnswers = new UnreadAnswers(limits.unreadBytes, options.onError);
  const host = { ...nodeHost, isOverloaded: () => unreadAnswers.isOverloaded };
  const router = createRouter(routes, options, host);
  const isObserved = () => onCall !== undefined || observe !== undefined || nodeHost.channels.call.hasSubscribers;
  const readTimeout = limitTimeout(limits.requestTimeout + limits.handlerTimeout);
  const exchangeHost = { router, connections, unreadAnswers, onError: options.onError, readTimeout, isObserved };
  const server = await createNodeServer({ ...options, limits }, (incoming, outgoing, expectation) =>
    new Exchange(exchangeHost, incoming, outgoing, expectation).receive(),
  ).catch((error: unknown) => throwTlsError(error, options.tls));
  connections.watch(server, options);
  const { tls } = options;
  if (tls !== undefined) {
    await checkCertificates(tls, options.onError);
  }
  const port = await startListening(server, options);
  await checkOpenFiles(limits.connections, options.onError);
  const openFilesTimer = setInterval(createOpenFilesCheck(options.onError), openFilesInterval).unref();
  const stallTimer = setInterval(createStallCheck(connections, options.onError), stallInterval).unref();
  // The interval is long enough for a client to begin another request and to send all of it. Before each check, the
  // requests that have arrived are read.
  const unusedInterval = limitTimeout(limits.keepAliveTimeout + limits.requestTimeout);
  const unusedTimer = setInterval(() => setImmediate(() => connections.closeUnused()), unusedInterval).unref();
  const expiryTimer =
    tls && setInterval(() => void checkCertificates(tls, options.onError), certificateInterval).unref();
  server.once("close", () => {
    clearInterval(expiryTimer);
    clearInterval(openFilesTimer);
    clearInterval(stallTimer);
    clearInterval(unusedTimer);
  });
  let closing: Promise<StopSummary> | undefined;
  return {
    url: formatUrl(options, port),
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
    const fail = (error: Error) => reject(path === undefined ? error : adviseOnSocket(error));
    server.once("error", fail);
    server.listen(path === undefined ? { port, host } : { path }, () => {
      server.removeListener("error", fail);
      // Without this listener, an error of the operating system, such as too many open files, would end the process.
      server.on("error", (error) => {
        report(onError, { kind: "internal", message: "The server cannot accept a connection.", error });
      });
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/** Adds advice to an error about a Unix socket, because Node's message does not say what to do. */
function adviseOnSocket(error: Error): Error {
  const { code } = error as { readonly code?: unknown };
  if (code === "EADDRINUSE") {
    error.message += " (another process listens there; if a process that was killed left the file, remove it)";
  } else if (code === "EACCES" || code === "ENOENT") {
    error.message += " (the folder must exist, and this process must be allowed to write to it)";
  }
  return error;
}

function formatUrl({ tls, host, path }: ListenOptions, port: number): string {
  return path === undefined ? `${tls === undefined ? "http" : "https"}://${formatHost(host)}:${port}` : `unix:${path}`;
}

function formatHost(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::") {
    return "127.0.0.1";
  }
  return host.includes(":") ? `[${host}]` : host;
}
