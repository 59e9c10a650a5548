import { loadConfig } from "~/platform/config/config.ts";
import { createLog } from "~/platform/log/log.ts";
import { openStorage } from "~/platform/storage/open.ts";
import { openUploads } from "~/platform/uploads/open.ts";

/** Everything in a site's storage, as base64 by bucket and key, but the mark of whose it is. */
export async function storedFiles(env: Record<string, string>) {
  const config = loadConfig(env);
  const storage = openStorage(config);
  await storage.prepare();
  const found: Record<string, string> = {};
  for await (const portion of openUploads(config, storage, createLog("silent")).everything())
    for (const kept of portion) {
      if (kept.what !== "file" || kept.key === ".site") continue;
      const file = await storage.open(kept.bucket, kept.key);
      const bytes = (await file?.read(0, file.size)) ?? new Uint8Array();
      await file?.close();
      found[`${kept.bucket}/${kept.key}`] = Buffer.from(bytes).toString("base64");
    }
  return found;
}
