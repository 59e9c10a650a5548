import { withinPlace } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, PermanentFailure } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { newsletterMessages, trap } from "./messages.ts";
import { signupErrors } from "./rules.ts";
import { type Signup, type SignupErrors, signupFields } from "./schema.ts";
import { addToList, deleteUnconfirmedSubscribers } from "./subscribers.server.ts";

/** How long the provider may take to answer, in milliseconds. */
const patienceMs = 10_000;

/** Posts a signup to the provider's form, as a browser would (spec 7, Newsletter). A redirect to a
 * thank-you page is success and is not followed; a redirect to the form's new address (https
 * instead of http) is not. 307 and 308 are followed once, on the same origin or to https.
 * @throws {PermanentFailure} for 400 and 422 @throws other errors, which are retried */
export async function postSignup(
  formUrl: string,
  { firstName, email }: Signup,
  patience = patienceMs,
): Promise<void> {
  const body = new FormData();
  body.set("fields[first_name]", firstName);
  body.set("email_address", email);
  const signal = AbortSignal.timeout(patience);
  const first = await post(formUrl, body, signal);
  const onward = sentOn(formUrl, first);
  const { status, headers } = onward ? await post(onward, body, signal) : first;
  if (hasMoved(onward ?? formUrl, { status, headers }))
    throw new Error("the newsletter provider's form has moved");
  if (status >= 200 && status < 400) return;
  // The answer's words may repeat what was sent, and are not kept.
  const message = `the newsletter provider answered ${status}`;
  throw status === 400 || status === 422 ? new PermanentFailure(message) : new Error(message);
}

type Answer = Pick<Response, "status" | "headers">;

async function post(url: string, body: FormData, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(url, { method: "POST", body, redirect: "manual", signal });
  await response.body?.cancel();
  return response;
}

function locationOf(formUrl: string, { status, headers }: Answer): URL | null {
  const location = headers.get("location");
  return status >= 300 && status < 400 && location ? URL.parse(location, formUrl) : null;
}

function sentOn(formUrl: string, answer: Answer): string | null {
  const to = answer.status === 307 || answer.status === 308 ? locationOf(formUrl, answer) : null;
  return to && (to.protocol === "https:" || to.origin === new URL(formUrl).origin) ? to.href : null;
}

/** Back to the form's own page is thanks, too; to the same page of another origin, or for good, is not. */
function hasMoved(formUrl: string, answer: Answer): boolean {
  const { status } = answer;
  if (status === 307 || status === 308) return true;
  const to = locationOf(formUrl, answer);
  if (!to) return false;
  const from = new URL(formUrl);
  const isSamePath = trimmed(from.pathname) === trimmed(to.pathname);
  return isSamePath && (status === 301 || from.origin !== to.origin);
}

const trimmed = (path: string) => path.replace(/\/+$/, "");

/** Delivers a signup to the provider's form, or else to the site's own list. Retried for a month. */
export const signupJob = defineJob({
  kind: "newsletter.signup",
  label: "Signing up for the newsletter",
  sendsEmail: false,
  payload: signupFields,
  maxAttempts: 64,
  slow: true,
  async run(services, signup) {
    const { newsletterForm } = services.config;
    await (newsletterForm ? postSignup(newsletterForm.url, signup) : addToList(services, signup));
  },
});

const keptMs = 30 * 24 * 3600_000;

/** Who never confirmed, and what could never be delivered, is not kept (content/pages/privacy.md). */
export const deleteOldSignups: RegularTask = {
  name: "newsletter.forget",
  async run(services) {
    await deleteUnconfirmedSubscribers(services);
    const { db, clock } = services;
    const before = new Date(clock.now().getTime() - keptMs);
    await db.write
      .deleteFrom("outbox")
      .where("kind", "like", "newsletter.%")
      .where((or) => or.or([or("failedAt", "<", before), or("finishedAt", "<", before)]))
      .execute();
  },
};

const signupsAnHour = 20;

type Asked = {
  fields: Record<string, string | undefined>;
  /** The caller's address, as far as it can be believed. */
  address: string;
};

/** `message` is fit to be shown; `errors` are those of single fields, if it is about them. */
export type SignupResult =
  | { ok: true }
  | {
      ok: false;
      code: "invalid" | "rate_limited" | "unavailable";
      message: string;
      errors?: SignupErrors;
    };

/** Enqueues a signup. A job delivers it, so that an outage loses nothing, and known and new addresses
 * get the same answer in the same time. A robot's signup ({@link trap}) is dropped silently. */
export async function subscribe(
  services: Services,
  { fields, address }: Asked,
): Promise<SignupResult> {
  if (fields[trap]) {
    services.log.info("a newsletter form came with its trap filled in, and was left alone");
    return { ok: true };
  }
  const parsed = signupFields.safeParse(fields);
  if (!parsed.success) {
    const errors = signupErrors(parsed);
    const message = errors.firstName ?? errors.email ?? newsletterMessages.failed;
    return { ok: false, code: "invalid", message, errors };
  }
  const limit = { what: "newsletter", max: signupsAnHour, windowSeconds: 3600 };
  try {
    if (!(await withinPlace(services, limit, address)))
      return { ok: false, code: "rate_limited", message: newsletterMessages.tooMany };
    await enqueue(services.db.write, signupJob, parsed.data, {
      now: services.clock.now(),
      to: { address: parsed.data.email },
    });
  } catch (error) {
    services.log.error({ err: error }, "a newsletter signup could not be written down");
    return { ok: false, code: "unavailable", message: newsletterMessages.failed };
  }
  services.wakeWorker();
  return { ok: true };
}
