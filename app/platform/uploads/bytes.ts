import type { S3Error } from "../storage/s3-client.ts";
import type { Bucket, OpenFile } from "../storage/storage.ts";

/** `size` bytes go to a key that nothing names before they are checked. */
export type UploadPlace = {
  id: string;
  bucket: Bucket;
  key: string;
  size: number;
  multipartId: string | null;
};

/** Bytes in storage or on their way there. `uploadId` is the upload of a part. */
export type StoredBytes =
  | { what: "file"; bucket: Bucket; key: string; uploadId: string | null }
  | { what: "part"; uploadId: string }
  | { what: "multipart"; bucket: Bucket; key: string; multipartId: string };

/** The disk, or whatever stores the bytes, is full. */
export class NoRoom extends Error {}

/** Turns the error of a full disk or store into NoRoom. */
export async function orNoRoom<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const { code = "", name, $metadata } = error as S3Error;
    const isFull = /^(ENOSPC|EDQUOT)$/.test(code) || /StorageFull|QuotaExceeded/.test(name);
    if (!isFull && $metadata?.httpStatusCode !== 507) throw error;
    throw new NoRoom("there is no room", { cause: error });
  }
}

export type UploadBytes = {
  /** Returns what is stored with the upload; null for nothing. @throws {NoRoom} */
  begin(place: Omit<UploadPlace, "multipartId">): Promise<string | null>;
  /** Writes after the first `offset` bytes; on disk when it resolves. @returns the new length
   * @throws {NoRoom} */
  append(place: UploadPlace, offset: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** Null if there is nothing at all. */
  received(place: UploadPlace): Promise<number | null>;
  /** Only when all bytes have arrived. */
  open(place: UploadPlace): Promise<OpenFile>;
  /** Moves complete bytes to their key, where storage finds them. Idempotent. */
  settle(place: UploadPlace): Promise<void>;
  /** Deletes everything, at whatever stage it is. Idempotent. */
  discard(place: UploadPlace): Promise<void>;
  /** Free bytes, less the reserve; Infinity when unknown. */
  room(): Promise<number>;
  /** In portions; includes what others have put there. */
  everything(): AsyncIterable<StoredBytes[]>;
  /** Deletes unknown bytes. Idempotent. */
  sweep(stored: StoredBytes): Promise<void>;
};
