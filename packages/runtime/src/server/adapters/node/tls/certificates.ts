import type { X509Certificate } from "node:crypto";
import type { SecureContextOptions } from "node:tls";
import { isBytes } from "../../../../http/bytes.js";
import type { OnError } from "../../../../observe/events.js";
import { report } from "../../../../observe/incidents.js";
import { isHost } from "../../../origins.js";
import type { SecureSocket, ServerTlsOptions } from "./shared-types.js";

// The certificates of a server, and problems with them.

/**
 * Reports certificates of the options `cert` and `pfx` that are not valid yet, have expired, or expire within a week.
 */
export async function checkCertificates(tls: ServerTlsOptions, onError: OnError | undefined): Promise<void> {
  const { X509Certificate } = await import("node:crypto");
  for (const text of [tls.cert || [], await readPfxCertificates(tls)].flat()) {
    checkValidity(new X509Certificate(text), 'of the option "tls"', onError);
  }
}

/** Matches a certificate in PEM format. */
const pemCertificate = /-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END \1?CERTIFICATE-----/g;

/** Returns the certificates of each item of the option `cert` or `ca`, in their order. */
async function readCertificates(
  option: ServerTlsOptions["cert"],
): Promise<readonly (readonly [X509Certificate, ...X509Certificate[]])[]> {
  const { X509Certificate: Certificate } = await import("node:crypto");
  return [option || []].flat().flatMap((item) => {
    const texts = String(item).match(pemCertificate) ?? [];
    const [first, ...others] = texts.map((text) => new Certificate(text));
    return first === undefined ? [] : [[first, ...others]];
  });
}

/**
 * Reports a certificate in the option `cert` whose issuer is in none of the options, nor a root that Node knows.
 * Clients refuse it if the issuer is an intermediate authority.
 */
export async function checkChains({ cert, ca }: ServerTlsOptions, onError: OnError | undefined): Promise<void> {
  try {
    // OpenSSL also sends certificates of the option `ca`.
    const authorities = (await readCertificates(ca)).flat();
    for (const [first, ...others] of await readCertificates(cert)) {
      const isComplete = [first, ...others, ...authorities].some((issuer) => first.checkIssued(issuer));
      if (!isComplete && !(await isIssuedByRoot(first))) {
        const message = `The option "tls.cert" does not have the certificate of "${getCommonName(first.issuer)}", which issued the certificate of the server. If this is an intermediate authority, clients refuse the certificate, although browsers may accept it: set "tls.cert" to the whole chain, such as fullchain.pem. If it is a root that the clients trust, nothing is missing.`;
        report(onError, { kind: "tls", message });
      }
    }
  } catch {
    // The certificates have been accepted before. Some platforms do not have all these functions.
  }
}

/** Whether one of the roots that Node knows has issued a certificate. */
async function isIssuedByRoot(certificate: X509Certificate): Promise<boolean> {
  const { X509Certificate: Certificate } = await import("node:crypto");
  const { rootCertificates } = await import("node:tls");
  return rootCertificates.some((text) => certificate.checkIssued(new Certificate(text)));
}

/** Returns the common name in a name that Node has written on several lines, or the whole name. */
function getCommonName(name: string): string {
  return (/^CN=(.+)$/m.exec(name)?.[1] ?? name.replaceAll("\n", ", ")).slice(0, 100);
}

/**
 * Returns the position of the certificate in the option `cert` to which the key belongs, beginning with 1. Returns
 * undefined if there is none, or if a key or certificate cannot be read.
 */
export async function findKeyPosition({ cert, key, passphrase }: ServerTlsOptions): Promise<number | undefined> {
  try {
    const { createPrivateKey } = await import("node:crypto");
    const keys = [key || []].flat().map((item) => {
      const keyObject = typeof item === "object" && "pem" in item ? item : { pem: item };
      return createPrivateKey({ key: keyObject.pem, passphrase: keyObject.passphrase ?? passphrase });
    });
    const positions = (await readCertificates(cert)).map(
      (chain) =>
        1 + chain.findIndex((certificate) => keys.some((privateKey) => certificate.checkPrivateKey(privateKey))),
    );
    return positions.find((position) => position > 1);
  } catch {
    return undefined;
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
export class ChosenCertificates {
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
