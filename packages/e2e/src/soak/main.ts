import { parseArgs } from "node:util";
import { soak } from "./soak.js";

const help = `Usage: soak [--seconds <number>] [--connections <number>] [--seed <number>]

Loads a server of both interfaces on the loopback address: good requests, and among them slow bodies, resets, bodies over the limit,
messages that are not well-formed, half-open, pipelined, aborted and silent connections. Exit code 0: each good request was answered
correctly or refused, none was lost, the retained heap stayed flat, and the server stopped on SIGTERM with all answers written.

  --seconds <number>      default 600
  --connections <number>  default 50
  --seed <number>         default 1
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    connections: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});
const [seconds, connections, seed] = [values.seconds, values.connections, values.seed].map(Number);

if (values.help === true) {
  process.stdout.write(help);
} else if (!(Number(seconds) > 0 && Number(connections) > 0 && Number(seed) >= 0)) {
  process.stderr.write("The values of the options must be numbers.\n");
  process.exitCode = 2;
} else {
  const problems = await soak({
    seconds: Number(seconds),
    connections: Number(connections),
    seed: Number(seed),
    onProgress: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(problems.length === 0 ? "The server passed the test.\n" : `${problems.join("\n")}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
