/** Texts of spec 2 and 8 around enrolling. */
export const messages = {
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
  nobody: "Nobody with this address has an account yet.",
  chooseSomebody: "Choose somebody from the list, or type the whole email address.",
  comingSoon: {
    title: "Enrollment",
    description:
      "Payment integration is coming soon. For demo, enrollment can be done via an admin panel.",
  },
} as const;

/** What is said to whoever a course has just opened for. */
export const isOpenFor = (title: string) =>
  `“${title}” is open for you. Nothing has to happen today.`;

/** Over the first lesson of a course that cost nothing. */
export const openedToast = (title: string) =>
  ({ title: "Welcome to Your Course!", description: isOpenFor(title), tone: "success" }) as const;

/** When money is given back (spec 9, Terms): in days of 24 hours since paying, and in percent of the lessons. */
export const refundTerms = { days: 14, percent: 25 } as const;

/** What stands on the enroll button and beside it. */
export const labels = {
  enroll: "Enroll Now",
  goOn: "Continue Learning",
  processing: "Processing...",
  comingSoon: "Coming Soon",
  enrolled: "Already Enrolled",
  oneTime: "One-time payment",
  refund: `You can have your money back within ${refundTerms.days} days, as long as you have completed no more than ${refundTerms.percent}% of the lessons.`,
  notYetShort: "Not open yet",
  notYet: "Not open yet. The weekly letter will say when it is.",
} as const;
