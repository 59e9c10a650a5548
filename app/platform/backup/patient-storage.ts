import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { openStorage } from "../storage/open.ts";
import { type Bucket, type Storage, StorageUnavailable } from "../storage/storage.ts";

// Milliseconds between attempts: a restarted store is back by then.
const pausesMs = [500, 1000, 2000, 4000, 8000];
const lookLimitMs = 10_000;

/** Retries an S3 store for copying all of it: one fault must not end a night's work, and no page
 * waits. A disk fails at once. @throws {StorageUnavailable} that names the file */
export function retryingStorage(config: Config): Storage {
  const storage = openStorage(config, lookLimitMs);
  if (storage.kind !== "s3") return storage;
  return {
    ...storage,
    find: (bucket, key) => insist({ bucket, key }, () => storage.find(bucket, key)),
    putFile: (bucket, key, source) =>
      insist({ bucket, key }, () => storage.putFile(bucket, key, source)),
    async open(bucket, key) {
      const place = { bucket, key };
      const file = await insist(place, () => storage.open(bucket, key));
      return (
        file && {
          ...file,
          read: (offset, length) => insist(place, () => file.read(offset, length)),
        }
      );
    },
  };
}

type Place = { bucket: Bucket; key: string };

async function insist<T>({ bucket, key }: Place, ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await ask();
    } catch (error) {
      const ms = pausesMs[tries - 1];
      if (ms !== undefined && mayPass(error)) await pause(ms);
      else
        throw new StorageUnavailable(inWords(`${bucket}/${key}`, error, tries), { cause: error });
    }
}

type StoreError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

function mayPass(error: unknown): boolean {
  const status = (error as StoreError).$metadata?.httpStatusCode ?? 500;
  return status >= 500 || status === 408 || status === 429;
}

function inWords(file: string, error: unknown, tries: number): string {
  return tries > 1
    ? `The store was asked for ${file} ${tries} times, and failed each time (${why(error)}). Run this again when it is well.`
    : `The store refuses ${file} (${why(error)}). May the keys that are set list, read and write?`;
}

export function why(error: unknown): string {
  const { $metadata, code, name, message } = error as StoreError;
  const status = $metadata?.httpStatusCode;
  return status ? `status ${status}` : name === "AbortError" ? "no answer" : (code ?? message);
}
