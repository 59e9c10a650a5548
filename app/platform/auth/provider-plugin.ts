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

const startBody = z.object({
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

const callbackQuery = z.object({
  state: z.string().optional(),
  code: z.string().optional(),
  error: z.string().optional(),
  iss: z.string().optional(),
});

/** Signing in through providers. State, its cookie and the session are the library's; whose account
 * it is the product decides (`hooks.signInWithProvider`, `hooks.link`). The library's own callback
 * would link accounts by rules of its own, and keep the provider's tokens. */
export function providerSignIn({ config, db, log, hooks }: Parts) {
  const providers = new Map(config.providers.map((one) => [one.id, openIdProvider(one)]));
  const redirectUri = (id: string) => `${config.appUrl}/api/auth/callback/${id}`;

  /** Called by forms of ours alone: it has no address over HTTP. */
  const startProviderSignIn = createAuthEndpoint(
    "/provider/start",
    { method: "POST", body: startBody, requireHeaders: true, metadata: { SERVER_ONLY: true } },
    async (c) => {
      const { provider: id, isLink } = c.body;
      const provider = providers.get(id);
      if (!provider) throw new APIError("NOT_FOUND", { code: "no_such_provider" });
      const session = isLink ? await findSession({ db, config }, c.headers) : null;
      if (isLink && (!session || session.isPending))
        throw new APIError("UNAUTHORIZED", { code: "no_session" });
      const attempt = {
        codeVerifier: generateRandomString(128),
        nonce: generateRandomString(32),
        redirectUri: redirectUri(id),
      };
      const url = await provider.address(attempt).catch((error: Error) => {
        throw new APIError("SERVICE_UNAVAILABLE", { code: logFailure(id, error) });
      });
      const { state } = await generateState(c, {
        additionalData: { provider: id, sessionId: session?.sessionId ?? null },
        codeVerifier: attempt.codeVerifier,
        idTokenNonce: attempt.nonce,
      });
      url.searchParams.set("state", state);
      return c.json({ url: url.href });
    },
  );

  const callbackOAuth = createAuthEndpoint(
    "/callback/:id",
    { method: "GET", query: callbackQuery },
    async (c) => {
      // Sends anyone who has no state, or another browser's, to `onAPIError.errorURL`; it is good once.
      const started = savedState.safeParse(await parseState(c)).data;
      const provider = providers.get(c.params.id);
      if (!provider || started?.provider !== c.params.id)
        throw c.redirect(`${config.appUrl}/auth?error=state_mismatch`);
      const fail = (code: string) => c.redirect(withError(started.errorURL, code));
      const { code, error, iss } = c.query;
      if (error || !code) throw fail(error === "access_denied" ? error : "provider_refused");

      const attempt = {
        codeVerifier: started.codeVerifier,
        nonce: started.idTokenNonce,
        redirectUri: redirectUri(c.params.id),
      };
      const identity = await provider.identify(code, iss, attempt).catch((cause: Error) => {
        throw fail(logFailure(c.params.id, cause));
      });
      const outcome = await resolveCallback(identity, started, c.headers).catch(
        (cause: unknown): Outcome => ({
          code: refusalIn(cause),
        }),
      );
      if ("code" in outcome) {
        const { made } = outcome;
        if (made) await rememberSignUpBrowser({ db, config }, c, made.id, made.email);
        throw fail(outcome.code);
      }
      if (outcome.userId === null) throw c.redirect(outcome.to);

      const { internalAdapter } = c.context;
      const user = await internalAdapter.findUserById(outcome.userId);
      const session = user && (await internalAdapter.createSession(user.id).catch(refusalIn));
      if (!session) throw fail("sign_in_refused");
      if (typeof session === "string") throw fail(session);
      await setSessionCookie(c, { session, user });
      throw c.redirect(outcome.to);
    },
  );

  type Outcome =
    | Awaited<ReturnType<AuthHooks["signInWithProvider"]>>
    | { userId: null; to: string };

  /** The account that signs in, or null where the provider was linked to one; and where to go. */
  async function resolveCallback(
    identity: Identity,
    { sessionId, callbackURL }: z.infer<typeof savedState>,
    headers: Headers | undefined,
  ): Promise<Outcome> {
    if (sessionId === null) return hooks.signInWithProvider(identity, { redirectTo: callbackURL });
    const code = await link(identity, sessionId, headers);
    return code ? { code } : { userId: null, to: callbackURL };
  }

  /** Only in the session in which it was started: another one may be another user's. */
  async function link(identity: Identity, sessionId: string, headers: Headers | undefined) {
    const session = headers && (await findSession({ db, config }, headers));
    if (!session || session.isPending || session.sessionId !== sessionId) return "other_session";
    return hooks.link(identity, session.id);
  }

  /** Why there is no session, as `databaseHooks` says it; any other error is `trouble`. */
  function refusalIn(cause: unknown): string {
    const code = cause instanceof APIError ? cause.body?.code : undefined;
    if (code) return code.toLowerCase();
    log.error({ part: "auth", err: cause }, "a provider sign-in failed");
    return "trouble";
  }

  function logFailure(provider: string, error: Error): string {
    log.warn({ part: "auth", provider, reason: error.message }, "a provider failed");
    return error instanceof ProviderAway ? "provider_away" : "provider_unusable";
  }

  return {
    id: "providers",
    endpoints: { startProviderSignIn, callbackOAuth },
  } satisfies BetterAuthPlugin;
}

function withError(address: string, code: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}error=${encodeURIComponent(code)}`;
}
