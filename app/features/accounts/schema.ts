import { z } from "zod";
import { type EmailKind, emailKinds } from "./messages.ts";
export const emailKind = z.enum(emailKinds);

export type EmailPreferences = Record<EmailKind, boolean>;

/** Unsubscribe links for emails: absolute URLs that work signed out. */
export type UnsubscribeLinks = {
  preferences: string;
  off: string;
};

export type FoundPerson = { id: string; name: string; email: string };
