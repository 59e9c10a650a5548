import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { createLog } from "~/platform/log/log.ts";
import { openStorage } from "~/platform/storage/open.ts";
import { openUploads } from "~/platform/uploads/open.ts";
import { temporaryFolder } from "./config.ts";
import { freshDatabase } from "./database.ts";
import { run } from "./process.ts";
import { startS3 } from "./s3.ts";

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

/** Everything in a site's storage, as base64 by bucket and key, but the mark of whose it is. */
export async function storedFiles(env: Record<string, string>) {
  const config = loadConfig(env);
  const storage = openStorage(config);
  await storage.prepare();
  const found: Record<string, string> = {};
  for await (const portion of openUploads(config, storage, createLog("silent")).everything())
    for (const stored of portion) {
      if (stored.what !== "file" || stored.key === ".site") continue;
      const file = await storage.open(stored.bucket, stored.key);
      const bytes = (await file?.read(0, file.size)) ?? new Uint8Array();
      await file?.close();
      found[`${stored.bucket}/${stored.key}`] = Buffer.from(bytes).toString("base64");
    }
  return found;
}

/** The engine that this run of the tests is about. */
export const somePlace = (): Promise<Place> =>
  process.env.TEST_DATABASE_URL ? cloudPlace() : folderPlace();

/** Makes the places of a test file, which end with it. */
export function placesOfFile() {
  const places: Place[] = [];
  afterAll(async () => {
    for (const place of places) await place.drop();
  });
  return async (make: () => Promise<Place> = somePlace): Promise<Place> => {
    const place = await make();
    places.push(place);
    return place;
  };
}

/** `npm run <words>`. */
export async function command(env: Record<string, string>, ...words: string[]) {
  const { code, out, err } = await run("command.ts", words, env).ended;
  return { code, out: out.trim(), err: err.trim() };
}

/** A command that succeeds, without a remark. @returns what it prints */
export async function ran(env: Record<string, string>, ...words: string[]): Promise<string> {
  const end = await command(env, ...words);
  expect(end).toMatchObject({ code: 0, err: "" });
  return end.out;
}

/** A command that refuses, and prints nothing but why. @returns why */
export async function refused(env: Record<string, string>, ...words: string[]): Promise<string> {
  const end = await command(env, ...words);
  expect(end).toMatchObject({ code: 1, out: "" });
  return end.err;
}
