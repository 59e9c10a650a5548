/** What is said where students cannot be loaded, in the pattern of spec 8. */
export const loadFailed = {
  students: "Failed to load students",
} as const;
