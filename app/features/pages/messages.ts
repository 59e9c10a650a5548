import type { PageKind } from "../../../content/fields.ts";

/** What each kind of page is called in the admin area, and where visitors see it. */
export const pageKinds: Readonly<Record<PageKind, { label: string; path: string | null }>> = {
  site: { label: "On every page", path: null },
  home: { label: "Home", path: "/" },
  about: { label: "About", path: "/about" },
  coaching: { label: "Coaching", path: "/coaching" },
  courses: { label: "Course list", path: "/courses" },
  course: { label: "Course page", path: null },
  newsletter: { label: "Newsletter pages", path: "/newsletter" },
  "thank-you": { label: "After subscribing", path: "/thank-you" },
  "enrollment-success": { label: "After enrolling", path: "/enrollment-success" },
  "not-found": { label: "Page not found", path: null },
  privacy: { label: "Privacy policy", path: "/privacy" },
  terms: { label: "Terms of service", path: "/terms" },
};

export const pageMessages = {
  noField: "There is no such place on this page.",
  unreadable: "This is no text of this page.",
  changedElsewhere: "This text was changed elsewhere since you opened it.",
  signedOut: "You have been signed out. What you wrote is still here, and on this device.",
  tooLarge: "This is more than fits here.",
  nothingToPublish: "There is nothing to publish: the page says this already.",
  notAsShown:
    "The page or its drafts have changed since they were shown to you. Nothing was published. Please look at the changes again.",
  cannotPublish: "Nothing was published: some places need another look.",
  published: { title: "Published", tone: "success" },
  restored: { title: "Published again as it was", tone: "success" },
  discarded: { title: "Draft discarded", tone: "success" },
  saved: { title: "Draft saved", tone: "success" },
  siteDrafted: "Words that stand on every page have drafts too.",
  noVersion: "This version does not exist.",
  failed: "Failed to save the page",
  noSuchPage: (path: string) => `There is no page at ${path} on this site.`,
  unknownPicture: "A picture in it is not on this site. Choose it once more.",
  waitingPicture: (name: string) =>
    `“${name}” has not arrived. If this does not change, take its line out and choose it once more.`,
} as const;

/** Where the text of an editor is. */
export const draftStates = {
  writing: "Typing...",
  saved: "Saved as a draft. Visitors still see the published text.",
  "only-here": "Only on this page: neither the site nor this browser has saved it.",
  "signed-out": pageMessages.signedOut,
  full: "There is no room for more drafts.",
  refused: "Not saved. It was changed elsewhere, or is more than fits here.",
  unreachable: "The site cannot be reached just now. What you wrote is on this device.",
} as const;

/** While another text for the same place waits for a decision. */
export const undecidedStates = {
  ...draftStates,
  refused: "Not saved yet. Choose one of the two texts first.",
} as const;
