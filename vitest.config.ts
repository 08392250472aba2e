import { defineConfig } from "vitest/config";

const conditions = ["@bothends/source", "node", "import", "default"];
// A file for the counts, for whoever runs the tests from a script.
const results = process.env["TEST_RESULTS"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    include: [process.env["TEST_ONLY"] ?? "packages/*/test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Modules keep no state, so that files may share them: half of the time went into loading them anew.
    isolate: false,
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
  },
});
