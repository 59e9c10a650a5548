import type { ReactElement } from "react";
import { z } from "zod";
import { greetingName } from "~/platform/email/message.ts";
import { sendEmail } from "~/platform/email/render.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { clockTimeAndZone, dayInWords, knownZone } from "~/platform/time/words.ts";
import type { Clock } from "~/platform/utils/clock.ts";
import {
  AlreadyRegistered,
  ConfirmNewEmail,
  ConfirmOldEmail,
  EmailChanged,
  EmailTaken,
  ResetPassword,
  VerifyEmail,
} from "./emails/account.tsx";
import {
  LinkedAccountChanged,
  PasswordChanged,
  passwordChanged,
  SecurityAlert,
} from "./emails/security.tsx";
import { securityAlertSubjects, signInMethodsPath } from "./messages.ts";
import { findEmailRecipient } from "./users.server.ts";

/** Rows of earlier versions lack the time. */
function momentFor(
  { clock }: { clock: Clock },
  { at, timeZone }: { at: string | undefined; timeZone: string | null | undefined },
): string {
  if (!at) return "just now";
  const [date, zone] = [new Date(at), knownZone(timeZone ?? null, "UTC")];
  return `on ${dayInWords(date, clock.now(), zone)}, at ${clockTimeAndZone(date, zone)}`;
}

const recipient = z.object({ name: z.string(), address: z.string() });

type LinkEmail = {
  kind: string;
  label: string;
  instead?: string;
  subject: string;
  template(props: { greeting: string; link: string }): ReactElement;
};

const linkEmail = ({ subject, template, ...definition }: LinkEmail) =>
  defineJob({
    ...definition,
    priority: "urgent",
    ignoresSuppression: true,
    payload: z.object({ to: recipient, link: z.string() }),
    run: (services, { to, link }, { id }) =>
      sendEmail(services, { id, to, subject }, template, { link }),
  });

export const verifyEmailEmail = linkEmail({
  kind: "accounts.verify-email",
  label: "Confirming the address",
  instead: "Another one goes out at the next sign-in.",
  subject: "Please confirm your email address",
  template: VerifyEmail,
});

export const resetPasswordEmail = linkEmail({
  kind: "accounts.reset-password",
  label: "A new password",
  instead: "Another one can be asked for at sign-in: “Forgot your password?”",
  subject: "Choose a new password",
  template: ResetPassword,
});

/** Sent on a sign-up with a registered address; only its owner learns of the account. */
export const alreadyRegisteredEmail = linkEmail({
  kind: "accounts.already-registered",
  label: "Signed up once more",
  subject: "You already have an account",
  template: AlreadyRegistered,
});

export const passwordChangedEmail = defineJob({
  kind: "accounts.password-changed",
  label: "Password changed",
  ignoresSuppression: true,
  payload: z.object({
    userId: z.string(),
    way: z.enum(["account", "email"]).default("account"),
    at: z.string().optional(),
  }),
  async run(services, { userId, way, at }, { id }) {
    const owner = await findEmailRecipient(services, userId);
    if (!owner) return;
    const to = { name: owner.name, address: owner.email };
    const link = `${services.config.appUrl}/auth/forgot`;
    const { subject } = passwordChanged[way];
    const when = momentFor(services, { at, timeZone: owner.timeZone });
    await sendEmail(services, { id, to, subject }, PasswordChanged, { way, when, link });
  },
});

export const linkedAccountChangedEmail = defineJob({
  kind: "accounts.method-changed",
  label: "A way to sign in",
  ignoresSuppression: true,
  priority: "urgent",
  payload: z.object({
    to: recipient,
    change: z.enum(["linked", "unlinked"]),
    method: z.string(),
    at: z.string().optional(),
    timeZone: z.string().nullable().optional(),
  }),
  async run(services, { to, change, method, at, timeZone }, { id }) {
    const link = services.config.appUrl + signInMethodsPath;
    const can = change === "linked" ? "You can now" : "You no longer";
    const subject = `${can} sign in with ${method}`;
    const when = momentFor(services, { at, timeZone });
    const props = { change, method, when, link };
    await sendEmail(services, { id, to, subject }, LinkedAccountChanged, props);
  },
});

const instead = "They can ask for the change once more on the page of their account.";

export const confirmOldEmailEmail = defineJob({
  kind: "accounts.address-old",
  label: "Another address: to the current one",
  ignoresSuppression: true,
  instead,
  priority: "urgent",
  payload: z.object({
    userId: z.string(),
    email: z.string(),
    newEmail: z.string(),
    link: z.string(),
  }),
  async run(services, { userId, email, newEmail, link }, { id }) {
    const owner = await findEmailRecipient(services, userId);
    if (!owner) return;
    const to = { name: owner.name, address: email };
    const subject = "Do you want another email address?";
    await sendEmail(services, { id, to, subject }, ConfirmOldEmail, { newEmail, link });
  },
});

/** To the new address, which may be a stranger's: it contains nothing that a user typed. */
export const confirmNewEmailEmail = defineJob({
  kind: "accounts.address-new",
  label: "Another address: to the new one",
  ignoresSuppression: true,
  instead,
  priority: "urgent",
  payload: z.object({ email: z.string(), link: z.string() }),
  run: (services, { email, link }, { id }) =>
    sendEmail(
      services,
      { id, to: { name: null, address: email }, subject: "Please confirm your new address" },
      ConfirmNewEmail,
      { link },
    ),
});

/** To a requested address that has an account; only its owner learns of it. */
export const emailTakenEmail = defineJob({
  kind: "accounts.address-taken",
  label: "Another address: it has an account",
  ignoresSuppression: true,
  priority: "urgent",
  payload: z.object({ email: z.string(), link: z.string() }),
  run: (services, { email, link }, { id }) =>
    sendEmail(
      services,
      { id, to: { name: null, address: email }, subject: "This address has an account already" },
      EmailTaken,
      { link },
    ),
});

export const emailChangedEmail = defineJob({
  kind: "accounts.address-changed",
  label: "Another address: it is changed",
  ignoresSuppression: true,
  payload: z.object({ name: z.string(), email: z.string(), newEmail: z.string() }),
  run: (services, { name, email, newEmail }, { id }) =>
    sendEmail(
      services,
      { id, to: { name, address: email }, subject: "Your email address was changed" },
      EmailChanged,
      { newEmail },
    ),
});

const change = z.object({
  to: recipient,
  change: z.enum(Object.keys(securityAlertSubjects) as [keyof typeof securityAlertSubjects]),
  at: z.string(),
  timeZone: z.string(),
  name: z.string().nullable(),
  left: z.number().nullable(),
});

/** Tells the owner about a change such as a new passkey, since it may not have been them. */
export const securityAlertEmail = defineJob({
  kind: "accounts.security-change",
  label: "A change to how they sign in",
  ignoresSuppression: true,
  priority: "urgent",
  payload: change,
  async run(services, { to, at, timeZone, name, change, left }, { id }) {
    const subject = securityAlertSubjects[change];
    await sendEmail(services, { id, to, subject }, SecurityAlert, {
      change,
      when: momentFor(services, { at, timeZone }),
      name: greetingName(name ?? ""),
      left,
      appUrl: services.config.appUrl,
    });
  },
});
