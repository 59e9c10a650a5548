/** Files and lines of each room, tests left out. The check fails at 10 % more. */
export const budgets: Readonly<Record<string, { files: number; lines: number }>> = {
  "features/accounts": { files: 17, lines: 1360 },
  "features/audit-log": { files: 4, lines: 353 },
  "features/auth": { files: 44, lines: 5027 },
  "features/courses": { files: 33, lines: 4741 },
  "features/drafts": { files: 3, lines: 200 },
  "features/email-log": { files: 7, lines: 813 },
  "features/enrollments": { files: 19, lines: 2312 },
  "features/journal": { files: 26, lines: 3252 },
  "features/lesson-editor": { files: 21, lines: 2849 },
  "features/lesson-emails": { files: 9, lines: 1172 },
  "features/lesson-media": { files: 24, lines: 3365 },
  "features/newsletter": { files: 11, lines: 973 },
  "features/payments": { files: 20, lines: 3247 },
  "features/personal-data": { files: 1, lines: 233 },
  "features/player": { files: 27, lines: 2500 },
  "features/progress": { files: 9, lines: 811 },
  platform: { files: 177, lines: 13186 },
  root: { files: 4, lines: 351 },
  routes: { files: 106, lines: 7873 },
  server: { files: 7, lines: 734 },
  site: { files: 11, lines: 502 },
  ui: { files: 101, lines: 7859 },
};

/** The largest share of comment lines in the code of app/; the aim is 0.06. */
export const commentShare = 0.062;

/** How often app/ may still use a word that docs/glossary.md replaces. Counts only fall. */
export const glossary: Readonly<Record<string, number>> = {
  letter: 77,
  whoever: 5,
  hers: 0,
  nobody: 72,
  anew: 4,
  told: 20,
  kept: 73,
  seat: 2,
  complaint: 1,
  keepsake: 0,
  notebook: 21,
  "of before": 1,
  "twice is once": 0,
  dead: 25,
};
