import { mkdtempSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Config, loadConfig } from "~/platform/config/config.ts";

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A folder of a test's own. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "blue-dot-"));
}

/** The configuration of a test site: production code, own folder, own database, quiet. */
export async function testConfig(
  databaseUrl: string | undefined,
  env: Record<string, string> = {},
): Promise<Config> {
  return loadConfig({
    NODE_ENV: "production",
    PORT: String(await freePort()),
    DATA_DIR: temporaryFolder(),
    SAMPLE_CONTENT: "off",
    LOG_LEVEL: "silent",
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: "test-secret-".repeat(4) } : {}),
    ...env,
  });
}
