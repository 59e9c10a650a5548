/** How long entries are stored, in days (also stated in content/pages/privacy.md). */
export const auditKeptDays = 2 * 365;

export const auditKinds = {
  course: "Courses",
  module: "Modules",
  lesson: "Lessons",
  enrollment: "Enrollments",
  invitation: "Invitations",
  payment: "Payments",
  mail: "Email",
  account: "Accounts",
  redirect: "Addresses",
  list: "Lists",
  page: "Pages",
  site: "The site",
} as const;

export type AuditKind = keyof typeof auditKinds;

/** Every recorded action, '<kind>.<verb>', in words. */
export const auditActions = {
  "course.created": "Made a course",
  "course.updated": "Changed a course",
  "course.activated": "Activated a course",
  "course.deactivated": "Deactivated a course",
  "course.duplicated": "Copied a course",
  "course.arranged": "Changed the order of a course",
  "course.cover-set": "Changed the cover of a course",
  "course.cover-removed": "Removed the cover of a course",
  "course.deleted": "Deleted a course",
  "course.restored": "Restored a course",
  "course.emailed": "Sent an email to the students of a course",
  "course.email-stopped": "Stopped an email to the students of a course",
  "course.email-resumed": "Sent a stopped email to the rest of the students",
  "module.created": "Made a module",
  "module.updated": "Changed a module",
  "module.deleted": "Deleted a module",
  "module.restored": "Restored a module",
  "lesson.created": "Made a lesson",
  "lesson.updated": "Changed a lesson",
  "lesson.deleted": "Deleted a lesson",
  "lesson.restored": "Restored a lesson",
  "lesson.media-attached": "Uploaded a file to a lesson",
  "lesson.media-removed": "Removed a file from a lesson",
  "lesson.file-renamed": "Renamed a file of a lesson",
  "lesson.files-arranged": "Changed the order of a lesson’s files",
  "lesson.picture-added": "Uploaded a picture for a lesson",
  "lesson.poster-set": "Changed the poster of a lesson’s video",
  "lesson.poster-removed": "Removed the poster of a lesson’s video",
  "lesson.captions-saved": "Saved the captions of a lesson",
  "lesson.captions-removed": "Removed the captions of a lesson",
  "lesson.transcript-saved": "Saved a transcript of a lesson",
  "enrollment.created": "Enrolled somebody",
  "enrollment.removed": "Removed an enrollment",
  "enrollment.days-moved": "Moved the days of an enrollment",
  "invitation.sent": "Invited somebody",
  "invitation.sent-again": "Sent an invitation again",
  "invitation.withdrawn": "Withdrew an invitation",
  "payment.refund-asked": "Asked Stripe to give a payment back",
  "payment.issue-resolved": "Marked a payment as done",
  "payment.issue-reopened": "Put a payment back on the list",
  "payment.enrolled": "Opened the course that was paid for",
  "mail.sent-again": "Sent email again",
  "mail.tried": "Retried email at once",
  "mail.removed": "Removed email from the list",
  "mail.tested": "Sent a test email",
  "account.written-to": "Wrote to a student who had asked for it",
  "account.suspended": "Suspended an account",
  "account.let-in": "Let an account in again",
  "account.made-admin": "Made somebody an administrator",
  "account.admin-invited": "Invited an administrator",
  "account.admin-invitation-withdrawn": "Withdrew the invitation of an administrator",
  "account.admin-accepted": "Became an administrator by invitation",
  "account.admin-removed": "Removed an administrator",
  "redirect.created": "Made an old address lead somewhere",
  "redirect.updated": "Changed where an old address leads",
  "redirect.removed": "Removed an old address",
  "redirect.ignored": "Ignored an address that was not found",
  "page.published": "Published a page",
  "page.restored": "Published an older version of a page again",
  "site.portrait-set": "Changed the portrait",
  "site.portrait-removed": "Removed the portrait",
  "list.exported": "Took a list along as a file",
} as const satisfies Record<`${AuditKind}.${string}`, string>;

export type AuditAction = keyof typeof auditActions;

/** The actor's name for commands on the server. */
export const commandLine = "The command line";

export const auditMessages = {
  loadFailed: "Failed to load what was done",
} as const;
