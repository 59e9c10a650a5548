import {
  alreadyRegisteredMail,
  resetPasswordMail,
  verifyEmailMail,
} from "./features/accounts/jobs.server.ts";
import { tidyMedia } from "./features/courses/media/jobs.server.ts";
import { forgetWriting } from "./features/courses/writing/jobs.server.ts";
import { forgetInvitations } from "./features/enrollments/invitations/commands.server.ts";
import { invitationLetter } from "./features/enrollments/invitations/jobs.server.ts";
import { moduleCompletedMail } from "./features/learning/jobs.server.ts";
import { forgetSignups, signupJob } from "./features/newsletter/jobs.server.ts";
import {
  confirmLetter,
  reminderLetter,
  welcomeLetter,
} from "./features/newsletter/letters/jobs.server.ts";
import { forgetCounts } from "./platform/http/rate-limit.ts";
import type { AnyJob } from "./platform/jobs/job.ts";
import type { RegularTask } from "./platform/jobs/regular.ts";
import { noticeStrangers } from "./platform/jobs/strangers.ts";

/** Every kind of background work of the site. */
export const jobs: readonly AnyJob[] = [
  verifyEmailMail,
  resetPasswordMail,
  alreadyRegisteredMail,
  invitationLetter,
  moduleCompletedMail,
  signupJob,
  confirmLetter,
  welcomeLetter,
  reminderLetter,
];

/** What is done every hour. */
export const regularTasks: readonly RegularTask[] = [
  forgetSignups,
  forgetInvitations,
  forgetWriting,
  forgetCounts,
  tidyMedia,
  noticeStrangers(jobs),
];
