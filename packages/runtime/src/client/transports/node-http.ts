import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import * as http from "node:http";
import type { Socket } from "node:net";
import { ConfigError } from "../../errors.js";
import { BodyCollector } from "../body-collector.js";
import { longestTimer } from "../cancellation.js";
import type { Transport, TransportAnswer, TransportOptions, TransportRequest } from "../transport.js";
import { ConnectTimeoutError, EncodingError, TruncatedError } from "../transport-errors.js";
import { type HttpProxy, readProxy } from "./proxy.js";

/** Sends over `node:http` and `node:https`, reusing connections. `node:https` is loaded when it is first needed. */
export function createTransport({ agent, proxy, tls }: TransportOptions): Transport {
  if (agent !== undefined && proxy !== undefined) {
    throw new ConfigError("The options agent and proxy exclude each other: an agent says how connections are made.");
  }
  const through = proxy === undefined ? undefined : readProxy(proxy);
  let secureAgent: Agent | undefined;
  return {
    async send(request) {
      const url = new URL(request.url);
      const options = requestOptions(url, request);
      if (isAgent(agent)) options.agent = agent;
      if (url.protocol === "http:") {
        return exchange(
          http.request(through === undefined ? options : proxied(options, url, through)),
          request,
          "connect",
        );
      }
      const https = await import("node:https");
      if (through !== undefined) {
        secureAgent ??= (await import("./node-tunnel.js")).tunnelAgent(through, tls);
        options.agent = secureAgent;
      } else if (tls !== undefined && agent === undefined) {
        secureAgent ??= new https.Agent({ keepAlive: true, ...tls } as object);
        options.agent = secureAgent;
      }
      return exchange(https.request({ ...options, ...(tls as object) }), request, "secureConnect");
    },
    close() {
      secureAgent?.destroy();
    },
  };
}

function requestOptions(url: URL, { method, headers, connectTimeout }: TransportRequest) {
  const options: RequestOptions & { readonly connectTimeout: number } = {
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers,
    connectTimeout,
  };
  return options;
}

/** RFC 9112 §3.2.2: a proxy is asked for the whole address. */
function proxied(options: RequestOptions, url: URL, { hostname, port, headers }: HttpProxy): RequestOptions {
  return {
    ...options,
    hostname,
    port,
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: { Host: url.host, ...options.headers, ...headers },
  };
}

function isAgent(agent: object | undefined): agent is Agent {
  return agent !== undefined;
}

/** Answers are rejected and sockets released at the first of: an error, the call's end, a head or size not wanted. */
function exchange(
  sent: ClientRequest,
  request: TransportRequest,
  connected: "connect" | "secureConnect",
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    const off = request.onCancel(() => fail(new Error("The call was cancelled.")));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopTimer = () => clearTimeout(timer);
    const fail = (error: unknown) => {
      off();
      stopTimer();
      reject(error);
      sent.destroy();
    };
    sent.on("socket", (socket: Socket) => {
      if (!socket.connecting || request.connectTimeout > longestTimer) return;
      timer = setTimeout(() => fail(new ConnectTimeoutError(request.connectTimeout)), request.connectTimeout);
      socket.once(connected, stopTimer);
    });
    sent.on("error", fail);
    sent.on("response", (message) => {
      receive(message, request, fail, (answer) => {
        off();
        resolve(answer);
      });
    });
    sendBody(sent, request);
  });
}

/**
 * Together with a text, Node writes the headers as UTF-8; with bytes, as Latin-1, which HTTP wants: but not where the
 * last write is the first, which has Node decode a Content-Disposition.
 */
function sendBody(sent: ClientRequest, { body, headers }: TransportRequest): void {
  if (body === undefined || Object.values(headers).every((value) => /^[\t\x20-\x7e]*$/.test(value))) {
    sent.end(body);
    return;
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  sent.setHeader("Content-Length", bytes.length);
  sent.write(bytes);
  sent.end();
}

function receive(
  message: IncomingMessage,
  request: TransportRequest,
  fail: (error: unknown) => void,
  done: (answer: TransportAnswer) => void,
): void {
  const head = { status: message.statusCode ?? 0, headers: headerMap(message.rawHeaders) };
  const body = new BodyCollector(request.bodyBytes);
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      fail(error);
    }
  };
  message.on("error", fail);
  message.on("close", () => {
    if (!message.complete) fail(new TruncatedError());
  });
  attempt(() => {
    request.checkHead(head);
    const encoding = head.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
    if (encoding !== "identity" && encoding !== "") throw new EncodingError(encoding);
    message.on("data", (chunk: Uint8Array) => attempt(() => body.add(chunk)));
    message.on("end", () => {
      if (message.complete) done({ ...head, body: body.bytes() });
      else fail(new TruncatedError());
    });
  });
}

function headerMap(raw: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? "";
    const value = raw[index + 1] ?? "";
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return headers;
}
