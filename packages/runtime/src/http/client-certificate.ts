/**
 * The certificate with which a client identified itself in the TLS handshake. An authority in the option `tls.ca` of
 * the server has issued it, or it is itself in this option.
 */
export interface ClientCertificate {
  /** The attributes of the subject by their short names, such as `CN`. An attribute can have several values. */
  readonly subject: CertificateName;
  /** The attributes of the issuer by their short names. */
  readonly issuer: CertificateName;
  /** The other names of the subject, as Node writes them: `DNS:partner.example, URI:urn:partner`. */
  readonly subjectAltName: string | undefined;
  /** The serial number in hexadecimal digits. It is unique among the certificates of one issuer. */
  readonly serialNumber: string;
  /** The SHA-256 hash of the certificate: `AB:CD:…`. */
  readonly fingerprint256: string;
  /** The certificate in DER. To read its other members, use `new X509Certificate(raw)` of `node:crypto`. */
  readonly raw: Uint8Array;
}

type CertificateName = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The members of a `TLSSocket` of Node that are needed here. Sockets without TLS have none of them. */
interface TlsSocket {
  readonly authorized?: unknown;
  readonly authorizationError?: unknown;
  readonly getPeerCertificate?: () => PeerCertificate | null;
}

interface PeerCertificate extends Partial<Omit<ClientCertificate, "subjectAltName">> {
  readonly subjectaltname?: string | undefined;
}

/** The certificate of each connection that has one. It is read once, because connections are used for many requests. */
const certificates = new WeakMap<object, ClientCertificate>();

/**
 * Returns the certificate of the client at the other end of a socket. Returns undefined for a certificate that Node has
 * not accepted: with `rejectUnauthorized: false`, a client could choose the names in such a certificate. `connection`
 * identifies the connection if several requests have different objects for its socket.
 */
export function findClientCertificate(
  socket: object | null | undefined,
  connection: object = Object(socket),
): ClientCertificate | undefined {
  const tlsSocket: TlsSocket = socket ?? {};
  return tlsSocket.authorized === true
    ? (certificates.get(connection) ?? readCertificate(tlsSocket, connection))
    : undefined;
}

/**
 * Returns the code for the reason why Node has not accepted the certificate of a client. Returns undefined if Node has
 * accepted it, or if the client has sent none.
 */
export function findCertificateProblem(socket: object): string | undefined {
  const { authorized, authorizationError, getPeerCertificate }: TlsSocket = socket;
  const isRefused = authorized === false && typeof authorizationError === "string";
  return isRefused && getPeerCertificate?.call(socket)?.raw !== undefined ? authorizationError : undefined;
}

/** Returns undefined for a client without a certificate, which Node accepts if it resumes a session of TLS 1.3. */
function readCertificate(socket: TlsSocket, connection: object): ClientCertificate | undefined {
  const peer = socket.getPeerCertificate?.() ?? {};
  const { subject = {}, issuer = {}, subjectaltname: subjectAltName, serialNumber, fingerprint256, raw } = peer;
  if (serialNumber === undefined || fingerprint256 === undefined || raw === undefined) {
    return undefined;
  }
  const certificate = { subject, issuer, subjectAltName, serialNumber, fingerprint256, raw };
  certificates.set(connection, certificate);
  return certificate;
}
