import { resetSeconds, verifySeconds } from "~/platform/auth/constants.ts";
import type { AuthHooks } from "~/platform/auth/hooks.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import type { Job } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { site } from "~content/site.ts";
import { arrive } from "./arrival/commands.server.ts";
import { linkIdentity } from "./identities/commands.server.ts";
import { alreadyRegisteredMail, resetPasswordMail, verifyEmailMail } from "./jobs.server.ts";
import { passwordChosen } from "./password/commands.server.ts";
import { authPath, firstMessage, safeDestination } from "./rules.ts";
import { newPasswordField, signInFields, signUpFields } from "./schema.ts";
import { tellOfNewDevice, tellOfTries } from "./strangers/commands.server.ts";
import { newPasswordComplaint } from "./strength/queries.server.ts";
import { isSuspended } from "./suspension/queries.server.ts";
import { suspendedCode, suspendedSentence } from "./suspension/texts.ts";
import { defaultDestination } from "./texts.ts";

type Letter = { to: { name: string; address: string }; link: string };
type Needs = Pick<Services, "db" | "clock" | "config" | "log" | "wakeWorker">;

/** Letters of one kind to one account; all work that were sent, the newest as the first. */
const lettersAnHour = 5;

/** The product's letters and rules, as the authentication library asks for them. */
export function authHooks(services: Needs): AuthHooks {
  async function write(
    job: Job<Letter>,
    person: { id: string; name: string; email: string },
    path: string,
    seconds: number | null,
  ) {
    // Anybody may ask for them with anybody's address, from many places: a mailbox is not filled.
    const limit = { what: job.kind, whose: person.id, max: lettersAnHour, windowSeconds: 3600 };
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
  const letters: Pick<AuthHooks, "verifyEmail" | "alreadyRegistered"> = {
    verifyEmail: (person, link) =>
      write(verifyEmailMail, person, mailedPath("/auth/verify", link, services), verifySeconds),
    // Choosing a new password proves the mailbox, so it also confirms the address: a
    // password that a stranger set beforehand never comes alive.
    alreadyRegistered: (person) =>
      write(
        alreadyRegisteredMail,
        person,
        person.emailVerified ? authPath(defaultDestination) : "/auth/forgot",
        null,
      ),
  };
  return {
    ...letters,
    resetPassword: (person, link) =>
      write(resetPasswordMail, person, mailedPath("/auth/reset", link, services), resetSeconds),
    passwordChosen: (userId) => passwordChosen(services, userId),
    arrive: (identity, way) => arrive(services, letters, identity, way),
    link: (identity, userId) => linkIdentity(services, identity, userId),
    enteredAnew: (userId, userAgent) => tellOfNewDevice(services, { userId, userAgent }),
    triedOften: (email) => tellOfTries(services, email),
    async refuseSession(userId) {
      if (!(await isSuspended(services, userId))) return null;
      return { code: suspendedCode, message: suspendedSentence(site.email) };
    },
    async complain(operation, body) {
      if (operation === "sign-in") return firstMessage(signInFields.safeParse(body));
      const parsed =
        operation === "sign-up"
          ? signUpFields.safeParse(body)
          : newPasswordField.safeParse({ password: body.newPassword });
      return (await newPasswordComplaint(parsed))?.message ?? null;
    },
  };
}

type Link = { token: string; redirectTo: string };

/** Ways back are given to the library as whole addresses: it refuses some paths that are ours. */
function mailedPath(page: string, { token, redirectTo }: Link, { config }: Needs): string {
  const way = redirectTo.startsWith(`${config.appUrl}/`)
    ? redirectTo.slice(config.appUrl.length)
    : null;
  return `${page}?${new URLSearchParams({ token, redirect: safeDestination(way) })}`;
}
