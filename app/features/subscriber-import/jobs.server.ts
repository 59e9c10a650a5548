import { setTimeout } from "node:timers/promises";
import type { Insertable } from "kysely";
import { confirmImportedEmail, subscriberId } from "~/features/newsletter/subscribers.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { SubscriberImportRowsTable } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueueOnce } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { importStoredHours } from "./messages.ts";
import { deleteImportParts, importPayload, pauseMs, standingOf } from "./read-file.server.ts";
import { askAt, outcomeOf, type RowOutcome } from "./rules.ts";

/** Rows in one transaction, so that SQLite's other writers wait some milliseconds. */
const importedAtOnce = 100;

/** Takes the rows of a file into the list. The position moves in the transaction of its rows: after a
 * crash it goes on where it was. */
export const runImport = defineJob({
  kind: "subscriber-import.run",
  label: "Importing a file of subscribers",
  sendsEmail: false,
  priority: "bulk",
  payload: importPayload,
  async run(services, { importId }, { signal }) {
    while (await importPortion(services, importId)) await setTimeout(pauseMs, null, { signal });
    services.wakeWorker();
  },
});

/** @returns whether there may be more */
export async function importPortion(services: Services, importId: string): Promise<boolean> {
  const { db, clock } = services;
  const found = await db.read
    .selectFrom("subscriberImports")
    .select(["whereFrom", "position", "rowsRead", "counts"])
    .where("id", "=", importId)
    .where("state", "=", "importing")
    .executeTakeFirst();
  if (!found) return false;
  const end = found.position + importedAtOnce;
  const read = await db.read
    .selectFrom("subscriberImportRows")
    .select(["email", "emailKey", "firstName", "timeZone", "consent", "consentAt"])
    .where("importId", "=", importId)
    .where("number", ">", found.position)
    .where("number", "<=", end)
    .where("outcome", "in", ["confirm", "ask", "waiting"])
    .execute();
  const now = clock.now();
  const from = found.whereFrom;
  const rows = read.map((row) => ({ ...row, id: subscriberId(services, row.emailKey) }));
  const isLast = end >= found.rowsRead;
  return db.transaction(async (trx) => {
    await lockId(db, trx, "subscriber-import");
    // Another worker may have done this portion meanwhile, or have lost it in a crash.
    const own = trx.updateTable("subscriberImports").where("id", "=", importId);
    const begun = await own
      .set({ position: end, ...(isLast && { state: "done" as const, finishedAt: now }) })
      .where("state", "=", "importing")
      .where("position", "=", found.position)
      .executeTakeFirst();
    if (!begun.numUpdatedRows || rows.length === 0) return !isLast;
    const standing = await standingOf(
      trx,
      rows.map((row) => row.emailKey),
    );
    const by = (outcome: RowOutcome) =>
      rows.filter((row) => outcomeOf(standing(row.emailKey), row.consentAt) === outcome);
    const confirmed = await confirm(trx, { rows: by("confirm"), from, now });
    const asked = await ask(trx, { rows: by("ask"), from, now });
    const { counts } = found;
    counts.confirmed = (counts.confirmed ?? 0) + confirmed;
    counts.asked = (counts.asked ?? 0) + asked.count;
    const more = asked.until && { asksUntilAt: asked.until };
    await own.set({ counts: JSON.stringify(counts), ...more }).execute();
    return !isLast;
  });
}

type Person = Pick<
  Insertable<SubscriberImportRowsTable>,
  "email" | "emailKey" | "firstName" | "timeZone" | "consent" | "consentAt"
> & { id: string };
type Taken = { rows: Person[]; from: string; now: Date };

async function confirm(trx: Query, { rows, from, now }: Taken): Promise<number> {
  if (rows.length === 0) return 0;
  const done = await trx
    .insertInto("subscribers")
    .values(
      rows.map((row) => ({
        ...newRow(row, now),
        ...{ status: "confirmed", emailTimes: "[]", askedAt: now },
        confirmedAt: row.consentAt ?? now,
        consent: `${row.consent}: ${from}`,
      })),
    )
    .onConflict((conflict) =>
      // Only one that waits to confirm: who has left meanwhile stays gone.
      conflict
        .column("emailKey")
        .doUpdateSet(({ ref }) => ({
          status: "confirmed",
          confirmedAt: ref("excluded.confirmedAt"),
          consent: ref("excluded.consent"),
        }))
        .where("subscribers.status", "=", "pending"),
    )
    .returning("id")
    .execute();
  return done.length;
}

/** @returns how many are asked, and when the last of the emails goes out */
async function ask(trx: Query, { rows, from, now }: Taken) {
  if (rows.length === 0) return { count: 0, until: null };
  const last = await trx
    .selectFrom("subscriberImports")
    .select("asksUntilAt")
    .where("asksUntilAt", ">", now)
    .orderBy("asksUntilAt", "desc")
    .limit(1)
    .executeTakeFirst();
  const dueAt = (index: number) => askAt(index, last?.asksUntilAt ?? null, now);
  const made = await trx
    .insertInto("subscribers")
    .values(
      rows.map((row, index) => ({
        ...newRow(row, now),
        ...{ status: "pending", consent: from },
        emailTimes: JSON.stringify([dueAt(index).getTime()]),
        // From then on it has 30 days to confirm.
        askedAt: dueAt(index),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(["id", "email", "askedAt"])
    .execute();
  const emails = made.map(({ id, email, askedAt }) => ({
    ...{ id: newId(), payload: { subscriberId: id, generation: 1 } },
    ...{ dueAt: askedAt, to: { address: email } },
  }));
  await enqueueOnce(trx, confirmImportedEmail, emails, now);
  return { count: made.length, until: made.length > 0 ? dueAt(rows.length - 1) : null };
}

const newRow = ({ id, email, emailKey: key, firstName, timeZone }: Person, now: Date) => ({
  ...{ id, email, emailKey: key, firstName, timeZone: timeZone ?? null },
  ...{ generation: 1, source: "import", createdAt: now },
});

/** Rows deleted at once. */
const deletedAtOnce = 1000;

/** An import takes seconds: one that is at it for days has come to nothing. */
const longestImportHours = 72;

/** Deletes the rows of files after a day, whatever became of them, and the note of them after 90. */
export const deleteOldImports: RegularTask = {
  name: "subscriber-import.forget",
  async run(services) {
    const { db, clock } = services;
    const before = (hours: number) => new Date(clock.now().getTime() - hours * 3600_000);
    const stored = before(importStoredHours);
    const stuck = before(longestImportHours);
    const old = await db.read
      .selectFrom("subscriberImports")
      .select("id")
      .where("createdAt", "<", stored)
      .where(({ or, eb }) => or([eb("state", "!=", "importing"), eb("createdAt", "<", stuck)]))
      .execute();
    for (const { id } of old) {
      await deleteImportParts(services, id);
      for (;;) {
        const some = db.write
          .selectFrom("subscriberImportRows")
          .select("number")
          .where("importId", "=", id)
          .limit(deletedAtOnce);
        const { numDeletedRows } = await db.write
          .deleteFrom("subscriberImportRows")
          .where("importId", "=", id)
          .where("number", "in", some)
          .executeTakeFirst();
        if (numDeletedRows < deletedAtOnce) break;
      }
    }
    await db.write
      .deleteFrom("subscriberImports")
      .where(({ or, and, eb }) =>
        or([
          and([eb("createdAt", "<", stored), eb("state", "not in", ["importing", "done"])]),
          and([eb("createdAt", "<", stuck), eb("state", "=", "importing")]),
          eb("createdAt", "<", before(90 * 24)),
        ]),
      )
      .execute();
  },
};
