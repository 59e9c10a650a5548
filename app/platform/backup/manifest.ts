import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { CommandError } from "../explain.ts";
import { type Bucket, buckets, isKey } from "../storage/storage.ts";
import { sumOfFile } from "./files.ts";

export const manifestName = "manifest.json";
export const databaseName = "site.db";
export const secretName = "secret";
/** The keys that open what students wrote. They may be taken out, and kept elsewhere. */
export const keysName = "journal-key";

const file = z.object({ size: z.number().int(), sha256: z.string().length(64) });
const place = z.object({ bucket: z.enum(buckets), key: z.string().refine(isKey) });

/** What a backup says of itself. It is written last: a folder without one is no backup. */
const manifest = z.object({
  format: z.literal(1),
  /** The site's id, where it had one. */
  site: z.string().nullable(),
  madeAt: z.iso.datetime(),
  /** Of the program that made it. */
  version: z.string(),
  from: z.object({ database: z.enum(["sqlite", "postgres"]), media: z.enum(["local", "s3"]) }),
  /** Rows a table. */
  tables: z.record(z.string(), z.number().int()),
  database: file,
  secret: file,
  /** Absent in backups of before journals were sealed. */
  keys: file.optional(),
  media: z.array(z.intersection(place, file)),
  /** What the database names and storage did not have. */
  missing: z.array(place),
});

export type Manifest = z.infer<typeof manifest>;
export type MediaEntry = Manifest["media"][number];

export const mediaPath = ({ bucket, key }: { bucket: Bucket; key: string }): string =>
  path.join("media", bucket, key);

/** @throws {CommandError} when there is none, or none of a form that is known here */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifestName), "utf8").catch(() => {
    throw new CommandError(
      `${folder} is no backup: there is no ${manifestName} in it. A backup is a folder like 2026-01-31T03-00-00.000Z.`,
    );
  });
  const parsed = manifest.safeParse(asJson(text));
  if (parsed.success) return parsed.data;
  throw new CommandError(
    `${path.join(folder, manifestName)} is damaged, or was made by a newer version of the site.`,
  );
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Reads every file of a backup again.
 * @throws {CommandError} that names what is missing or not as it was
 */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const files: [string, { size: number; sha256: string }][] = [
    [databaseName, manifest.database],
    [secretName, manifest.secret],
    ...manifest.media.map((entry): [string, MediaEntry] => [mediaPath(entry), entry]),
  ];
  const bad: string[] = [];
  // Whoever has put the keys elsewhere has a whole backup all the same.
  const keys = path.join(folder, keysName);
  if (manifest.keys && existsSync(keys)) files.push([keysName, manifest.keys]);
  for (const [name, expected] of files) {
    const found = await sumOfFile(path.join(folder, name)).catch(() => null);
    if (!found) bad.push(`${name} is not there, or cannot be read`);
    else if (found.size !== expected.size || found.sha256 !== expected.sha256)
      bad.push(`${name} is not as it was written`);
  }
  if (bad.length > 0)
    throw new CommandError(
      `${folder} is damaged: ${bad.slice(0, 5).join("; ")}${bad.length > 5 ? `; and ${bad.length - 5} more` : ""}. Take another backup.`,
    );
  return manifest;
}
