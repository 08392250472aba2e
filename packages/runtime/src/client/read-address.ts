import { ConfigError } from "../errors.js";
import { type Address, parseAddress, parseUrl, type Schemes } from "./address.js";

// This module is separate from `address.ts`, because clients of SOAP and HTTP services load it only for unusual
// addresses.

/** Reads an address from an option or a schema. Throws `ConfigError` for an invalid address. */
export function readAddress(text: string, subject: string, schemes: Schemes = "http"): Address {
  const address = parseAddress(text, schemes);
  if (address !== undefined) {
    return address;
  }
  // The user information and the query may be secret.
  const shownText = typeof text === "string" ? text.replace(/.*@|[?#].*/gs, "") : typeof text;
  throw new ConfigError(
    parseUrl(text, schemes) === undefined
      ? `The ${subject} must be like https://host/path, not "${shownText}".`
      : `The user information of the ${subject} must be percent-encoded UTF-8.`,
  );
}
