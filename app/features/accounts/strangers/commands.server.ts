import { withinLimit } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { deviceOf } from "../devices/queries.server.ts";
import { tellOwner } from "../notices/commands.server.ts";
import { findProfile } from "../queries.server.ts";

type Needs = Pick<Services, "db" | "clock" | "config" | "log" | "wakeWorker">;

/** An account as young as this is being made by whoever signs in to it, in milliseconds. */
const youngMs = 3600_000;

/**
 * Writes to the owner that her account was entered on a device on which nobody had before: the
 * password, or the provider's word, was right, and it may not have been she. Once an hour at most.
 */
export async function tellOfNewDevice(
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
    what: "new-device-letter",
    whose: userId,
    max: 1,
    windowSeconds: 3600,
    isQuiet: true,
  };
  if (!(await withinLimit(services, limit))) return;
  const told = { userId, change: "new-device", name: deviceOf(userAgent) } as const;
  await tellOwner(services, db.write, told);
  services.wakeWorker();
}

/** Writes to the owner of this address, if there is one, that passwords were guessed. Once a day at most. */
export async function tellOfTries(services: Needs, email: string): Promise<void> {
  const limit = {
    what: "tries-letter",
    whose: email,
    max: 1,
    windowSeconds: 24 * 3600,
    isQuiet: true,
  };
  if (!(await withinLimit(services, limit))) return;
  const profile = await findProfile(services, email);
  if (!profile?.emailVerified) return;
  await tellOwner(services, services.db.write, {
    userId: profile.id,
    change: "wrong-passwords",
  });
  services.wakeWorker();
}
