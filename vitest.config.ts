import { availableParallelism } from "node:os";
import { defaultExclude, defineConfig } from "vitest/config";
import { content } from "./scripts/build/content.ts";
import { databaseTests } from "./tests/support/database-tests.ts";
import { nightly } from "./tests/support/nightly.ts";

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);
const files = (pattern: string) => (onPostgres ? databaseTests(pattern) : [pattern]);

export default defineConfig({
  plugins: [content()],
  resolve: { tsconfigPaths: true },
  test: {
    // Half an hour off every whole zone, and with daylight saving: what depends on the zone fails.
    env: { TZ: "Pacific/Chatham" },
    globalSetup: "./tests/support/build.ts",
    // What a passing test prints is of no use to anybody.
    silent: "passed-only",
    // Loading the built site once a file took longer than most files: workers keep it. So no file
    // may change what the next one finds: no mocks of modules, process.env as it was.
    isolate: false,
    server: { deps: { external: [/\/build\/server\//] } },
    // Each site has pools of ten connections, and a server of databases 100 of them as a rule.
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "unit", include: files("app/**/*.test.ts") } },
      {
        extends: true,
        test: {
          name: "http",
          include: files("tests/http/**/*.test.ts"),
          exclude: [...defaultExclude, ...nightly],
        },
      },
      { extends: true, test: { name: "nightly", include: [...nightly] } },
    ],
  },
});
