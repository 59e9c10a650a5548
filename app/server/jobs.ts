import { adminInvitationEmail } from "~/features/accounts/admin-invitations.server.ts";
import {
  accountDeletedEmail,
  deleteAccounts,
  deletionScheduledEmail,
  eraseDeletedAccounts,
} from "~/features/accounts/deletion.server.ts";
import { deleteOldAuditEntries } from "~/features/audit-log/audit-log.server.ts";
import { deleteExpiredEmailChanges } from "~/features/auth/email-change.server.ts";
import { deleteUnverifiedUsers } from "~/features/auth/email-verification.server.ts";
import {
  alreadyRegisteredEmail,
  confirmNewEmailEmail,
  confirmOldEmailEmail,
  emailChangedEmail,
  emailTakenEmail,
  linkedAccountChangedEmail,
  passwordChangedEmail,
  resetPasswordEmail,
  securityAlertEmail,
  verifyEmailEmail,
} from "~/features/auth/jobs.server.ts";
import { courseEmail, courseEmailPortions } from "~/features/course-emails/jobs.server.ts";
import { deleteVersionsOfDeleted } from "~/features/courses/deletion.server.ts";
import { deleteOldEmails } from "~/features/email-log/email-log.server.ts";
import { courseWelcomeEmail, newStudentEmail } from "~/features/enrollments/enrollments.server.ts";
import {
  deleteOldInvitations,
  invitationEmail,
} from "~/features/enrollments/invitations.server.ts";
import { deleteOldVisits } from "~/features/figures/visits.server.ts";
import { sumUpFigures } from "~/features/figures/weeks.server.ts";
import { removeDeletedPhotographs } from "~/features/journal/photographs.server.ts";
import {
  firstLessonsEmail,
  lessonsOpenedEmail,
  moduleCompletedEmail,
  scheduleLessonEmails,
} from "~/features/lesson-emails/jobs.server.ts";
import {
  cleanUpConversions,
  filmConversion,
  readOldFilms,
} from "~/features/lesson-media/conversion.server.ts";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { deleteOldSignups, signupJob } from "~/features/newsletter/subscribe.server.ts";
import {
  alreadySubscribedEmail,
  confirmImportedEmail,
  confirmSubscriptionEmail,
  newsletterWelcomeEmail,
} from "~/features/newsletter/subscribers.server.ts";
import {
  monthlyDigestEmail,
  monthlyDigestPortions,
  scheduleMonthlyDigest,
} from "~/features/newsletter-archive/jobs.server.ts";
import {
  deleteOldDeliveries,
  refusedIssueEmail,
} from "~/features/newsletter-issues/deliveries.server.ts";
import { resumeStuckIssues, sendIssueJob } from "~/features/newsletter-issues/send-issue.server.ts";
import {
  paymentFailedEmail,
  paymentIssueEmail,
  receiptEmail,
  refundedEmail,
  saleEmail,
} from "~/features/payments/jobs.server.ts";
import {
  deleteOldEvents,
  syncMissedEvents,
  syncOpenCheckouts,
} from "~/features/payments/reconciliation.server.ts";
import { cleanUpPictures } from "~/features/pictures/jobs.server.ts";
import { cleanUpRecordings } from "~/features/recordings/jobs.server.ts";
import { deleteOldLostPages } from "~/features/redirects/lost-pages.server.ts";
import { releaseDue } from "~/features/releases/publish-release.server.ts";
import { redrawShareCards, shareCardDrawing } from "~/features/share-cards/share-cards.server.ts";
import { deleteOldImports, runImport } from "~/features/subscriber-import/jobs.server.ts";
import { readImport } from "~/features/subscriber-import/read-file.server.ts";
import { readBounceMailbox } from "~/features/suppressions/mailbox.server.ts";
import { deleteOldMailReports } from "~/features/suppressions/reports.server.ts";
import { deleteRetiredKeys } from "~/platform/auth/access-token.ts";
import { deleteExpiredSessions, deleteExpiredVerifications } from "~/platform/auth/sessions.ts";
import { deleteOldRateLimits } from "~/platform/db/rate-limit.ts";
import type { AnyJob } from "~/platform/jobs/job.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { logUnknownKinds } from "~/platform/jobs/regular.ts";

export const jobs: readonly AnyJob[] = [
  verifyEmailEmail,
  resetPasswordEmail,
  alreadyRegisteredEmail,
  confirmOldEmailEmail,
  confirmNewEmailEmail,
  emailTakenEmail,
  emailChangedEmail,
  passwordChangedEmail,
  deletionScheduledEmail,
  accountDeletedEmail,
  adminInvitationEmail,
  linkedAccountChangedEmail,
  securityAlertEmail,
  invitationEmail,
  courseWelcomeEmail,
  newStudentEmail,
  moduleCompletedEmail,
  refundedEmail,
  saleEmail,
  paymentIssueEmail,
  lessonsOpenedEmail,
  firstLessonsEmail,
  courseEmail,
  courseEmailPortions,
  receiptEmail,
  paymentFailedEmail,
  signupJob,
  confirmSubscriptionEmail,
  confirmImportedEmail,
  newsletterWelcomeEmail,
  alreadySubscribedEmail,
  sendIssueJob,
  refusedIssueEmail,
  monthlyDigestEmail,
  monthlyDigestPortions,
  readImport,
  runImport,
  filmConversion,
  shareCardDrawing,
  releaseDue,
];

/** Run every hour. */
export const regularTasks: readonly RegularTask[] = [
  syncMissedEvents,
  syncOpenCheckouts,
  deleteOldEvents,
  scheduleLessonEmails,
  scheduleMonthlyDigest,
  resumeStuckIssues,
  deleteOldDeliveries,
  deleteOldSignups,
  deleteOldImports,
  deleteOldInvitations,
  deleteOldEmails,
  deleteOldMailReports,
  deleteOldAuditEntries,
  deleteOldRateLimits,
  eraseDeletedAccounts,
  deleteAccounts,
  deleteUnverifiedUsers,
  deleteRetiredKeys,
  deleteExpiredSessions,
  deleteExpiredVerifications,
  deleteExpiredEmailChanges,
  removeDeletedPhotographs,
  cleanUpMedia,
  cleanUpConversions,
  readOldFilms,
  sumUpFigures,
  deleteOldVisits,
  deleteOldLostPages,
  cleanUpPictures,
  cleanUpRecordings,
  deleteVersionsOfDeleted,
  redrawShareCards,
  logUnknownKinds(jobs),
];

export const frequentTasksMs = 10 * 60_000;

/** Run every {@link frequentTasksMs}. */
export const frequentTasks: readonly RegularTask[] = [readBounceMailbox];
