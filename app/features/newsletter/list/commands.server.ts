import type { Selectable } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import type { SubscribersTable } from "~/platform/db/tables.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { confirmLetter, reminderLetter, welcomeLetter } from "../letters/jobs.server.ts";
import { readConfirmToken, readUnsubscribeToken, subscriberId } from "../links/queries.server.ts";
import {
  emailKey,
  type LinkState,
  linkState,
  mayRemind,
  nextLetterAt,
  withLetterTime,
} from "../rules.ts";
import type { Signup } from "../schema.ts";

type Row = Selectable<SubscribersTable>;

/** Signups that nobody confirmed are forgotten after so long, in milliseconds. */
const waitingMs = 30 * 24 * 3600_000;

/**
 * Takes a signup into the site's own list and writes the letter that it causes, as rarely as
 * the rules say: a new address is asked to confirm; one that was asked is asked again; one
 * that is on the list is told so; one that unsubscribed begins anew.
 */
export async function addToList(services: Services, signup: Signup): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  await db.transaction(async (trx) => {
    const { row, isNew } = await findOrAdd(services, trx, signup);
    if (row.status === "confirmed") await remind(trx, row, now);
    else await askToConfirm(trx, row, { signup, now, isFirst: isNew || row.status !== "pending" });
  });
  services.wakeWorker();
}

/** The address's row, held by this transaction until its end. */
async function findOrAdd(services: Services, trx: Query, { email, firstName }: Signup) {
  const now = services.clock.now();
  const key = emailKey(email);
  const added = await trx
    .insertInto("subscribers")
    .values({
      id: subscriberId(services, key),
      email,
      emailKey: key,
      firstName,
      status: "pending",
      generation: 1,
      letterTimes: "[]",
      askedAt: now,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (added) return { row: added, isNew: true };
  const row = await trx
    .updateTable("subscribers")
    .set({ askedAt: now })
    .where("emailKey", "=", key)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, isNew: false };
}

type Asking = {
  signup: Signup;
  now: Date;
  /** No letter has gone out for this subscription yet. */
  isFirst: boolean;
};

async function askToConfirm(trx: Query, row: Row, { signup, now, isFirst }: Asking) {
  const due = nextLetterAt(row.letterTimes, now.getTime());
  // The first letter may have to wait, but it comes; a repetition is left out instead.
  if (!isFirst && due > now.getTime()) return;
  // What is confirmed is what its letter was written for: other words make older letters worthless.
  const isOther = row.firstName !== signup.firstName || row.email !== signup.email;
  const generation = row.generation + (row.status === "pending" && isOther ? 1 : 0);
  const letterTimes = JSON.stringify(withLetterTime(row.letterTimes, due));
  await trx
    .updateTable("subscribers")
    .set({ ...signup, status: "pending", generation, letterTimes })
    .where("id", "=", row.id)
    .execute();
  const payload = { subscriberId: row.id, generation };
  const to = { address: signup.email };
  await enqueue(trx, confirmLetter, payload, { now, dueAt: new Date(due), to });
}

async function remind(trx: Query, row: Row, now: Date) {
  if (!mayRemind(row.letterTimes, now.getTime())) return;
  const letterTimes = JSON.stringify(withLetterTime(row.letterTimes, now.getTime()));
  await trx.updateTable("subscribers").set({ letterTimes }).where("id", "=", row.id).execute();
  const payload = { subscriberId: row.id, generation: row.generation };
  await enqueue(trx, reminderLetter, payload, { now, to: { address: row.email } });
}

/**
 * Addresses that somebody typed and nobody confirmed do not stay. One that had been on the list
 * before goes back to what it was: not to be written to.
 */
export async function forgetUnconfirmed({ db, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - waitingMs);
  await db.write
    .updateTable("subscribers")
    .set((eb) => ({
      status: "unsubscribed",
      generation: eb("generation", "+", 1),
      firstName: "",
    }))
    .where("status", "=", "pending")
    .where("askedAt", "<", before)
    .where("unsubscribedAt", "is not", null)
    .execute();
  await db.write
    .deleteFrom("subscribers")
    .where("status", "=", "pending")
    .where("askedAt", "<", before)
    .execute();
}

/**
 * Confirms a subscription with the token of its letter, once; the welcome letter goes with it.
 * @returns what the link was good for: 'open' when it confirmed just now, 'done' when it had before
 */
export async function confirmSubscription(services: Services, token: string): Promise<LinkState> {
  const link = readConfirmToken(services, token);
  if (!link) return "broken";
  const { db, clock } = services;
  const now = clock.now();
  const state = await db.transaction(async (trx) => {
    const asked = trx.selectFrom("subscribers").selectAll().where("id", "=", link.id);
    const held = db.engine === "postgres" ? asked.forUpdate() : asked;
    const row = await held.executeTakeFirst();
    const found = linkState(link, row ?? null, now.getTime());
    if (found === "open" && row) await welcome(trx, row, now);
    return found;
  });
  if (state === "open") services.wakeWorker();
  return state;
}

async function welcome(trx: Query, { id, generation, email }: Row, now: Date) {
  await trx
    .updateTable("subscribers")
    // Whoever has confirmed has proved that the letters were wanted: they count no longer.
    .set({ status: "confirmed", confirmedAt: now, letterTimes: "[]" })
    .where("id", "=", id)
    .execute();
  const payload = { subscriberId: id, generation };
  await enqueue(trx, welcomeLetter, payload, { now, to: { address: email } });
}

/**
 * Ends a subscription, or keeps one from beginning, with the token of any letter. Twice is once.
 * @returns false when this site never made the token
 */
export async function unsubscribe(services: Services, token: string): Promise<boolean> {
  const id = readUnsubscribeToken(services, token);
  if (id === null) return false;
  await end(services, id);
  return true;
}

/** Ends the subscription of whoever has shown that this address is hers. Twice is once. */
export function leaveList(services: Services, email: string): Promise<void> {
  return end(services, subscriberId(services, emailKey(email)));
}

async function end({ db, clock }: Services, id: string): Promise<void> {
  await db.write
    .updateTable("subscribers")
    .set((eb) => ({
      status: "unsubscribed",
      generation: eb("generation", "+", 1),
      firstName: "",
      unsubscribedAt: clock.now(),
    }))
    .where("id", "=", id)
    .where("status", "!=", "unsubscribed")
    .execute();
}
