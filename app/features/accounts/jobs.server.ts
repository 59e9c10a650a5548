import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { AlreadyRegistered } from "./emails/already-registered.tsx";
import { ResetPassword } from "./emails/reset-password.tsx";
import { VerifyEmail } from "./emails/verify-email.tsx";

const letter = z.object({
  to: z.object({ name: z.string(), address: z.string() }),
  /** Absolute address of the page that the letter leads to. */
  link: z.string(),
});

/** 'Please confirm your address', after signing up or on request. */
export const verifyEmailMail = defineJob({
  kind: "accounts.verify-email",
  payload: letter,
  async run({ mail }, { to, link }, { id }) {
    const body = await renderMail(VerifyEmail({ name: to.name, link }));
    await mail.send({ id, to, subject: "Please confirm your email address", ...body });
  },
});

/** 'Choose a new password', on request. */
export const resetPasswordMail = defineJob({
  kind: "accounts.reset-password",
  payload: letter,
  async run({ mail }, { to, link }, { id }) {
    const body = await renderMail(ResetPassword({ name: to.name, link }));
    await mail.send({ id, to, subject: "Choose a new password", ...body });
  },
});

/** Somebody signed up with an address that has an account: told to its owner alone. */
export const alreadyRegisteredMail = defineJob({
  kind: "accounts.already-registered",
  payload: letter,
  async run({ mail }, { to, link }, { id }) {
    const body = await renderMail(AlreadyRegistered({ name: to.name, link }));
    await mail.send({ id, to, subject: "You already have an account", ...body });
  },
});
