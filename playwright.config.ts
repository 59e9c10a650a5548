import "./scripts/build/load-pages.ts";
import { defineConfig } from "@playwright/test";
import { findHeadlessChromium, sandboxArgs } from "./scripts/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/support/prepare.ts",
  fullyParallel: true,
  workers: 2,
  // A machine with other work may stall. What passes then is listed as flaky (docs/testing.md).
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // For machines with other work. What hangs ends at the limit of the one step that does.
  timeout: 180_000,
  expect: { timeout: 10_000, toPass: { timeout: 30_000 } },
  reporter: [["list"]],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    // A trace of every test writes and throws away hundreds of megabytes: `--trace on` where wanted.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findHeadlessChromium() ?? undefined,
      args: [
        ...sandboxArgs,
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
      ],
    },
  },
});
