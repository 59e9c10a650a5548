/** How long a reason may be: a few sentences. */
export const longestReason = 1000;

export const suspensionTexts = {
  suspended: { title: "Account suspended", tone: "success" },
  letIn: { title: "Account let in again", tone: "success" },
  failed: "Failed to change the account",
  gone: "This account does not exist any more.",
  self: "You cannot suspend your own account.",
  last: "This is the only administrator who can sign in. Make somebody else one first.",
  notYou: "You are not an administrator any more.",
} as const;

/** What whoever was suspended is told, once she has shown that the account is hers. */
export const suspendedSentence = (email: string) =>
  `This account is paused, and cannot be used to sign in just now. If you would like to ask why, write to ${email}.`;

/** What the authentication library answers with it. */
export const suspendedCode = "ACCOUNT_SUSPENDED";
