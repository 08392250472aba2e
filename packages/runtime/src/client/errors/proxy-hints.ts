import type { ProxyStep } from "../transport.js";
import { type DescribedError, type Hint, isTlsAlert, notHttpCodes, notTlsCodes } from "./described-error.js";

/** Whether a request through a proxy failed at a step, with one of the codes if any are passed. */
const failsAtProxy =
  (step: ProxyStep, ...codes: readonly string[]) =>
  ({ facts, code = "" }: DescribedError): boolean =>
    facts?.proxyStep === step && (codes.length === 0 || codes.includes(code));
const isProxyRefusal =
  (...statuses: readonly number[]) =>
  ({ facts }: DescribedError): boolean =>
    facts?.proxyStep === "refusal" && (statuses.length === 0 || statuses.includes(facts.proxyStatus ?? 0));
const isTimeout = ({ name }: DescribedError): boolean => name === "TimeoutError";

/** Whether a proxy requires an authentication without offering Basic. */
function requiresOtherScheme({ facts, status, headers }: DescribedError): boolean {
  const schemes = facts?.proxyAuthenticate ?? (status === 407 ? headers?.get("proxy-authenticate") : undefined);
  return schemes !== undefined && !/\bBasic\b/i.test(schemes);
}

/** The hints for errors of requests through a proxy. */
export const proxyHints: readonly Hint[] = [
  {
    text: 'The proxy does not accept Basic, the only authentication that the option "proxy" supports.',
    applies: (error) => requiresOtherScheme(error),
  },
  {
    text: 'The proxy requires a user and a password: add them to the option "proxy", or check their values: http://user:password@host:port.',
    applies: (error) => isProxyRefusal(407)(error) || (error.name === "HttpStatusError" && error.status === 407),
  },
  {
    text: 'The proxy, or the server behind it, refused the call: check the rules of the proxy, and the option "authorization".',
    applies: ({ name, status, address = "" }, { transport }) =>
      transport?.proxy !== undefined && name === "HttpStatusError" && status === 403 && address.startsWith("http:"),
  },
  {
    text: "The proxy does not allow connections to this host and port: check the address, and the rules of the proxy.",
    applies: isProxyRefusal(403, 405),
  },
  {
    text: "The proxy did not reach the host of the address: check the address. The log of the proxy has the cause.",
    applies: isProxyRefusal(500, 502, 503, 504),
  },
  {
    text: 'Check that the option "proxy" has the address of an HTTP proxy that opens tunnels (CONNECT).',
    applies: isProxyRefusal(),
  },
  {
    text: 'The proxy did not accept a connection in time: check the option "proxy" and the firewall, or increase the option "connectTimeout".',
    applies: (error) => failsAtProxy("connection")(error) && isTimeout(error),
  },
  { text: 'Check the option "proxy", and whether the proxy is running.', applies: failsAtProxy("connection") },
  {
    text: 'The proxy accepted the connection, but did not answer: check that the option "proxy" has the address of an HTTP proxy, and whether the proxy reaches the host of the address, or increase the option "connectTimeout".',
    applies: (error) => failsAtProxy("tunnel")(error) && isTimeout(error),
  },
  {
    text: 'The proxy closed the connection without an answer: check that the option "proxy" has the address of an HTTP proxy. The log of the proxy may have the cause.',
    applies: failsAtProxy("tunnel", "ECONNRESET", "EPIPE"),
  },
  {
    text: 'The peer at the address in the option "proxy" does not answer as an HTTP proxy does: check the host and the port.',
    applies: (error) => failsAtProxy("tunnel")(error) || failsAtProxy("answer", ...notHttpCodes)(error),
  },
  {
    text: 'The proxy may not reach the host of the address, or the server does not use TLS at this port: check both, or increase the option "connectTimeout".',
    applies: (error) => failsAtProxy("handshake")(error) && isTimeout(error),
  },
  {
    text: "The proxy opened a tunnel and then closed it: the proxy may not reach the host of the address, or may not allow TLS to it. The log of the proxy has the cause.",
    applies: failsAtProxy("handshake", "ECONNRESET", "EPIPE"),
  },
  {
    text: 'The bytes in the tunnel are not TLS: check the port in the address, and that the option "proxy" has the address of an HTTP proxy.',
    applies: (error) => failsAtProxy("handshake", ...notTlsCodes)(error) && !isTlsAlert(/./)(error),
  },
  {
    text: 'The proxy, or a gateway behind it, did not reach the server: check the address. Try again later, or set the option "retries". To retry POST requests too, list their operations in the option "safeOperations".',
    applies: ({ name, status = 0, address = "" }, { transport }) =>
      transport?.proxy !== undefined &&
      name === "HttpStatusError" &&
      [502, 504].includes(status) &&
      address.startsWith("http:"),
  },
];
