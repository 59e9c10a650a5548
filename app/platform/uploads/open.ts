import type { Config } from "../config/config.ts";
import type { Log } from "../log/log.ts";
import type { Storage } from "../storage/storage.ts";
import type { UploadBytes } from "./bytes.ts";
import { localUploads } from "./local.ts";
import { s3Uploads } from "./s3.ts";

export function openUploads(
  { dataDir, s3 }: Pick<Config, "dataDir" | "s3">,
  storage: Storage,
  log: Log,
): UploadBytes {
  return s3 ? s3Uploads(s3, storage, log) : localUploads(dataDir, storage);
}
