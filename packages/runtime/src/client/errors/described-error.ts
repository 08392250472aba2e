import type { CompressionMistake } from "../../http/compression-mistakes.js";
import type { ProxyStep, TransportAnswer } from "../transport.js";

/** The members of an error from which `describeError` builds the message. */
export interface DescribedError {
  message: string;
  stack?: string | undefined;
  reason?: unknown;
  readonly name: string;
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly address?: string | undefined;
  readonly status?: number | undefined;
  readonly headers?: ReadonlyMap<string, string> | undefined;
  readonly body?: string | undefined;
  /** The code of the system error, SOAP fault or REST error. */
  readonly code?: string | undefined;
  readonly wireCode?: string | undefined;
  readonly subcodes?: readonly string[] | undefined;
  readonly tolerance?: string | undefined;
  readonly cause?: unknown;
  readonly facts?: FailureFacts | undefined;
}

/** Facts about a failure that neither its message nor its code contains. */
export interface FailureFacts {
  /** The step at which a request through a proxy failed. */
  readonly proxyStep?: ProxyStep | undefined;
  /** The status with which a proxy refused to open a tunnel. */
  readonly proxyStatus?: number | undefined;
  /** The header `Proxy-Authenticate` of that answer. */
  readonly proxyAuthenticate?: string | undefined;
  /** Whether the host accepted the connection, but did not complete the TLS handshake in time. */
  readonly isHandshake?: boolean | undefined;
  /** Whether the connection to the socket in the option `socketPath` failed. */
  readonly hasSocketPath?: boolean | undefined;
  readonly refusal?: TransportAnswer["refusal"];
  /** The name of the limit that the body of an answer with an error exceeds, as in the option `limits`. */
  readonly exceededLimit?: string | undefined;
  /** What is wrong with a compressed body. */
  readonly compressionMistake?: CompressionMistake | undefined;
  /** Whether the status and the headers of the answer had arrived when the connection failed. */
  readonly hasHead?: boolean | undefined;
  /** Whether the server closed an idle connection while the request was being sent. */
  readonly isStale?: boolean | undefined;
  /** Whether the connection was closed before the answer was complete. */
  readonly isTruncated?: boolean | undefined;
  /** Whether the caller had already received items of the answer when the connection failed. */
  readonly hasUsedAnswer?: boolean | undefined;
  /** Why an answer cannot be read: it is not valid in its notation, has no body, or has another media type. */
  readonly problem?: "json" | "xml" | "empty" | "null" | "mediaType" | undefined;
  /** Whether the body of an answer is not valid in its content encoding. */
  readonly isUndecodable?: boolean | undefined;
  /** A sentence with the cause of a missing element or attribute of an answer. */
  readonly missingCause?: string | undefined;
  /** A sentence with the names of the undeclared elements and attributes of an answer that lacks a required one. */
  readonly undeclaredNames?: string | undefined;
  /** Whether no connection was accepted in time. */
  readonly isConnectTimeout?: boolean | undefined;
  /** Whether `fetch` failed without a reason, as it does for the status 407. */
  readonly hidesStatus?: boolean | undefined;
}

/** The settings of a call that affect the hints in error messages. */
export interface HintSettings {
  readonly safeOperations?: readonly string[] | undefined;
  readonly retries?: number | undefined;
  readonly timeout?: number | undefined;
  readonly limits?: { readonly errorBodyBytes: number } | undefined;
  readonly transport?: { readonly proxy?: string | undefined } | undefined;
  readonly hasCustomTransport?: boolean | undefined;
}

/** A sentence that explains how to resolve an error. */
export interface Hint {
  /**
   * The sentence. `{location}` is the target of a redirect, `{tolerance}` a value of the option `tolerate`, `{seconds}`
   * the time in `Retry-After`, `{limit}` the name of a limit, `{mistake}` the position of a mistake in JSON,
   * followed by its cause, and `{missing}` the sentence about a missing element or attribute.
   */
  readonly text: string;
  readonly applies: (error: DescribedError, settings: HintSettings) => boolean;
}

/**
 * Whether the server refused the TLS handshake with an alert. Node puts the name of the alert in the code or the
 * message of the error.
 */
export const isTlsAlert =
  (alert: RegExp) =>
  ({ code = "", message }: DescribedError): boolean =>
    ((code === "EPROTO" && / alert /.test(message)) || /^ERR_SSL_\w*_ALERT_/.test(code)) &&
    alert.test(`${code} ${message}`);

/** The codes of errors for bytes that are not TLS. */
export const notTlsCodes: readonly string[] = [
  "EPROTO",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
];

/** The codes of errors for bytes that are not an answer of HTTP/1.1. */
export const notHttpCodes: readonly string[] = ["HPE_INVALID_CONSTANT", "HPE_INVALID_VERSION"];
