import type { Query } from "~/platform/db/database.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { endOtherSessions } from "../devices/commands.server.ts";
import { proveOwner } from "../owner/commands.server.ts";
import { findPassword } from "../owner/queries.server.ts";
import { messages } from "../texts.ts";
import { passwordChangedMail } from "./jobs.server.ts";

type Changed = { userId: string; way: "account" | "letter"; now: Date };

/** Links by which a password is chosen anew, and whatever else was begun for her, are void; a letter tells her. */
async function settle(trx: Query, { userId, way, now }: Changed): Promise<void> {
  await trx.deleteFrom("verifications").where("value", "=", userId).execute();
  await enqueue(trx, passwordChangedMail, { userId, way }, { now, to: { userId } });
}

/** After somebody has chosen a password with the link of a letter. */
export async function passwordChosen(
  { db, clock, wakeWorker }: Pick<Services, "db" | "clock" | "wakeWorker">,
  userId: string,
): Promise<void> {
  await db.transaction((trx) => settle(trx, { userId, way: "letter", now: clock.now() }));
  wakeWorker();
}

type Change = { userId: string; sessionId: string; current: string; password: string };

/**
 * Gives somebody another password who knows the one she has. Her other sessions end, and a letter
 * tells her.
 * @returns what is wrong with the current one, fit to be shown; null when it is done
 */
export async function changePassword(services: Services, change: Change): Promise<string | null> {
  const { userId, sessionId, current, password } = change;
  const { db, auth, clock } = services;
  // Who has none yet sets one by a letter.
  if (!(await findPassword(services, userId))) return messages.unreachable;
  const wrong = await proveOwner(services, { userId, sessionId, fields: { password: current } });
  if (wrong) return wrong.message;
  const hash = await (await auth.$context).password.hash(password);
  const now = clock.now();
  await db.transaction(async (trx) => {
    await trx
      .updateTable("accounts")
      .set({ password: hash, updatedAt: now })
      .where("userId", "=", userId)
      .where("providerId", "=", "credential")
      .execute();
    await endOtherSessions(trx, { userId, sessionId });
    await settle(trx, { userId, way: "account", now });
  });
  services.wakeWorker();
  return null;
}
