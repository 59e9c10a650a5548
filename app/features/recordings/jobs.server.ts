import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { recordingKey } from "~/platform/storage/storage.ts";
import { unusedRecordingDays } from "./messages.ts";
import { recordingsIn } from "./rules.ts";

const dayMs = 24 * 3600_000;

/** Deletes recordings that no issue has used for `unusedRecordingDays`. Concurrent runs are safe, and so
 * is a stop at any step: what it leaves are stray files (features/lesson-media/jobs.server.ts). */
export const cleanUpRecordings: RegularTask = {
  name: "recordings.tidy",
  async run(services) {
    const { db, clock, storage, log } = services;
    const used = await noteRecordingUse(services);
    const before = new Date(clock.now().getTime() - unusedRecordingDays * dayMs);
    const old = await db.write
      .selectFrom("recordings")
      .select("id")
      .where("unusedSinceAt", "<", before)
      .where("inVersion", "=", false)
      .limit(mostAtOnce)
      .execute();
    let removed = 0;
    for (const { id } of old.filter((one) => !used.has(one.id))) {
      const recording = await db.write
        .deleteFrom("recordings")
        .where("id", "=", id)
        .where("unusedSinceAt", "<", before)
        .where("inVersion", "=", false)
        .returning(["hash", "type"])
        .executeTakeFirst();
      if (!recording) continue;
      await storage.remove("course-audio", recordingKey(recording));
      removed += 1;
    }
    if (removed > 0) log.info({ recordings: removed }, "unused recordings removed");
  },
};

/** An hour's share: the rest goes in the next hour. */
const mostAtOnce = 100;
const issuesAtOnce = 50;

async function noteRecordingUse({ db, clock }: Services): Promise<Set<string>> {
  const used = await namedInIssues(db.read);
  const rows = await db.read
    .selectFrom("recordings")
    .select(["id", "unusedSinceAt"])
    .where("inVersion", "=", false)
    .execute();
  for (const { id, unusedSinceAt } of rows) {
    const isUsed = used.has(id);
    if (isUsed === (unusedSinceAt === null)) continue;
    const noted = { unusedSinceAt: isUsed ? null : clock.now() };
    await db.write.updateTable("recordings").set(noted).where("id", "=", id).execute();
  }
  return used;
}

async function namedInIssues(db: Query): Promise<Set<string>> {
  const named = new Set<string>();
  for (let after = ""; ; ) {
    const issues = await db
      .selectFrom("newsletterIssues")
      .select(["id", "body"])
      .where("id", ">", after)
      .where("body", "like", "%recording:%")
      .orderBy("id")
      .limit(issuesAtOnce)
      .execute();
    for (const { body } of issues) for (const id of recordingsIn(body)) named.add(id);
    const last = issues.at(-1);
    if (!last || issues.length < issuesAtOnce) return named;
    after = last.id;
  }
}
