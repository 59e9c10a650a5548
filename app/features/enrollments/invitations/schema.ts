import { z } from "zod";
import { emailField } from "~/features/accounts/schema.ts";
import { messages } from "./texts.ts";

/** The form of an invitation. The order of the fields is the order of the messages. */
export const invitationFields = z.object({
  productId: z.string({ error: messages.incomplete }).min(1, messages.incomplete),
  email: z
    .string({ error: messages.incomplete })
    .trim()
    .min(1, messages.incomplete)
    .pipe(emailField.shape.email)
    .transform((email) => email.toLowerCase()),
  name: z
    .string()
    .trim()
    .max(100, "Name must be less than 100 characters")
    .transform((name) => name || null)
    .nullish()
    .transform((name) => name ?? null),
});

/** An invitation that was not accepted yet, as the coach sees it. */
export type WaitingInvitation = {
  id: string;
  email: string;
  name: string | null;
  course: string;
  /** When its newest letter was written. */
  sentAt: Date;
  expiresAt: Date;
  isExpired: boolean;
  /** The receiving mail server would not have the letter. */
  isRefused: boolean;
};
