import type { RegularTask } from "~/platform/jobs/regular.ts";

/** Long after the last save of a page that is closed could still arrive. */
const keptMs = 30 * 24 * 3600_000;

/** What is left of drafts that were saved or given up is empty, and only keeps late saves out. */
export const forgetWriting: RegularTask = {
  name: "courses.forget-writing",
  async run({ db, clock }) {
    await db.write
      .deleteFrom("authoringDrafts")
      .where("discardedAt", "<", new Date(clock.now().getTime() - keptMs))
      .execute();
  },
};
