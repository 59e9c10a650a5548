import type { Query } from "~/platform/db/database.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { securityAlertEmail } from "./jobs.server.ts";
import type { SecurityAlertKind } from "./messages.ts";
import { deviceName } from "./sessions.server.ts";
import { findProfile } from "./users.server.ts";

type AlertInput = {
  userId: string;
  change: SecurityAlertKind;
  name?: string | null;
  left?: number;
};

/** Queues a security alert to a user, in the transaction of the change. */
export async function sendSecurityAlert(
  { clock }: Pick<Services, "clock">,
  trx: Query,
  { userId, change, name = null, left }: AlertInput,
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
  await enqueue(trx, securityAlertEmail, payload, { now, to: { userId } });
}

type Needs = Pick<Services, "db" | "clock" | "config" | "log" | "wakeWorker">;

/** Alerts the owner once in so many hours. */
export async function sendLimitedAlert(
  services: Needs,
  alert: AlertInput,
  { what, hours }: { what: string; hours: number },
): Promise<void> {
  const limit = { what, whose: alert.userId, max: 1, windowSeconds: hours * 3600 };
  if (!(await withinLimit(services, { ...limit, isQuiet: true }))) return;
  await sendSecurityAlert(services, services.db.write, alert);
  services.wakeWorker();
}

// Sign-ins to an account this young are part of its creation. Milliseconds.
const youngMs = 3600_000;

/** At most once an hour, and not in the account's first hour. */
export async function sendNewDeviceAlert(
  services: Needs,
  { userId, userAgent }: { userId: string; userAgent: string | null },
): Promise<void> {
  const profile = await services.db.read
    .selectFrom("profiles")
    .select("createdAt")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!profile || services.clock.now().getTime() - profile.createdAt.getTime() < youngMs) return;
  const alert = { userId, change: "new-device", name: deviceName(userAgent) } as const;
  await sendLimitedAlert(services, alert, { what: "new-device-email", hours: 1 });
}

/** At most once a day. */
export async function sendFailedSignInAlert(services: Needs, email: string): Promise<void> {
  // Counted before the account is looked for: the time must not tell whether there is one.
  const limit = { what: "tries-email", whose: email, max: 1, windowSeconds: 24 * 3600 };
  if (!(await withinLimit(services, { ...limit, isQuiet: true }))) return;
  const profile = await findProfile(services, email);
  if (!profile?.emailVerified) return;
  const alert = { userId: profile.id, change: "wrong-passwords" } as const;
  await sendSecurityAlert(services, services.db.write, alert);
  services.wakeWorker();
}
