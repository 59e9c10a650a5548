export const longestTitle = 200;
export const longestDescription = 5000;
/** In cents: Stripe charges nothing smaller. */
export const lowestPriceCents = 50;
/** In cents; also the most that a card can be charged at once. */
export const highestPriceCents = 99_999_999;

/** What is said of a course's fields. */
export const courseTexts = {
  titleMissing: "Title is required",
  titleLong: `A title has ${longestTitle} characters at most`,
  descriptionLong: `A description has ${longestDescription} characters at most`,
  priceMissing: "Price is required; write 0 if the course is free",
  priceUnclear: "Write the price as a number, like 197 or 197.50",
  priceNegative: "A price cannot be below zero",
  priceFine: "A price has two decimals at most, like 197.50",
  priceLow: "The lowest price is $0.50; write 0 if the course is free",
  priceHigh: "The highest price is $999,999.99",
  lessonMailsUnclear: "Choose what your students get when a lesson opens",
  gone: "This course was deleted.",
  changed: "This course was changed elsewhere since you opened it. Nothing was saved yet.",
  createFailed: "Failed to create course",
  duplicateFailed: "Failed to duplicate course",
  restoreFailed: "Failed to restore it",
} as const;

/** What can be sent when a lesson opens, as the form of a course calls it. */
export const lessonMailNames = {
  off: "Send nothing",
  notice: "Send a short letter with a link",
  lesson: "Send the lesson itself",
} as const;
