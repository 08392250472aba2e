import { suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "../../../../errors.js";
import { checkPem, isEmpty } from "../../../../http/pem.js";
import { describeValue } from "../../../../value-problems.js";
import { findKeyPosition } from "./certificates.js";
import type { ServerTlsOptions } from "./shared-types.js";

// The TLS options of a server, and mistakes in them.

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

/**
 * Rethrows an error of OpenSSL or Node with the name of the option and the possible causes, which the error itself does
 * not contain. OpenSSL's errors about `pfx` and `crl` have no code.
 */
export async function throwTlsError(error: unknown, tls: ServerTlsOptions | undefined): Promise<never> {
  if (tls === undefined || !(error instanceof Error) || error instanceof ConfigError) {
    throw error;
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const reason = code?.startsWith("ERR_OSSL_") === true ? code : error.message.replace(/^error:.*:/, "");
  const advice =
    tlsAdvice.find(([pattern]) => pattern.test(`${code} ${reason}`))?.[1] ??
    describeOrder(await findKeyPosition(tls)) ??
    certificateAdvice;
  throw new ConfigError(`The option "tls" cannot be used: ${reason}. ${advice}`, { cause: error });
}

/** Explains that the key belongs to a later certificate of `cert`, given its position. */
function describeOrder(keyPosition: number | undefined): string | undefined {
  return keyPosition === undefined || keyPosition === 1
    ? undefined
    : `The key belongs to certificate number ${keyPosition} in cert: the certificate of the server must be the first, followed by the one that issued it, and so on.`;
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
