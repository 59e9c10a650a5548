import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { ProviderConfig } from "../../config/providers.ts";
import { askProvider, ProviderUnusable } from "./ask.ts";

const web = z.url({ protocol: /^https?$/ });

const description = z.object({
  issuer: z.string(),
  authorization_endpoint: web,
  token_endpoint: web,
  jwks_uri: web,
  userinfo_endpoint: web.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  id_token_signing_alg_values_supported: z.array(z.string()).default(["RS256"]),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

/** What a provider says of itself (OpenID Connect Discovery 1.0), and its keys. */
export type Description = z.infer<typeof description> & { keys: JWTVerifyGetKey };

/** How long it is believed before the provider is asked again, in milliseconds. */
const freshMs = 3600_000;

/**
 * Reads a provider's description when it is first needed, and again every hour: one that is away
 * when the site starts is there as soon as it is back, and while it is away what it said last holds.
 */
export function discovery(config: ProviderConfig): () => Promise<Description> {
  let known: { description: Description; readAt: number } | null = null;
  let reading: Promise<Description> | null = null;

  async function read(): Promise<Description> {
    try {
      const found = await askAbout(config, known?.description);
      known = { description: found, readAt: Date.now() };
      return found;
    } catch (error) {
      if (known) return known.description;
      throw error;
    } finally {
      reading = null;
    }
  }

  return async () => {
    if (known && Date.now() - known.readAt < freshMs) return known.description;
    reading ??= read();
    return reading;
  };
}

async function askAbout({ issuer }: ProviderConfig, before?: Description): Promise<Description> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const parsed = description.safeParse(await askProvider(address));
  if (!parsed.success) throw new ProviderUnusable("its description lacks what is needed");
  const said = parsed.data;
  // Who it says it is decides whose words its tokens are.
  if (said.issuer.replace(/\/$/, "") !== issuer.replace(/\/$/, ""))
    throw new ProviderUnusable("its description is another provider's");
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = said;
  const addresses = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint ?? issuer];
  if (issuer.startsWith("https:") && addresses.some((url) => !url.startsWith("https:")))
    throw new ProviderUnusable("its description has an address without https");
  const isSame = before?.jwks_uri === jwks_uri;
  return { ...said, keys: isSame ? before.keys : createRemoteJWKSet(new URL(jwks_uri)) };
}
