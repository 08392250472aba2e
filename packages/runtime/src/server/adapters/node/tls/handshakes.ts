import type { Socket, Server as SocketServer } from "node:net";
import { findCertificateProblem } from "../../../../http/client-certificate.js";
import { countBy, getNetwork } from "../../../../http/ip-addresses.js";
import { isPromise } from "../../../../is-promise.js";
import type { OnError } from "../../../../observe/events.js";
import { report } from "../../../../observe/incidents.js";
import { describeValue } from "../../../../value-problems.js";
import { isHost } from "../../../origins.js";
import type { ClosedConnection } from "../connection-state.js";
import { ChosenCertificates } from "./certificates.js";
import type { SecureSocket, ServerTlsOptions } from "./shared-types.js";

// TLS handshakes of a server.

interface HandshakesInit {
  readonly onError: OnError | undefined;
  /** Reports that a new connection exceeds the limit, and that another was closed for it. */
  readonly reportLimit: (newAddress: string | undefined, closed: ClosedConnection) => void;
  /** Whether the server is stopping. */
  readonly isDraining: () => boolean;
}

/** The TLS handshakes of one server. Limits the number of unfinished handshakes, and reports failed ones. */
export class Handshakes {
  readonly #limit: number;
  readonly #onError: OnError | undefined;
  readonly #reportLimit: HandshakesInit["reportLimit"];
  readonly #isDraining: () => boolean;
  /** Whether the server trusts only the certificates of clients that an authority of Node has signed. */
  #lacksAuthorities = false;
  /** The connections whose handshake has not ended, by the key of the handshake. The oldest is the first. */
  readonly #unfinishedHandshakes = new Map<string | Socket, Socket>();
  /** The problems of clients that were reported. Each text contains the client's address. */
  readonly #reportedProblems = new Set<string>();

  constructor(limit: number, { onError, reportLimit, isDraining }: HandshakesInit) {
    this.#limit = limit;
    this.#onError = onError;
    this.#reportLimit = reportLimit;
    this.#isDraining = isDraining;
  }

  watch(server: SocketServer, { SNICallback, ca }: ServerTlsOptions): void {
    this.#lacksAuthorities = ca === undefined && SNICallback === undefined;
    const chosenCertificates = SNICallback && new ChosenCertificates(this.#onError);
    server.prependListener("connection", (socket: Socket) => this.#begin(socket));
    server.on("secureConnection", (socket: SecureSocket) => {
      chosenCertificates?.check(socket);
      this.#unfinishedHandshakes.delete(getHandshakeKey(socket));
      this.#watchFirstRequest(socket);
      const code = findCertificateProblem(socket);
      if (code !== undefined) {
        const meaning = describeHandshakeProblem(code, this.#lacksAuthorities);
        const consequence = 'Because of the option "tls.rejectUnauthorized", its calls continue without it.';
        this.#reportOnce(
          `The server does not accept the certificate of the client at ${socket.remoteAddress}: ${code}. ${meaning} ${consequence}`,
        );
      }
    });
    server.on("tlsClientError", (error: Error, socket: SecureSocket) => this.#reportFailure(error, socket));
  }

  /**
   * Limits the number of unfinished handshakes, which the limit of connections does not count. Over the limit, the
   * client with the most handshakes loses the oldest of them.
   */
  #begin(socket: Socket): void {
    const key = getHandshakeKey(socket);
    this.#unfinishedHandshakes.set(key, socket);
    socket.once("close", () => {
      if (this.#unfinishedHandshakes.get(key) === socket) {
        this.#unfinishedHandshakes.delete(key);
      }
    });
    if (this.#unfinishedHandshakes.size > this.#limit) {
      this.#closeOldest(socket.remoteAddress);
    }
  }

  #closeOldest(newAddress: string | undefined): void {
    const networks = new Map([...this.#unfinishedHandshakes].map(([key, socket]) => [key, getNetworkOfSocket(socket)]));
    const [[network] = []] = [...countBy([...networks.values()])].sort(([, a], [, b]) => b - a);
    for (const [key, socket] of this.#unfinishedHandshakes) {
      if (networks.get(key) === network) {
        this.#reportLimit(newAddress, { address: socket.remoteAddress });
        this.#unfinishedHandshakes.delete(key);
        socket.destroy();
        return;
      }
    }
  }

  /**
   * Reports clients that close the connection right after the handshake, for example because they reject the
   * certificate.
   */
  #watchFirstRequest(socket: Socket): void {
    const { remoteAddress = "an unknown address" } = socket;
    const secureSince = performance.now();
    socket.once("close", () => {
      if (socket.bytesRead === 0 && performance.now() - secureSince < rejectionTime && !this.#isDraining()) {
        this.#reportUnusedConnection(remoteAddress);
      }
    });
  }

  /** Reports a handshake that failed, and the cause. Clients that merely disconnect are not reported. */
  #reportFailure(error: Error, socket: SecureSocket): void {
    // If the client's certificate is not valid, Node closes the connection with the same error as if the client had
    // disconnected, so the certificate's error is checked first.
    const code = socket.authorizationError ?? getCode(error);
    if (code === "ERR_SSL_HTTP_REQUEST") {
      // Node destroys the connection after this event, so that the answer must be written now.
      socket._parent?.on("error", () => {}).write(answerWithoutTls);
    }
    const address = socket.remoteAddress ?? socket._parent?.remoteAddress ?? "an unknown address";
    if (code === "ECONNRESET") {
      // In TLS 1.3, a client can reject the server's certificate before the server considers the handshake ended, but
      // not before the server has sent bytes.
      if ((socket._parent?.bytesWritten ?? 0) > 0) {
        this.#reportUnusedConnection(address);
      }
      return;
    }
    const hostSuffix =
      typeof socket.servername === "string" && isHost(socket.servername) ? ` for ${socket.servername}` : "";
    // The rule has no host, because the client chooses it, and no text of an exception, which may name it.
    const describe = (reason: string, details = "") => ({
      message: `A TLS connection from ${address}${hostSuffix} failed: ${reason}${details}`,
      rule: `A TLS connection from ${address} failed: ${reason}`,
    });
    if (code === "ERR_TLS_HANDSHAKE_TIMEOUT" && waitingForContext.has(socket)) {
      report(this.#onError, { kind: "tls", ...describe(`${code}. ${unansweredAdvice}`) });
      return;
    }
    if (code !== undefined && (code === socket.authorizationError || /^ERR_SSL_|HANDSHAKE_TIMEOUT/.test(code))) {
      const problem = describeHandshakeProblem(code, this.#lacksAuthorities);
      report(this.#onError, { kind: "tls", ...describe(`${code}. ${problem}`) });
      return;
    }
    const failedPart = code === undefined ? "The function SNICallback" : "The connection or the function SNICallback";
    report(this.#onError, { kind: "tls", ...describe(`${failedPart} failed`, `: ${error.message}`), error });
  }

  #reportUnusedConnection(address: string): void {
    const message = `A client at ${address} closed its connection during or right after the TLS handshake, without a request. It may not accept the server's certificate (its name, its dates, or its issuer), or it only checks whether the server runs.`;
    this.#reportOnce(message);
  }

  #reportOnce(problem: string): void {
    if (!this.#reportedProblems.has(problem) && this.#reportedProblems.size < maxReportedProblems) {
      this.#reportedProblems.add(problem);
      report(this.#onError, { kind: "tls", message: `${problem} This is reported once for each address.` });
    }
  }
}

const withoutTls = "This port requires TLS: use https:// instead of http://.";
/** The answer to a request without TLS. Browsers show its text; `client/errors/hints.ts` recognizes it. */
const answerWithoutTls = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${withoutTls.length}\r\n\r\n${withoutTls}`;

/**
 * Returns the key of a TLS handshake. This is the client's address and port, which are known to both the connection's
 * socket and the secure socket on top of it. A Unix socket has neither, so the key is the connection's socket, to which
 * a secure socket refers with the undocumented member `_parent`.
 */
function getHandshakeKey(socket: SecureSocket): string | Socket {
  const { remoteAddress, remotePort } = socket;
  return remotePort === undefined ? (socket._parent ?? socket) : `${remoteAddress} ${remotePort}`;
}

/** The maximum number of texts in `#reportedProblems`. */
const maxReportedProblems = 20;
/**
 * The time in milliseconds within which a client that rejects the certificate closes the connection. Browsers also
 * close connections that they did not need, but later.
 */
const rejectionTime = 1_000;

const unknownAuthority = /UNABLE_TO_|SELF_SIGNED|CERT_SIGNATURE|CERT_UNTRUSTED/;

/** The cause of each kind of failed handshake, and what to do about it, by OpenSSL or Node error code. */
const handshakeProblems: readonly (readonly [codes: RegExp, meaning: string])[] = [
  [
    /HTTP_REQUEST/,
    "The client sent a request without TLS: its address begins with http: instead of https:, or a proxy forwards without TLS.",
  ],
  [
    /UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|ALERT_PROTOCOL_VERSION|NO_PROTOCOLS_AVAILABLE/,
    'The client and the server have no TLS version in common. Update the client, or set "tls.minVersion" to an older version.',
  ],
  [
    /WRONG_VERSION_NUMBER|UNEXPECTED_MESSAGE|BAD_RECORD|PACKET_LENGTH|RECORD_LENGTH|BAD_PROTOCOL/,
    "The client sent data that is not TLS. Its address may begin with http: instead of https:, or it may be a client of another protocol, a load balancer with the PROXY protocol, or a port scanner.",
  ],
  [
    /NO_APPLICATION_PROTOCOL/,
    'The client and the server have no protocol in common (ALPN). For clients that use only HTTP/2, set the option "http2".',
  ],
  [
    /NO_SHARED_CIPHER|NO_SUITABLE|NO_SHARED_GROUP|ALERT_HANDSHAKE_FAILURE/,
    'Client and server support no common cipher or type of key, or the server has no certificate for this host name. Check ciphers, key and SNICallback in the option "tls".',
  ],
  [
    /ALERT_UNKNOWN_CA/,
    "The client does not trust the issuer of the server's certificate. Install the issuer's certificate on the client, or add the intermediate certificates to the option \"tls.cert\".",
  ],
  [
    /ALERT_CERTIFICATE_EXPIRED/,
    "The client regards the server's certificate as expired. Renew it, or check the client's clock.",
  ],
  [
    /ALERT_UNSUPPORTED_CERTIFICATE/,
    "The client rejects the server's certificate, for example because its type of key is not supported, or because its purposes (extendedKeyUsage) do not include servers (serverAuth).",
  ],
  [
    /ALERT_(?:BAD_CERTIFICATE|CERTIFICATE|ACCESS_DENIED|UNRECOGNIZED_NAME)/,
    "The client rejects the server's certificate, for example because it is for another host name.",
  ],
  [
    /PEER_DID_NOT_RETURN_A_CERTIFICATE/,
    'The client sent no certificate, but the option "tls.requestCert" requires one.',
  ],
  [/CERT_HAS_EXPIRED/, "The client's certificate has expired. Renew it, or check the server's clock."],
  [/CERT_NOT_YET_VALID/, "The client's certificate is not valid yet. Check the clocks of client and server."],
  [/CERT_REVOKED/, 'The option "tls.crl" lists the certificate of the client as revoked.'],
  [
    /INVALID_PURPOSE/,
    "The purposes of the client's certificate (extendedKeyUsage) do not include clients (clientAuth): it may be a certificate for servers. The client needs another one.",
  ],
  [
    /INVALID_CA/,
    "A certificate that issued the client's is not that of an authority (basicConstraints): the client needs a certificate of another issuer.",
  ],
  [
    /UNABLE_TO_(?:VERIFY_LEAF|GET_ISSUER)/,
    'The issuer of the client\'s certificate is not known: the client may not send its intermediate certificates, and must then send its whole chain. Otherwise, add its authority to the option "tls.ca".',
  ],
  [unknownAuthority, 'The certificate of the client is not signed by an authority in the option "tls.ca".'],
  [
    /HANDSHAKE_TIMEOUT/,
    'The client did not finish the handshake in time. To wait longer, increase the options "limits.headersTimeout" and "limits.requestTimeout" of the server: the smaller applies.',
  ],
];

function describeHandshakeProblem(code: string, lacksAuthorities: boolean): string {
  if (lacksAuthorities && unknownAuthority.test(code)) {
    return 'The certificate of the client is not signed by one of the authorities that Node trusts. Set the option "tls.ca" to the authority that signs the certificates of the clients.';
  }
  const [, meaning] = handshakeProblems.find(([codes]) => codes.test(code)) ?? [];
  return meaning ?? "OpenSSL's documentation describes this code.";
}

/**
 * Returns the code of a Node or OpenSSL error. Returns undefined if the code is not a string, as is possible on other
 * platforms.
 */
function getCode(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Returns the part of a client's address by which it is counted; undefined on a Unix socket. */
export function getNetworkOfSocket({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : getNetwork(remoteAddress);
}

/** The connections for which the function `SNICallback` has not answered yet. */
const waitingForContext = new WeakSet<object>();

const unansweredAdvice =
  'The function SNICallback in the option "tls" did not call its second parameter in time. Check what it waits for, or increase the options "limits.headersTimeout" and "limits.requestTimeout" of the server: the smaller applies.';

/**
 * Returns the function `SNICallback` with an answer for the mistakes that Node ignores: an asynchronous function that
 * rejects, which would end the process, or that returns its result. Answers only once for each connection.
 */
export function answerMistakes(SNICallback: NonNullable<ServerTlsOptions["SNICallback"]>): typeof SNICallback {
  // Node calls the function as a method of the connection.
  return function (this: unknown, name, done) {
    const socket: object = Object(this);
    waitingForContext.add(socket);
    const answer: typeof done = (error, context) => {
      if (waitingForContext.delete(socket)) {
        done(error, context);
      }
    };
    const result: unknown = SNICallback.call(this, name, answer);
    if (isPromise(result)) {
      result.then(
        (value) => {
          if (value !== undefined) {
            answer(
              new TypeError("It returned a promise of its result. It must pass the result to its second parameter."),
            );
          }
        },
        (error: unknown) => answer(error instanceof Error ? error : new TypeError(`It threw ${describeValue(error)}.`)),
      );
    }
  };
}
