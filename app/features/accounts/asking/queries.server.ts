import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { hasAppOrPasskey } from "../factors/queries.server.ts";
import { protectPath } from "../factors/texts.ts";
import { authPath } from "../rules.ts";

/**
 * The account, where it is to be asked for a second factor (docs/decisions/047): it is an
 * administrator's, has neither app nor passkey, and has not put it off beyond `now`. The role is
 * that of the account: ADMIN_SECOND_FACTOR takes it from the session.
 */
export function askedAccount(db: Query, { userId, now }: { userId: string; now: Date }) {
  return db
    .selectFrom("profiles")
    .select("profiles.id")
    .where("profiles.id", "=", userId)
    .where("role", "=", "admin")
    .where((eb) => eb.or([eb("factorReminderAt", "is", null), eb("factorReminderAt", "<=", now)]))
    .where(({ not }) => not(hasAppOrPasskey("profiles.id")));
}

/** Whether somebody is to be asked for a second factor now. */
export async function isAsked({ db, clock }: Services, userId: string): Promise<boolean> {
  const found = askedAccount(db.write, { userId, now: clock.now() });
  return (await found.executeTakeFirst()) !== undefined;
}

/** Where somebody goes who is in: where they wanted to, or first to where they are asked. */
export async function protectFirst(
  services: Services,
  userId: string,
  destination: string,
): Promise<string> {
  return (await isAsked(services, userId)) ? authPath(destination, protectPath) : destination;
}
