import path from "node:path";
import type { Config } from "../config/config.ts";
import { localStorage } from "./local.ts";
import { s3Storage } from "./s3.ts";
import type { Storage } from "./storage.ts";

/** An S3-compatible store, which may take `lookLimitMs` to find a file, or else DATA_DIR/media. */
export function openStorage(
  config: Pick<Config, "dataDir" | "authSecret" | "s3">,
  lookLimitMs?: number,
): Storage {
  return config.s3
    ? s3Storage(config.s3, lookLimitMs)
    : localStorage(path.join(config.dataDir, "media"), config.authSecret);
}
