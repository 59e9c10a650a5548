export const deletePath = "/account/data/delete";
export const deletionPendingPath = "/account/deletion-pending";
export const cancelDeletionPath = "/account/keep";

/** What an account can reach while its deletion is scheduled. */
export const pathsOpenWhileDeleting: readonly string[] = [
  deletionPendingPath,
  cancelDeletionPath,
  "/auth/sign-out",
  "/help",
  "/privacy",
  "/terms",
  "/mail-preferences/off",
  // Browsers fetch these files by themselves; a page instead causes an error in the console.
  "/speculation-rules.json",
  "/site.webmanifest",
];

export const deletionMessages = {
  lastAdministrator:
    "You are the only administrator: without you nobody could look after the site. Please make somebody else an administrator first.",
  keepFirst: {
    title: "Your account will be deleted.",
    description: "To take this course, keep your account first.",
  },
  kept: { title: "Your account stays.", description: "Nothing was deleted.", tone: "success" },
  keptSignIn: {
    title: "Your account stays.",
    description: "Nothing was deleted. You can sign in as before.",
    tone: "success",
  },
  scheduled: (day: string) => ({
    title: "Your account will be deleted.",
    description: `You are signed out. It goes on ${day}. Until then you can keep it: sign in again, or use the link in the email that I have sent you.`,
  }),
} as const;

export const preferencesPath = "/mail-preferences";
export const offPath = "/mail-preferences/off";

type Words = {
  label: string;
  about: string;
  why: string;
  stop: string;
  stopped: string;
};

export const emailKindMessages: Record<EmailKind, Words> = {
  "lesson-opened": {
    label: "A lesson has opened",
    about:
      "In the morning, at most once a day, when something new opens in a course of yours. Some courses send the lesson itself.",
    why: "You are getting this email because a lesson opened in one of your courses.",
    stop: "One press, and I won’t write when a lesson opens. The lessons open all the same.",
    stopped: "I no longer write when a lesson opens. The lessons open all the same.",
  },
  "module-completed": {
    label: "You finished a module",
    about: "A few words from me, about an hour after the last lesson of a module.",
    why: "You are getting this email because you finished a module of a course.",
    stop: "One press, and I won’t write when you finish a module.",
    stopped: "I no longer write when you finish a module.",
  },
  "course-email": {
    label: "A note about your course",
    about: "Now and then, when I write to everybody in one of your courses.",
    why: "You are getting this email because you are enrolled in one of my courses.",
    stop: "One press, and I won’t send you notes about your courses. The courses stay open all the same.",
    stopped: "I no longer send you notes about your courses. The courses stay open all the same.",
  },
  sale: {
    label: "A sale or a new student",
    about: "When a course is bought, and when somebody is enrolled without paying.",
    why: "You are getting this email because you look after the site.",
    stop: "One press, and no email comes about sales and new students. The admin area shows them all the same.",
    stopped: "No email comes about sales and new students. The admin area shows them all the same.",
  },
};

export const invalidPreferencesLink = {
  broken: {
    title: "This link does not work",
    lead: "It may have been cut off on its way to you.",
    body: "Please use the link at the end of one of my emails, or sign in and choose your emails here.",
  },
  gone: {
    title: "You get no more emails",
    lead: "The account that this link was for is gone, and no more emails are sent to it.",
    body: "There is nothing left to switch off.",
  },
} as const;

export const emailPreferenceMessages = {
  saved: { title: "Email preferences saved", tone: "success" },
  off: {
    title: "These emails have stopped.",
    description: "You can have them back here at any time.",
    tone: "success",
  },
} as const;

export const longestReason = 1000;

export const suspensionMessages = {
  suspended: { title: "Account suspended", tone: "success" },
  letIn: { title: "Account unsuspended", tone: "success" },
  failed: "Failed to change the account",
  gone: "This account does not exist any more.",
  self: "You cannot suspend your own account.",
  last: "This is the only administrator who can sign in. Make somebody else one first.",
  notYou: "You are not an administrator any more.",
} as const;

export const administratorsPath = "/admin/administrators";
export const adminInvitationPath = "/invitation/administrator";

export const administratorMessages = {
  invited: { title: "Invitation sent", tone: "success" },
  writtenToFile: {
    title: "Invitation written to a file",
    description: "Nothing went to anybody: no mail server is set up.",
    tone: "success",
  },
  withdrawn: { title: "Invitation withdrawn", tone: "success" },
  removed: { title: "Administrator removed", tone: "success" },
  accepted: { title: "You are an administrator now.", tone: "success" },
  invitationsEnd:
    "Invitations of administrators that are open end, also those of others. You can invite again.",
  already: "This person is an administrator already.",
  tooMany: "That were many invitations within an hour. Please wait a while.",
  self: "You cannot remove yourself. Another administrator can.",
  failed: "Failed to change the administrators",
} as const;

/** The kinds of email that can be turned off; all others are always sent. */
export const emailKinds = ["lesson-opened", "module-completed", "course-email", "sale"] as const;

export type EmailKind = (typeof emailKinds)[number];

export const adminEmailKinds: readonly EmailKind[] = ["sale"];
