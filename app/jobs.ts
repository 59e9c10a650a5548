import { forgetWishes } from "./features/accounts/address/commands.server.ts";
import {
  changedMail,
  newAddressMail,
  oldAddressMail,
  takenMail,
} from "./features/accounts/address/jobs.server.ts";
import { forgetAudit } from "./features/accounts/audit/jobs.server.ts";
import { methodChangedMail } from "./features/accounts/identities/jobs.server.ts";
import {
  alreadyRegisteredMail,
  resetPasswordMail,
  verifyEmailMail,
} from "./features/accounts/jobs.server.ts";
import { deleteAccounts } from "./features/accounts/leaving/commands.server.ts";
import { deletedMail, leavingMail, wipeAccounts } from "./features/accounts/leaving/jobs.server.ts";
import { securityChangeMail } from "./features/accounts/notices/jobs.server.ts";
import { passwordChangedMail } from "./features/accounts/password/jobs.server.ts";
import { forgetUnconfirmed } from "./features/accounts/strangers/jobs.server.ts";
import { tidyMedia } from "./features/courses/media/jobs.server.ts";
import { forgetWriting } from "./features/courses/writing/jobs.server.ts";
import { forgetInvitations } from "./features/enrollments/invitations/commands.server.ts";
import { invitationLetter } from "./features/enrollments/invitations/jobs.server.ts";
import { welcomeLetter as courseWelcomeLetter } from "./features/enrollments/welcome/jobs.server.ts";
import { moduleCompletedMail } from "./features/learning/jobs.server.ts";
import {
  firstLessonsLetter,
  forgetLessonLetters,
  lessonLetter,
  planLetters,
} from "./features/learning/letters/jobs.server.ts";
import { sealJournals } from "./features/learning/sealing/jobs.server.ts";
import { forgetMail } from "./features/mail/jobs.server.ts";
import { forgetSignups, signupJob } from "./features/newsletter/jobs.server.ts";
import {
  confirmLetter,
  reminderLetter,
  welcomeLetter,
} from "./features/newsletter/letters/jobs.server.ts";
import { attentionMail } from "./features/payments/attention/jobs.server.ts";
import { failureLetter } from "./features/payments/failures/jobs.server.ts";
import { receiptLetter } from "./features/payments/receipts/jobs.server.ts";
import {
  forgetEvents,
  missedEvents,
  unfinishedCheckouts,
} from "./features/payments/reconciliation/jobs.server.ts";
import { refundedMail } from "./features/payments/refunds/jobs.server.ts";
import { forgetKeys } from "./platform/auth/access-token.ts";
import { forgetSessions, forgetVerifications } from "./platform/auth/forget.ts";
import { forgetCounts } from "./platform/http/forget-counts.ts";
import type { AnyJob } from "./platform/jobs/job.ts";
import type { RegularTask } from "./platform/jobs/regular.ts";
import { noticeStrangers } from "./platform/jobs/strangers.ts";

/** Every kind of background work of the site. */
export const jobs: readonly AnyJob[] = [
  verifyEmailMail,
  resetPasswordMail,
  alreadyRegisteredMail,
  oldAddressMail,
  newAddressMail,
  takenMail,
  changedMail,
  passwordChangedMail,
  leavingMail,
  deletedMail,
  methodChangedMail,
  securityChangeMail,
  invitationLetter,
  courseWelcomeLetter,
  moduleCompletedMail,
  refundedMail,
  attentionMail,
  lessonLetter,
  firstLessonsLetter,
  receiptLetter,
  failureLetter,
  signupJob,
  confirmLetter,
  welcomeLetter,
  reminderLetter,
];

/** What is done every hour. */
export const regularTasks: readonly RegularTask[] = [
  missedEvents,
  unfinishedCheckouts,
  forgetEvents,
  planLetters,
  forgetLessonLetters,
  forgetSignups,
  forgetInvitations,
  forgetWriting,
  forgetMail,
  forgetAudit,
  forgetCounts,
  wipeAccounts,
  deleteAccounts,
  forgetUnconfirmed,
  forgetKeys,
  forgetSessions,
  forgetVerifications,
  forgetWishes,
  tidyMedia,
  noticeStrangers(jobs),
  sealJournals,
];
