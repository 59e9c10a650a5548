import { createContext } from "react";

/** Which form of the mail provider ours stands for, and in which version; as configured. */
export type NewsletterFormIdentity = { id: string; version: string | null };

/** Set once, around every page; null where signups stay on this site. */
export const FormIdentity = createContext<NewsletterFormIdentity | null>(null);
