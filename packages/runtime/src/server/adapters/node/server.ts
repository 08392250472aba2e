import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type {
  Http2SecureServer,
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
  Http2Session,
  SecureServerOptions,
  ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import type { ServerLimits } from "../../../server-limits.js";
import { limitTimeout, longestTimerDelay, RunningClock } from "../../limits/running-clock.js";
import { isCancelled } from "../node-answers.js";
import { describeLateRequest, SessionTimeouts } from "./arrival-timeouts.js";
import type { Connections } from "./connections.js";
import { describeRefused, RefusedHeads } from "./refused-heads.js";
import { answerMistakes } from "./tls/handshakes.js";
import type { ServerTlsOptions } from "./tls/shared-types.js";
import { checkTlsOptions } from "./tls/tls-options.js";

/** The address a server listens on, and its protocols. */
export interface ServerAddress {
  /** The port to listen on. Default 0, which chooses a free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: all addresses. */
  readonly host?: string | undefined;
  /** The path of a Unix socket to listen on instead of a port. The file must not exist. */
  readonly path?: string | undefined;
  /**
   * Whether all users of the system can connect to the Unix socket, as a proxy that runs as another user must. Without
   * it, they can only if the `umask` of the process allows it. Default false.
   */
  readonly writableAll?: boolean | undefined;
  /**
   * The key and the certificate for HTTPS, and Node's other TLS options. With `requestCert`, clients must send
   * certificates that are signed by `ca`. `SNICallback` chooses a certificate by host name. `minVersion` is at least
   * `TLSv1.2`.
   */
  readonly tls?: ServerTlsOptions | undefined;
  /**
   * Whether HTTP/2 is supported. With `tls`, HTTP/1.1 is then supported as well; without `tls`, HTTP/2 replaces
   * HTTP/1.1, as some proxies require. Default false.
   */
  readonly http2?: boolean | undefined;
}

/** A Node server for HTTP/1.1, HTTP/2, or both. */
export type NodeServer = Server | Http2Server | Http2SecureServer;

/**
 * The value of a request's `Expect` header. With `continue`, the client waits for `100 Continue` before it sends the
 * body.
 */
export type Expectation = "none" | "continue" | "unknown";

type Receive = (incoming: IncomingMessage, outgoing: ServerResponse, expectation: Expectation) => void;

interface ServerOptions extends ServerAddress {
  readonly limits: ServerLimits;
  readonly onError?: OnError | undefined;
}

/** Creates a server, which does not listen yet. Throws `ConfigError` for TLS options that are not valid. */
export async function createNodeServer(options: ServerOptions, receive: Receive): Promise<NodeServer> {
  checkTlsOptions(options.tls);
  const { SNICallback } = options.tls ?? {};
  const tls = SNICallback === undefined ? options.tls : { ...options.tls, SNICallback: answerMistakes(SNICallback) };
  return options.http2 === true
    ? createHttp2Server({ ...options, tls }, receive)
    : createHttp1Server({ ...options, tls }, receive);
}

/**
 * Creates a server for HTTP/1.1. Loads only the module that this server needs: `node:http` takes 4 ms, `node:https` 6.5
 * ms.
 */
async function createHttp1Server({ tls, limits, onError }: ServerOptions, receive: Receive): Promise<Server> {
  const createListener = (expectation: Expectation) => (incoming: IncomingMessage, outgoing: ServerResponse) =>
    receive(incoming, outgoing, expectation);
  const listener = createListener("none");
  const settings = createTimeoutSettings(limits);
  const server =
    tls === undefined
      ? (await import("node:http")).createServer(settings, listener)
      : (await import("node:https")).createServer(
          { ...settings, handshakeTimeout: settings.headersTimeout, ...tls },
          listener,
        );
  // 0 means no limit. The router limits the number of headers instead, because node:http would drop excess headers, or
  // refuse the request without an answer. The total size of the headers is still limited.
  server.maxHeadersCount = 0;
  server.on("checkContinue", createListener("continue"));
  server.on("checkExpectation", createListener("unknown"));
  server.on("timeout", closeIfIdle);
  refuseConnect(server, onError);
  return server;
}

/**
 * Closes a connection whose idle timeout has expired, unless unread bytes have arrived: on a busy machine, the timer
 * can fire before Node reads such bytes. Node reads them before the callback of `setImmediate` runs. The timer of Node
 * runs for a second longer than the header `Keep-Alive` announces to the client.
 */
function closeIfIdle(connection: Socket | ServerHttp2Session): void {
  if ("bytesRead" in connection) {
    const { bytesRead } = connection;
    setImmediate(() => {
      if (connection.bytesRead === bytesRead) {
        connection.destroy();
      }
    });
  }
}

/** Answers and reports requests with the method CONNECT, which Node does not pass to the router. */
function refuseConnect(server: NodeServer, onError: OnError | undefined): void {
  server.on("connect", (incoming: IncomingMessage, client: Socket | Http2ServerResponse) => {
    const message = `A request from ${formatAddress(incoming.socket)} was refused. Only proxies support the method CONNECT.`;
    report(onError, { kind: "request", message, method: incoming.method });
    if ("writeHead" in client) {
      client.writeHead(405, { "Content-Length": 0 }).end();
      return;
    }
    client.on("error", () => client.destroy());
    // Destroys the connection after the answer, because Node no longer limits the connection, and a client could keep
    // it half open.
    client.end("HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", () =>
      client.destroy(),
    );
  });
}

/** The longest timeout of idle connections. Node adds a second to it. */
const longestKeepAlive = longestTimerDelay - 1_000;

/** The largest limit of the size or the number of headers that every version of Node accepts. */
const longestHeaders = 2_147_483_647;

function createTimeoutSettings(limits: ServerLimits) {
  return {
    maxHeaderSize: Math.min(limits.headerBytes, longestHeaders),
    // node:http refuses a timeout for the headers that exceeds the timeout for the complete request, so the smaller
    // value is used.
    headersTimeout: limitTimeout(Math.min(limits.headersTimeout, limits.requestTimeout)),
    requestTimeout: limitTimeout(limits.requestTimeout),
    keepAliveTimeout: limitTimeout(limits.keepAliveTimeout, longestKeepAlive),
    // Node must not refuse requests without a Host header, because it would not report them. `Exchange` refuses them
    // instead.
    requireHostHeader: false,
    connectionsCheckingInterval: limitTimeout(limits.checkInterval),
  };
}

/** The options that determine how long requests of an HTTP/2 connection may make no progress. */
const idleOptions =
  'The options "limits.requestTimeout" and "limits.handlerTimeout" of the server together set this time.';

/** The open sessions of HTTP/2 servers. */
const sessions = new WeakMap<NodeServer, Set<ServerHttp2Session>>();

/** Creates an HTTP/2 server whose requests and answers have the same interface as those of `node:http`. */
async function createHttp2Server({ tls, limits, onError }: ServerOptions, receive: Receive): Promise<NodeServer> {
  const http2 = await import("node:http2");
  const settings = {
    // Node resets a request with more headers without an answer and without an event, so the router refuses those that
    // exceed `limits.headers`. Each header counts 32 bytes more than its text (RFC 9113 §6.5.2).
    maxHeaderListPairs: Math.min(Math.max(limits.headers + 8, Math.ceil(limits.headerBytes / 32)), longestHeaders),
    settings: { maxConcurrentStreams: 100, maxHeaderListSize: Math.min(limits.headerBytes, longestHeaders) },
  };
  const server =
    tls === undefined
      ? http2.createServer(settings)
      : createSecureHttp2Server(http2, { ...settings, allowHTTP1: true, ...tls }, createTimeoutSettings(limits));
  const createListener =
    (expectation: Expectation) =>
    (incoming: IncomingMessage | Http2ServerRequest, outgoing: ServerResponse | Http2ServerResponse) =>
      receive(incoming as IncomingMessage, outgoing as ServerResponse, expectation);
  server.on("request", createListener("none"));
  server.on("checkContinue", createListener("continue"));
  server.on("checkExpectation", createListener("unknown"));
  server.on("timeout", closeIfIdle);
  refuseConnect(server, onError);
  sessions.set(server, new Set());
  const checks = new Set<() => void>();
  const clock = new RunningClock(limits.checkInterval);
  clock.start(() => checks.forEach((check) => void check()));
  server.once("close", () => clock.stop());
  server.on("session", (session) => {
    const address = formatAddress(session.socket);
    const reportClosing = (reason: string) => reportClosedSession(onError, address, reason);
    // After this time, a connection that is idle, or whose requests make no progress, is closed.
    const idleTimeout = limitTimeout(limits.requestTimeout + limits.handlerTimeout);
    session.setTimeout(idleTimeout, () =>
      closeIfEnded(session, onError, () => {
        if (timeouts.hasOpenRequests) {
          reportClosing(`, because its requests made no progress for ${idleTimeout} ms. ${idleOptions}`);
        }
        session.destroy();
      }),
    );
    sessions.get(server)?.add(session);
    const heads = new RefusedHeads(session, () =>
      report(onError, { kind: "request", message: describeRefused(address, limits.headerBytes) }),
    );
    const timeouts = new SessionTimeouts(session, limits, {
      heads,
      clock,
      onLate: () => report(onError, { kind: "request", message: describeLateRequest(address) }),
    });
    const check = () => {
      heads.check();
      timeouts.check();
    };
    checks.add(check);
    session.once("close", () => {
      sessions.get(server)?.delete(session);
      checks.delete(check);
    });
    session.on("error", (error) => {
      // Does not report clients that only disconnect.
      if ("code" in error && String(error.code).startsWith("ERR_HTTP2_")) {
        reportClosing(`: ${error.message}${describeSessionProblem(error)}.`);
      }
    });
    limitCancellations(session, () =>
      reportClosing(
        `, because the client cancelled more than ${maxCancellations} requests at a time, or more than ${cancellationsPerSecond} per second.`,
      ),
    );
  });
  return server;
}

function reportClosedSession(onError: OnError | undefined, address: string, reason: string): void {
  report(onError, { kind: "request", message: `An HTTP/2 connection from ${address} was closed${reason}` });
}

/** The names of the HTTP/2 error codes (RFC 9113 §7). The index of a name is its code. */
const http2Errors = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
];

/** The numbers of errors of nghttp2: NGHTTP2_ERR_PROTO and NGHTTP2_ERR_BAD_CLIENT_MAGIC. */
const libraryErrors = { protocol: -505, preface: -903 } as const;

/** Returns an explanation to append to the error message of an HTTP/2 connection; "" if there is none. */
function describeSessionProblem(error: Error & { readonly errno?: unknown }): string {
  const { message, errno } = error;
  const [, code] = /error code (\d+)$/.exec(message) ?? [];
  if (code !== undefined) {
    return ` (${http2Errors[Number(code)] ?? "unknown"})`;
  }
  if (errno === libraryErrors.protocol) {
    return ". The client, or a proxy in front of the server, sent a frame that HTTP/2 does not allow, or a body whose length differs from Content-Length";
  }
  return errno === libraryErrors.preface
    ? '. The client may use HTTP/1.1, TLS or the PROXY protocol; without TLS, a server with the option "http2" accepts only HTTP/2'
    : "";
}

/** The reason for closing a connection that Node's HTTP/2 library has ended. */
const endedByLibrary =
  "Node's HTTP/2 library had stopped reading, because the client or a proxy had sent a frame that HTTP/2 does not allow. Newer versions of Node, such as 22.23 and 26, close such a connection at once.";

/**
 * Called when a timeout of an HTTP/2 connection or of one of its answers has expired. Closes and reports the connection
 * if Node's HTTP/2 library has ended it; otherwise, calls `onTimeout`. After a frame that is not valid, the library
 * sends GOAWAY, and then neither reads nor writes. In some versions of Node, such as 20.20 and 24.9, no event reports
 * this, and even the end of the connection is not noticed. In this state, a frame that is to be sent stays in the
 * library's queue although the socket has sent everything before.
 */
export function closeIfEnded(session: Http2Session, onError: OnError | undefined, onTimeout: () => void): void {
  if (session.destroyed || measureUnsent(session.socket) !== 0) {
    onTimeout();
    return;
  }
  session.ping(() => {});
  // Node sends queued frames before the callback of `setImmediate` runs.
  setImmediate(() => {
    if (session.destroyed) {
      return;
    }
    if ((session.state.outboundQueueSize ?? 0) > 0) {
      reportClosedSession(onError, formatAddress(session.socket), `: ${endedByLibrary}`);
      session.destroy();
    } else {
      onTimeout();
    }
  });
}

/**
 * Returns the number of bytes that wait for the client to read, from undocumented members of Node; undefined on other
 * platforms. Over TLS, only the inner handle has the number of encrypted bytes that have not been sent.
 */
export function measureUnsent(socket: object): number | undefined {
  const { _handle: handle }: { readonly _handle?: SocketHandle | null } = socket;
  return (handle?._parent ?? handle)?.writeQueueSize;
}

interface SocketHandle {
  readonly writeQueueSize?: number;
  readonly _parent?: SocketHandle | null;
}

/**
 * The number of requests that an HTTP/2 client may cancel in a burst. This limit and the next one are lower than the
 * limits of Node's HTTP/2 library, 1,000 and 33. If the library's limits are exceeded, it stops reading from the
 * connection without reporting this, and Node keeps the connection open.
 */
const maxCancellations = 900;
/** The number of requests per second that an HTTP/2 client may cancel on average over a long time. */
const cancellationsPerSecond = 30;
/** The error code ENHANCE_YOUR_CALM (RFC 9113 §7): the client causes excessive load. */
const enhanceYourCalm = 11;

/** Closes a connection whose client cancels too many requests (CVE-2023-44487), and calls `onExcess`. */
function limitCancellations(session: ServerHttp2Session, onExcess: () => void): void {
  let allowance = maxCancellations;
  let lastTime = arrivalClock.now();
  let isExceeded = false;
  session.on("stream", (stream) => {
    arrivalClock.now();
    stream.once("close", () => {
      if (isExceeded || session.destroyed || !isCancelled(stream)) {
        return;
      }
      const now = arrivalClock.now();
      const earnedAllowance = ((now - lastTime) / 1_000) * cancellationsPerSecond;
      allowance = Math.min(maxCancellations, allowance + earnedAllowance) - 1;
      lastTime = now;
      if (allowance < 0) {
        isExceeded = true;
        onExcess();
        // Node emits this event while its HTTP/2 library reads frames. Destroying the session at this point can end the
        // process with a failed assertion.
        setImmediate(() => closeForExcess(session));
      }
    });
  });
}

function closeForExcess(session: ServerHttp2Session): void {
  if (!session.destroyed) {
    session.goaway(enhanceYourCalm);
    session.destroy();
  }
}

/**
 * Returns about the time at which the requests that are being processed arrived. Thousands of requests can arrive
 * together, and the HTTP/2 library counts them at once. If they were counted here at the times at which they are
 * processed, a slow machine would allow more of them than the library.
 */
class ArrivalClock {
  #time: number | undefined;

  now(): number {
    if (this.#time === undefined) {
      this.#time = performance.now();
      // Node ends some requests in the next turn of the event loop.
      setImmediate(() => setImmediate(this.#reset));
    }
    return this.#time;
  }

  readonly #reset = (): void => {
    this.#time = undefined;
  };
}

// Shared by all servers, because they share the event loop.
const arrivalClock: ArrivalClock = /* @__PURE__ */ new ArrivalClock();

/**
 * Creates a TLS server for both HTTP/2 and HTTP/1.1. The HTTP/1.1 settings are also set as properties, because some
 * versions of Node read them only there, when the server listens or a client connects.
 */
function createSecureHttp2Server(
  http2: typeof import("node:http2"),
  options: SecureServerOptions,
  settings: ReturnType<typeof createTimeoutSettings>,
): Http2SecureServer {
  const server = http2.createSecureServer({ ...settings, handshakeTimeout: settings.headersTimeout, ...options });
  // As in HTTP/1.1, the router limits the number of headers, so Node must not.
  return Object.assign(server, settings, { maxHeadersCount: 0 });
}

function formatAddress(socket: { readonly remoteAddress?: string | undefined } | undefined): string {
  return socket?.remoteAddress ?? "an unknown address";
}

/** A summary of a server's work, created when the server has stopped. */
export interface StopSummary {
  /** The number of requests that were answered since the server started. */
  readonly answered: number;
  /** The number of requests that were answered after the server began to stop. `answered` includes them. */
  readonly answeredWhileStopping: number;
  /**
   * The number of requests that had not been answered after `drainTimeout`, or whose clients had not received the whole
   * answer. Each of them was reported to `onError`.
   */
  readonly unanswered: number;
  /** The time in milliseconds that stopping took. */
  readonly duration: number;
}

/**
 * Stops a server: waits for `drainDelay`, stops accepting connections, waits for requests in flight, and closes all
 * connections.
 */
export async function closeServer(
  server: NodeServer,
  connections: Connections,
  { drainDelay, drainTimeout }: { readonly drainDelay: number; readonly drainTimeout: number },
): Promise<StopSummary> {
  const startedAt = performance.now();
  const answeredBefore = connections.answeredCount;
  connections.draining = true;
  if (drainDelay > 0) {
    await new Promise((resolve) => setTimeout(resolve, limitTimeout(drainDelay)));
  }
  // Waits for one turn of the event loop, in which Node reads the requests that have arrived. Otherwise, closing the
  // server would close connections with unread requests.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => connections.destroyAll(drainTimeout), limitTimeout(drainTimeout));
    // Replaces a method that `close` of node:http calls. Node's method would destroy connections whose answer has been
    // written but not sent completely, so clients would lose the rest of the answer. `drain` closes the idle
    // connections instead.
    Object.assign(server, { closeIdleConnections() {} });
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const session of sessions.get(server) ?? []) {
      session.close();
    }
    connections.drain();
  });
  const { answeredCount: answered, unansweredCount: unanswered } = connections;
  const duration = Math.round(performance.now() - startedAt);
  return { answered, answeredWhileStopping: answered - answeredBefore, unanswered, duration };
}
