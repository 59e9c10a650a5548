import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
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
  async run({ mail }, { name, email }, { id }) {
    const body = await renderMail(Deleted({ greeting: greetingOf(name) }));
    const to = receiver(name, email);
    await mail.send({ id, to, subject: "Your account is deleted", ...body });
  },
});
