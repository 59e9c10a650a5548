export const failureSubject = (course: string) => `Your payment for “${course}” did not go through`;
