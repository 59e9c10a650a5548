import type { Services } from "~/platform/services.ts";
import { askedAccount } from "./queries.server.ts";

/** For how long it can be put off, in milliseconds. */
const weekMs = 7 * 24 * 3600_000;

/** Whoever is asked for a second factor is not asked again for a week. Nobody else can put it off. */
export async function putOff({ db, clock }: Services, userId: string): Promise<void> {
  const now = clock.now();
  await db.write
    .updateTable("profiles")
    .set({ factorReminderAt: new Date(now.getTime() + weekMs) })
    .where("id", "in", askedAccount(db.write, { userId, now }))
    .execute();
}
