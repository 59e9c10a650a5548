/** Where somebody asks that her account be deleted, decides once more, and where the letter's link leads. */
export const deletePath = "/account/data/delete";
export const leavingPath = "/account/leaving";
export const keepPath = "/account/keep";

/** What is open to somebody who has yet to decide whether her account stays. */
export const openWhileLeaving: readonly string[] = [
  leavingPath,
  keepPath,
  "/auth/sign-out",
  "/privacy",
  "/terms",
  "/mail-preferences/off",
];

export const leavingWords = {
  lastAdministrator:
    "You are the only administrator: without you nobody could look after the site. Please make somebody else an administrator first.",
  keepFirst: {
    title: "Your account will be deleted.",
    description: "To take this course, keep your account first.",
  },
  kept: { title: "Your account stays.", description: "Nothing was deleted.", tone: "success" },
  keptSignIn: {
    title: "Your account stays.",
    description: "Nothing was deleted. You can sign in as before.",
    tone: "success",
  },
  asked: { title: "You are signed out.", description: "A letter is on its way to you." },
  goesOn: { title: "You are signed out.", description: "Your account will be deleted." },
} as const;
