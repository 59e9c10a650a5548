import { z } from "zod";
import { defineJob, PermanentFailure } from "~/platform/jobs/job.ts";
import { renderMail } from "~/platform/mail/render.ts";
import type { Services } from "~/platform/services.ts";
import { AlreadyRegistered } from "./emails/already-registered.tsx";
import { ResetPassword } from "./emails/reset-password.tsx";
import { VerifyEmail } from "./emails/verify-email.tsx";

const letter = z.object({
  to: z.object({ name: z.string(), address: z.string() }),
  /** Absolute address of the page that the letter leads to. */
  link: z.string(),
  /** When the link stops working, in milliseconds since 1970; null for never. */
  worksUntil: z.number().nullable(),
});

/** A letter that could be sent only after its link had died would promise what is not so. */
function assertAlive({ clock }: Services, worksUntil: number | null) {
  if (worksUntil !== null && clock.now().getTime() > worksUntil)
    throw new PermanentFailure("the link had expired before the letter could be sent");
}

/** 'Please confirm your address', after signing up or on request. */
export const verifyEmailMail = defineJob({
  kind: "accounts.verify-email",
  payload: letter,
  async run(services, { to, link, worksUntil }, { id }) {
    assertAlive(services, worksUntil);
    const body = await renderMail(VerifyEmail({ name: to.name, link }));
    await services.mail.send({ id, to, subject: "Please confirm your email address", ...body });
  },
});

/** 'Choose a new password', on request. */
export const resetPasswordMail = defineJob({
  kind: "accounts.reset-password",
  payload: letter,
  async run(services, { to, link, worksUntil }, { id }) {
    assertAlive(services, worksUntil);
    const body = await renderMail(ResetPassword({ name: to.name, link }));
    await services.mail.send({ id, to, subject: "Choose a new password", ...body });
  },
});

/** Somebody signed up with an address that has an account: told to its owner alone. */
export const alreadyRegisteredMail = defineJob({
  kind: "accounts.already-registered",
  payload: letter,
  async run(services, { to, link, worksUntil }, { id }) {
    assertAlive(services, worksUntil);
    const body = await renderMail(AlreadyRegistered({ name: to.name, link }));
    await services.mail.send({ id, to, subject: "You already have an account", ...body });
  },
});
