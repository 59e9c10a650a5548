import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Config, loadConfig } from "~/platform/config/config.ts";
import { freePort } from "./port.ts";

/** A folder of a test's own. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "blue-dot-"));
}

/** A folder on a real disk, for tests of large files and of processes killed while they write. */
export function diskFolder(): string {
  return mkdtempSync(path.join(process.env.TEST_DISK ?? tmpdir(), "blue-dot-"));
}

/** The configuration of a test site: production code, own folder, own database, quiet. */
export async function testConfig(
  databaseUrl: string | undefined,
  env: Record<string, string> = {},
): Promise<Config> {
  const config = loadConfig({
    NODE_ENV: "production",
    PORT: String(await freePort()),
    DATA_DIR: temporaryFolder(),
    SAMPLE_CONTENT: "off",
    LOG_LEVEL: "silent",
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: "test-secret-".repeat(4) } : {}),
    ...env,
  });
  // On a machine with much other work an answer can take longer than the usual ten seconds. The
  // limit itself is tested in silence.test.ts and sign-in-overload.test.ts.
  return { ...config, answerWithinMs: 60_000 };
}
