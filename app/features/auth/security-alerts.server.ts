import type { Query } from "~/platform/db/database.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { securityAlertEmail } from "./jobs.server.ts";
import type { SecurityAlertKind } from "./messages.ts";
import { deviceName } from "./sessions.server.ts";
import { findProfile } from "./users.server.ts";

type Told = { userId: string; change: SecurityAlertKind; name?: string | null; left?: number };

/** Queues a security alert to a user, in the transaction of the change. */
export async function sendSecurityAlert(
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
  await enqueue(trx, securityAlertEmail, payload, { now, to: { userId } });
}

type Needs = Pick<Services, "db" | "clock" | "config" | "log" | "wakeWorker">;

// Sign-ins to an account this young are part of its creation. Milliseconds.
const youngMs = 3600_000;

/** Alerts the owner to a sign-in from a new device, at most once an hour. */
export async function sendNewDeviceAlert(
  services: Needs,
  { userId, userAgent }: { userId: string; userAgent: string | null },
): Promise<void> {
  const { db, clock } = services;
  const profile = await db.read
    .selectFrom("profiles")
    .select("createdAt")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!profile || clock.now().getTime() - profile.createdAt.getTime() < youngMs) return;
  const limit = {
    what: "new-device-email",
    whose: userId,
    max: 1,
    windowSeconds: 3600,
    isQuiet: true,
  };
  if (!(await withinLimit(services, limit))) return;
  const alert = { userId, change: "new-device", name: deviceName(userAgent) } as const;
  await sendSecurityAlert(services, db.write, alert);
  services.wakeWorker();
}

/** Alerts the owner of an address, if any, to failed sign-ins, at most once a day. */
export async function sendFailedSignInAlert(services: Needs, email: string): Promise<void> {
  const limit = {
    what: "tries-email",
    whose: email,
    max: 1,
    windowSeconds: 24 * 3600,
    isQuiet: true,
  };
  if (!(await withinLimit(services, limit))) return;
  const profile = await findProfile(services, email);
  if (!profile?.emailVerified) return;
  await sendSecurityAlert(services, services.db.write, {
    userId: profile.id,
    change: "wrong-passwords",
  });
  services.wakeWorker();
}
