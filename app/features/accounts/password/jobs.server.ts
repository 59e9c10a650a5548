import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findOwner } from "../settings/queries.server.ts";
import { PasswordChanged } from "./emails/password-changed.tsx";

/** 'Your password was changed', to whoever owns the account. */
export const passwordChangedMail = defineJob({
  kind: "accounts.password-changed",
  label: "Password changed",
  payload: z.object({ userId: z.string() }),
  async run(services, { userId }, { id }) {
    const owner = await findOwner(services, userId);
    if (!owner) return;
    const link = `${services.config.appUrl}/auth/forgot`;
    const body = await renderMail(PasswordChanged({ greeting: greetingOf(owner.name), link }));
    const to = receiver(owner.name, owner.email);
    await services.mail.send({ id, to, subject: "Your password was changed", ...body });
  },
});
