import type { RegularTask } from "../jobs/regular.ts";

/** Counts older than this belong to no window of a limit, in ms. */
const staleMs = 24 * 3600_000;

/** Takes old counts away. */
export const forgetCounts: RegularTask = {
  name: "rate-limit.forget",
  async run({ db, clock }) {
    await db.write
      .deleteFrom("rateLimits")
      .where("lastRequest", "<", clock.now().getTime() - staleMs)
      .execute();
  },
};
