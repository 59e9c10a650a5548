import {
  alreadyRegisteredMail,
  resetPasswordMail,
  verifyEmailMail,
} from "./features/accounts/jobs.server.ts";
import { moduleCompletedMail } from "./features/learning/jobs.server.ts";
import type { AnyJob } from "./platform/jobs/job.ts";

/** Every kind of background work of the site. */
export const jobs: readonly AnyJob[] = [
  verifyEmailMail,
  resetPasswordMail,
  alreadyRegisteredMail,
  moduleCompletedMail,
];
