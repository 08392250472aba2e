import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { CallEvent } from "@bothends/runtime/observe";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { regRoutes } from "@bothends/server/vehicle";
import createFastify from "fastify";
import { expect, test, vi } from "vitest";
import { envelope, usa } from "../battery/requests.js";

test("Fastify ends pipelined calls whose connection closes before their answers, and does not wait for them", async () => {
  const events: CallEvent[] = [];
  let abortedCount = 0;
  const checkUSA = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
    await delay(100);
    abortedCount += signal.aborted ? 1 : 0;
    return { vehicleJson: "x".repeat(100_000) };
  };
  const routes = regRoutes({ checkUSA } as Parameters<typeof regRoutes>[0], { missing: "fault", onError() {} });
  const app = createFastify();
  const options = { onCall: (event: CallEvent) => void events.push(event), limits: { drainTimeout: 30_000 } };
  await app.register(fastifyPlugin([routes], { ...options, onError() {} }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const body = envelope(usa());
  const head = `POST /api/reg.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nContent-Length: ${body.length}\r\n\r\n`;
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  client.write((head + body).repeat(3));
  await delay(50);
  client.destroy();
  await vi.waitFor(() => expect(events).toHaveLength(3), 5_000);
  expect(events.map(({ completed, disconnectedBy }) => [completed, disconnectedBy])).toEqual(
    events.map(() => [false, "client"]),
  );
  expect(abortedCount).toBe(3);
  const begunAt = performance.now();
  await app.close();
  expect(performance.now() - begunAt).toBeLessThan(10_000);
});
