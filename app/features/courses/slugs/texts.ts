/** Small letters, digits and single hyphens. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const longestSlug = 100;

/** What is said of a slug, in a form and while it is typed. */
export const slugTexts = {
  missing: "Give it an address, for example from its title",
  invalid: "Use small letters, numbers and hyphens only",
  long: `An address has ${longestSlug} characters at most`,
  free: "This address is free.",
  taken: {
    course: "Another course has this address.",
    lesson: "Another lesson of this module has this address.",
  },
} as const;
