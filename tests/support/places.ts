import { rmSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./config.ts";
import { freshDatabase } from "./database.ts";
import { run } from "./process.ts";
import { startS3 } from "./s3.ts";
import { storedFiles } from "./stored.ts";

/** Where a site may keep what it has: a folder with SQLite, or PostgreSQL with a store that speaks S3. */
export type Place = {
  env: Record<string, string>;
  dataDir: string;
  database: { url: string } | { file: string };
  /** Everything in storage, as base64 by bucket and key. */
  media(): Promise<Record<string, string>>;
  drop(): Promise<void>;
};

export async function folderPlace(): Promise<Place> {
  const dataDir = temporaryFolder();
  return {
    env: { DATA_DIR: dataDir },
    dataDir,
    database: { file: path.join(dataDir, "site.db") },
    media: () => storedFiles({ DATA_DIR: dataDir }),
    async drop() {
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function cloudPlace(secret = "a-secret-of-all-machines-".repeat(2)): Promise<Place> {
  const [{ url = "", drop }, s3] = [await freshDatabase(), await startS3()];
  const dataDir = temporaryFolder();
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, AUTH_SECRET: secret, ...s3.env };
  return {
    env,
    dataDir,
    database: { url },
    media: () => storedFiles(env),
    async drop() {
      await s3.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The engine that this run of the tests is about. */
export const somePlace = (): Promise<Place> =>
  process.env.TEST_DATABASE_URL ? cloudPlace() : folderPlace();

/** `npm run <words>`. */
export async function command(env: Record<string, string>, ...words: string[]) {
  const { code, out, err } = await run("command.ts", words, env).ended;
  return { code, out: out.trim(), err: err.trim() };
}
