import { parseArgs } from "node:util";
import { runDemo, serveDemo } from "./demo.js";

const help = `Usage: demo [--serve] [--port <number>]

Starts the vehicle registry and the content site of examples/ on the loopback address, each with a database in memory, calls
every operation over every protocol and every method of every route through the generated clients, and prints the answers.
Exit code 0: every call was made, and every answer was right.

  --serve          run only the server, and print curl commands that call it
  --port <number>  the port (default: a free one; with --serve, 8080)
`;

const { values } = parseArgs({
  options: { serve: { type: "boolean" }, port: { type: "string" }, help: { type: "boolean" } },
});
const port = values.port === undefined ? undefined : Number(values.port);

if (values.help === true) {
  process.stdout.write(help);
} else if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65536)) {
  process.stderr.write(`--port must be a number from 0 to 65535.\n`);
  process.exitCode = 2;
} else if (values.serve === true) {
  await serveDemo(port ?? 8080, process.stdout);
} else {
  process.exitCode = (await runDemo(port ?? 0, process.stdout)) ? 0 : 1;
}
