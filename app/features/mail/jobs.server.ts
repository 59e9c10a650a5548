import { sql } from "kysely";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { inPortions, portion } from "./commands.server.ts";
import { forgottenBefore, goneBefore, sentBefore } from "./rules.ts";

/**
 * The outbox does not grow for ever, and keeps no link longer than it may be needed: what a failed
 * letter says is forgotten as soon as its link is dead, and after a week in any case; rows go some
 * weeks after they are done, or have failed (content/pages/privacy.md); that a letter was sent is
 * known for two years. Safe on several machines.
 */
export const forgetMail: RegularTask = {
  name: "mail.forget",
  async run({ db, clock }) {
    const now = clock.now();
    const { finished, failed } = goneBefore(now);
    await db.write
      .updateTable("outbox")
      .set({ payload: "{}" })
      .where("failedAt", "is not", null)
      .where(sql<boolean>`payload <> '{}'`)
      .where((is) =>
        is.or([is("failedAt", "<=", forgottenBefore(now)), is("worksUntilAt", "<=", now)]),
      )
      .execute();
    const old = db.write.selectFrom("outbox").select("id").limit(portion);
    const sent = sentBefore(now);
    await inPortions(async () => {
      const some = db.write.selectFrom("sentMails").select("id").where("createdAt", "<", sent);
      const gone = db.write.deleteFrom("sentMails").where("id", "in", some.limit(portion));
      return (await gone.executeTakeFirst()).numDeletedRows;
    });
    for (const some of [old.where("finishedAt", "<", finished), old.where("failedAt", "<", failed)])
      await inPortions(async () => {
        const gone = db.write.deleteFrom("outbox").where("id", "in", some);
        return (await gone.executeTakeFirst()).numDeletedRows;
      });
  },
};
