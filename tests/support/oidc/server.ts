import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { decodeJwt, SignJWT } from "jose";
import Provider from "oidc-provider";

/** Someone with an account at the provider. */
export type Member = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
};

/** What is wrong with the provider just now. */
type Trouble = {
  /** Requests to paths that match are answered 503, or never. */
  down?: RegExp;
  hangs?: RegExp;
  /** Its ID tokens are for another visit, another site, by another provider, of yesterday, or signed by someone else. */
  forges?: "nonce" | "audience" | "issuer" | "age" | "key";
};

export const client = { id: "the-site", secret: "a secret: with signs & letters" };

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

export type OidcServer = Awaited<ReturnType<typeof startOidc>>;

/**
 * A real OpenID provider on loopback. Anyone who arrives there is `member`, and agrees at once, unless
 * `asks` is set: then a page asks. `inTokens`: whether ID tokens hold the address, or the provider
 * has to be asked for it. `kid` names its key, which is another one at each start.
 */
export async function startOidc({
  port,
  siteUrl,
  inTokens = true,
  kid = "one",
}: {
  port: number;
  siteUrl: string;
  inTokens?: boolean;
  kid?: string;
}) {
  const issuer = `http://127.0.0.1:${port}`;
  const id = `127-0-0-1-${port}`;
  const [key, strangersKey] = [newKey(), newKey()];
  const state = {
    member: { sub: "ada" } as Member,
    trouble: {} as Trouble,
    asks: false,
    /** She presses 'Cancel'. */
    cancels: false,
    /** Method and path of each request. */
    asked: [] as string[],
  };
  const members = new Map<string, Member>();

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${siteUrl}/api/auth/callback/${id}`],
      },
    ],
    jwks: { keys: [{ ...key.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }] },
    cookies: { keys: ["cookies of a test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: !inTokens,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => members.get(sub) }),
    async loadExistingGrant({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) {
      const { accountId } = oidc.session;
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });

  provider.use(async (context, next) => {
    await next();
    const { forges } = state.trouble;
    if (!forges || context.path !== "/token" || !context.body?.id_token) return;
    const claims = decodeJwt(String(context.body.id_token));
    const day = 24 * 3600;
    const forged = {
      ...claims,
      ...(forges === "nonce" && { nonce: "another" }),
      ...(forges === "audience" && { aud: "another-site" }),
      ...(forges === "issuer" && { iss: "https://another.example" }),
      ...(forges === "age" && { iat: Number(claims.iat) - day, exp: Number(claims.exp) - day }),
    };
    context.body.id_token = await new SignJWT(forged)
      .setProtectedHeader({ alg: "RS256", kid })
      .sign(forges === "key" ? strangersKey : key);
  });

  async function interact(request: IncomingMessage, response: ServerResponse) {
    if (state.asks && request.method === "GET") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      return response.end(
        `<!doctype html><html lang="en"><title>The provider</title><h1>The provider</h1>
         <form method="post"><button name="answer" value="allow">Allow</button></form>`,
      );
    }
    members.set(state.member.sub, state.member);
    const answer = state.cancels
      ? { error: "access_denied", error_description: "<b>she</b> pressed cancel" }
      : { login: { accountId: state.member.sub } };
    return provider.interactionFinished(request, response, answer);
  }

  const handle = provider.callback();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer);
    state.asked.push(`${request.method} ${pathname}`);
    const { down, hangs } = state.trouble;
    if (hangs?.test(pathname)) return;
    if (down?.test(pathname)) return response.writeHead(503).end();
    if (!pathname.startsWith("/interaction/")) return handle(request, response);
    interact(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return Object.assign(state, {
    id,
    issuer,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** The settings of a site that knows the provider at this port. */
export const oidcSettings = (port: number) => ({
  OIDC_ISSUER: `http://127.0.0.1:${port}`,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_NAME: "Lantern",
});
