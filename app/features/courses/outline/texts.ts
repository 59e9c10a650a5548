/** What the outline says of itself. */
export const outlineTexts = {
  missing:
    "This is not there any more: somebody deleted it or moved it to another course. The order below is the current one.",
  failed: "The order could not be saved. It is as it was before; please try again.",
  unknown:
    "The order could not be saved. Below is how it was before; as soon as the site answers, this page shows what is stored.",
  reloaded: "The order below is the one that is stored. Please check it before you go on.",
  saving: "Saving the order…",
} as const;

/** '“Water” is 2 of 5 in “Week 1”.' */
export function lessonPlaced(title: string, place: number, of: number, module: string) {
  return `“${title}” is ${place} of ${of} in “${module}”.`;
}

/** '“Week 1” is 2 of 5 modules.' */
export function modulePlaced(title: string, place: number, of: number) {
  return `“${title}” is ${place} of ${of} modules.`;
}

/** What is said when its slug was taken where a lesson went. */
export function slugGiven(slug: string) {
  return `Its address there was taken; its slug is now “${slug}”.`;
}
