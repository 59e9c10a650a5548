import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
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
  label: "Confirming the address",
  instead: "Another one goes out at the next sign-in.",
  urgent: true,
  payload: letter,
  async run(services, { to, link }, { id }) {
    const body = await renderMail(VerifyEmail({ greeting: greetingOf(to.name), link }));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: "Please confirm your email address",
      ...body,
    });
  },
});

/** 'Choose a new password', on request. */
export const resetPasswordMail = defineJob({
  kind: "accounts.reset-password",
  label: "A new password",
  instead: "Another one can be asked for at sign-in: “Forgot your password?”",
  urgent: true,
  payload: letter,
  async run(services, { to, link }, { id }) {
    const body = await renderMail(ResetPassword({ greeting: greetingOf(to.name), link }));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: "Choose a new password",
      ...body,
    });
  },
});

/** Somebody signed up with an address that has an account: told to its owner alone. */
export const alreadyRegisteredMail = defineJob({
  kind: "accounts.already-registered",
  label: "Signed up once more",
  urgent: true,
  payload: letter,
  async run(services, { to, link }, { id }) {
    const body = await renderMail(AlreadyRegistered({ greeting: greetingOf(to.name), link }));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: "You already have an account",
      ...body,
    });
  },
});
