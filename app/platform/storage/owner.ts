import type { Database } from "../db/database.ts";
import { siteId } from "../db/ids.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../utils/clock.ts";
import { putBytes } from "./put-bytes.ts";
import { type Bucket, buckets, type Storage } from "./storage.ts";

type Needed = { db: Database; clock: Clock; storage: Storage; log: Log };

const marker = ".site";

/** Whether all buckets belong to this database, which may then delete unknown files. Unowned
 * buckets are claimed. A restored or moved database keeps its id; false is logged. */
export async function ownsStorage(services: Needed): Promise<boolean> {
  const id = await siteId(services);
  for (const bucket of buckets) {
    const owner = (await ownerOf(services, bucket)) ?? (await claim(services, bucket, id));
    if (owner === id) continue;
    services.log.warn(
      { bucket, owner, site: id },
      "the stored media belong to another database: what this one does not know is left alone",
    );
    return false;
  }
  return true;
}

async function ownerOf({ storage }: Needed, bucket: Bucket): Promise<string | null> {
  const file = await storage.open(bucket, marker);
  if (!file) return null;
  try {
    return new TextDecoder().decode(await file.read(0, file.size)).trim();
  } finally {
    await file.close();
  }
}

/** Returns the owner afterwards: another site may have claimed it at the same time. */
async function claim(services: Needed, bucket: Bucket, id: string): Promise<string | null> {
  await putBytes(services.storage, { bucket, key: marker }, id);
  return ownerOf(services, bucket);
}
