import path from "node:path";
import type { Config } from "../config/config.ts";
import { localStorage } from "./local.ts";
import type { Storage } from "./storage.ts";

/** Opens the configured storage: DATA_DIR/media. */
export function openStorage(config: Pick<Config, "dataDir" | "authSecret">): Storage {
  return localStorage(path.join(config.dataDir, "media"), config.authSecret);
}
