import { processorTime } from "../measure.js";
import { clientHosts } from "./clients.js";
import type { Hosted, Order, Report } from "./protocol.js";
import { serverHosts } from "./servers.js";

const [name = "", argument = ""] = process.argv.slice(2);
const host = { ...serverHosts, ...clientHosts }[name];
if (host === undefined) {
  throw new Error(`There is no host "${name}".`);
}
const hosted: Hosted = await host(argument);

process.on("message", async (order: Order) => {
  if (order.kind === "calls") {
    await calls(order);
  }
  report({ kind: "cpu", microseconds: processorTime() });
});
process.once("disconnect", () => process.exit());
report({ kind: "ready", port: hosted.port });

async function calls({ count, width }: { readonly count: number; readonly width: number }): Promise<void> {
  let left = count;
  const callInTurn = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await hosted.call?.();
    }
  };
  await Promise.all(Array.from({ length: width }, callInTurn));
}

function report(message: Report): void {
  process.send?.(message);
}
