import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import * as tls from "node:tls";
import { longestTimerDelay } from "../exchange/cancellation.js";
import { ProxyError, type TlsOptions, type TransportRequest } from "../transport.js";
import type { HttpProxy } from "./connection-queue.js";
import { createTunnelFailure, createTunnelTimeout, type TunnelStep } from "./node-proxy-errors.js";

interface TunnelOptions extends tls.ConnectionOptions {
  /** The request for which the tunnel is opened. */
  tunneledRequest?: Pick<TransportRequest, "connectTimeout" | "onCancel"> | undefined;
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
  const { tunneledRequest } = target;
  const connectTimeout = tunneledRequest?.connectTimeout ?? longestTimerDelay + 1;
  // The agent keeps the options as long as the connection, which would keep the request in memory.
  target.tunneledRequest = undefined;
  let step: TunnelStep = "connection";
  const timer =
    connectTimeout > longestTimerDelay
      ? undefined
      : setTimeout(() => finish(createTunnelTimeout(step, proxy, connectTimeout)), connectTimeout);
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
  const fail = (cause: Error) => finish(createTunnelFailure(step, proxy, cause));
  const refuse = ({ statusCode = 0, headers }: http.IncomingMessage) => {
    const message = `The proxy ${proxy.name} refused to open a tunnel and answered with status ${statusCode}.`;
    const authenticate = headers["proxy-authenticate"]?.toString();
    finish(new ProxyError(message, { step: "refusal", status: statusCode, authenticate }));
  };
  const removeListener =
    tunneledRequest?.onCancel(() => finish(new Error("The call ended before the tunnel was open."))) ?? (() => {});
  connectRequest.on("socket", (socket) =>
    socket.once("connect", () => {
      step = "tunnel";
    }),
  );
  connectRequest.on("error", fail);
  connectRequest.on("response", refuse);
  connectRequest.on("connect", (response, socket: Socket, head: Buffer) => {
    openSocket = socket;
    if (response.statusCode !== 200) {
      return refuse(response);
    }
    step = "handshake";
    if (head.length > 0) {
      // The bytes that arrived with the answer of the proxy are the beginning of the server's.
      socket.unshift(head);
    }
    const tlsSocket = tls.connect({ ...target, socket });
    openSocket = tlsSocket;
    tlsSocket.once("error", fail);
    tlsSocket.once("secureConnect", () => {
      tlsSocket.removeListener("error", fail);
      finish(null);
    });
  });
  connectRequest.end();
}
