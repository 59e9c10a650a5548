import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import { generateState, parseState } from "better-auth/oauth2";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../log/log.ts";
import type { AuthHooks } from "./hooks.ts";
import { openIdProvider } from "./provider.ts";
import { ProviderAway } from "./provider-discovery.ts";
import type { Identity } from "./provider-identity.ts";
import { findSession } from "./session-row.ts";
import { rememberSignUpBrowser } from "./sign-up-browser.ts";

type Parts = { config: Config; db: Database; log: Log; hooks: AuthHooks };

const leaving = z.object({
  provider: z.string(),
  /** Absolute addresses of this site. */
  callbackURL: z.string(),
  errorCallbackURL: z.string(),
  isLink: z.boolean(),
});

/** What it stores for the callback, beside what the library stores there. */
const savedState = z.object({
  provider: z.string(),
  callbackURL: z.string(),
  errorURL: z.string(),
  codeVerifier: z.string(),
  idTokenNonce: z.string(),
  /** The session to which the provider is to be linked; null when somebody signs in. */
  sessionId: z.string().nullable(),
});

const answered = z.object({
  state: z.string().optional(),
  code: z.string().optional(),
  error: z.string().optional(),
  iss: z.string().optional(),
});

/**
 * Signing in through providers. State, its cookie and the session are the library's; whose account
 * it is the product decides (`hooks.arrive`, `hooks.link`). The library's own way back would link
 * accounts by rules of its own, and keep the provider's tokens.
 */
export function providerSignIn({ config, db, log, hooks }: Parts) {
  const providers = new Map(config.providers.map((one) => [one.id, openIdProvider(one)]));
  const redirectUri = (id: string) => `${config.appUrl}/api/auth/callback/${id}`;

  /** Asked for by forms of ours alone: nobody can name it over HTTP. */
  const leaveForProvider = createAuthEndpoint(
    "/leave-for-provider",
    { method: "POST", body: leaving, requireHeaders: true, metadata: { SERVER_ONLY: true } },
    async (c) => {
      const { provider: id, isLink } = c.body;
      const provider = providers.get(id);
      if (!provider) throw new APIError("NOT_FOUND", { code: "no_such_provider" });
      const session = isLink ? await findSession({ db, config }, c.headers) : null;
      if (isLink && (!session || session.isPending))
        throw new APIError("UNAUTHORIZED", { code: "no_session" });
      const visit = {
        codeVerifier: generateRandomString(128),
        nonce: generateRandomString(32),
        redirectUri: redirectUri(id),
      };
      const url = await provider.address(visit).catch((error: Error) => {
        throw new APIError("SERVICE_UNAVAILABLE", { code: noted(id, error) });
      });
      const { state } = await generateState(c, {
        additionalData: { provider: id, sessionId: session?.sessionId ?? null },
        codeVerifier: visit.codeVerifier,
        idTokenNonce: visit.nonce,
      });
      url.searchParams.set("state", state);
      return c.json({ url: url.href });
    },
  );

  const callbackOAuth = createAuthEndpoint(
    "/callback/:id",
    { method: "GET", query: answered },
    async (c) => {
      // Sends anyone who has no state, or another browser's, to `onAPIError.errorURL`; it is good once.
      const began = savedState.safeParse(await parseState(c)).data;
      const provider = providers.get(c.params.id);
      if (!provider || began?.provider !== c.params.id)
        throw c.redirect(`${config.appUrl}/auth?error=state_mismatch`);
      const fail = (code: string) => c.redirect(withError(began.errorURL, code));
      const { code, error, iss } = c.query;
      if (error || !code) throw fail(error === "access_denied" ? error : "provider_refused");

      const visit = {
        codeVerifier: began.codeVerifier,
        nonce: began.idTokenNonce,
        redirectUri: redirectUri(c.params.id),
      };
      const identity = await provider.identify(code, iss, visit).catch((cause: Error) => {
        throw fail(noted(c.params.id, cause));
      });
      const settled = await settle(identity, began, c.headers).catch(
        (cause: unknown): Settled => ({
          code: refusalIn(cause),
        }),
      );
      if ("code" in settled) {
        const { made } = settled;
        if (made) await rememberSignUpBrowser({ db, config }, c, made.id, made.email);
        throw fail(settled.code);
      }
      if (settled.userId === null) throw c.redirect(settled.to);

      const { internalAdapter } = c.context;
      const user = await internalAdapter.findUserById(settled.userId);
      const session = user && (await internalAdapter.createSession(user.id).catch(refusalIn));
      if (!session) throw fail("sign_in_refused");
      if (typeof session === "string") throw fail(session);
      await setSessionCookie(c, { session, user });
      throw c.redirect(settled.to);
    },
  );

  type Settled = Awaited<ReturnType<AuthHooks["arrive"]>> | { userId: null; to: string };

  /** Whose account it is, or to which it is linked; and where they go on. */
  async function settle(
    identity: Identity,
    { sessionId, callbackURL }: z.infer<typeof savedState>,
    headers: Headers | undefined,
  ): Promise<Settled> {
    if (sessionId === null) return hooks.arrive(identity, { redirectTo: callbackURL });
    const code = await link(identity, sessionId, headers);
    return code ? { code } : { userId: null, to: callbackURL };
  }

  /** Only in the session in which it was begun: in another one it would be somebody else's. */
  async function link(identity: Identity, sessionId: string, headers: Headers | undefined) {
    const session = headers && (await findSession({ db, config }, headers));
    if (!session || session.isPending || session.sessionId !== sessionId) return "other_session";
    return hooks.link(identity, session.id);
  }

  /** Why somebody gets no session, as `databaseHooks` has it; whatever else happens here is trouble. */
  function refusalIn(cause: unknown): string {
    const code = cause instanceof APIError ? cause.body?.code : undefined;
    if (code) return code.toLowerCase();
    log.error({ part: "auth", err: cause }, "nobody could be let in from a provider");
    return "trouble";
  }

  function noted(provider: string, error: Error): string {
    log.warn({ part: "auth", provider, reason: error.message }, "a provider was of no use");
    return error instanceof ProviderAway ? "provider_away" : "provider_unusable";
  }

  return {
    id: "providers",
    endpoints: { leaveForProvider, callbackOAuth },
  } satisfies BetterAuthPlugin;
}

function withError(address: string, code: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}error=${encodeURIComponent(code)}`;
}
