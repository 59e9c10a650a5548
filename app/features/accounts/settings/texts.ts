/** Where somebody looks after her account. */
export const accountPath = "/account";
export const dataPath = "/account/data";

/** The pages of an account, in the order of its list. Each is here once its route is. */
export const accountPages: readonly { href: string; label: string }[] = [
  { href: accountPath, label: "Overview" },
  { href: "/account/sign-in-methods", label: "Signing in" },
  { href: "/account/security", label: "Security" },
  { href: dataPath, label: "Your data" },
];

export const settingWords = {
  noZone: "Please choose a place of the list.",
  nameSaved: { title: "Your name is saved.", tone: "success" },
  zoneSaved: { title: "Your time zone is saved.", tone: "success" },
  passwordSaved: {
    title: "Your password is changed.",
    description: "On your other devices you have been signed out.",
    tone: "success",
  },
  resetSent: {
    title: "Please check your email",
    description: "A link to choose a password is on its way. It works for an hour.",
    tone: "success",
  },
} as const;
