import { parseArgs } from "node:util";
import { platforms } from "./platforms.js";
import { soak } from "./soak.js";

const names = Object.keys(platforms);
const help = `Usage: soak [--server <name>]... [--seconds <number>] [--connections <number>] [--seed <number>]

Loads servers of both interfaces on the loopback address: good requests, and among them slow bodies, resets, bodies over the limit,
messages that are not well-formed, half-open, pipelined, aborted and silent connections, and clients that do not read. Exit code 0:
each good request was answered correctly or refused, none was lost, each call began and ended with one event, the retained heap stayed
flat, and the servers stopped on SIGTERM with all answers written.

  --server <name>         ${names.join(", ")}; default: all at the same time
  --seconds <number>      default 600
  --connections <number>  to each server; default 50
  --seed <number>         default 1
`;

const { values } = parseArgs({
  options: {
    server: { type: "string", multiple: true, default: names },
    seconds: { type: "string", default: "600" },
    connections: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});
const unknownNames = values.server.filter((name) => !names.includes(name));
const [seconds, connections, seed] = [values.seconds, values.connections, values.seed].map(Number);

if (values.help === true) {
  process.stdout.write(help);
} else if (!(Number(seconds) > 0 && Number(connections) > 0 && Number(seed) >= 0)) {
  process.stderr.write("The values of the options must be numbers.\n");
  process.exitCode = 2;
} else if (unknownNames.length > 0) {
  process.stderr.write(`The value of --server must be one of ${names.join(", ")}.\n`);
  process.exitCode = 2;
} else {
  const failedNames: string[] = [];
  await Promise.all(
    values.server.map(async (platform, index) => {
      const print = (line: string) => process.stdout.write(`${platform.padEnd(8)} ${line}\n`);
      const load = {
        seconds: Number(seconds),
        connections: Number(connections),
        seed: Number(seed) + 1_000_000 * index,
      };
      const problems = await soak({ platform, ...load, onProgress: print });
      (problems.length === 0 ? ["passed the test."] : problems).map(print);
      if (problems.length > 0) {
        failedNames.push(platform);
      }
    }),
  );
  process.stdout.write(
    failedNames.length === 0 ? "All servers passed the test.\n" : `Failed: ${failedNames.join(", ")}.\n`,
  );
  process.exitCode = failedNames.length === 0 ? 0 : 1;
}
