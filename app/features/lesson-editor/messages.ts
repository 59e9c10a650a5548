/** In characters; a long lesson of this site has 5,000. */
export const maxContent = 300_000;
export const maxTitle = 200;
/** Within PostgreSQL's integer, with room. */
export const maxNumber = 1_000_000;

/** In the place of a draft's id in a URL: whichever of the lesson was typed last. */
export const newestDraft = "newest";

/** The fields of a lesson that an author writes, in form order. */
export const fieldNames = [
  "title",
  "moduleId",
  "slug",
  "orderNum",
  "dripDay",
  "content",
  "prompts",
] as const;
export type FieldName = (typeof fieldNames)[number];
export type Fields = Record<FieldName, string>;
export type FieldErrors = Partial<Record<FieldName, string>>;

export const fieldLabels: Record<FieldName, string> = {
  title: "Title",
  moduleId: "Module",
  slug: "Slug",
  orderNum: "Order number",
  dripDay: "Opens on day",
  content: "Text",
  prompts: "Journal prompts",
};

export const formMessages = {
  title: "Title is required",
  longTitle: `A title has ${maxTitle} characters at most`,
  module: "Module is required",
  moduleGone: "This module was deleted. Choose another one.",
  order: "Order number is required",
  orderShape: "Use a whole number, 1 or higher",
  drip: "Use a whole number, 0 or higher",
  waitingPicture: (name: string) =>
    `The picture “${name}” has not arrived. Choose it once more, or delete its line from the text.`,
  longContent: `This text is longer than a lesson can be (${maxContent.toLocaleString("en-US")} characters). Nothing is lost: it is still here. Please move part of it to another lesson.`,
  conflict:
    "This lesson was changed elsewhere since you opened it. Nothing is saved yet. Both versions are below.",
  gone: "This lesson was deleted meanwhile. What you wrote is kept as a draft; restore the lesson to save it.",
  createFailed: "Failed to create lesson",
  failed: "Failed to update lesson",
  offline: "The site cannot be reached just now. What you wrote is still here, and on this device.",
  noAdministrator:
    "You are not signed in as an administrator here any more. What you wrote is still here, and on this device.",
  tooManyDrafts:
    "There are very many unfinished drafts of yours. Please finish or discard some of them first.",
  signedOut: "You have been signed out. What you wrote is still here, and on this device.",
} as const;
