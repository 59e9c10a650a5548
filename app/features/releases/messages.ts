import type { ReleaseState } from "./schema.ts";

export const releaseStateWords: Record<ReleaseState, string> = {
  open: "Not published",
  scheduled: "Scheduled",
  published: "Published",
  failed: "Could not be published",
  undone: "Taken back",
};

/** A release and what is in it. */
export const mostReleases = 500;
export const mostChanges = 50;
export const longestReleaseTitle = 80;
/** Of a release that is named after what is in it. */
export const releaseTitle = (label: string) => label.slice(0, longestReleaseTitle);

export const releaseMessages = {
  gone: "This release does not exist any more.",
  titleMissing: "Give the release a name.",
  titleLong: `A name has ${longestReleaseTitle} characters at most.`,
  full: `A release has at most ${mostChanges} changes.`,
  tooMany: `There are ${mostReleases} releases. Please delete some that you no longer need.`,
  empty: "There is nothing in it yet.",
  notOpen: "This release was published, or taken back, meanwhile.",
  nothingChanged: "Nothing was changed: this is how it is already.",
  timeUnclear: "Choose a day and a time, such as 2026-12-01 08:00.",
  timePast: "This time has passed already. Choose a later one, or publish now.",
  timeFar: "Choose a time within the next year.",
  changedSince: (what: string) =>
    `${what} was changed since this was put into the release. Nothing was published. Look at it again.`,
  cannotUndo: (what: string) =>
    `${what} was changed after this release. Nothing was taken back, so that nobody’s work is lost.`,
  pageProblem: (what: string, problem: string) => `${what}: ${problem}`,
  added: { title: "Added to the release", tone: "success" },
  removed: { title: "Removed from the release", tone: "success" },
  scheduled: { title: "Scheduled", tone: "success" },
  unscheduled: { title: "Not scheduled any more", tone: "success" },
  published: { title: "Published together", tone: "success" },
  undone: { title: "Taken back together", tone: "success" },
  deleted: { title: "Release deleted", tone: "success" },
  failed: "The release could not be changed",
} as const;

/** Columns of a course that a release can change. */
export const releasedFieldLabels = {
  priceCents: "Price",
  active: "Active",
  comingSoon: "Coming soon",
} as const;

export type CourseField = keyof typeof releasedFieldLabels;
