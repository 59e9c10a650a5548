/** In the pattern of spec 8. */
export const studentLoadFailed = {
  students: "Failed to load students",
} as const;
