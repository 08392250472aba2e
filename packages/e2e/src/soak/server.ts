import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Routes } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { createContentSample } from "../sample/content.js";
import { vehicleSample } from "../sample/vehicle.js";

/** Messages from the server's process to the process that started it. */
export type ServerReport =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "heap"; readonly bytes: number; readonly delay: number }
  | { readonly kind: "internal"; readonly message: string };

/** The program of the server under load. It serves both interfaces with sample data, and requires `--expose-gc`. */
const report = (message: ServerReport) => process.send?.(message);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const site = { name: "Sample site", description: "", gmt_offset: "0", timezone_string: "" };
/** Routes with delayed answers, so that there are unanswered requests when the server is stopped. */
const slowRoutes: Routes = {
  name: "slow",
  paths: ["/slow"],
  async answer() {
    await wait(2_000);
    return { status: 200, headers: [], body: "slow" };
  },
};
const server = await listen([vehicleRoutes(vehicleSample), contentRoutes(createContentSample(), site), slowRoutes], {
  host: "127.0.0.1",
  onError({ kind, message }) {
    if (kind === "internal" || kind === "handler" || kind === "encode") {
      report({ kind: "internal", message: `${kind}: ${message}` });
    }
  },
});
process.on("message", async () => {
  // Collects twice, because objects with finalizers or weak references are freed only by the second collection.
  for (let count = 0; count < 2; count += 1) {
    globalThis.gc?.();
    await wait(20);
  }
  report({ kind: "heap", bytes: process.memoryUsage().heapUsed, delay: delay.percentile(99) / 1e6 });
  delay.reset();
});
process.once("SIGTERM", async () => {
  await server.close();
  process.disconnect?.();
});
report({ kind: "listening", port: server.port });
