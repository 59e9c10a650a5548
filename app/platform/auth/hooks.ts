import type { Identity } from "./providers/identity.ts";

type Person = { id: string; name: string; email: string };

/** What the product adds to the library: its letters and its rules for what people type. */
export type AuthHooks = {
  verifyEmail(person: Person, link: { token: string; redirectTo: string }): Promise<void>;
  resetPassword(person: Person, link: { token: string; redirectTo: string }): Promise<void>;
  /** A new password was set with the link of a letter. */
  passwordChosen(userId: string): Promise<void>;
  alreadyRegistered(person: Person & { emailVerified: boolean }): Promise<void>;
  /** Why this account gets no session, by whatever way in; null where it does. */
  refuseSession(userId: string): Promise<{ code: string; message: string } | null>;
  /** Somebody got in to this account on a device on which nobody had before. */
  enteredAnew(userId: string, userAgent: string | null): Promise<void>;
  /** Passwords for the account with this address, if there is one, were tried too often. */
  triedOften(email: string): Promise<void>;
  /** The first thing wrong with the fields of a request, or null. */
  complain(
    operation: "sign-up" | "sign-in" | "reset",
    body: Record<string, unknown>,
  ): Promise<string | null>;
  /**
   * Whose account it is that somebody with this identity signs in to, be it a new one, and where
   * she goes on; else a code why not. `redirectTo` is where she was going. `made` is the account
   * that waits for its letter.
   */
  arrive(
    identity: Identity,
    way: { redirectTo: string },
  ): Promise<
    { userId: string; to: string } | { code: string; made?: { id: string; email: string } }
  >;
  /** Lets this account be entered with this identity. @returns a code why not, or null */
  link(identity: Identity, userId: string): Promise<string | null>;
};
