import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    // Half an hour off every whole zone, and with daylight saving: what depends on the zone fails.
    env: { TZ: "Pacific/Chatham" },
    globalSetup: "./tests/support/build.ts",
    // What a passing test prints is of no use to anybody.
    silent: "passed-only",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["app/**/*.test.ts"] } },
      { extends: true, test: { name: "http", include: ["tests/http/**/*.test.ts"] } },
    ],
  },
});
