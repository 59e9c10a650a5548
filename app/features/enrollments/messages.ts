/** Texts of spec 2 and 8 around enrolling. */
export const enrollmentMessages = {
  signInFirst: { title: "Please sign in to enroll in this course" },
  signInToBuy: {
    title: "Authentication required",
    description: "Please sign in to purchase this course.",
    tone: "destructive",
  },
  failed: { title: "Something went wrong. Please try again.", tone: "destructive" },
  created: { title: "Enrollment created successfully", tone: "success" },
  removed: { title: "Enrollment removed successfully", tone: "success" },
  incomplete: "Please select both a course and a user",
  loadFailed: "Failed to load enrollments",
  createFailed: "Failed to create enrollment",
  removeFailed: "Failed to remove enrollment",
  onlyActive: "Only active courses can be chosen",
  noSuchCourse: "This course does not exist any more",
  alreadyRemoved: "This enrollment was removed already",
  noAccount: "Nobody with this address has an account yet.",
  chooseSomebody: "Choose somebody from the list, or type the whole email address.",
  comingSoon: {
    title: "Enrollment",
    description:
      "Payment integration is coming soon. For demo, enrollment can be done via an admin panel.",
  },
} as const;

export const lessonDaysMessages = {
  noDate: "Choose a date, such as 2026-11-30",
  tooFar: (first: string, last: string) => `Choose a date from ${first} to ${last}`,
  already: "The days are counted like this already",
  failed: "Failed to move the days",
  moved: { title: "Lesson days changed", tone: "success" },
  same: {
    title: "Nothing was changed",
    description: "The days are counted like this already.",
  },
  outdated: {
    title: "Nothing was changed",
    description:
      "The days have changed since you were asked. Please look at them and choose again.",
  },
} as const;

export const enrolledMessage = (title: string) =>
  `“${title}” is open for you. Nothing has to happen today.`;

/** Over the first lesson of a course that cost nothing. */
export const openedToast = (title: string) =>
  ({
    title: "Welcome to Your Course!",
    description: enrolledMessage(title),
    tone: "success",
  }) as const;

/** When money is given back (spec 9, Terms): days of 24 hours since paying; percent of lessons. */
export const refundTerms = { days: 14, percent: 25 } as const;

export const enrollLabels = {
  enroll: "Enroll Now",
  goOn: "Continue Learning",
  processing: "Processing...",
  comingSoon: "Coming Soon",
  enrolled: "Already Enrolled",
  oneTime: "One-time payment",
  refund: `You can have your money back within ${refundTerms.days} days, as long as you have completed no more than ${refundTerms.percent}% of the lessons.`,
  notYetShort: "Not open yet",
  notYet: "Not open yet. The weekly newsletter will say when it is.",
} as const;

/** Why a lesson is not shown or not completed (spec 8). */
export const accessMessages = {
  courseMissing: { title: "Course not found", tone: "destructive" },
  notEnrolled: {
    title: "Not enrolled",
    description: "Please enroll in this course first",
    tone: "destructive",
  },
  locked: "This lesson is not open yet.",
} as const;

export const invitationDays = 14;

export const invitationPath = "/invitation";

export const invitationMessages = {
  sentAgain: {
    title: "Invitation sent again",
    description: "The link in the earlier email no longer works.",
    tone: "success",
  },
  writtenAgain: {
    title: "Invitation written to a file",
    description: "No mail server is set up. The link in the earlier file no longer works.",
    tone: "success",
  },
  withdrawn: {
    title: "Invitation withdrawn",
    description: "The link in the email no longer works.",
    tone: "success",
  },
  failed: "The invitation could not be sent. Please try again.",
  incomplete: "Please select both a course and an email address",
  notWaiting: "This invitation is not waiting any more: it was accepted or withdrawn.",
  tooMany: "Too many emails for one hour. Please try again later.",
  loadFailed: "Failed to load invitations",
} as const;

/** Why a link does not lead into a course, and what to do; the page adds whom to write to. */
export const invalidInvitationMessages = {
  unknown: {
    title: "This link does not work",
    lead: "It may be incomplete, or a newer email has replaced it. Please try the link in the newest email.",
  },
  expired: {
    title: "This invitation has run out",
    lead: `Its link worked for ${invitationDays} days. Your place can be kept again.`,
  },
  withdrawn: {
    title: "This invitation was withdrawn",
    lead: "Nothing was changed, and no account was made.",
  },
  used: {
    title: "This invitation was accepted already",
    lead: "The course is in your account. Sign in, and it is there.",
  },
  closed: {
    title: "This course is closed at the moment",
    lead: "Your invitation stays valid. When the course opens again, this link works again, unless it has expired by then.",
  },
  gone: {
    title: "This course is not offered any more",
    lead: "Nothing was changed, and no account was made.",
  },
} as const;

export type InvalidInvitationReason = keyof typeof invalidInvitationMessages;

export const invalidInvitationStatuses: Record<InvalidInvitationReason, number> = {
  unknown: 404,
  expired: 410,
  withdrawn: 410,
  used: 410,
  closed: 409,
  gone: 410,
};

export const acceptInvitationMessages = {
  enrolled: {
    title: "You are enrolled.",
    description: "Begin whenever you like.",
    tone: "success",
  },
  enrolledSignIn: {
    title: "You are enrolled.",
    description: "Sign in with your own password, and begin.",
    tone: "success",
  },
} as const;
