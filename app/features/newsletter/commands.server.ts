import { withinPlace } from "~/platform/http/rate-limit.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { signupJob } from "./jobs.server.ts";
import { signupErrors } from "./rules.ts";
import { type SignupErrors, signupFields } from "./schema.ts";
import { messages, trap } from "./texts.ts";

/** Signups from one place, an hour. */
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

/**
 * Takes a signup: writes it down, and nothing else. Delivering it, to the provider or to the
 * site's own list, is the outbox's work, so that an outage loses nobody, and so that a known
 * address and a new one get the same answer in the same time. A filled {@link trap} is a robot's
 * doing: it is told the same, and nothing is written.
 */
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
    const message = errors.firstName ?? errors.email ?? messages.failed;
    return { ok: false, code: "invalid", message, errors };
  }
  const limit = { what: "newsletter", max: signupsAnHour, windowSeconds: 3600 };
  try {
    if (!(await withinPlace(services, limit, address)))
      return { ok: false, code: "rate_limited", message: messages.tooMany };
    await enqueue(services.db.write, signupJob, parsed.data, {
      now: services.clock.now(),
      to: { address: parsed.data.email },
    });
  } catch (error) {
    services.log.error({ err: error }, "a newsletter signup could not be written down");
    return { ok: false, code: "unavailable", message: messages.failed };
  }
  services.wakeWorker();
  return { ok: true };
}
