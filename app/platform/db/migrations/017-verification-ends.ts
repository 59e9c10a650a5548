import type { Kysely } from "kysely";

/** What was begun and never finished is found by its end: by the hourly task, and by the library in a request. */
export async function verificationEnds(db: Kysely<unknown>) {
  await db.schema
    .createIndex("verifications_end")
    .on("verifications")
    .column("expires_at")
    .execute();
}
