import { resetSeconds, verifySeconds } from "~/platform/auth/constants.ts";
import type { AuthHooks } from "~/platform/auth/hooks.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Job } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { alreadyRegisteredEmail, resetPasswordEmail, verifyEmailEmail } from "./jobs.server.ts";
import { linkAccount } from "./linked-accounts.server.ts";
import { defaultDestination, suspendedCode, suspendedSentence } from "./messages.ts";
import { newPasswordError, onPasswordReset } from "./passwords.server.ts";
import { handleProviderCallback } from "./provider-callback.server.ts";
import { authPath, firstMessage, safeDestination } from "./rules.ts";
import { newPasswordField, signInFields, signUpFields } from "./schema.ts";
import { sendFailedSignInAlert, sendNewDeviceAlert } from "./security-alerts.server.ts";
import { isSuspended } from "./users.server.ts";

type EmailPayload = { to: { name: string; address: string }; link: string };
type Needs = Pick<Services, "db" | "clock" | "config" | "content" | "log" | "wakeWorker">;

// Per kind and account. All emails that were sent stay valid, not only the newest.
const emailsPerHour = 5;

export function authHooks(services: Needs): AuthHooks {
  async function write(
    job: Job<EmailPayload>,
    person: { id: string; name: string; email: string },
    path: string,
    seconds: number | null,
  ) {
    // Anyone can request these emails for any address; the limit protects mailboxes.
    const limit = { what: job.kind, whose: person.id, max: emailsPerHour, windowSeconds: 3600 };
    if (!(await withinLimit(services, limit))) return;
    const now = services.clock.now();
    await enqueue(
      services.db.write,
      job,
      {
        to: { name: person.name, address: person.email },
        link: `${services.config.appUrl}${path}`,
      },
      {
        now,
        to: { userId: person.id },
        worksUntil: seconds === null ? null : new Date(now.getTime() + seconds * 1000),
      },
    );
    services.wakeWorker();
  }
  const emails: Pick<AuthHooks, "verifyEmail" | "alreadyRegistered"> = {
    verifyEmail: (person, link) =>
      write(verifyEmailEmail, person, mailedPath("/auth/verify", link, services), verifySeconds),
    // A password reset proves access to the mailbox, so it also confirms the address, and a
    // password that a stranger chose earlier is never used.
    alreadyRegistered: (person) =>
      write(
        alreadyRegisteredEmail,
        person,
        person.emailVerified ? authPath(defaultDestination) : "/auth/forgot",
        null,
      ),
  };
  return {
    ...emails,
    resetPassword: (person, link) =>
      write(resetPasswordEmail, person, mailedPath("/auth/reset", link, services), resetSeconds),
    passwordChosen: (userId) => onPasswordReset(services, userId),
    signInWithProvider: (identity, way) => handleProviderCallback(services, emails, identity, way),
    link: (identity, userId) => linkAccount(services, identity, userId),
    onNewDevice: (userId, userAgent) => sendNewDeviceAlert(services, { userId, userAgent }),
    onSignInLimit: (email) => sendFailedSignInAlert(services, email),
    async refuseSession(userId) {
      if (!(await isSuspended(services, userId))) return null;
      return { code: suspendedCode, message: suspendedSentence(services.content.site.email) };
    },
    async validate(operation, body) {
      if (operation === "sign-in") return firstMessage(signInFields.safeParse(body));
      const parsed =
        operation === "sign-up"
          ? signUpFields.safeParse(body)
          : newPasswordField.safeParse({ password: body.newPassword });
      return (await newPasswordError(services, parsed))?.message ?? null;
    },
  };
}

type Link = { token: string; redirectTo: string };

// Redirects are passed to the library as absolute URLs: it refuses some of our paths.
function mailedPath(page: string, { token, redirectTo }: Link, { config }: Needs): string {
  const way = redirectTo.startsWith(`${config.appUrl}/`)
    ? redirectTo.slice(config.appUrl.length)
    : null;
  return `${page}?${new URLSearchParams({ token, redirect: safeDestination(way) })}`;
}
