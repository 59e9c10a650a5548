import { type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import type { ProviderConfig } from "../../config/providers.ts";
import { askProvider, ProviderAway, ProviderUnusable } from "./ask.ts";
import type { Description } from "./discovery.ts";

/** Who a provider says that somebody is. */
export type Identity = {
  provider: { id: string; name: string };
  /** Never changes, and never means anybody else, at this provider. */
  subject: string;
  /** In small letters; null when the provider tells none. */
  email: string | null;
  /** The provider has seen that she reads that mailbox. */
  emailVerified: boolean;
  /** It also hands those addresses out: whoever signs in there has the mailbox today. */
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
  /** Google: the organisation whose mail it hosts. */
  hd: text,
});
type Claims = z.infer<typeof claims>;

/**
 * Reads an ID token: signed with a key of the provider, for this site, for this very visit.
 * Claims that it lacks are asked for, as OpenID Connect Core 5.4 has them.
 * @throws {ProviderUnusable} when it is not to be believed
 */
export async function identityOf(
  config: ProviderConfig,
  described: Description,
  answer: { idToken: string; accessToken: string | undefined; nonce: string },
): Promise<Identity> {
  const payload = await verify(config, described, answer);
  const told = claims.parse(payload);
  const all = told.email
    ? told
    : { ...(await more(described, answer, told.sub)), ...present(told) };
  return {
    provider: { id: config.id, name: config.name },
    subject: told.sub,
    email: all.email?.trim().toLowerCase() || null,
    emailVerified: all.email_verified === true,
    isMailHost: config.id !== "google" || isHostedByGoogle(all),
    name: all.name || [all.given_name, all.family_name].filter(Boolean).join(" ") || null,
  };
}

const present = (told: Claims) =>
  Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as Claims;

async function verify(
  { clientId }: ProviderConfig,
  described: Description,
  { idToken, nonce }: { idToken: string; nonce: string },
): Promise<JWTPayload> {
  // Signed with a secret that both know would be no signature of theirs.
  const algorithms = described.id_token_signing_alg_values_supported.filter((name) =>
    /^(RS|PS|ES)\d|^Ed/.test(name),
  );
  const payload = await jwtVerify(idToken, described.keys, {
    issuer: described.issuer,
    audience: clientId,
    algorithms,
    clockTolerance: 60,
    requiredClaims: ["sub", "iat", "exp"],
  }).then(({ payload }) => payload, refuse);
  if (payload.nonce !== nonce) throw new ProviderUnusable("its token is for another visit");
  const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForOthers || payload.azp !== undefined) && payload.azp !== clientId)
    throw new ProviderUnusable("its token is for another site");
  return payload;
}

/** The library's errors hold the token's claims, which no log may have. */
function refuse(error: { code?: string; message: string }): never {
  const isAway = !error.code?.startsWith("ERR_J") || /GENERIC|TIMEOUT/.test(error.code);
  if (isAway) throw new ProviderAway("its keys could not be read");
  throw new ProviderUnusable(`its token is not good (${error.code})`);
}

async function more(
  { userinfo_endpoint }: Description,
  { accessToken }: { accessToken: string | undefined },
  subject: string,
): Promise<Claims> {
  if (!userinfo_endpoint || !accessToken) return { sub: subject };
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
  const said = claims.safeParse(await askProvider(userinfo_endpoint, { headers }));
  if (said.data?.sub !== subject) throw new ProviderUnusable("it speaks of somebody else");
  return said.data;
}

/** Google's own words: for other addresses it knows that they were read once, not by whom today. */
function isHostedByGoogle({ email = "", hd }: Claims): boolean {
  return Boolean(hd) || /@(gmail|googlemail)\.com$/i.test(email);
}
