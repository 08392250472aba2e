#!/usr/bin/env node
import type { Stream } from "./host.js";
import { run } from "./run.js";

/** A process's stream; a reader that goes away, as `head` does, is no failure. */
function streamOf(stream: NodeJS.WriteStream): Stream {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      throw error;
    }
  });
  return { isTTY: stream.isTTY === true, write: (text) => void stream.write(text) };
}

process.exitCode = await run(process.argv.slice(2), {
  workingFolder: process.cwd(),
  environment: process.env,
  out: streamOf(process.stdout),
  err: streamOf(process.stderr),
  now: () => performance.now(),
});
