import { stat } from "node:fs/promises";
import type { LentFile } from "./open-files.ts";

/** The two buckets of the spec. */
export const buckets = ["course-videos", "course-audio"] as const;
export type Bucket = (typeof buckets)[number];

export type StoredFile = { size: number; modifiedAt: Date };

/** A stored file to look into, without reading all of it. Close it when done. */
export type OpenFile = {
  size: number;
  /** `length` bytes from `offset`, fewer where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
};

/**
 * Where lesson media lives. A key is written once and never again; what is no key (empty parts,
 * `.`, `..`, backslashes, NUL, more than 1024 bytes) is never there, and writing it is an error.
 */
type Common = {
  /**
   * Makes what has to be there before the first file.
   * @throws {StorageUnavailable} when the store does not answer, or refuses
   */
  prepare(): Promise<void>;
  /** Keeps a copy of a local file under the key. Whole or not at all. */
  putFile(bucket: Bucket, key: string, source: string): Promise<void>;
  /** The same, and the local file is gone afterwards; on one disk nothing is copied. */
  moveFile(bucket: Bucket, key: string, source: string): Promise<void>;
  /** The file behind a key, or null. Throws when the store cannot tell. */
  find(bucket: Bucket, key: string): Promise<StoredFile | null>;
  /** Random access to the file behind a key, or null. */
  open(bucket: Bucket, key: string): Promise<OpenFile | null>;
  /** Removes the file behind a key; none there is fine. */
  remove(bucket: Bucket, key: string): Promise<void>;
  /**
   * An address that gives the file to whoever has it, for 3600 seconds from `now`. Asks no
   * network, and does not look whether the file is there.
   */
  signedUrl(bucket: Bucket, key: string, now: Date): Promise<string>;
};

/** A folder: signed addresses are the site's own, and it sends the files itself. */
export type LocalStorage = Common & {
  kind: "local";
  /** The file to send, open, or null. Whoever gets it gives it back. */
  lend(bucket: Bucket, key: string): Promise<LentFile | null>;
};

/** A store that speaks S3: signed addresses are the store's. */
export type S3Storage = Common & {
  kind: "s3";
  /** Origin of the signed addresses, for the policy of pages. */
  origin: string;
};

export type Storage = LocalStorage | S3Storage;

/** The store cannot be used; the message is a line for whoever started the site. */
export class StorageUnavailable extends Error {}

/** Whether a text can be a key at all. */
export function isKey(key: string): boolean {
  const parts = key.split("/");
  return (
    !/[\\\0]/.test(key) &&
    Buffer.byteLength(key) <= 1024 &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** Size of a local file that is to be stored; what is no file is refused. */
export async function sizeOf(source: string): Promise<number> {
  const found = await stat(source);
  if (!found.isFile()) throw new Error(`not a file: ${source}`);
  return found.size;
}
