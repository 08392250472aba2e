import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ListenOptions, listen, type RunningServer } from "../../src/server/adapters/node/listen.js";
import type { CallEvent, OperationContext, ServerIncident } from "../../src/server/index.js";
import { findBody, message, served } from "./fixture.js";

// Events of calls say who closed the connection before the answer was complete, and why if the server did.

const { body } = message("soap11", findBody);
const text = new TextDecoder().decode(body as Uint8Array);
const head = "POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\n";
const whole = `${head}Content-Length: ${text.length}\r\n\r\n${text}`;
const incomplete = whole.slice(0, -9);

interface Case {
  readonly limits?: ListenOptions["limits"];
  /** The bytes that the client sends over HTTP/1.1. Over HTTP/2, undefined sends a whole request. */
  readonly sent?: string;
  /** Whether the handler waits until the connection is closed. Otherwise, it returns a large answer. */
  readonly waits?: boolean;
  /** Ends the connection, after the request has arrived. */
  end?(connections: { readonly client: Socket; readonly server: RunningServer; cancel(): void }): unknown;
  readonly by: CallEvent["disconnectedBy"];
  /** The kind of the incident that ended the call. */
  readonly kind?: string;
  /** A part of one of the incidents. */
  readonly reason: string;
}

const requestTimeout = { limits: { requestTimeout: 100, handlerTimeout: 100, headersTimeout: 50, checkInterval: 20 } };
const ofBody: Readonly<Record<string, Case>> = {
  "the client ends the connection": {
    end: ({ client }) => client.end(),
    by: "client",
    reason: "The client disconnected before its request was complete.",
  },
  "the client resets the connection": {
    end: ({ client }) => client.resetAndDestroy(),
    by: "reset",
    reason: "The client, or a proxy or firewall between, reset the connection before its request was complete.",
  },
  "limits.requestTimeout expires": { ...requestTimeout, by: "server", reason: 'options "limits.headersTimeout" and' },
  "the server stops": {
    limits: { drainTimeout: 50 },
    end: ({ server }) => server.close(),
    by: "server",
    kind: "limit.drainTimeout",
    reason: "The server stopped after 50 ms",
  },
  "another client needs the connection": {
    limits: { connections: 2 },
    end: async ({ client, server }) => {
      // Two connections of one client: the next one, of another client, replaces the one whose request is incomplete.
      for (const localAddress of ["127.0.0.1", "127.0.0.2"]) {
        const other = connect({ port: server.port, host: "127.0.0.1", localAddress }).on("error", () => {});
        onTestFinished(() => void other.destroy());
        await delay(30);
      }
      return client;
    },
    by: "server",
    kind: "limit.connections",
    reason: "was closed for the new one",
  },
};

const ofHandler: Readonly<Record<string, Case>> = {
  "the client closes the connection": {
    end: ({ client }) => client.destroy(),
    by: "client",
    reason: "The client disconnected after",
  },
  "the client resets the connection": {
    end: ({ client }) => client.resetAndDestroy(),
    by: "reset",
    reason: "The client, or a proxy or firewall between, reset the connection after",
  },
  "the server stops": {
    limits: { drainTimeout: 50 },
    end: ({ server }) => server.close(),
    by: "server",
    kind: "limit.drainTimeout",
    reason: "The server stopped after 50 ms, before a call had ended",
  },
};

const ofAnswer: Readonly<Record<string, Case>> = {
  "the client resets the connection": { end: ({ client }) => client.resetAndDestroy(), by: "reset", reason: "" },
  "the client does not read": { ...requestTimeout, by: "server", kind: "request", reason: "did not read its answer" },
  "the server stops": {
    limits: { drainTimeout: 50 },
    end: ({ server }) => server.close(),
    by: "server",
    kind: "limit.drainTimeout",
    reason: "had received its whole answer",
  },
};

const withCancel: Readonly<Record<string, Case>> = {
  "the client cancels the request": { end: ({ cancel }) => cancel(), by: "client", reason: "" },
};

async function call({ limits, sent = whole, waits = false, end }: Case, http2: boolean) {
  const incidents: ServerIncident[] = [];
  const events: CallEvent[] = [];
  const onError = (incident: ServerIncident) => void (incident.kind === "stalled" || incidents.push(incident));
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const find = async (_: unknown, { signal }: OperationContext) => {
    begun();
    if (waits) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }
    return { Name: "a".repeat(30_000_000), Pair: { Code: null, Text: "" } };
  };
  const onCall = (event: CallEvent) => void events.push(event);
  const { routes } = served({ find }, { onError });
  const server = await listen([routes], { host: "127.0.0.1", http2, limits: { ...limits }, onError, onCall });
  onTestFinished(async () => void (await server.close()));
  const client = connect(server.port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void client.destroy());
  let cancel = () => {};
  if (http2) {
    const session = connectHttp2(server.url, { createConnection: () => client }).on("error", () => {});
    const options = { ":method": "POST", ":path": "/api/things.asmx", "content-type": "text/xml" };
    const stream = session.request(options).on("error", () => {});
    stream.end(text);
    cancel = () => stream.close(8);
  } else {
    client.pause().write(sent);
  }
  await (sent === whole ? hasBegun : delay(100));
  await delay(100);
  await end?.({ client, server, cancel });
  await expect.poll(() => events).toHaveLength(1);
  await delay(50);
  return { event: events[0], incidents };
}

async function check(ending: Case, http2: boolean): Promise<void> {
  const { event, incidents } = await call(ending, http2);
  expect(event).toMatchObject({ completed: false, disconnectedBy: ending.by });
  expect(event?.error?.kind).toBe(ending.kind ?? (ending.by === "server" ? "request" : event?.error?.kind));
  const messages = incidents.map((incident) => incident.message).join("\n");
  expect(messages).toContain(ending.reason);
  if (ending.by === "server") {
    expect(messages).not.toMatch(/The client (?:disconnected|, or)/);
    expect(ending.reason).not.toBe("");
    expect(event?.error?.message).toContain(ending.reason);
  }
}

test.each(Object.entries(ofBody))("a request is not complete, and %s", async (_, ending) => {
  await check({ sent: incomplete, ...ending }, false);
});

describe.each([
  ["HTTP/1.1", false],
  ["HTTP/2", true],
] as const)("over %s", (_, http2) => {
  test.each(Object.entries({ ...ofHandler, ...(http2 ? withCancel : {}) }))(
    "a handler runs, and %s",
    async (_, ending) => {
      await check({ waits: true, ...ending }, http2);
    },
  );

  test.each(Object.entries({ ...ofAnswer, ...(http2 ? withCancel : {}) }))(
    "an answer is sent, and %s",
    async (_, ending) => {
      await check(ending, http2);
    },
  );
});

test.each(["keep-alive", "close"])("a call that is complete names nobody (Connection: %s)", async (connection) => {
  const events: CallEvent[] = [];
  const onCall = (event: CallEvent) => void events.push(event);
  const server = await listen([served().routes], { host: "127.0.0.1", onCall });
  onTestFinished(async () => void (await server.close()));
  const client = connect(server.port, "127.0.0.1")
    .resume()
    .on("error", () => {});
  client.write(whole.replace("Host: h", `Host: h\r\nConnection: ${connection}`));
  await expect.poll(() => events).toHaveLength(1);
  client.destroy();
  expect(events).toMatchObject([{ completed: true, disconnectedBy: undefined, disconnectedAfter: undefined }]);
});
