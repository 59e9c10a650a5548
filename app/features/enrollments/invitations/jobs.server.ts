import { z } from "zod";
import { defineJob, Expired } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { MailRefused } from "~/platform/mail/mail.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { Invitation } from "./emails/invitation.tsx";
import { digestOf } from "./queries.server.ts";
import { invitationPath } from "./texts.ts";

/**
 * The letter that asks somebody into a course. Withdrawn, accepted or sent again meanwhile, there
 * is nothing to send. An address that its mail server refuses is noted where the coach sees it.
 */
export const invitationLetter = defineJob({
  kind: "enrollments.invitation",
  label: "Invitation to a course",
  instead: "Send the invitation again: Enrollments, Invite by email.",
  payload: z.object({ id: z.string(), token: z.string() }),
  async run({ db, mail, clock, config }, payload, { id }) {
    const invitation = await db.read
      .selectFrom("invitations")
      .innerJoin("products", "products.id", "invitations.productId")
      .select(["invitations.email", "invitations.name", "invitations.expiresAt"])
      .select("products.title as course")
      .where("invitations.id", "=", payload.id)
      .where("invitations.tokenHash", "=", digestOf(payload.token))
      .where("invitations.acceptedAt", "is", null)
      .where("invitations.withdrawnAt", "is", null)
      .where("products.deletedAt", "is", null)
      .executeTakeFirst();
    if (!invitation) return;
    const { email, name, course, expiresAt } = invitation;
    if (expiresAt <= clock.now()) throw new Expired();
    const link = `${config.appUrl}${invitationPath}?token=${payload.token}`;
    const body = await renderMail(Invitation({ greeting: greetingOf(name), course, link }));
    const to = receiver(name, email);
    try {
      await mail.send({ id, to, subject: `An invitation to “${course}”`, ...body });
    } catch (error) {
      if (error instanceof MailRefused)
        await db.write
          .updateTable("invitations")
          .set({ letterRefusedAt: clock.now() })
          .where("id", "=", payload.id)
          .execute();
      throw error;
    }
  },
});
