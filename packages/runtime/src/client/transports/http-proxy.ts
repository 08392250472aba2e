import { ConfigError } from "../../errors.js";
import { readAddress } from "../address.js";

/** An HTTP proxy, and what it wants to be told. */
export interface HttpProxy {
  readonly hostname: string;
  readonly port: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the option `proxy`. */
export function readProxy(text: string): HttpProxy {
  const { origin, authorization } = readAddress(text, "option proxy");
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "http:") throw new ConfigError("The option proxy is the http address of a proxy.");
  return {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? "80" : port,
    headers: authorization === undefined ? {} : { "Proxy-Authorization": authorization },
  };
}
