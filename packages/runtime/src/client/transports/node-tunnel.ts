import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import * as tls from "node:tls";
import { longestTimer } from "../cancellation.js";
import { ConnectTimeoutError, ProxyRefusal, type TlsOptions } from "../transport.js";
import type { HttpProxy } from "./connections.js";

interface TunnelOptions extends tls.ConnectionOptions {
  readonly connectTimeout?: number;
}
type Done = (error: Error | null, socket?: Socket) => void;

/** An agent that sends TLS connections through a tunnel opened by an HTTP proxy (RFC 9110 §9.3.6). */
export function tunnelAgent(proxy: HttpProxy, options: TlsOptions | undefined): https.Agent {
  const agent = new https.Agent({ keepAlive: true, ...(options as object) });
  return Object.assign(agent, {
    createConnection(to: TunnelOptions, done: Done): void {
      openTunnel(proxy, to, done);
    },
  });
}

function openTunnel(proxy: HttpProxy, to: TunnelOptions, callback: Done): void {
  const authority = `${to.host?.includes(":") === true ? `[${to.host}]` : to.host}:${to.port ?? 443}`;
  const connect = http.request({
    hostname: proxy.hostname,
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, ...proxy.headers },
    agent: false,
  });
  const { connectTimeout = longestTimer + 1 } = to;
  const timer =
    connectTimeout > longestTimer
      ? undefined
      : setTimeout(() => end(new ConnectTimeoutError(connectTimeout)), connectTimeout);
  let opened: Socket | undefined;
  let ended = false;
  const end = (error: Error | null) => {
    if (ended) {
      return;
    }
    ended = true;
    clearTimeout(timer);
    if (error === null) {
      return callback(null, opened);
    }
    connect.destroy();
    opened?.destroy();
    callback(error);
  };
  connect.on("error", end);
  connect.on("response", (response) => end(new ProxyRefusal(response.statusCode ?? 0)));
  connect.on("connect", (response, socket: Socket) => {
    opened = socket;
    if (response.statusCode !== 200) {
      return end(new ProxyRefusal(response.statusCode ?? 0));
    }
    const secure = tls.connect({ ...to, socket });
    opened = secure;
    secure.once("error", end);
    secure.once("secureConnect", () => {
      secure.removeListener("error", end);
      end(null);
    });
  });
  connect.end();
}
