#!/usr/bin/env node
import * as module from "node:module";
import { join } from "node:path";
import type { Stream } from "./host.js";
import { run } from "./run-if-changed.js";
import { isWatching, setCommandFlags, setFlagsForLargeSource } from "./v8-flags.js";

// Enables the compile cache of Node 22; does nothing on Node 20. With the cache, a complete run takes 10 % less time.
// The cache is in the package's folder, because other users may write to the default folder for temporary files.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(import.meta.dirname, "..", "node_modules", ".cache"));

// The required version of Node. It must match `engines` in package.json.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: bothends needs Node 20.19 or later, and this is Node ${process.versions.node}.
  help: Install a newer Node: nvm install 22, or https://nodejs.org.
1 error; nothing written.
`);
  process.exit(2);
}

let hasWriteFailed = false;

/**
 * Wraps an output stream. If the reader closes the stream early, as `head` does, the error is ignored. Any other
 * failure to write ends with exit code 2.
 */
function createStream(stream: NodeJS.WriteStream, name: string): Stream {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && !hasWriteFailed) {
      hasWriteFailed = true;
      process.exitCode = 2;
      process.stderr.write(`bothends: Cannot write to ${name}: ${error.message}.\n`);
    }
  });
  return { isTTY: stream.isTTY === true, write: (text) => void stream.write(text) };
}

/** Creates a signal that SIGINT or SIGTERM aborts while `watch` runs. These signals end other commands at once. */
function watchInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => interruption.abort());
  }
  return interruption.signal;
}

/** Prompts for a line at the terminal. A secret is not shown while it is typed. */
async function ask(question: string, { secret = false }: { readonly secret?: boolean } = {}): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import("node:readline/promises"),
    import("node:stream"),
  ]);
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: secret ? silentOutput : process.stdout,
    terminal: true,
  });
  // Ctrl-C, or the end of the input, ends the command without an answer.
  lines.once("SIGINT", () => process.exit(130));
  lines.once("close", () => setImmediate(() => process.exit(130)));
  if (secret) {
    process.stdout.write(question);
  }
  const answer = await lines.question(secret ? "" : question);
  lines.removeAllListeners("close");
  lines.close();
  if (secret) {
    process.stdout.write("\n");
  }
  return answer;
}

// Reads the clock, the signal and standard input only when a command needs them, because Node loads their modules on
// first use.
const exitCode = await run(process.argv.slice(2), {
  workingFolder: process.cwd(),
  environment: process.env,
  out: createStream(process.stdout, "standard output"),
  err: createStream(process.stderr, "standard error"),
  now: () => process.uptime() * 1_000,
  interrupted: isWatching ? watchInterruption() : undefined,
  beforeLargeSource: setFlagsForLargeSource,
  afterSource: setCommandFlags,
  get ask() {
    return process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : undefined;
  },
});
process.exitCode = hasWriteFailed ? 2 : exitCode;
