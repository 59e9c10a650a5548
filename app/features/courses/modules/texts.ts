/** What is said of a module's fields. */
export const moduleTexts = {
  courseMissing: "Choose a course",
  orderMissing: "Order number is required",
  orderLow: "Order number is a whole number, from 1",
  orderHigh: "Order number has nine digits at most",
  gone: "This module was deleted.",
  changed: "This module was changed elsewhere since you opened it. Nothing was saved yet.",
  createFailed: "Failed to create module",
  updateFailed: "Failed to update module",
} as const;
