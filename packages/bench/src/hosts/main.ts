import { monitorEventLoopDelay } from "node:perf_hooks";
import { getProcessorMicroseconds } from "../measure.js";
import { loadPeerHosts } from "../peers.js";
import { hostCallsInMemory } from "./calls-in-memory.js";
import { clientHosts } from "./clients.js";
import type { HostCommand, Hosted, HostReport } from "./protocol.js";
import { serverHosts } from "./servers.js";

const [name = "", argument = ""] = process.argv.slice(2);
const host =
  { ...serverHosts, ...clientHosts, "calls-in-memory": hostCallsInMemory }[name] ?? (await loadPeerHosts())[name];
if (host === undefined) {
  throw new Error(`There is no host "${name}".`);
}
const hostedSubject: Hosted = await host(argument);
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

process.on("message", async (order: HostCommand) => {
  try {
    const times = order.kind === "calls" ? await measureCalls(order) : [];
    reportState(times);
  } catch (error) {
    report({ kind: "failed", message: String(error) });
  }
});
process.once("disconnect", () => process.exit());
report({ kind: "ready", port: hostedSubject.port });

/** Makes calls, and returns their times in milliseconds. */
async function measureCalls({
  count,
  width,
}: {
  readonly count: number;
  readonly width: number;
}): Promise<readonly number[]> {
  const times: number[] = [];
  let remainingCount = count;
  const callInTurn = async (): Promise<void> => {
    for (; remainingCount > 0; ) {
      remainingCount -= 1;
      const start = performance.now();
      await hostedSubject.call?.();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: width }, callInTurn));
  return times;
}

function reportState(times: readonly number[]): void {
  report({
    kind: "state",
    cpu: getProcessorMicroseconds(),
    memory: process.memoryUsage.rss() / 1e6,
    delay: delays.percentile(99) / 1e6,
    p99: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0,
  });
  delays.reset();
}

function report(message: HostReport): void {
  process.send?.(message);
}
