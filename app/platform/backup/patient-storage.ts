import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { openStorage } from "../storage/open.ts";
import { type Bucket, type Storage, StorageUnavailable } from "../storage/storage.ts";

/** Between one try and the next, in milliseconds: a store that is started anew is back by then. */
const pausesMs = [500, 1000, 2000, 4000, 8000];
const lookLimitMs = 10_000;

/**
 * The configured storage for whoever copies all of it: one fault in a night of questions must not
 * end the work, and nobody waits for a page. A store is asked again; a disk says what it has to say at once.
 * @throws {StorageUnavailable} from each question, where the fault lasts; its message names the file
 */
export function patientStorage(config: Config): Storage {
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
        throw new StorageUnavailable(complaint(`${bucket}/${key}`, error, tries), { cause: error });
    }
}

type StoreError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

/** Whether the same question may get another answer: what is refused by name is refused again. */
function mayPass(error: unknown): boolean {
  const status = (error as StoreError).$metadata?.httpStatusCode ?? 500;
  return status >= 500 || status === 408 || status === 429;
}

function complaint(file: string, error: unknown, tries: number): string {
  return tries > 1
    ? `The store was asked for ${file} ${tries} times, and failed each time (${why(error)}). Run this again when it is well.`
    : `The store refuses ${file} (${why(error)}). May the keys that are set list, read and write?`;
}

/** What went wrong with a store, in a word or two. */
export function why(error: unknown): string {
  const { $metadata, code, name, message } = error as StoreError;
  const status = $metadata?.httpStatusCode;
  return status ? `status ${status}` : name === "AbortError" ? "no answer" : (code ?? message);
}
