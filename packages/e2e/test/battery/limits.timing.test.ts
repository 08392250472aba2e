import { listen } from "@bothends/runtime/server/node";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { expect, test } from "vitest";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { sendRaw } from "./raw.js";

test("a server with a drainTimeout of 0 closes at once", async () => {
  const limits = { drainTimeout: 0 };
  const server = await listen([vehicleRoutes(vehicleSample)], { port: 0, host: "127.0.0.1", limits });
  const pending = sendRaw(server.port, "POST /api/reg.asmx HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n<");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const started = performance.now();
  await server.close();
  expect(performance.now() - started).toBeLessThan(2_000);
  expect((await pending).closed).toBe(true);
});
