import { z } from "zod";
import { wipeDeleted } from "~/platform/db/wipe.ts";
import { findUnwiped, noteDeletion, noteWiped } from "~/platform/db/wiped.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findOwner } from "../settings/queries.server.ts";
import { Deleted } from "./emails/deleted.tsx";
import { Leaving } from "./emails/leaving.tsx";
import { dayOf, keepUrl } from "./queries.server.ts";

/** 'Your account will be deleted', with the way to keep it. */
export const leavingMail = defineJob({
  kind: "accounts.leaving",
  label: "The account will be deleted",
  instead: "When she signs in, she is asked whether to keep her account.",
  urgent: true,
  payload: z.object({ userId: z.string(), dueAt: z.iso.datetime() }),
  async run(services, { userId, dueAt }, { id }) {
    const owner = await findOwner(services, userId);
    const due = new Date(dueAt);
    // Kept by now, or kept and asked for once more.
    if (owner?.deletionDueAt?.getTime() !== due.getTime()) return;
    const link = keepUrl(services, { userId, dueAt: due });
    const day = dayOf(services, due, owner.timeZone);
    const body = await renderMail(Leaving({ greeting: greetingOf(owner.name), day, link }));
    const to = receiver(owner.name, owner.email);
    await services.mail.send({ id, to, subject: "Your account will be deleted", ...body });
  },
});

/** The last letter; once it is sent, nothing here knows her address. */
export const deletedMail = defineJob({
  kind: "accounts.deleted",
  label: "The account is deleted",
  recorded: false,
  payload: z.object({ name: z.string(), email: z.string() }),
  async run({ mail, db, clock }, { name, email }, { id }) {
    const body = await renderMail(Deleted({ greeting: greetingOf(name) }));
    const to = receiver(name, email);
    await mail.send({ id, to, subject: "Your account is deleted", ...body });
    // It may have waited for its mail server for longer than the next wipe.
    await noteDeletion(db.write, clock.now());
  },
});

/** A little less than a day: the work comes each hour, and not on the dot. */
const wipeEveryMs = 24 * 3600_000 - 600_000;

/**
 * Takes the names and addresses of deleted accounts out of the bytes of the database's files, once a
 * day at most: other writes wait meanwhile. Not on PostgreSQL, where everybody would be locked out
 * (docs/decisions/046). Done before accounts are deleted: their last emails have an hour to go out.
 */
export const wipeAccounts: RegularTask = {
  name: "accounts.wipe",
  async run(services) {
    const { db, clock } = services;
    if (db.engine === "postgres") return;
    const noted = await findUnwiped(services, new Date(clock.now().getTime() - wipeEveryMs));
    if (noted && (await wipeDeleted(db, []))) await noteWiped(services, noted);
  },
};
