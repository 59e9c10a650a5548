import { z } from "zod";
import { greetingName, greetingOf, receiver } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { clockTime, dateInWords, knownZone } from "~/platform/time/words.ts";
import {
  ConfirmNewEmail,
  ConfirmOldEmail,
  EmailChanged,
  EmailTaken,
} from "./emails/email-change.tsx";
import {
  LinkedAccountChanged,
  PasswordChanged,
  passwordChanged,
  SecurityAlert,
} from "./emails/security.tsx";
import { AlreadyRegistered, ResetPassword, VerifyEmail } from "./emails/sign-up.tsx";

import { securityAlertSubjects, signInMethodsPath } from "./messages.ts";
import { findEmailRecipient } from "./users.server.ts";

const linkPayload = z.object({
  to: z.object({ name: z.string(), address: z.string() }),
  link: z.string(),
});

export const verifyEmailEmail = defineJob({
  kind: "accounts.verify-email",
  label: "Confirming the address",
  instead: "Another one goes out at the next sign-in.",
  urgent: true,
  payload: linkPayload,
  async run(services, { to, link }, { id }) {
    const body = await renderEmail(VerifyEmail({ greeting: greetingOf(to.name), link }));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: "Please confirm your email address",
      ...body,
    });
  },
});

export const resetPasswordEmail = defineJob({
  kind: "accounts.reset-password",
  label: "A new password",
  instead: "Another one can be asked for at sign-in: “Forgot your password?”",
  urgent: true,
  payload: linkPayload,
  async run(services, { to, link }, { id }) {
    const body = await renderEmail(ResetPassword({ greeting: greetingOf(to.name), link }));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: "Choose a new password",
      ...body,
    });
  },
});

/** Sent on a sign-up with a registered address; only its owner learns of the account. */
export const alreadyRegisteredEmail = defineJob({
  kind: "accounts.already-registered",
  label: "Signed up once more",
  urgent: true,
  payload: linkPayload,
  async run(services, { to, link }, { id }) {
    const body = await renderEmail(AlreadyRegistered({ greeting: greetingOf(to.name), link }));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: "You already have an account",
      ...body,
    });
  },
});

export const passwordChangedEmail = defineJob({
  kind: "accounts.password-changed",
  label: "Password changed",
  payload: z.object({ userId: z.string(), way: z.enum(["account", "letter"]).default("account") }),
  async run(services, { userId, way }, { id }) {
    const owner = await findEmailRecipient(services, userId);
    if (!owner) return;
    const link = `${services.config.appUrl}/auth/forgot`;
    const body = await renderEmail(
      PasswordChanged({ greeting: greetingOf(owner.name), way, link }),
    );
    const to = receiver(owner.name, owner.email);
    await services.mail.send({ id, to, subject: passwordChanged[way].subject, ...body });
  },
});

export const linkedAccountChangedEmail = defineJob({
  kind: "accounts.method-changed",
  label: "A way to sign in",
  urgent: true,
  payload: z.object({
    to: z.object({ name: z.string(), address: z.string() }),
    change: z.enum(["linked", "unlinked"]),
    method: z.string(),
  }),
  async run(services, { to, change, method }, { id }) {
    const link = services.config.appUrl + signInMethodsPath;
    const body = await renderEmail(
      LinkedAccountChanged({ greeting: greetingOf(to.name), change, method, link }),
    );
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject:
        change === "linked"
          ? `You can now sign in with ${method}`
          : `You no longer sign in with ${method}`,
      ...body,
    });
  },
});

const instead = "They can ask for the change once more on the page of their account.";

export const confirmOldEmailEmail = defineJob({
  kind: "accounts.address-old",
  label: "Another address: to the one so far",
  instead,
  urgent: true,
  payload: z.object({
    userId: z.string(),
    email: z.string(),
    newEmail: z.string(),
    link: z.string(),
  }),
  async run(services, { userId, email, newEmail, link }, { id }) {
    const owner = await findEmailRecipient(services, userId);
    if (!owner) return;
    const greeting = greetingOf(owner.name);
    const body = await renderEmail(ConfirmOldEmail({ greeting, newEmail, link }));
    const to = receiver(owner.name, email);
    await services.mail.send({ id, to, subject: "Do you want another email address?", ...body });
  },
});

/** To the new address, which may be a stranger's: it contains nothing that a user typed. */
export const confirmNewEmailEmail = defineJob({
  kind: "accounts.address-new",
  label: "Another address: to the new one",
  instead,
  urgent: true,
  payload: z.object({ email: z.string(), link: z.string() }),
  async run({ mail }, { email, link }, { id }) {
    const body = await renderEmail(ConfirmNewEmail({ greeting: greetingOf(null), link }));
    const to = receiver(null, email);
    await mail.send({ id, to, subject: "Please confirm your new address", ...body });
  },
});

/** To a requested address that has an account; only its owner learns of it. */
export const emailTakenEmail = defineJob({
  kind: "accounts.address-taken",
  label: "Another address: it has an account",
  urgent: true,
  payload: z.object({ email: z.string(), link: z.string() }),
  async run({ mail }, { email, link }, { id }) {
    const body = await renderEmail(EmailTaken({ greeting: greetingOf(null), link }));
    const to = receiver(null, email);
    await mail.send({ id, to, subject: "This address has an account already", ...body });
  },
});

export const emailChangedEmail = defineJob({
  kind: "accounts.address-changed",
  label: "Another address: it is changed",
  payload: z.object({ name: z.string(), email: z.string(), newEmail: z.string() }),
  async run({ mail }, { name, email, newEmail }, { id }) {
    const body = await renderEmail(EmailChanged({ greeting: greetingOf(name), newEmail }));
    const to = receiver(name, email);
    await mail.send({ id, to, subject: "Your email address was changed", ...body });
  },
});

const change = z.object({
  to: z.object({ name: z.string(), address: z.string() }),
  change: z.enum(Object.keys(securityAlertSubjects) as [keyof typeof securityAlertSubjects]),
  /** ISO 8601. */
  at: z.string(),
  /** The reader's IANA time zone. */
  timeZone: z.string(),
  name: z.string().nullable(),
  left: z.number().nullable(),
});

/** Tells the owner about a change such as a new passkey, since it may not have been them. */
export const securityAlertEmail = defineJob({
  kind: "accounts.security-change",
  label: "A change to how they sign in",
  urgent: true,
  payload: change,
  async run(services, { to, at, timeZone, name, ...payload }, { id }) {
    const zone = knownZone(timeZone, "UTC");
    const [day, time] = [dateInWords(new Date(at), zone), clockTime(new Date(at), zone)];
    const alert = {
      ...payload,
      greeting: greetingOf(to.name),
      when: `${day} at ${time}${zone === "UTC" ? " (UTC)" : ""}`,
      name: greetingName(name ?? ""),
      appUrl: services.config.appUrl,
    };
    const body = await renderEmail(SecurityAlert(alert));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: securityAlertSubjects[payload.change],
      ...body,
    });
  },
});
