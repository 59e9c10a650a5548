import { withinPlace } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, PermanentFailure } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { newsletterMessages, trap } from "./messages.ts";
import {
  deliveredSignup,
  formSource,
  type Signup,
  type SignupErrors,
  signupErrors,
  signupFields,
} from "./schema.ts";
import { addToList, deleteUnconfirmedSubscribers } from "./subscribers.server.ts";

/** How long the provider may take to answer, in milliseconds. */
const patienceMs = 10_000;

/** Posts a signup to the provider's form, as a browser would (spec 7, Newsletter). 307 and 308 are
 * followed once, on the same origin or to https. Other redirects are not followed: one to a thank-you
 * page is success, one to the form's new address (https instead of http) is not.
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
  async function post(url: URL) {
    const response = await fetch(url, { method: "POST", body, redirect: "manual", signal });
    await response.body?.cancel();
    const { status, headers } = response;
    const location = status >= 300 && status < 400 ? headers.get("location") : null;
    const to = location === null ? null : URL.parse(location, url);
    return { status, to, isSentOn: status === 307 || status === 308 };
  }

  let form = new URL(formUrl);
  let answer = await post(form);
  if (answer.isSentOn && answer.to && mayFollow(form, answer.to)) {
    form = answer.to;
    answer = await post(form);
  }
  const { status, to, isSentOn } = answer;
  if (isSentOn || (to && isSamePage(form, to) && (status === 301 || to.origin !== form.origin)))
    throw new Error("the newsletter provider's form has moved");
  if (status >= 200 && status < 400) return;
  // The answer's words may repeat what was sent, and are not stored.
  const message = `the newsletter provider answered ${status}`;
  throw status === 400 || status === 422 ? new PermanentFailure(message) : new Error(message);
}

const mayFollow = (form: URL, to: URL) => to.protocol === "https:" || to.origin === form.origin;

function isSamePage(one: URL, other: URL): boolean {
  const [path, otherPath] = [one, other].map(({ pathname }) => pathname.replace(/\/+$/, ""));
  return path === otherPath;
}

/** Delivers a signup to the provider's form, or else to the site's own list. Retried for a month. */
export const signupJob = defineJob({
  kind: "newsletter.signup",
  label: "Signing up for the newsletter",
  sendsEmail: false,
  payload: deliveredSignup,
  maxAttempts: 64,
  slow: true,
  async run(services, signup) {
    const { newsletterForm } = services.config;
    await (newsletterForm ? postSignup(newsletterForm.url, signup) : addToList(services, signup));
  },
});

const storedMs = 30 * 24 * 3600_000;

/** Deletes what was never confirmed or never delivered (content/pages/privacy.md). */
export const deleteOldSignups: RegularTask = {
  name: "newsletter.forget",
  async run(services) {
    await deleteUnconfirmedSubscribers(services);
    const { db, clock } = services;
    const before = new Date(clock.now().getTime() - storedMs);
    await db.write
      .deleteFrom("outbox")
      .where("kind", "like", "newsletter.%")
      .where((or) => or.or([or("failedAt", "<", before), or("finishedAt", "<", before)]))
      .execute();
  },
};

const limit = { what: "newsletter", max: 20, windowSeconds: 3600 };

type Asked = {
  fields: Record<string, string | undefined>;
  /** The caller's address, as far as it can be believed. */
  address: string;
  /** The browser's, if it is known. */
  timeZone: string | null;
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
  { fields, address, timeZone }: Asked,
): Promise<SignupResult> {
  const { db, clock, log } = services;
  if (fields[trap]) {
    log.info("a newsletter form came with its trap filled in, and was left alone");
    return { ok: true };
  }
  const { success, data, error } = signupFields.safeParse(fields);
  if (!success) {
    const errors = signupErrors(error);
    const message = errors.firstName ?? errors.email ?? newsletterMessages.failed;
    return { ok: false, code: "invalid", message, errors };
  }
  const signup = { ...data, source: formSource.parse(fields.source ?? null), timeZone };
  try {
    if (!(await withinPlace(services, limit, address)))
      return { ok: false, code: "rate_limited", message: newsletterMessages.tooMany };
    await enqueue(db.write, signupJob, signup, { now: clock.now(), to: { address: signup.email } });
  } catch (error) {
    log.error({ err: error }, "a newsletter signup could not be written down");
    return { ok: false, code: "unavailable", message: newsletterMessages.failed };
  }
  services.wakeWorker();
  return { ok: true };
}
