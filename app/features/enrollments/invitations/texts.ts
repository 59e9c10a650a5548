/** How long the link of an invitation works. */
export const invitationDays = 14;

/** Where the link of an invitation leads. */
export const invitationPath = "/invitation";

export const messages = {
  sentAgain: {
    title: "Invitation sent again",
    description: "The link of the earlier letter no longer works.",
    tone: "success",
  },
  withdrawn: {
    title: "Invitation withdrawn",
    description: "The link of its letter no longer works.",
    tone: "success",
  },
  failed: "The invitation could not be sent. Please try again.",
  incomplete: "Please select both a course and an email address",
  notWaiting: "This invitation is not waiting any more: it was accepted or withdrawn.",
  tooMany: "That was a lot of letters for one hour. Please go on a little later.",
  loadFailed: "Failed to load invitations",
} as const;
