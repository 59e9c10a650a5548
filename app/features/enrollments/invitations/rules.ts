import { enrolledToast } from "../roster/rules.ts";
import type { Enrolled } from "../roster/schema.ts";
import { invitationDays } from "./texts.ts";

const dayMs = 24 * 3600_000;

/** When a link that is sent now stops working. */
export function expiryOf(sentAt: Date): Date {
  return new Date(sentAt.getTime() + invitationDays * dayMs);
}

/** When the letter was written whose link stops working then. */
export function sentAtOf(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - invitationDays * dayMs);
}

/** What an invitation is, as far as its own row says. */
export function stateOf(
  invitation: { acceptedAt: Date | null; withdrawnAt: Date | null; expiresAt: Date },
  now: Date,
): "open" | "used" | "withdrawn" | "expired" {
  if (invitation.acceptedAt) return "used";
  if (invitation.withdrawnAt) return "withdrawn";
  return invitation.expiresAt.getTime() <= now.getTime() ? "expired" : "open";
}

/** What is said after the form of an invitation was sent: to whom a letter went, or who had an account. */
export function invitedToast(email: string, enrolled: Enrolled | null, since: string) {
  if (!enrolled)
    return {
      title: "Invitation sent",
      description: `A letter is on its way to ${email}. Its link works for ${invitationDays} days.`,
      tone: "success" as const,
    };
  const toast = enrolledToast(enrolled, since);
  if (!enrolled.isNew) return toast;
  return {
    ...toast,
    description: `${email} has an account already, so no invitation was needed. ${toast.description}`,
  };
}
