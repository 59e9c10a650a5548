import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { type Bucket, buckets, isKey } from "../storage/storage.ts";
import { CommandError } from "../utils/errors.ts";
import { sumOfFile } from "./files.ts";

export const manifestName = "manifest.json";
export const databaseName = "site.db";
export const secretName = "secret";
/** The keys that decrypt journals. They may be moved elsewhere. */
export const keysName = "journal-key";

const file = z.object({ size: z.number().int(), sha256: z.string().length(64) });
const place = z.object({ bucket: z.enum(buckets), key: z.string().refine(isKey) });

// Written last: a folder without a manifest is no backup.
const manifest = z.object({
  /** Those of format 1 have no sum of their own. */
  format: z.union([z.literal(1), z.literal(2)]),
  site: z.string().nullable(),
  madeAt: z.iso.datetime(),
  version: z.string(),
  from: z.object({ database: z.enum(["sqlite", "postgres"]), media: z.enum(["local", "s3"]) }),
  tables: z.record(z.string(), z.number().int()),
  database: file,
  secret: file,
  /** Absent in backups from before journals were encrypted. */
  keys: file.optional(),
  media: z.array(z.intersection(place, file)),
  missing: z.array(place),
});

export type Manifest = z.infer<typeof manifest>;
export type MediaEntry = Manifest["media"][number];

export const mediaPath = ({ bucket, key }: { bucket: Bucket; key: string }): string =>
  path.join("media", bucket, key);

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifestName), "utf8").catch(() => {
    throw new CommandError(
      `${folder} is no backup: there is no ${manifestName} in it. A backup is a folder like 2026-01-31T03-00-00.000Z.`,
    );
  });
  const raw = asJson(text);
  const parsed = manifest.safeParse(raw);
  if (parsed.success && isAsWritten(text, raw)) return parsed.data;
  throw new CommandError(
    `${path.join(folder, manifestName)} is damaged, or was made by a newer version of the site.`,
  );
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** The manifest's text, with a sum of itself: what it does not list, no check would miss. */
export function manifestText(content: Manifest): string {
  const sum = createHash("sha256").update(json(content)).digest("hex");
  return json({ ...content, sum });
}

function isAsWritten(text: string, raw: unknown): boolean {
  const { sum: _, ...content } = raw as Manifest & { sum?: unknown };
  return content.format === 1 || manifestText(content) === text;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads every file again. @throws {CommandError} that names what is missing or changed */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const files: [string, { size: number; sha256: string }][] = [
    [databaseName, manifest.database],
    [secretName, manifest.secret],
    ...manifest.media.map((entry): [string, MediaEntry] => [mediaPath(entry), entry]),
  ];
  const bad: string[] = [];
  // A backup whose keys were moved elsewhere is complete.
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
