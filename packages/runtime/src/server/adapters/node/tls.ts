import type { X509Certificate } from "node:crypto";
import type { ServerOptions as TlsOptions } from "node:https";
import type { Socket, Server as SocketServer } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "../../../errors.js";
import { isBytes } from "../../../http/bytes.js";
import { findCertificateProblem } from "../../../http/client-certificate.js";
import { countBy, getNetwork } from "../../../http/ip-addresses.js";
import { checkPem, isEmpty } from "../../../http/pem.js";
import { isPromise } from "../../../is-promise.js";
import type { OnError } from "../../../observe/events.js";
import { report } from "../../../observe/incidents.js";
import { describeValue } from "../../../value-problems.js";
import { isHost } from "../../origins.js";
import type { ClosedConnection } from "./connection-state.js";

// TLS on a server: its handshakes, and problems with its certificates and options.

/** Node's TLS options for servers. */
export type ServerTlsOptions = Pick<
  TlsOptions,
  | "key"
  | "cert"
  | "ca"
  | "crl"
  | "pfx"
  | "passphrase"
  | "requestCert"
  | "rejectUnauthorized"
  | "minVersion"
  | "maxVersion"
  | "ciphers"
  | "SNICallback"
>;

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

/**
 * A TLS socket whose handshake failed. Its undocumented member `_parent` is the connection's socket, which still has
 * the client's address.
 */
interface SecureSocket extends Socket {
  readonly _parent?: Socket | null;
  /** The code for the reason why the client's certificate was refused. */
  readonly authorizationError?: string | null;
  /** The host name that the client sent (SNI). */
  readonly servername?: string | false | null;
  /** Returns the certificate that the server has sent. */
  getX509Certificate?(): X509Certificate | undefined;
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
    /ALERT_(?:BAD_CERTIFICATE|CERTIFICATE|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|UNRECOGNIZED_NAME)/,
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
function getNetworkOfSocket({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : getNetwork(remoteAddress);
}

/**
 * Rethrows an error of OpenSSL or Node with the name of the option and the possible causes, which the error itself does
 * not contain. OpenSSL's errors about `pfx` and `crl` have no code.
 */
export function throwTlsError(error: unknown, tls: ServerTlsOptions | undefined): never {
  if (tls === undefined || !(error instanceof Error) || error instanceof ConfigError) {
    throw error;
  }
  const code = getCode(error);
  const reason = code?.startsWith("ERR_OSSL_") === true ? code : error.message.replace(/^error:.*:/, "");
  const [, advice] = tlsAdvice.find(([pattern]) => pattern.test(`${code} ${reason}`)) ?? [];
  throw new ConfigError(`The option "tls" cannot be used: ${reason}. ${advice ?? certificateAdvice}`, { cause: error });
}

const certificateAdvice =
  "Check that key and cert are in PEM format and belong together, that pfx is in PKCS #12 format, and that passphrase is correct. The options are the contents of files, not their paths.";

/** The advice about an error, by its code and text. For other errors, it is `certificateAdvice`. */
const tlsAdvice: readonly (readonly [RegExp, string])[] = [
  [/cipher/i, 'Check "ciphers".'],
  [/protocol version/i, 'Set "minVersion" and "maxVersion" to "TLSv1.2" or "TLSv1.3".'],
  [/CRL/, 'Check that "crl" is in PEM format.'],
  [/^ERR_INVALID_ARG/, "Correct the type of this member."],
];

/**
 * Names of Node's TLS options for servers, for suggestions: those of `ServerTlsOptions`, and those that are similar to
 * one of them.
 */
export const tlsNames = [
  ...["key", "cert", "ca", "crl", "pfx", "passphrase", "requestCert", "rejectUnauthorized", "minVersion", "maxVersion"],
  ...["ciphers", "SNICallback", "ALPNCallback", "pskCallback"],
];

/** Refuses misspelled options, and options with which every TLS handshake would fail. */
export function checkTlsOptions(tls: ServerTlsOptions | undefined): void {
  if (tls === undefined) {
    return;
  }
  for (const name of Object.keys(tls)) {
    // Other unknown names are passed on, because Node has more options.
    const suggestion = tlsNames.includes(name) ? "" : suggestNearest(name, tlsNames);
    if (suggestion !== "") {
      throw new ConfigError(`The option "tls" has no member "${name}".${suggestion}`);
    }
  }
  // Node refuses a key or a certificate that it cannot read, which `throwTlsError` explains, but ignores authorities.
  checkPem({ ca: tls.ca });
  // The names of the versions are in the order of their age.
  if ((tls.maxVersion ?? "~") < (tls.minVersion ?? "")) {
    throw new ConfigError(
      'The option "tls.maxVersion" is lower than "tls.minVersion", so no client could connect. Swap them, or remove one.',
    );
  }
  const names = tls.pfx === undefined && tls.SNICallback === undefined ? ["key", "cert"] : ["pfx"];
  const empty = names.find((name) => isEmpty(Reflect.get(tls, name)));
  if (empty !== undefined) {
    throw new ConfigError(`The option "tls.${empty}" is empty: check the file or the variable that it comes from.`);
  }
  if (tls.SNICallback !== undefined && typeof tls.SNICallback !== "function") {
    throw new ConfigError(`The option "tls.SNICallback" must be a function, not ${describeValue(tls.SNICallback)}.`);
  }
  if (tls.pfx !== undefined || tls.SNICallback !== undefined) {
    return;
  }
  const missing = ["key", "cert"].filter((name) => Reflect.get(tls, name) === undefined);
  if (missing.length > 0) {
    const list = missing.map((name) => `"${name}"`).join(" and no ");
    throw new ConfigError(`The option "tls" has no ${list}. Set both "key" and "cert", or set "pfx" or "SNICallback".`);
  }
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

/**
 * Reports certificates of the options `cert` and `pfx` that are not valid yet, have expired, or expire within a week.
 */
export async function checkCertificates(tls: ServerTlsOptions, onError: OnError | undefined): Promise<void> {
  const { X509Certificate } = await import("node:crypto");
  for (const text of [tls.cert || [], await readPfxCertificates(tls)].flat()) {
    checkValidity(new X509Certificate(text), 'of the option "tls"', onError);
  }
}

/**
 * Returns the certificates in the option `pfx`. They are read with an undocumented function of Node, so the result may
 * be empty on other platforms.
 */
async function readPfxCertificates({ pfx, passphrase }: ServerTlsOptions): Promise<readonly Uint8Array[]> {
  const { createSecureContext } = await import("node:tls");
  return [pfx || []].flat().flatMap((archive) => {
    const isObject = typeof archive === "object" && "buf" in archive;
    const options = isObject
      ? { pfx: archive.buf, passphrase: archive.passphrase ?? passphrase }
      : { pfx: archive, passphrase };
    const context: unknown = createSecureContext(options as SecureContextOptions).context;
    const certificate: unknown = isCertified(context) ? context.getCertificate() : undefined;
    return isBytes(certificate) ? [certificate] : [];
  });
}

function isCertified(context: unknown): context is { getCertificate(): unknown } {
  return typeof Object(context).getCertificate === "function";
}

/**
 * Reports a certificate that is not valid yet, has expired, or expires within a week. In the message, `origin` follows
 * the words "The certificate".
 */
function checkValidity({ validFrom, validTo }: X509Certificate, origin: string, onError: OnError | undefined): void {
  const problem = findValidityProblem(Date.parse(validFrom), Date.parse(validTo));
  if (problem !== undefined) {
    const message = `The certificate ${origin} is valid from ${validFrom} to ${validTo}: ${problem}`;
    report(onError, { kind: "config", message });
  }
}

/**
 * The time in milliseconds between two checks of the certificates: one day. A server can run for longer than its
 * certificate is valid.
 */
export const certificateInterval = 86_400_000;

/** The maximum number of host names that are remembered. There must be a limit, because clients choose the names. */
const maxCheckedNames = 1_000;

/** Checks the certificates that the function `SNICallback` chooses. Each is checked when a client receives it. */
class ChosenCertificates {
  readonly #onError: OnError | undefined;
  /** The host names whose certificates were checked today. */
  readonly #checkedNames = new Set<string>();
  /**
   * The fingerprints of the certificates that were checked today. These are remembered too, because many names may have
   * the same certificate.
   */
  readonly #checkedCertificates = new Set<string>();
  #day = 0;

  constructor(onError: OnError | undefined) {
    this.#onError = onError;
  }

  check(socket: SecureSocket): void {
    const { servername } = socket;
    const day = Math.floor(Date.now() / certificateInterval);
    if (day !== this.#day || this.#checkedNames.size >= maxCheckedNames) {
      this.#checkedNames.clear();
    }
    if (day !== this.#day) {
      this.#checkedCertificates.clear();
    }
    this.#day = day;
    if (typeof servername !== "string" || !isHost(servername) || this.#checkedNames.has(servername)) {
      return;
    }
    this.#checkedNames.add(servername);
    const certificate = socket.getX509Certificate?.();
    if (certificate !== undefined && !this.#checkedCertificates.has(certificate.fingerprint256)) {
      this.#checkedCertificates.add(certificate.fingerprint256);
      checkValidity(certificate, `that SNICallback chose for ${servername}`, this.#onError);
    }
  }
}

function findValidityProblem(validFrom: number, validTo: number): string | undefined {
  const now = Date.now();
  if (validFrom > now) {
    return "it is not valid yet, so clients refuse it. Check the clock of this machine.";
  }
  if (validTo < now) {
    return "it has expired, so clients refuse it. Renew it, and restart the server, or pass it to the method setCertificate.";
  }
  return validTo < now + 7 * certificateInterval
    ? "it expires within a week, and clients will refuse it. Renew it, and restart the server, or pass it to the method setCertificate."
    : undefined;
}
