import { open, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { ConfigError } from "../../../errors.js";
import type { ServerRequest } from "../../../http/server-request.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { reportOmittedIncidents } from "../../../observe/repeated-incidents.js";
import { StallWatch } from "../../../observe/stalls.js";
import { checkOptionsOf, requireAny } from "../../../option-checks.js";
import type { OptionType } from "../../../option-types.js";
import { mergeServerLimits, type ServerLimits } from "../../../server-limits.js";
import { CountedMemory } from "../../admission.js";
import { limitTimeout } from "../../limits/running-clock.js";
import { checkServerOptions } from "../../options/server-options.js";
import { createRouter, type RouterOptions } from "../../router.js";
import type { Routes } from "../../routes.js";
import { checkAddress, checkTlsPlace } from "./check-address.js";
import { Connections } from "./connections.js";
import { Exchange } from "./node-exchange.js";
import { nodeFeatures } from "./node-request.js";
import { closeServer, createNodeServer, type NodeServer, type ServerAddress, type StopSummary } from "./server.js";
import { type ServerState, ServerStateReader } from "./server-state.js";
import { certificateInterval, checkCertificates, checkChains } from "./tls/certificates.js";
import type { ServerTlsOptions } from "./tls/shared-types.js";
import { checkTlsOptions, throwTlsError } from "./tls/tls-options.js";
import { UnreadAnswers } from "./unread-answers.js";

export type { StopSummary } from "./server.js";
export type { ServerState } from "./server-state.js";
export type { ServerTlsOptions } from "./tls/shared-types.js";

/** Options for `listen`. */
export interface ListenOptions extends RouterOptions, ServerAddress {
  /**
   * The time in milliseconds for which the server still accepts requests after `close` is called. During this time,
   * `/ready` of `healthRoutes` answers 503, so that a load balancer stops sending requests. Default 0.
   */
  readonly drainDelay?: number | undefined;
}

/** The members of the option `tls` that a running server can replace. */
export type ServerCertificate = Pick<ServerTlsOptions, "key" | "cert" | "pfx" | "passphrase" | "ca" | "crl">;

/** A server that listens, with which it is stopped and observed. */
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
  /**
   * Replaces members of the option `tls`, such as `key` and `cert` of a renewed certificate, for new connections.
   * Rejects with a `ConfigError` if they cannot be used; the server then keeps the previous ones.
   */
  setCertificate(certificate: ServerCertificate): Promise<void>;
  /** Returns figures about the server and its process: memory, delay of the event loop, requests and connections. */
  state(): Promise<ServerState>;
}

/** Serves routes with `node:http`. Handle signals in your program: `process.once("SIGTERM", () => server.close())`. */
export async function listen(routes: readonly Routes[], options: ListenOptions = {}): Promise<RunningServer> {
  checkTlsPlace(options);
  checkServerOptions(options);
  checkAddress(options);
  const limits = mergeServerLimits(options.limits);
  const connections = new Connections(limits, options.onError);
  const { onCall, observe, onError } = options;
  const unreadAnswers = new UnreadAnswers(limits.unreadBytes, options.onError);
  const memory = new CountedMemory();
  const features = {
    ...nodeFeatures,
    findOverload: (request: ServerRequest) => unreadAnswers.findOverload(request),
    memory,
  };
  const router = createRouter(routes, options, { optionGroups: ["listen"], features });
  const isObserved = () => onCall !== undefined || observe !== undefined || nodeFeatures.channels.call.hasSubscribers;
  const readTimeout = limitTimeout(limits.requestTimeout + limits.handlerTimeout);
  const exchangeHost = { router, connections, unreadAnswers, onError, readTimeout, isObserved };
  const server = await createNodeServer({ ...options, limits }, (incoming, outgoing, expectation) => {
    dropExcessHeaders(incoming, limits.headers);
    new Exchange(exchangeHost, incoming, outgoing, expectation).receive();
  }).catch((error: unknown) => throwTlsError(error, options.tls));
  connections.watch(server, options);
  let { tls } = options;
  const checkTls = async (): Promise<void> => {
    if (tls !== undefined) {
      await checkCertificates(tls, options.onError);
    }
  };
  await checkTls();
  if (tls !== undefined) {
    await checkChains(tls, options.onError);
  }
  const port = await startListening(server, { ...options, limits });
  await checkOpenFiles(limits.connections, options.onError);
  const openFilesTimer = setInterval(createOpenFilesCheck(options.onError), openFilesInterval).unref();
  const stallWatch = new StallWatch(connections, options.onError);
  stallWatch.begin();
  const unusedInterval = limitTimeout(Math.max(limits.keepAliveTimeout, limits.checkInterval));
  // In this number of intervals, a client can begin another request and send all of it.
  const maxChecks = Math.ceil((limits.keepAliveTimeout + limits.requestTimeout) / unusedInterval);
  // Before each check, the requests that have arrived are read.
  const unusedTimer = setInterval(() => setImmediate(() => connections.closeUnused(maxChecks)), unusedInterval).unref();
  const expiryTimer = tls && setInterval(() => void checkTls(), certificateInterval).unref();
  server.once("close", () => {
    clearInterval(expiryTimer);
    clearInterval(openFilesTimer);
    stallWatch.end();
    clearInterval(unusedTimer);
    reportOmittedIncidents();
  });
  const stateReader = new ServerStateReader(server, connections, memory);
  let closePromise: Promise<StopSummary> | undefined;
  return {
    url: formatUrl(options, port),
    port,
    close() {
      closePromise ??= closeServer(server, connections, { ...limits, drainDelay: options.drainDelay ?? 0 });
      return closePromise;
    },
    async setCertificate(certificate) {
      tls = await replaceCertificate(server, tls, certificate);
      await checkTls();
      await checkChains(tls, options.onError);
    },
    state: () => stateReader.read(),
  };
}

/** Node checks the values of these options. */
const anyValue: OptionType = { description: "a value", accepts: () => true };
const certificateTypes: Readonly<Record<keyof ServerCertificate, OptionType>> = {
  key: anyValue,
  cert: anyValue,
  pfx: anyValue,
  passphrase: anyValue,
  ca: anyValue,
  crl: anyValue,
};

/** Returns the TLS options of a server with another certificate, which new connections receive. */
async function replaceCertificate(
  server: NodeServer,
  tls: ServerTlsOptions | undefined,
  certificate: ServerCertificate,
): Promise<ServerTlsOptions> {
  if (tls === undefined || !("setSecureContext" in server)) {
    throw new ConfigError('The server has no certificate, because it was started without the option "tls".');
  }
  checkOptionsOf("setCertificate", certificate, certificateTypes);
  requireAny("setCertificate", certificate, Object.keys(certificateTypes), "the server keeps its certificate");
  const replaced = Object.entries(certificate).filter(([, value]) => value !== undefined);
  const newTls: ServerTlsOptions = { ...tls, ...Object.fromEntries(replaced) };
  checkTlsOptions(newTls);
  const { createSecureContext } = await import("node:tls");
  try {
    // Node would keep a wrong certificate for later calls, although it refuses it here.
    createSecureContext(newTls);
    server.setSecureContext(newTls);
  } catch (error) {
    return await throwTlsError(error, newTls);
  }
  return newTls;
}

/** The headers on which it depends how a refused request is answered. */
const neededHeaders = ["connection", "content-length", "expect", "host", "transfer-encoding"] as const;

/**
 * Drops header lines that exceed the limit, except for one, for which the router refuses the request. A head of 16 KB
 * can have 4,000 lines, which would take 0.5 MB while the request waits for earlier answers on its connection.
 */
function dropExcessHeaders(incoming: IncomingMessage, limit: number): void {
  const { rawHeaders, headers } = incoming;
  if (rawHeaders.length <= 2 * (limit + 1)) {
    return;
  }
  const maxLength = 2 * (limit + 1 + countPseudoHeaders(rawHeaders));
  if (rawHeaders.length > maxLength) {
    rawHeaders.length = maxLength;
    const kept = neededHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    // Does not throw on platforms on which this property cannot be set.
    Reflect.set(incoming, "headers", Object.fromEntries(kept));
  }
}

/** Returns the number of pseudo-headers, such as `:path`, with which an HTTP/2 request begins (RFC 9113 §8.3). */
function countPseudoHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  while (rawHeaders[2 * count]?.startsWith(":") === true) {
    count += 1;
  }
  return count;
}

/** The listening options, with all limits. */
interface ListeningOptions extends ListenOptions {
  readonly limits: ServerLimits;
}

/** Node's default for the number of connections that wait until the process accepts them. */
const defaultBacklog = 511;
/** The largest backlog that all systems accept. Systems lower it to their own limit. */
const maxBacklog = 65_535;

/** Starts to listen, and resolves to the port. */
function startListening(server: NodeServer, options: ListeningOptions): Promise<number> {
  const { port = 0, host, path, writableAll = false, onError, limits } = options;
  // While the process is busy, connections that the limit allows must wait. With a shorter backlog, the system would
  // reset some of them after a minute.
  const backlog = Math.max(defaultBacklog, Math.min(maxBacklog, limits.connections));
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(path === undefined ? adviseOnPort(error) : adviseOnSocket(error));
    server.once("error", fail);
    server.listen({ ...(path === undefined ? { port, host } : { path, writableAll }), backlog }, () => {
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

/** Adds advice to an error about a port or a host, because Node's message does not say what to do. */
function adviseOnPort(error: Error): Error {
  const { code } = error as { readonly code?: unknown };
  if (code === "EADDRINUSE") {
    error.message += '. Another program listens there: stop it, or set the option "port" to another port.';
  } else if (code === "EACCES") {
    error.message += '. This process must not use the port: set the option "port" to 1024 or higher.';
  } else if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    error.message += '. The option "host" must be an address or a name of this machine.';
  }
  return error;
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

// Checks of the process and its system. They only report problems, because the server cannot correct them.

/**
 * The number of files that a process may need to open besides its connections: for its program, its logs, and
 * connections to other servers.
 */
const otherFileCount = 32;

/**
 * Reports that the process's limit on open files is too low for its limit on connections. When no more files can be
 * opened, libuv closes new connections without an event. The check works only on Linux, which shows the limit of a
 * process. Node has already raised this limit to the highest value that the system allows.
 */
async function checkOpenFiles(connections: number, onError: OnError | undefined): Promise<void> {
  const text = await readFile("/proc/self/limits", "latin1").catch(() => "");
  const maxFiles = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  if (maxFiles !== undefined && Number(maxFiles) < connections + otherFileCount) {
    report(onError, {
      kind: "config",
      message: `This process can open at most ${maxFiles} files, but limits.connections = ${connections} needs more. Further connections are reset without an error. Raise the limit of the system (ulimit -n, LimitNOFILE), or lower the option "limits.connections" of the server.`,
      limit: { name: "connections", value: connections, option: "limits.connections" },
    });
  }
}

/** The time between two checks of whether the process can open another file, in milliseconds. */
const openFilesInterval = 2_000;

/**
 * Returns a function that checks whether the process can open another file, and reports if it cannot. Does not report
 * again until files can be opened again.
 */
function createOpenFilesCheck(onError: OnError | undefined): () => Promise<void> {
  let isReported = false;
  return async () => {
    try {
      const { devNull } = await import("node:os");
      await (await open(devNull)).close();
      isReported = false;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (isReported || (code !== "EMFILE" && code !== "ENFILE")) {
        return;
      }
      isReported = true;
      const message =
        'This process cannot open any more files. New connections are reset without an error. Raise the limit of the system (ulimit -n, LimitNOFILE), lower the option "limits.connections" of the server, or look for files that are not closed.';
      report(onError, { kind: "config", message, error });
    }
  };
}
