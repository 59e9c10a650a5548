/** Texts that only the server sends: those of spec 8, and others. */
export const completionMessages = {
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
  before: (when: string) =>
    `This lesson was already completed ${when}, perhaps on another device. What you wrote is saved as a draft.`,
  completed: { title: "Lesson completed!", tone: "success" },
  moduleCompleted: {
    title: "🎉 Module Complete!",
    description: "You'll receive a personalized email in about an hour",
    tone: "success",
  },
  /** No email follows: the student switched it off, or already had it. */
  moduleCompletedQuietly: { title: "🎉 Module Complete!", tone: "success" },
  failed:
    "Something went wrong here, and the lesson is not marked as complete. What you wrote is still in the boxes. Please try again in a minute.",
  previewSend:
    "You are looking at this as a student, so nothing is recorded. Open the course without that to complete its lessons.",
} as const;

/** Texts that the player itself can show too; they are loaded with it. */
export const playerMessages = {
  loadFailed: { title: "Error loading course", tone: "destructive" },
  completeFailed: {
    title: "Error",
    description: "Failed to mark lesson as complete",
    tone: "destructive",
  },
  failed:
    "Something went wrong here. What you wrote is still in the boxes. Please try again in a minute.",
  preview:
    "You are looking at this as a student. Here the boxes and the button do nothing. Nothing is recorded.",
} as const;

/** Of the section below the last lesson that is open, in addresses. */
export const afterLessonId = "after-lesson";
export const afterLessonTitle = "after-lesson-title";

/** Sent as sentences by the server, so that the player's script is without them. */
export const afterLessonMessages = {
  waiting: "What opens next",
  untilThen: "Until then",
  toDo: "What is left",
  finished: "The end of this course",
  /** Where the course is opened again, at its first lesson. */
  reopened: "You have been through this course",
  staysOpen: "All of its lessons stay open to you. Come back to any of them when you want to.",
  opens: (title: string, opens: string) => `“${title}” opens ${opens}.`,
  emailComes: (when: string) => `An email will tell you ${when}.`,
  noEmail: "You get no email when a lesson opens.",
  moreOpen: (count: number) =>
    count === 1 ? "One more lesson opens later." : `${count} more lessons open later.`,
} as const;

export const playbackMessages = {
  noCourse: "This course does not exist.",
  noLesson: "This lesson does not exist.",
  noFile: "This lesson has no such file.",
  noCaptions: "This lesson has no captions.",
  notAPosition: "This is not a position.",
  tooFast: "These come too fast. Please try again in a moment.",
  signedOut: "You have been signed out. Sign in again to go on.",
  listen: "Listen instead",
  watch: "Watch the film",
} as const;

export const downloadMessages = {
  gone: {
    title: "This file is no longer there",
    text: "It was removed from the lesson, or the lesson has moved. What is there now is on the lesson’s page.",
  },
  locked: {
    title: "This lesson is not open yet",
    text: "Its files open together with it. The lesson’s page says when that is.",
  },
  unavailable: {
    title: "This file cannot be fetched just now",
    text: "It is not lost. Please try again in a few minutes.",
  },
  tooFast: {
    title: "Please wait a moment",
    text: "Many files were asked for at once. In a minute they can be had again.",
  },
} as const;

export const playbackStops = {
  failed: "It stopped loading. Your place is kept.",
  unplayable: "This browser cannot play it. Another browser or a newer device may.",
  noPicture: "This browser plays the sound, but cannot show the picture. Another may.",
  offline: "There is no connection just now. Your place is kept.",
  signedOut: "You have been signed out. Sign in again in a new tab, then come back to this one.",
  closed: "It is not open to you any more.",
} as const;
export const mediaReplaced = "This was replaced by a new one, which starts here.";

export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const;

export const stepSeconds = 10;

export const saveEveryMs = 10_000;

/** How long before its expiry a URL is renewed. */
export const renewAheadMs = 5 * 60_000;
