import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectSecurely } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { expressMiddleware } from "../../src/server/adapters/express.js";
import type { CallEvent, OperationContext, RouterOptions, Routes, ServerIncident } from "../../src/server/index.js";
import { cert, key } from "../client/certificate.js";
import { findBody, message, served } from "./fixture.js";

// Who ended a connection before its request was answered: the client, or this process.

const { headers = [], body } = message("soap11", findBody);
const head = ["POST /api/things.asmx HTTP/1.1", ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
const bytes = new TextDecoder().decode(body as Uint8Array);
const whole = `${head}\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly server: Server;
  readonly client: Socket;
}

interface Case {
  /** How the client is named. Default: as one that has disconnected. */
  readonly named?: string;
  /** Ends the connection. Called in middleware, before the handler. */
  readonly end?: (exchange: Exchange) => unknown;
  /** Settings of the server. */
  readonly settings?: Partial<Server> & { readonly connectionsCheckingInterval?: number };
  readonly isSecure?: boolean;
}

const here: Readonly<Record<string, Case>> = {
  "server.timeout": { settings: { timeout: 50 } },
  "res.setTimeout": { end: ({ outgoing }) => outgoing.setTimeout(50) },
  "req.setTimeout": { end: ({ incoming }) => incoming.setTimeout(50) },
  "socket.setTimeout": { end: ({ incoming }) => incoming.socket.setTimeout(50) },
  "res.destroy": { end: ({ outgoing }) => setTimeout(() => outgoing.destroy(), 50) },
  "res.destroy with an error": { end: ({ outgoing }) => setTimeout(() => outgoing.destroy(new Error("late")), 50) },
  "socket.destroy": { end: ({ incoming }) => setTimeout(() => incoming.socket.destroy(), 50) },
  "socket.destroy with an error": {
    end: ({ incoming }) => setTimeout(() => incoming.socket.destroy(new Error("late")), 50),
  },
  "server.closeAllConnections": { end: ({ server }) => setTimeout(() => server.closeAllConnections(), 50) },
  "a timeout over TLS": { end: ({ outgoing }) => outgoing.setTimeout(50), isSecure: true },
};

const byClient: Readonly<Record<string, Case>> = {
  "that closes the connection": { end: ({ client }) => setTimeout(() => client.destroy(), 50) },
  "that ends the connection": { end: ({ client }) => setTimeout(() => client.end(), 50) },
  "that resets the connection": {
    end: ({ client }) => setTimeout(() => client.resetAndDestroy(), 50),
    named: "The client, or a proxy or firewall between, reset the connection",
  },
  "that closes the connection over TLS": {
    end: ({ client }) => setTimeout(() => client.destroy(), 50),
    isSecure: true,
  },
  "that ends the connection over TLS": { end: ({ client }) => setTimeout(() => client.end(), 50), isSecure: true },
};

/** Calls an operation on a server of Express, and returns the incidents. */
async function call(
  sent: string,
  { end, settings = {}, isSecure = false }: Case,
  usesSignal = false,
): Promise<readonly ServerIncident[]> {
  const incidents: ServerIncident[] = [];
  let reportClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    reportClosed = resolve;
  });
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const find = async (_: unknown, context: OperationContext) => {
    await (usesSignal ? delay(5_000, undefined, { signal: context.signal }) : closed.then(() => delay(20)));
    return { Name: "a", Pair: { Code: null, Text: "" } };
  };
  const answer = expressMiddleware([served({ find }, { onError }).routes], { onError });
  const sockets: Socket[] = [];
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const [client] = sockets;
    outgoing.once("close", reportClosed);
    if (client !== undefined) {
      end?.({ incoming, outgoing, server, client });
    }
    answer(incoming, outgoing, () => outgoing.end());
  };
  const server = isSecure ? createSecureServer({ ...settings, key, cert }, listener) : createServer(settings, listener);
  Object.assign(server, settings);
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = isSecure
    ? connectSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false })
    : connect(port, "127.0.0.1");
  sockets.push(client);
  client
    .on("error", () => {})
    .resume()
    .write(sent);
  await vi.waitFor(() => expect(incidents).toHaveLength(1), 5_000);
  await delay(50);
  return incidents;
}

const closedHere = expect.stringMatching(/^Other code of this process closed the connection after \d+ ms, before/);

describe.each(Object.entries(here))("%s is named instead of the client", (_, ending) => {
  test("if a handler runs", async () => {
    expect(await call(whole, ending)).toMatchObject([{ kind: "config", message: closedHere }]);
  });

  test("if the handler stops", async () => {
    expect(await call(whole, ending, true)).toMatchObject([{ kind: "config", message: closedHere }]);
  });

  test("if the body has not arrived", async () => {
    expect(await call(whole.slice(0, -9), ending)).toMatchObject([{ kind: "config", message: closedHere }]);
  });
});

describe.each(Object.entries(byClient))("a client %s is named", (_, ending) => {
  test("if a handler runs", async () => {
    const [incident] = await call(whole, ending);
    expect(incident?.kind).toBe("request");
    const { named = "The client disconnected" } = ending;
    expect(incident?.message).toMatch(new RegExp(`^${named} after \\d+ ms\\. The handler ran until \\d+ ms: `));
  });

  test("if the body has not arrived", async () => {
    const [incident] = await call(whole.slice(0, -9), ending);
    expect(incident?.kind).toBe("request");
    const { named = "The client disconnected" } = ending;
    expect(incident?.message).toMatch(
      new RegExp(`^${named} before its request was complete\\. \\d+ of the \\d+ bytes`),
    );
  });
});

test("server.requestTimeout is named if the body does not arrive within it", async () => {
  const settings = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 };
  const [incident] = await call(whole.slice(0, -9), { settings });
  expect(incident).toMatchObject({ kind: "config", message: expect.stringContaining("server.requestTimeout") });
});

describe("middleware that adds a header when the answer ends", () => {
  /** Calls an operation whose answer has about `length` bytes, behind such middleware. */
  async function callBehind(length: number) {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const find = () => ({ Name: "a".repeat(length), Pair: { Code: null, Text: "" } });
    const answer = expressMiddleware([served({ find }, { onError }).routes], { onError });
    const server = createServer((incoming, outgoing) => {
      const end = outgoing.end.bind(outgoing) as (...values: readonly unknown[]) => ServerResponse;
      outgoing.end = (...values: readonly unknown[]) => end.apply(outgoing.setHeader("X-Time", "5"), values as never);
      answer(incoming, outgoing, () => outgoing.end());
    });
    onTestFinished(() => void server.close().closeAllConnections());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api/things.asmx`;
    const headers = { "Content-Type": "text/xml", "Accept-Encoding": "identity" };
    const response = await fetch(url, { method: "POST", headers, body: bytes }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    await delay(50);
    return { response, text, incidents };
  }

  test("works if the answer fits into Node's buffer", async () => {
    const { response, text, incidents } = await callBehind(1);
    expect(response?.status).toBe(200);
    expect(response?.headers.get("x-time")).toBe("5");
    expect(text).toContain("<Name>a</Name>");
    expect(incidents).toEqual([]);
  });

  test("is the only code that is named if its header comes too late", async () => {
    const { incidents } = await callBehind(1_000_000);
    expect(incidents).toMatchObject([{ kind: "internal", error: { code: "ERR_HTTP_HEADERS_SENT" } }]);
  });
});

describe("pipelined requests whose connection closes before the second answer", () => {
  const frameworks: Readonly<Record<string, (routes: readonly Routes[], options: RouterOptions) => Promise<number>>> = {
    async Express(routes, options) {
      const answer = expressMiddleware(routes, options);
      const server = createServer((incoming, outgoing) => answer(incoming, outgoing, () => outgoing.end()));
      onTestFinished(() => void server.close().closeAllConnections());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    },
    async "Express behind slow middleware"(routes, options) {
      const answer = expressMiddleware(routes, options);
      const server = createServer((incoming, outgoing) => {
        setTimeout(() => answer(incoming, outgoing, () => outgoing.end()), 60);
      });
      onTestFinished(() => void server.close().closeAllConnections());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    },
  };

  test.each(Object.entries(frameworks))("end in %s as calls that were not complete", async (_, start) => {
    const events: CallEvent[] = [];
    let begun = 0;
    let ended = 0;
    const signals: AbortSignal[] = [];
    const observe = {
      begin() {
        begun += 1;
        return {
          end() {
            ended += 1;
          },
        };
      },
    };
    const find = async (__: unknown, { signal }: OperationContext) => {
      signals.push(signal);
      await delay(100);
      return { Name: "a".repeat(100_000), Pair: { Code: null, Text: "" } };
    };
    const onCall = (event: CallEvent) => void events.push(event);
    const options = { onCall, observe, onError() {} };
    const port = await start([served({ find }, { onError() {} }).routes], options);
    const client = connect(port, "127.0.0.1").on("error", () => {});
    client.write(whole + whole + whole);
    await delay(40);
    client.destroy();
    await vi.waitFor(() => expect(events).toHaveLength(3), 5_000);
    expect([begun, ended]).toEqual([3, 3]);
    expect(events.map(({ completed }) => completed)).toEqual([false, false, false]);
    expect(events.map(({ disconnectedBy }) => disconnectedBy)).toEqual(["client", "client", "client"]);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});
