/** Where somebody asks for another address, and where the links of both letters lead. */
export const addressPath = "/account/email";
export const confirmAddressPath = "/account/email/confirm";

export const addressWords = {
  same: "That is your address already.",
  tooMany: "You have asked for this several times today. Please try again tomorrow.",
  asked: {
    title: "Two letters are on their way",
    description: "Your address changes once both are confirmed.",
    tone: "success",
  },
  cancelled: { title: "Your address stays as it is.", tone: "success" },
  changed: { title: "Your email address is changed.", tone: "success" },
  changedSignIn: {
    title: "Your email address is changed.",
    description: "Please sign in with the new one.",
    tone: "success",
  },
} as const;
