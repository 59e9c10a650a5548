/** 'Course created successfully' and the like (spec 8, Admin successes). */
export function savedMessage(
  what: "Course" | "Module" | "Lesson",
  how: "created" | "updated" | "deleted",
) {
  return { title: `${what} ${how} successfully`, tone: "success" } as const;
}

/** Texts of spec 8 for courses, modules and lessons in the admin. */
export const courseMessages = {
  activated: { title: "Course activated", tone: "success" },
  duplicated: {
    title: "Course duplicated",
    description: "This is the copy. It is inactive and has no students.",
    tone: "success",
  },
  deactivated: { title: "Course deactivated", tone: "success" },
  /** At the top of the page of an inactive course. */
  onlyAdmins: "This course is not active. Only you can see this page.",
  invalidPrompts: "Invalid JSON format for prompts",
} as const;

/** Shown in place of a list that cannot be loaded (spec 8, Admin loads failing). */
export const courseLoadFailed = {
  courses: "Failed to load courses",
  modules: "Failed to load modules",
  lessons: "Failed to load lessons",
} as const;

/** Shown when saving fails and the server gives no message (spec 8, Admin save errors). */
export const saveFailed = {
  courseUpdate: "Failed to update course",
  courseDelete: "Failed to delete course",
  moduleDelete: "Failed to delete module",
  lessonDelete: "Failed to delete lesson",
} as const;

export const longestTitle = 200;
export const longestDescription = 5000;
/** In cents: Stripe charges nothing smaller. */
export const lowestPriceCents = 50;
/** In cents; also the most that a card can be charged at once. */
export const highestPriceCents = 99_999_999;

export const courseFormMessages = {
  titleMissing: "Title is required",
  titleLong: `A title has ${longestTitle} characters at most`,
  descriptionLong: `A description has ${longestDescription} characters at most`,
  priceMissing: "Price is required; write 0 if the course is free",
  priceUnclear: "Write the price as a number, like 197 or 197.50",
  priceNegative: "A price cannot be below zero",
  priceFine: "A price has two decimals at most, like 197.50",
  priceLow: "The lowest price is $0.50; write 0 if the course is free",
  priceHigh: "The highest price is $999,999.99",
  comingSoonUnclear: "Choose whether the course is coming soon",
  lessonEmailsUnclear: "Choose what your students get when a lesson opens",
  gone: "This course was deleted.",
  changed: "This course was changed elsewhere since you opened it. Nothing was saved yet.",
  /** By whether a version that is brought back is active. */
  alsoActive: {
    yes: "This activates the course: visitors see it.",
    no: "This deactivates the course: visitors do not see it any more. Enrolled students still have it.",
  },
  createFailed: "Failed to create course",
  duplicateFailed: "Failed to duplicate course",
} as const;

export const lessonEmailNames = {
  off: "Send nothing",
  notice: "Send a short email with a link",
  lesson: "Send the lesson itself",
} as const;

export const courseFieldLabels = {
  title: "Title",
  slug: "Slug",
  description: "Description",
  price: "Price",
  comingSoon: "Coming soon",
  lessonEmails: "When a lesson opens",
  active: "Active",
} as const;

/** The value of a field of a course in words. */
export function courseFieldText(name: keyof typeof courseFieldLabels, value: string): string {
  if (name === "comingSoon" || name === "active") return value === "yes" ? "Yes" : "No";
  return name === "lessonEmails" ? lessonEmailNames[value as keyof typeof lessonEmailNames] : value;
}

export const moduleMessages = {
  courseMissing: "Choose a course",
  orderMissing: "Order number is required",
  orderLow: "Order number is a whole number, from 1",
  orderHigh: "Order number has nine digits at most",
  gone: "This module was deleted.",
  changed: "This module was changed elsewhere since you opened it. Nothing was saved yet.",
  createFailed: "Failed to create module",
  updateFailed: "Failed to update module",
} as const;

export const outlineMessages = {
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

/** Shown when a lesson's slug was taken in the module that it moved to. */
export function slugGiven(slug: string) {
  return `Its address there was taken; its slug is now “${slug}”.`;
}

export const courseDeletionMessages = {
  gone: "This was deleted already.",
  notThere: "This is not among what was deleted. Perhaps it was restored already.",
  tooLate: "This was deleted more than 30 days ago and cannot be restored any more.",
  courseFirst: "Its course is deleted. Restore the course first.",
  moduleFirst: "Its module is deleted. Restore the module first.",
  loadFailed: "Failed to load what was deleted",
  failed: "Failed to restore it",
} as const;

/** 'Course restored', with its new slug if the old one was taken meanwhile. */
export function restoredMessage(kind: "course" | "module" | "lesson", slug: string | null) {
  const what = { course: "Course", module: "Module", lesson: "Lesson" }[kind];
  return {
    title: `${what} restored`,
    description: slug ? `Its slug was taken meanwhile. It is now “${slug}”.` : undefined,
    tone: "success",
  } as const;
}

/** Lowercase letters, digits and single hyphens. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const longestSlug = 100;

export const slugMessages = {
  missing: "Give it an address, for example from its title",
  invalid: "Use small letters, numbers and hyphens only",
  long: `An address has ${longestSlug} characters at most`,
  free: "This address is free.",
  taken: {
    course: "Another course has this address.",
    lesson: "Another lesson of this module has this address.",
  },
} as const;
