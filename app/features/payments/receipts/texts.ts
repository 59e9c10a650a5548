export const receiptSubject = (course: string) => `Your receipt for “${course}”`;
