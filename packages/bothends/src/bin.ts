#!/usr/bin/env node
import type { Stream } from "./host.js";
import { run } from "./run.js";

let failed = false;

/** A stream of the process. A reader that closes early, as `head` does, changes nothing; other failures are exit code 2. */
function streamOf(stream: NodeJS.WriteStream, name: string): Stream {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && !failed) {
      failed = true;
      process.exitCode = 2;
      process.stderr.write(`bothends: Cannot write to ${name}: ${error.message}.\n`);
    }
  });
  return { isTTY: stream.isTTY === true, write: (text) => void stream.write(text) };
}

const code = await run(process.argv.slice(2), {
  workingFolder: process.cwd(),
  environment: process.env,
  out: streamOf(process.stdout, "standard output"),
  err: streamOf(process.stderr, "standard error"),
  now: () => performance.now(),
});
process.exitCode = failed ? 2 : code;
