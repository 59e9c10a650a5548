import type { RegularTask } from "~/platform/jobs/regular.ts";
import { auditKeptDays } from "./texts.ts";

/** What was done long ago is of no use, and names people. */
export const forgetAudit: RegularTask = {
  name: "accounts.forget-audit",
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - auditKeptDays * 24 * 3600_000);
    await db.write.deleteFrom("auditEntries").where("createdAt", "<", before).execute();
  },
};
