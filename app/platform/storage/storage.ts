import { stat } from "node:fs/promises";
import type { LentFile } from "./open-files.ts";

/** Spec 7, Storage; the last three are ours. */
export const buckets = [
  "course-videos",
  "course-audio",
  "course-files",
  "journal-pictures",
  "pictures",
] as const;
export type Bucket = (typeof buckets)[number];

/** Sealed with the keys of students: never at an address of its own. */
export const sealedBucket = "journal-pictures" satisfies Bucket;
/** Of a row's id, whose end is random: some thousand files in each of 256 folders. */
export const sealedKey = (id: string): string => `${id.slice(-2)}/${id}`;

/** Of a recording in the newsletter, in the bucket `course-audio`: at a public address. */
export const recordingKey = ({ hash, type }: { hash: string; type: string }): string =>
  `newsletter/${hash}.${type}`;

/** The hash in such a key; null for any other. */
export function recordingHash(key: string): string | null {
  return /^newsletter\/([\da-f]{32})\.(?:mp3|m4a|aac|ogg)$/.exec(key)?.[1] ?? null;
}

export type StoredFile = { size: number; modifiedAt: Date };

/** Close it when done. */
export type OpenFile = {
  size: number;
  /** Returns fewer bytes at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** A key is written once. An invalid key (empty parts, `.`, `..`, backslashes, NUL, more than 1024
 * bytes) never exists, and writing it is an error. */
type Common = {
  /** @throws {StorageUnavailable} when the store does not answer, or refuses */
  prepare(): Promise<void>;
  /** Stores a copy of a local file, whole or not at all. */
  putFile(bucket: Bucket, key: string, source: string): Promise<void>;
  /** Moves it instead; on one disk nothing is copied. */
  moveFile(bucket: Bucket, key: string, source: string): Promise<void>;
  /** @throws when the store cannot tell */
  find(bucket: Bucket, key: string): Promise<StoredFile | null>;
  open(bucket: Bucket, key: string): Promise<OpenFile | null>;
  /** Idempotent. */
  remove(bucket: Bucket, key: string): Promise<void>;
  /** A URL for anyone, for 3600 seconds from `now`. No network; the file may not exist. With a
   * `name`, which the signature covers, it is saved under that instead of shown. */
  signedUrl(bucket: Bucket, key: string, now: Date, name?: string): Promise<string>;
};

/** Signed URLs are the site's own, and it sends the files itself. */
export type LocalStorage = Common & {
  kind: "local";
  /** The open file to send, or null. The caller gives it back. */
  lend(bucket: Bucket, key: string): Promise<LentFile | null>;
  /** For programs that only read it. */
  pathOf(bucket: Bucket, key: string): string;
};

export type S3Storage = Common & {
  kind: "s3";
  /** For the Content-Security-Policy of pages. */
  origin: string;
};

export type Storage = LocalStorage | S3Storage;

/** The store cannot be used; the message is a line for the operator. */
export class StorageUnavailable extends Error {}

export function isKey(key: string): boolean {
  const parts = key.split("/");
  return (
    !/[\\\0]/.test(key) &&
    Buffer.byteLength(key) <= 1024 &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

export function requireKey(key: string): void {
  if (!isKey(key)) throw new Error(`not a storage key: ${key}`);
}

/** @throws if it is not a file */
export async function sizeOf(source: string): Promise<number> {
  const found = await stat(source);
  if (!found.isFile()) throw new Error(`not a file: ${source}`);
  return found.size;
}

/** A small file as a whole; null where there is none. */
export async function readStored(
  storage: Storage,
  bucket: Bucket,
  key: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await storage.open(bucket, key);
  if (!file) return null;
  try {
    return new Uint8Array(await file.read(0, file.size));
  } finally {
    await file.close();
  }
}
