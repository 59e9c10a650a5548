export const importPath = "/admin/newsletter/import";

export const maxFileMegabytes = 20;
export const maxFileRows = 100_000;
/** Files and their rows are deleted after this. */
export const importStoredHours = 24;
export const mostImportsADay = 20;
export const problemsShown = 100;
export const longestWhereFrom = 200;

/** What happens to the rows of a file, before and after it is imported. */
export const outcomeWords = {
  confirm: ["will be added at once", "added"],
  ask: ["will be asked by email to confirm", "asked by email to confirm"],
  known: ["on the list already, will stay", "on the list already"],
  waiting: ["asked before, have not answered yet", "asked before, have not answered yet"],
  left: ["left your list before, will stay gone", "left your list before"],
  suppressed: ["suppressed, will get no email", "suppressed"],
  unsubscribed: ["unsubscribed or bounced, as the file says", "unsubscribed or bounced"],
  duplicate: ["in the file more than once", "in the file more than once"],
  invalid: ["not an email address", "not an email address"],
} as const;

/** Beside an outcome, why it is so. */
export const outcomeHints: Partial<Record<keyof typeof outcomeWords, string>> = {
  confirm: "The file says when they signed up.",
  ask: "The file has no date on which they signed up.",
};

export const problemWords = {
  invalid: "Not an email address",
  duplicate: "In the file more than once",
  unsubscribed: "Unsubscribed or bounced, as the file says",
  left: "Left your list before",
  suppressed: "Gets no email: it came back, or they complained",
  date: "The date cannot be read, so they are asked by email",
} as const;

export const importMessages = {
  loadFailed: "Failed to load the import",
  failed: "That did not work. Please try again.",
  noFile: "Please choose a file.",
  noWhere: "Please say where they signed up, for example “the form on my old site”.",
  longWhere: `Please use ${longestWhereFrom} characters or fewer.`,
  tooLarge: `The file is larger than ${maxFileMegabytes} MB. Please split it.`,
  tooManyRows: `The file has more than ${maxFileRows.toLocaleString("en-US")} rows. Please split it.`,
  tooMany: `You have imported ${mostImportsADay} files today. Please go on tomorrow.`,
  workbook:
    "This is a workbook or an archive. Please save the sheet as CSV, or unpack the archive first.",
  unreadable: "This file is not text. Please export your list as CSV.",
  empty: "There is nothing in this file but headings.",
  noHeadings: "The first line of the file should name its columns, such as “Email”.",
  noAddressColumn: "Please choose the column with the email addresses.",
  gone: "This import is over. Please choose the file again.",
  started: { title: "Importing", description: "You can leave this page. It goes on by itself." },
} as const;

export function brokenRow(row: number): string {
  return `Row ${row.toLocaleString("en-US")} cannot be read: a quotation mark is open there, or the row is too long. Please mend it and choose the file again.`;
}
