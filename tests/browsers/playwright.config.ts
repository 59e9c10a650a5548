import "../../scripts/build/load-pages.ts";
import { defineConfig } from "@playwright/test";
import type { EngineName } from "../../scripts/engines.ts";

/** Each engine has a worker, in which its journeys run one after another on one site. */
export default defineConfig<object, { engineName: EngineName }>({
  testDir: ".",
  outputDir: "../../test-results/browsers",
  globalSetup: "./support/prepare.ts",
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // For machines with other work, as in the tests in Chromium.
  timeout: 180_000,
  expect: { timeout: 15_000, toPass: { timeout: 30_000, intervals: [20, 50, 100, 200] } },
  reporter: [["list"]],
  projects: [
    { name: "firefox", use: { engineName: "firefox" } },
    { name: "webkit", use: { engineName: "webkit" } },
  ],
});
