import path from "node:path";
import type { Config } from "../config/config.ts";
import { localStorage } from "./local.ts";
import { s3Storage } from "./s3.ts";
import type { Storage } from "./storage.ts";

/**
 * The configured storage: a store that speaks S3, or else DATA_DIR/media.
 * @param lookLimitMs how long a store may take to say whether it has a file, in milliseconds
 */
export function openStorage(
  config: Pick<Config, "dataDir" | "authSecret" | "s3">,
  lookLimitMs?: number,
): Storage {
  return config.s3
    ? s3Storage(config.s3, lookLimitMs)
    : localStorage(path.join(config.dataDir, "media"), config.authSecret);
}
