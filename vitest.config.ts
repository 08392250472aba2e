import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// A file for the results, for a script that counts them.
const results = process.env["TEST_RESULTS"];
// "timing" runs the tests that measure time, and only those: they need a quiet machine.
const timing = process.env["TEST_SUITE"] === "timing";
const timingTests = "packages/*/test/**/*.timing.test.ts";
// Many tests wait for servers, timers and other programs, so two workers would leave two processors idle at times. More than eight
// workers would not be faster, because one file takes as long as an eighth of the others.
const workers = Math.min(8, Math.max(3, availableParallelism()));

// Timing tests measure the built packages: vitest's transformed imports would make inner loops twice as slow.
// Not "import": Node would use it for `require` too.
const conditions = timing ? ["node"] : ["@bothends/source", "node"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    include: [process.env["TEST_ONLY"] ?? (timing ? timingTests : "packages/*/test/**/*.test.ts")],
    exclude: timing ? [] : [timingTests],
    ...(timing && { server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } } }),
    globalSetup: ["testing/pack-runtime.ts"],
    setupFiles: timing ? [] : ["testing/quick-codec-errors.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: {
      // On a busy machine, a server may need seconds for what a test waits for.
      poll: { timeout: 20_000 },
      // A test that compares nothing cannot fail.
      requireAssertions: true,
    },
    maxWorkers: timing ? 1 : workers,
    // Other load on the machine can make one run too slow. A mistake makes all of them too slow.
    retry: timing ? 2 : 0,
    // Test files of a worker share the modules they import, which halves the time of a run: loading modules was the other half.
    // It needs modules whose state does not depend on the tests that ran before: caches and counters, but nothing that a test sets.
    isolate: false,
    // What servers log is shown for tests that fail.
    silent: "passed-only",
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
  },
});
