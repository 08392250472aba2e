import { ConfigError } from "../errors.js";
import { isBytes } from "./bytes.js";

/** The members of the option `tls` that must be in PEM format (RFC 7468). */
interface PemOptions {
  readonly ca?: unknown;
  readonly cert?: unknown;
  readonly key?: unknown;
}

const certificatePattern = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const keyPattern = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/;

/**
 * Refuses certificates and keys that are not in PEM format. Node ignores such authorities in `ca`, so no peer would be
 * trusted, and reports other members only in the words of OpenSSL. Empty texts are ignored, as by Node; values of other
 * types are left to Node.
 */
export function checkPem({ ca, cert, key }: PemOptions): void {
  checkItems("ca", ca, { pattern: certificatePattern, label: "CERTIFICATE" });
  checkItems("cert", cert, { pattern: certificatePattern, label: "CERTIFICATE" });
  checkItems("key", key, { pattern: keyPattern, label: "PRIVATE KEY" });
}

function checkItems(
  name: keyof PemOptions,
  value: unknown,
  { pattern, label }: { readonly pattern: RegExp; readonly label: string },
): void {
  if (value === "") {
    return;
  }
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const text = readPemText(item);
    if (text !== undefined && !(pattern.test(text) && text.includes("-----END "))) {
      throw new ConfigError(
        `The option "tls.${name}" must be in PEM format: the content of a file with the line "-----BEGIN ${label}-----", not its path. Convert files in other formats with openssl.`,
      );
    }
  }
}

/** Returns the text of a member of the option `tls`, or of an item of it; undefined for other types. */
function readPemText(item: unknown): string | undefined {
  if (typeof item === "string") {
    return item;
  }
  return isBytes(item) ? new TextDecoder("latin1").decode(item) : undefined;
}

/** Whether a certificate or a key, or one of several, has no content. */
export function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0 || value.some(isEmpty)
    : (typeof value === "string" || isBytes(value)) && String(value).trim() === "";
}
