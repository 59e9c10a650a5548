import type { Query } from "~/platform/db/database.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import type { Change } from "../factors/texts.ts";
import { securityChangeMail } from "./jobs.server.ts";

type Told = { userId: string; change: Change; name?: string | null; left?: number };

/** Writes to somebody what has changed in how she signs in, on the transaction of the change. */
export async function tellOwner(
  { clock }: Pick<Services, "clock">,
  trx: Query,
  { userId, change, name = null, left }: Told,
): Promise<void> {
  const profile = await trx
    .selectFrom("profiles")
    .select(["name", "email", "timeZone"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!profile) return;
  const now = clock.now();
  const payload = {
    to: { name: profile.name, address: profile.email },
    change,
    at: now.toISOString(),
    timeZone: profile.timeZone ?? "UTC",
    name,
    left: left ?? null,
  };
  await enqueue(trx, securityChangeMail, payload, { now, to: { userId } });
}
