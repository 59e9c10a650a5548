import { authorizationCodeRequest, createAuthorizationURL } from "better-auth/oauth2";
import { z } from "zod";
import type { ProviderConfig } from "../../config/providers.ts";
import { askProvider, ProviderUnusable } from "./ask.ts";
import { type Description, discovery } from "./discovery.ts";
import { type Identity, identityOf } from "./identity.ts";

/** What belongs to one visit at a provider, from leaving to coming back. */
type Visit = { codeVerifier: string; nonce: string; redirectUri: string };

const tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });

/** A provider as the site speaks to it: authorization code with PKCE, and an ID token that is checked. */
export function openIdProvider(config: ProviderConfig) {
  const discover = discovery(config);
  const { clientId, clientSecret } = config;

  async function exchange(described: Description, code: string, visit: Visit) {
    const isPlain =
      !described.token_endpoint_auth_methods_supported.includes("client_secret_basic");
    const { body, headers } = await authorizationCodeRequest({
      code,
      codeVerifier: visit.codeVerifier,
      redirectURI: visit.redirectUri,
      options: { clientId, clientSecret },
      authentication: isPlain ? "post" : "basic",
      tokenEndpoint: described.token_endpoint,
    });
    const said = await askProvider(described.token_endpoint, { method: "POST", body, headers });
    const parsed = tokens.safeParse(said);
    if (!parsed.success) throw new ProviderUnusable("it gave no ID token");
    return parsed.data;
  }

  return {
    name: config.name,
    /** Where to send somebody, but for the state. @throws {ProviderAway} */
    async address(visit: Visit): Promise<URL> {
      const { authorization_endpoint } = await discover();
      return createAuthorizationURL({
        id: config.id,
        options: { clientId },
        authorizationEndpoint: authorization_endpoint,
        state: "",
        codeVerifier: visit.codeVerifier,
        nonce: visit.nonce,
        redirectURI: visit.redirectUri,
        scopes: ["openid", "email", "profile"],
      });
    },
    /**
     * Who came back with this code. `iss` is who says so (RFC 9207).
     * @throws {ProviderAway}
     * @throws {ProviderUnusable}
     */
    async identify(code: string, iss: string | undefined, visit: Visit): Promise<Identity> {
      const described = await discover();
      const isNamed = iss !== undefined || described.authorization_response_iss_parameter_supported;
      if (isNamed && iss !== described.issuer)
        throw new ProviderUnusable("the answer came from another provider");
      const { id_token: idToken, access_token } = await exchange(described, code, visit);
      const { nonce } = visit;
      return identityOf(config, described, { idToken, accessToken: access_token, nonce });
    },
  };
}
