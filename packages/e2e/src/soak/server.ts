import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Routes } from "@bothends/runtime/server";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { createContentSample } from "../sample/content.js";
import { vehicleSample } from "../sample/vehicle.js";
import { platforms } from "./platforms.js";

/** Messages from the server's process to the process that started it. */
export type ServerReport =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "heap"; readonly bytes: number; readonly delay: number }
  | { readonly kind: "internal"; readonly message: string }
  | ({ readonly kind: "stopped" } & CallCounts);

/** How many calls the hooks of the server received. Each call must begin once, end once and have one event. */
export interface CallCounts {
  readonly begun: number;
  readonly ended: number;
  readonly events: number;
  /** The events of calls whose complete answer was written. */
  readonly completed: number;
}

/** The program of the server under load. It serves both interfaces with sample data, and requires `--expose-gc`. */
const report = (message: ServerReport) => process.send?.(message);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const site = { name: "Sample site", description: "", gmt_offset: "0", timezone_string: "" };
const largeBody = new Uint8Array(1_000_000).fill(32);
/**
 * Routes with delayed answers, so that there are unanswered requests when a connection ends or the server is stopped.
 * The query has the delay in milliseconds, and `large` for an answer that a connection cannot send at once.
 */
const slowRoutes: Routes = {
  name: "slow",
  paths: ["/slow"],
  async answer({ target }) {
    await wait(Number(/\d+/.exec(target)?.[0]));
    return { status: 200, headers: [], body: target.endsWith("large") ? largeBody : "slow" };
  },
};
const counts = { begun: 0, ended: 0, events: 0, completed: 0 };
const observation = {
  end() {
    counts.ended += 1;
  },
};
const start = platforms[process.argv[2] ?? ""];
if (start === undefined) {
  throw new Error("The argument must be the name of a server.");
}
const server = await start([vehicleRoutes(vehicleSample), contentRoutes(createContentSample(), site), slowRoutes], {
  onError({ kind, message }) {
    if (kind === "internal" || kind === "handler" || kind === "encode" || kind === "config") {
      report({ kind: "internal", message: `${kind}: ${message}` });
    }
  },
  onCall({ completed }) {
    counts.events += 1;
    counts.completed += completed ? 1 : 0;
  },
  observe: {
    begin() {
      counts.begun += 1;
      return observation;
    },
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
  report({ kind: "stopped", ...counts });
  process.disconnect?.();
});
report({ kind: "listening", port: server.port });
