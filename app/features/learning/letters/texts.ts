/** On the clock where the student is: a letter about lessons comes at eight, and not after noon. */
export const morning = { from: 8, until: 12 } as const;

/** The kind of work that sends the letter of a morning. */
export const lessonLetterKind = "learning.lesson-opened";
