import { invitationDays } from "../invitations/texts.ts";

/** Why a link does not lead into a course, and what to do; the page adds whom to write to. */
export const deadInvitations = {
  unknown: {
    title: "This link does not work",
    lead: "Perhaps it came apart in your mail program, or a newer letter has replaced it. Please try the link of the newest letter.",
  },
  expired: {
    title: "This invitation has run out",
    lead: `Its link worked for ${invitationDays} days. Your place can be kept again.`,
  },
  withdrawn: {
    title: "This invitation was withdrawn",
    lead: "Nothing was changed, and no account was made.",
  },
  used: {
    title: "This invitation was accepted already",
    lead: "The course is in your account. Sign in, and it is there.",
  },
  closed: {
    title: "This course is closed at the moment",
    lead: "Your invitation is kept. When the course opens again, this link works again, as long as it has not run out.",
  },
  gone: {
    title: "This course is not offered any more",
    lead: "Nothing was changed, and no account was made.",
  },
} as const;

export type DeadInvitation = keyof typeof deadInvitations;

/** The HTTP status of each. */
export const deadStatuses: Record<DeadInvitation, number> = {
  unknown: 404,
  expired: 410,
  withdrawn: 410,
  used: 410,
  closed: 409,
  gone: 410,
};

export const messages = {
  enrolled: {
    title: "You are enrolled.",
    description: "Begin whenever you like.",
    tone: "success",
  },
  enrolledSignIn: {
    title: "You are enrolled.",
    description: "Sign in with your own password, and begin.",
    tone: "success",
  },
} as const;
