/** Where somebody sees and changes how she signs in. */
export const methodsPath = "/account/sign-in-methods";

/** There, first, she shows that it is she: signing in is a while ago. */
export const showOwnerPath = `${methodsPath}?show=owner`;

export const identityTexts = {
  linked: (provider: string) => ({
    title: `${provider} is linked.`,
    description: "You can sign in with it from now on.",
  }),
  unlinked: { title: "It is unlinked.", description: "It opens your account no longer." },
  shown: { title: "Thank you.", description: "You can go on now." },
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
