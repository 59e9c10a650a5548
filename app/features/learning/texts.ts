/** Between two prompts in the journal text (spec 5, Journal). */
export const journalSeparator = "\n\n---\n\n";

/** What only the server says: texts of spec 8, and its own beside them. */
export const outcomes = {
  courseMissing: { title: "Course not found", tone: "destructive" },
  notEnrolled: {
    title: "Not enrolled",
    description: "Please enroll in this course first",
    tone: "destructive",
  },
  closedMeanwhile: {
    title: "Not enrolled",
    description:
      "This course was closed to you while you were writing. What you wrote is kept, and only you can see it. It is here again if the course is.",
    tone: "destructive",
  },
  lessonClosed: {
    title: "This lesson was closed",
    description:
      "It was closed while you were writing. What you wrote is kept here as a draft, and only you can see it.",
    tone: "destructive",
  },
  completed: { title: "Lesson completed!", tone: "success" },
  moduleCompleted: {
    title: "🎉 Module Complete!",
    description: "You'll receive a personalized email in about an hour",
    tone: "success",
  },
  /** Where no letter follows: she has switched it off, or has had it. */
  moduleCompletedQuietly: { title: "🎉 Module Complete!", tone: "success" },
  tooLong:
    "What you wrote is too long to be saved: an answer holds 100,000 characters, a lesson 400,000. Nothing is lost: it is still in the boxes, and your browser’s back button brings it back. Please shorten it, or copy part of it to a safe place.",
  failed:
    "Something went wrong here, and the lesson is not marked as complete. What you wrote is still in the boxes. Please try again in a minute.",
  locked: "This lesson is not open yet.",
  previewSend:
    "You are looking at this as a student, so nothing is recorded. Open the course without that to complete its lessons.",
} as const;

/** What the player itself can say as well; it is loaded with it. */
export const messages = {
  loadFailed: { title: "Error loading course", tone: "destructive" },
  completeFailed: {
    title: "Error",
    description: "Failed to mark lesson as complete",
    tone: "destructive",
  },
  offline:
    "The site cannot be reached just now. What you wrote is still in the boxes. Please try again when you are online.",
  preview: "You are looking at this as a student. Nothing is recorded.",
  signedOut:
    "You have been signed out. What you wrote is still here. Sign in again in a new tab, then come back to this one and press the button once more.",
} as const;
