import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { webMiddleware } from "@bothends/runtime/server/web";
import { regRoutes } from "@bothends/server/vehicle";
import { expect, onTestFinished, test } from "vitest";
import { heapUsed } from "../../../runtime/test/heap-used.js";
import { platforms, type StartedServer } from "../../src/soak/platforms.js";
import { envelope, usa } from "../battery/requests.js";

const body = envelope(usa());
const head = `POST /api/reg.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Length: ${body.length}\r\n\r\n`;
const checkUSA = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
  signal.addEventListener("abort", () => {});
  await delay(5);
  return null;
};
const routes = [regRoutes({ checkUSA } as Parameters<typeof regRoutes>[0], { missing: "fault", onError() {} })];

/** What clients do, each as a function that resolves when the server has ended the calls. */
const clients: Readonly<Record<string, (server: StartedServer, agent: Agent) => Promise<unknown>>> = {
  async "one request after another"({ port }, agent) {
    const headers = { "content-type": "text/xml" };
    const call = request({ port, host: "127.0.0.1", path: "/api/reg.asmx", method: "POST", headers, agent }).end(body);
    const [answer] = await once(call, "response");
    await once(answer.resume(), "end");
  },
  async "requests without a body"({ port }, agent) {
    const call = request({ port, host: "127.0.0.1", path: "/api/reg.asmx?wsdl", agent }).end();
    const [answer] = await once(call, "response");
    await once(answer.resume(), "end");
  },
  async "pipelined requests whose connection closes"({ port }) {
    const client = connect(port, "127.0.0.1").on("error", () => {});
    client.write((head + body).repeat(3));
    await delay(3);
    client.destroy();
    await delay(5);
  },
};

/** The maximum number of bytes that a call may leave: those that leaked left 7,000 and more. */
const bound = 3_000;
const rounds = 150;

/**
 * Bytes per call by which the heap grows, in the best of three attempts: a leak grows in each, but caches of the
 * platform that fill at some time grow in one.
 */
async function leastGrowth(repeat: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= 3 && least >= bound; attempt += 1) {
    const before = await heapUsed();
    await repeat();
    least = Math.min(least, ((await heapUsed()) - before) / rounds);
  }
  return least;
}

test.each(Object.keys(platforms).flatMap((platform) => Object.keys(clients).map((client) => ({ platform, client }))))(
  "$platform keeps nothing of $client",
  async ({ platform, client }) => {
    const server = await platforms[platform]?.(routes, { onError() {} });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(async () => {
      agent.destroy();
      await server?.close();
    });
    const repeat = async () => {
      for (let count = 0; count < rounds; count += 1) {
        await (server && clients[client]?.(server, agent));
      }
      await delay(100);
    };
    await repeat();
    expect(await leastGrowth(repeat)).toBeLessThan(bound);
  },
  60_000,
);

test("webMiddleware keeps nothing of requests that it leaves to the framework", async () => {
  const answer = webMiddleware(routes);
  const controller = new AbortController();
  const before = await heapUsed();
  for (let count = 0; count < rounds; count += 1) {
    // The signal of a platform may exist longer than the request.
    const received = { url: "http://h/other", method: "GET", headers: new Headers(), body: null, bodyUsed: false };
    await answer({ ...received, signal: controller.signal } as unknown as Request, { incoming: new Array(1_000) });
  }
  expect(((await heapUsed()) - before) / rounds).toBeLessThan(bound);
});
