import * as oauth from "oauth4webapi";
import type { ProviderConfig } from "../config/providers.ts";
import { askingOf, discovery, ProviderAway } from "./provider-discovery.ts";
import { type Identity, identityOf } from "./provider-identity.ts";

type Visit = { codeVerifier: string; nonce: string; redirectUri: string };

/** A provider as the site speaks to it: authorization code with PKCE, and an ID token that is
 * checked. What cannot be believed is an error whose message has no personal data. */
export function openIdProvider(config: ProviderConfig) {
  const { clientId, clientSecret } = config;
  const { discover, renew } = discovery(config);
  const asking = askingOf(config);
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: 60 };

  /** Google refuses the library's own, which also encodes '-' and '.' (oauth4webapi #165). */
  const basic: oauth.ClientAuth = (_server, _client, _body, headers) => {
    const pair = [clientId, clientSecret].map((value) => new URLSearchParams([["", value]]));
    headers.set("authorization", `Basic ${btoa(pair.map((one) => `${one}`.slice(1)).join(":"))}`);
  };
  const authenticationAt = ({ token_endpoint_auth_methods_supported: methods }: Server) =>
    methods && !methods.includes("client_secret_basic")
      ? oauth.ClientSecretPost(clientSecret)
      : basic;

  /** Asks for the keys once more where those that are known do not fit: the provider may have changed
   * them a moment ago. */
  async function checkSignature(server: Server, response: Response): Promise<void> {
    const check = (by: Server) => oauth.validateApplicationLevelSignature(by, response, asking);
    await check(server).catch(async (error: unknown) => {
      const renewed = error instanceof ProviderAway ? null : await renew(server);
      if (!renewed) throw error;
      await check(renewed);
    });
  }

  return {
    name: config.name,
    /** Where to send the user, without the state. @throws {ProviderAway} */
    async address(visit: Visit): Promise<URL> {
      const { authorization_endpoint: endpoint = "" } = await discover();
      if (!endpoint.startsWith(config.issuer.startsWith("https:") ? "https:" : "http"))
        throw new Error("its description has no address to sign in at");
      const url = new URL(endpoint);
      const query = {
        response_type: "code",
        client_id: clientId,
        scope: "openid email profile",
        redirect_uri: visit.redirectUri,
        nonce: visit.nonce,
        code_challenge_method: "S256",
        code_challenge: await oauth.calculatePKCECodeChallenge(visit.codeVerifier),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url;
    },
    /** Who came back with this code. `iss` is who says so (RFC 9207). The ID token is signed with a
     * key of the provider, for this site, for this very visit. @throws {ProviderAway} */
    async identify(code: string, iss: string | undefined, visit: Visit): Promise<Identity> {
      const server = await discover();
      const returned = new URLSearchParams({ code, ...(iss !== undefined && { iss }) });
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticationAt(server),
        // The state was checked before.
        oauth.validateAuthResponse(server, client, returned, oauth.skipStateCheck),
        visit.redirectUri,
        visit.codeVerifier,
        asking,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: visit.nonce,
        requireIdToken: true,
      });
      await checkSignature(server, response);
      const claims = oauth.getValidatedIdTokenClaims(tokens);
      if (claims?.azp !== undefined && claims.azp !== clientId)
        throw new Error("its token is for another site");
      return identityOf(config, claims, async (subject) => {
        if (!server.userinfo_endpoint) return { sub: subject };
        const said = await oauth.userInfoRequest(server, client, tokens.access_token, asking);
        return oauth.processUserInfoResponse(server, client, subject, said);
      });
    },
  };
}

type Server = oauth.AuthorizationServer;
