import type { Bucket, OpenFile } from "../storage/storage.ts";

/**
 * Where an upload's bytes are going: `size` of them, to a key that nobody names before they are
 * checked. `multipartId` is what {@link UploadBytes.begin} said.
 */
export type UploadPlace = {
  id: string;
  bucket: Bucket;
  key: string;
  size: number;
  multipartId: string | null;
};

/**
 * Bytes that are in storage, or on their way there. `uploadId` is the upload
 * that a piece belongs to; files and multipart uploads have their key.
 */
export type Kept =
  | { what: "file"; bucket: Bucket; key: string; uploadId: string | null }
  | { what: "part"; uploadId: string }
  | { what: "multipart"; bucket: Bucket; key: string; multipartId: string };

/** The disk, or whatever holds the bytes, takes no more. */
export class NoRoom extends Error {}

/** The bytes of uploads, on their way into storage. */
export type UploadBytes = {
  /**
   * Makes the place for them.
   * @returns what has to be kept with the upload; null where that is nothing
   * @throws {NoRoom}
   */
  begin(place: Omit<UploadPlace, "multipartId">): Promise<string | null>;
  /**
   * Writes what comes after the first `offset` bytes; on disk when it resolves.
   * @returns how many bytes there are now
   * @throws {NoRoom}
   */
  append(place: UploadPlace, offset: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** How many bytes have arrived; null when there is nothing at all. */
  received(place: UploadPlace): Promise<number | null>;
  /** Reads an upload whose bytes have all arrived. */
  open(place: UploadPlace): Promise<OpenFile>;
  /** Puts complete bytes under their key, where storage finds them. Twice is once. */
  settle(place: UploadPlace): Promise<void>;
  /** Takes everything away, wherever it got to. Twice is once. */
  discard(place: UploadPlace): Promise<void>;
  /** How many more bytes may come, less what must stay free; Infinity where nobody can tell. */
  room(): Promise<number>;
  /** Everything there is, in portions; also what others have put there. */
  everything(): AsyncIterable<Kept[]>;
  /** Takes away what nothing knows any more. None there is fine. */
  sweep(kept: Kept): Promise<void>;
};
