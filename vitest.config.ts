import { defineConfig } from "vitest/config";

const conditions = ["@bothends/source", "node", "import", "default"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts"],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
