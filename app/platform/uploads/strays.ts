import type { StoredBytes } from "./bytes.ts";
import type { UploadServices } from "./rows.ts";

const portion = 500;

function nameOf(stored: StoredBytes): string {
  if (stored.what === "part") return `part ${stored.uploadId}`;
  return `${stored.what} ${stored.bucket} ${stored.what === "file" ? stored.key : stored.multipartId}`;
}

/** Records unknown files with the time first seen. @returns those seen before `since` */
export async function recordStrayFiles(
  { db, clock }: Pick<UploadServices, "db" | "clock">,
  strays: StoredBytes[],
  since: Date,
): Promise<StoredBytes[]> {
  const old: StoredBytes[] = [];
  for (let from = 0; from < strays.length; from += portion) {
    const some = strays.slice(from, from + portion);
    const names = some.map(nameOf);
    await db.write
      .insertInto("strayFiles")
      .values(names.map((name) => ({ name, noticedAt: clock.now() })))
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const found = await db.write
      .selectFrom("strayFiles")
      .select("name")
      .where("name", "in", names)
      .where("noticedAt", "<", since)
      .execute();
    const overdue = new Set(found.map(({ name }) => name));
    old.push(...some.filter((stored) => overdue.has(nameOf(stored))));
  }
  return old;
}

/** Deletes records of files that are gone, or are known after all. */
export async function forgetStrayFiles(
  { db }: Pick<UploadServices, "db">,
  gone: StoredBytes[],
): Promise<void> {
  for (let from = 0; from < gone.length; from += portion) {
    const names = gone.slice(from, from + portion).map(nameOf);
    await db.write.deleteFrom("strayFiles").where("name", "in", names).execute();
  }
}

/** Deletes records from before `since`: those files went by themselves. */
export async function forgetStrayFilesBefore(
  { db }: Pick<UploadServices, "db">,
  since: Date,
): Promise<void> {
  await db.write.deleteFrom("strayFiles").where("noticedAt", "<", since).execute();
}
