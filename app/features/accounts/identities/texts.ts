/** Where somebody sees and changes how she signs in. */
export const methodsPath = "/account/sign-in-methods";

export const identityTexts = {
  linked: (provider: string) => ({
    title: `${provider} is linked.`,
    description: "You can sign in with it from now on.",
  }),
  unlinked: { title: "It is unlinked.", description: "It opens your account no longer." },
  unknown: { title: "It was unlinked already." },
  last: {
    title: "That is your only way in",
    description: "Set a password first, or link another way to sign in. Then this one can go.",
  },
  letter: (email: string) => ({
    title: "Please check your email",
    description: `A link to choose a password is on its way to ${email}. It works for an hour.`,
  }),
  noLetter: "The email was not sent",
} as const;
