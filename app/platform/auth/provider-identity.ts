import { z } from "zod";
import type { ProviderConfig } from "../config/providers.ts";

export type Identity = {
  provider: { id: string; name: string };
  /** Never changes, and never means anybody else, at this provider. */
  subject: string;
  /** In small letters; null when the provider tells none. */
  email: string | null;
  /** The provider has seen that they read that mailbox. */
  emailVerified: boolean;
  /** It also hands those addresses out: anyone who signs in there has the mailbox today. */
  isMailHost: boolean;
  name: string | null;
};

const text = z.string().optional().catch(undefined);
const claims = z.object({
  sub: z.string().min(1).max(255),
  email: text,
  // Some write it as a word.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  name: text,
  given_name: text,
  family_name: text,
  /** Google: the organization whose mail it hosts. */
  hd: text,
});
type Claims = z.infer<typeof claims>;

/** Who the claims of an ID token, which was verified, are about. Claims that it lacks are asked for
 * by `more`, as OpenID Connect Core 5.4 has them. */
export async function identityOf(
  config: ProviderConfig,
  idToken: unknown,
  more: (subject: string) => Promise<unknown>,
): Promise<Identity> {
  const claimed = claims.parse(idToken);
  const all = claimed.email
    ? claimed
    : { ...claims.parse(await more(claimed.sub)), ...present(claimed) };
  return {
    provider: { id: config.id, name: config.name },
    subject: claimed.sub,
    email: all.email?.trim().toLowerCase() || null,
    emailVerified: all.email_verified === true,
    isMailHost: config.id !== "google" || isHostedByGoogle(all),
    name: all.name || [all.given_name, all.family_name].filter(Boolean).join(" ") || null,
  };
}

const present = (claimed: Claims) =>
  Object.fromEntries(Object.entries(claimed).filter(([, value]) => value !== undefined)) as Claims;

/** Google's own words: for other addresses it knows that they were read once, not by whom today. */
function isHostedByGoogle({ email = "", hd }: Claims): boolean {
  return Boolean(hd) || /@(gmail|googlemail)\.com$/i.test(email);
}
