import { ConfigError } from "../../errors.js";
import { readAddress } from "../address.js";

/** The address of an HTTP proxy, and the headers that it needs. */
export interface HttpProxy {
  readonly hostname: string;
  readonly port: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the option `proxy`. */
export function readProxy(text: string): HttpProxy {
  const { origin, authorization } = readAddress(text, "option proxy");
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "http:") {
    throw new ConfigError("The option proxy must be an http address.");
  }
  return {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? "80" : port,
    headers: authorization === undefined ? {} : { "Proxy-Authorization": authorization },
  };
}
