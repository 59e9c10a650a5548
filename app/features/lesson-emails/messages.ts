/** On the clock where the student is: an email about lessons comes at eight, and not after noon. */
export const morning = { from: 8, until: 12 } as const;

/** The kind of work that sends the email of a morning. */
export const lessonEmailKind = "learning.lesson-opened";
