/** What is said where students cannot be loaded, in the pattern of spec 8. */
export const loadFailed = {
  students: "Failed to load students",
} as const;

/** What a letter was about, by its kind in the outbox. */
export const mailKinds: Readonly<Record<string, string>> = {
  "accounts.verify-email": "Confirming the address",
  "accounts.reset-password": "A new password",
  "accounts.already-registered": "Signed up once more",
  "enrollments.invitation": "Invitation to a course",
  "learning.module-completed": "Module completed",
};
