import { serveExactly } from "../sample/serve.js";
import { runCalls } from "./call.js";
import { contentCalls, expectedContentCalls, indexCalls } from "./content-calls.js";
import { optionsCalls } from "./options-calls.js";
import { formatTable } from "./table.js";
import { vehicleCalls } from "./vehicle-calls.js";

/** Serves the sample, makes every call, prints the table. True: all answers are right. */
export async function runDemo(port: number, out: NodeJS.WriteStream): Promise<boolean> {
  const server = await serveExactly(port, expectedContentCalls);
  try {
    const calls = [
      ...vehicleCalls(server.url),
      ...contentCalls(server.url),
      ...indexCalls(server.url),
      ...(await optionsCalls(server.url)),
    ];
    const rows = await runCalls(calls);
    const wrong = rows.filter((row) => row.wrong !== undefined).length;
    out.write(`${formatTable(rows, out.isTTY ? out.columns : 160)}\n\n`);
    out.write(`${rows.length} calls to ${server.url}: ${rows.length - wrong} right, ${wrong} wrong\n`);
    return wrong === 0;
  } finally {
    await server.close();
  }
}
