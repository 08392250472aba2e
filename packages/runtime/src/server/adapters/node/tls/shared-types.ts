import type { X509Certificate } from "node:crypto";
import type { ServerOptions as TlsOptions } from "node:https";
import type { Socket } from "node:net";

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

/**
 * A TLS socket whose handshake failed. Its undocumented member `_parent` is the connection's socket, which still has
 * the client's address.
 */
export interface SecureSocket extends Socket {
  readonly _parent?: Socket | null;
  /** The code for the reason why the client's certificate was refused. */
  readonly authorizationError?: string | null;
  /** The host name that the client sent (SNI). */
  readonly servername?: string | false | null;
  /** Returns the certificate that the server has sent. */
  getX509Certificate?(): X509Certificate | undefined;
}
