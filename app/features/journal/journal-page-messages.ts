/** In an address, instead of a version: the answer was deleted elsewhere, and is to be kept all the same. */
export const asNewAnswer = "new";

export const journalMessages = {
  saved: { title: "Your answer is saved.", tone: "success" },
  deleted: { title: "Deleted.", description: "The lesson stays completed.", tone: "success" },
  draftDeleted: { title: "The draft is deleted.", tone: "success" },
  allDeleted: {
    title: "Your journal is empty now.",
    description: "Your lessons stay completed.",
    tone: "success",
  },
  changedMeanwhile: {
    title: "Something was written there meanwhile",
    description: "So it was not deleted. Please look at it once more.",
    tone: "destructive",
  },
  draftChanged: {
    title: "More was written in it meanwhile",
    description: "So nothing was done yet. Please look at it once more.",
    tone: "destructive",
  },
  tooLongTogether: {
    title: "That is more than one lesson can keep",
    description: "The draft stays as it is. Please shorten the answers that are there first.",
    tone: "destructive",
  },
  unreadable: {
    title: "It cannot be read just now",
    description: "So nothing was changed. Both are kept.",
    tone: "destructive",
  },
  gone: { title: "It is not there any more.", tone: "default" },
  changed:
    "This answer was changed in another tab or on another device after you opened it. Both are here: first as it stands now, then yours in the box. Nothing has been overwritten.",
  deletedMeanwhile:
    "This answer was deleted in another tab or on another device after you opened it. Your words are in the box. Save them if you want to keep them.",
  missing: "There is no such answer in your journal any more. Your words are in the box.",
  saveFailed:
    "Something went wrong here, and this is not saved. What you wrote is still in the box. Please try again in a minute.",
  offline:
    "The site cannot be reached just now. What you wrote is still in the box. Please try again when you are online.",
  deleteOffline: "The site cannot be reached just now. Please try again when you are online.",
  deleteFailed: "Something went wrong here, and this is not deleted. Please try again in a minute.",
  exportLimit:
    "You have asked for this several times within the hour. Please try again in an hour.",
} as const;

/** In the place of a text that the database has, and that cannot be opened. */
export const unreadableMessage = (email: string): string =>
  `These words cannot be read just now. They are kept; please write to ${email}.`;

export const closedCourseMessages = {
  deleted: "This course is no longer here. What you wrote in it stays.",
  left: "You are no longer enrolled in this course. What you wrote in it stays.",
} as const;
