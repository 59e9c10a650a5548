import { defineJob } from "~/platform/jobs/job.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { postSignup } from "./gateway.server.ts";
import { addToList, forgetUnconfirmed } from "./list/commands.server.ts";
import { signupFields } from "./schema.ts";

/**
 * Delivers a signup: to the provider's form if there is one, else to the site's own list. It
 * is tried for a month: longer than a provider is away, and than a wrong address stays unseen.
 */
export const signupJob = defineJob({
  kind: "newsletter.signup",
  label: "Signing up for the newsletter",
  isLetter: false,
  payload: signupFields,
  maxAttempts: 64,
  slow: true,
  async run(services, signup) {
    const { newsletterForm } = services.config;
    await (newsletterForm ? postSignup(newsletterForm.url, signup) : addToList(services, signup));
  },
});

/** Names and addresses of signups that failed for good stay so long for the coach to look at. */
const keptMs = 30 * 24 * 3600_000;

/** Who never confirmed, and what could never be delivered, is not kept (content/pages/privacy.md). */
export const forgetSignups: RegularTask = {
  name: "newsletter.forget",
  async run(services) {
    await forgetUnconfirmed(services);
    const { db, clock } = services;
    const before = new Date(clock.now().getTime() - keptMs);
    await db.write
      .deleteFrom("outbox")
      .where("kind", "like", "newsletter.%")
      .where((or) => or.or([or("failedAt", "<", before), or("finishedAt", "<", before)]))
      .execute();
  },
};
