import { ConnectTimeoutError, ProxyError, type TransportRequest } from "../transport.js";
import type { HttpProxy } from "./connection-queue.js";

/** The calls of the system that establish a connection, in the member `syscall` of errors. */
const connectionCalls: readonly string[] = ["connect", "getaddrinfo"];

/**
 * Throws the error of a request through a proxy. Without a tunnel, the proxy is the only peer of the client, so errors
 * of the system concern the proxy. With a tunnel, errors before the tunnel is open are `ProxyError` already.
 */
export function throwProxyError(error: unknown, { name }: HttpProxy, { url, connectTimeout }: TransportRequest): never {
  if (url.startsWith("http:") && error instanceof ConnectTimeoutError) {
    const message = `No connection to the proxy ${name} within ${connectTimeout} ms.`;
    throw new ProxyError(message, { step: "connection", cause: error });
  }
  if (url.startsWith("http:") && isSystemError(error)) {
    throw "syscall" in error && connectionCalls.includes(String(error.syscall))
      ? new ProxyError(`The proxy ${name} cannot be reached: ${error.message}`, { step: "connection", cause: error })
      : new ProxyError(error.message, { step: "answer", cause: error });
  }
  throw error;
}

/** Whether the system has failed. In Jest, the errors of Node are from another realm, so their class is not checked. */
function isSystemError(error: unknown): error is Error {
  const members: object = Object(error);
  return "code" in members && !("isStale" in members);
}

/** A step of opening a tunnel. */
export type TunnelStep = "connection" | "tunnel" | "handshake";

/** Creates the error for a tunnel that was not complete within the connect timeout. */
export function createTunnelTimeout(step: TunnelStep, { name }: HttpProxy, milliseconds: number): ProxyError {
  const messages = {
    connection: `No connection to the proxy ${name} within ${milliseconds} ms.`,
    tunnel: `The proxy ${name} did not open a tunnel within ${milliseconds} ms.`,
    handshake: `The proxy ${name} opened a tunnel, but the TLS handshake in it did not end within ${milliseconds} ms.`,
  };
  return new ProxyError(messages[step], { step, cause: new ConnectTimeoutError(milliseconds) });
}

/** Creates the error for a tunnel that failed with an error of the system. */
export function createTunnelFailure(step: TunnelStep, { name }: HttpProxy, cause: Error): ProxyError {
  const { message } = cause;
  const messages = {
    connection: `The proxy ${name} cannot be reached: ${message}`,
    tunnel: `The proxy ${name} did not open a tunnel: ${message}`,
    handshake: message,
  };
  return new ProxyError(messages[step], { step, cause });
}
