import type { Identity } from "./provider-identity.ts";

type Person = { id: string; name: string; email: string };

export type AuthHooks = {
  verifyEmail(person: Person, link: { token: string; redirectTo: string }): Promise<void>;
  resetPassword(person: Person, link: { token: string; redirectTo: string }): Promise<void>;
  /** Called when a new password was set with an emailed link. */
  passwordChosen(userId: string): Promise<void>;
  alreadyRegistered(person: Person & { emailVerified: boolean }): Promise<void>;
  /** The reason why this account gets no session, whatever the sign-in method; null if allowed. */
  refuseSession(userId: string): Promise<{ code: string; message: string } | null>;
  /** Called after a sign-in on a device that is new to the account. */
  onNewDevice(userId: string, userAgent: string | null): Promise<void>;
  /** Called when sign-in attempts for this address exceed the limit; it may have no account. */
  onSignInLimit(email: string): Promise<void>;
  validate(
    operation: "sign-up" | "sign-in" | "reset",
    body: Record<string, unknown>,
  ): Promise<string | null>;
  /** The account of a provider identity, or a refusal; `made` is an account to be confirmed. */
  signInWithProvider(
    identity: Identity,
    way: { redirectTo: string },
  ): Promise<
    { userId: string; to: string } | { code: string; made?: { id: string; email: string } }
  >;
  /** Links a provider identity to an account. @returns a refusal code, or null */
  link(identity: Identity, userId: string): Promise<string | null>;
};
