import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import * as tls from "node:tls";
import { longestTimerDelay } from "../exchange/cancellation.js";
import { ConnectTimeoutError, ProxyRefusal, type TlsOptions, type TransportRequest } from "../transport.js";
import type { HttpProxy } from "./connection-queue.js";

interface TunnelOptions extends tls.ConnectionOptions {
  readonly connectTimeout?: number;
  /** The request for which the tunnel is opened. */
  tunneledRequest?: Pick<TransportRequest, "onCancel"> | undefined;
}
type TunnelCallback = (error: Error | null, socket?: Socket) => void;

/** Returns an agent that sends TLS connections through a tunnel opened by an HTTP proxy (RFC 9110 §9.3.6). */
export function createTunnelAgent(proxy: HttpProxy, options: TlsOptions | undefined): https.Agent {
  const agent = new https.Agent({ keepAlive: true, ...(options as object) });
  return Object.assign(agent, {
    createConnection(target: TunnelOptions, done: TunnelCallback): void {
      openTunnel(proxy, target, done);
    },
  });
}

function openTunnel(proxy: HttpProxy, target: TunnelOptions, callback: TunnelCallback): void {
  const authority = `${target.host?.includes(":") === true ? `[${target.host}]` : target.host}:${target.port ?? 443}`;
  const connectRequest = http.request({
    hostname: proxy.hostname,
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, ...proxy.headers },
    agent: false,
  });
  const { connectTimeout = longestTimerDelay + 1, tunneledRequest } = target;
  // The agent keeps the options as long as the connection, which would keep the request in memory.
  target.tunneledRequest = undefined;
  const timer =
    connectTimeout > longestTimerDelay
      ? undefined
      : setTimeout(() => finish(new ConnectTimeoutError(connectTimeout)), connectTimeout);
  let openSocket: Socket | undefined;
  let isFinished = false;
  const finish = (error: Error | null) => {
    if (isFinished) {
      return;
    }
    isFinished = true;
    removeListener();
    clearTimeout(timer);
    if (error === null) {
      return callback(null, openSocket);
    }
    connectRequest.destroy();
    openSocket?.destroy();
    callback(error);
  };
  const removeListener =
    tunneledRequest?.onCancel(() => finish(new Error("The call ended before the tunnel was open."))) ?? (() => {});
  connectRequest.on("error", finish);
  connectRequest.on("response", (response) => finish(new ProxyRefusal(response.statusCode ?? 0)));
  connectRequest.on("connect", (response, socket: Socket) => {
    openSocket = socket;
    if (response.statusCode !== 200) {
      return finish(new ProxyRefusal(response.statusCode ?? 0));
    }
    const tlsSocket = tls.connect({ ...target, socket });
    openSocket = tlsSocket;
    tlsSocket.once("error", finish);
    tlsSocket.once("secureConnect", () => {
      tlsSocket.removeListener("error", finish);
      finish(null);
    });
  });
  connectRequest.end();
}
