import type { AnyJob } from "./job.ts";
import type { RegularTask } from "./regular.ts";

/** Logs work that is long due and that no job here knows. */
export function logUnknownKinds(jobs: readonly AnyJob[]): RegularTask {
  return {
    name: "outbox.strangers",
    async run({ db, clock, log }) {
      const rows = await db.read
        .selectFrom("outbox")
        .select((eb) => ["kind", eb.fn.countAll<number>().as("rows")])
        .where("finishedAt", "is", null)
        .where("failedAt", "is", null)
        .where("dueAt", "<", new Date(clock.now().getTime() - 3600_000))
        .where(
          "kind",
          "not in",
          jobs.map(({ kind }) => kind),
        )
        .groupBy("kind")
        .execute();
      for (const { kind, rows: count } of rows)
        log.error({ kind, rows: count }, "work of a kind that this version does not know");
    },
  };
}
