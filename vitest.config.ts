import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const database = process.env.TEST_DATABASE_URL;

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    // Half an hour off every whole zone, and with daylight saving: what depends on the zone fails.
    env: { TZ: "Pacific/Chatham" },
    globalSetup: "./tests/support/build.ts",
    // What a passing test prints is of no use to anybody.
    silent: "passed-only",
    // Each test file has pools of ten connections, and a server 100 of them as a rule.
    maxWorkers: database ? Math.max(1, Math.min(4, availableParallelism() - 1)) : undefined,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["app/**/*.test.ts"] } },
      { extends: true, test: { name: "http", include: ["tests/http/**/*.test.ts"] } },
    ],
  },
});
