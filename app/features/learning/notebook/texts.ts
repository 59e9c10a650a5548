// Apart from the texts: the player leads to the journal, and does without its messages.
export const journalPath = "/my-courses/journal";
/** The whole of it, to be printed. */
export const bookPath = "/my-courses/journal/book";
export const markdownPath = "/my-courses/journal.md";
export const exportPath = "/account/export";
