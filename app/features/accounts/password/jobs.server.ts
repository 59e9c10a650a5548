import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findOwner } from "../settings/queries.server.ts";
import { PasswordChanged, passwordChanged } from "./emails/password-changed.tsx";

/** 'Your password was changed', or chosen by a letter's link, to whoever owns the account. */
export const passwordChangedMail = defineJob({
  kind: "accounts.password-changed",
  label: "Password changed",
  payload: z.object({ userId: z.string(), way: z.enum(["account", "letter"]).default("account") }),
  async run(services, { userId, way }, { id }) {
    const owner = await findOwner(services, userId);
    if (!owner) return;
    const link = `${services.config.appUrl}/auth/forgot`;
    const body = await renderMail(PasswordChanged({ greeting: greetingOf(owner.name), way, link }));
    const to = receiver(owner.name, owner.email);
    await services.mail.send({ id, to, subject: passwordChanged[way].subject, ...body });
  },
});
