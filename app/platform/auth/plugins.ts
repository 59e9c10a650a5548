import { passkey } from "@better-auth/passkey";
import { APIError, type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { jwt } from "better-auth/plugins";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** How long an access token is good for, in seconds; and a key that signs no more is published. */
export const accessTokenSeconds = 10 * 60;
export const retiredKeySeconds = 24 * 3600;

/** A device that asks for nothing (finger, face, PIN) only shows that somebody has it. */
function assertOwnerWasAsked(userVerified: boolean | undefined) {
  if (userVerified) return;
  throw new APIError("BAD_REQUEST", {
    code: "USER_NOT_VERIFIED",
    message: "That device did not ask who you are. Please set a PIN or a finger on it first.",
  });
}

/** What a passkey is told to be called by: its account's id, as devices hand it back. */
const handleOf = (userId: string) => Buffer.from(userId).toString("base64url");

/**
 * The options for a new passkey, with a handle that names its account: the library's own is random,
 * and kept nowhere. Undefined for any other request.
 */
export async function withOwnHandle(context: Context) {
  if (context.path !== "/passkey/generate-register-options") return undefined;
  const options = context.context.returned as { user?: object } | undefined;
  const session = await getSessionFromCtx(context);
  if (!options?.user || !session) return undefined;
  return context.json({ ...options, user: { ...options.user, id: handleOf(session.user.id) } });
}

type Shown = { ctx: Context; credentialID: string; handle: string | undefined };

/**
 * The device names the account that the passkey is for, and it is the one that has it (WebAuthn
 * level 3, 7.2, step 6). It may be silent only where the account was known before it was asked.
 */
async function assertOwnersHandle(db: Database, { ctx, credentialID, handle }: Shown) {
  const owner = await db.read
    .selectFrom("passkeys")
    .select("userId")
    .where("credentialId", "=", credentialID)
    .executeTakeFirst();
  const known = handle ? null : (await getSessionFromCtx(ctx))?.user.id;
  if (owner && (handle === handleOf(owner.userId) || known === owner.userId)) return;
  throw new APIError("UNAUTHORIZED", {
    code: "HANDLE_DIFFERS",
    message: "That passkey belongs to another account.",
  });
}

/** The library's own plugins: access tokens for programs, and passkeys. */
export function authPlugins({ config: { appUrl }, db }: { config: Config; db: Database }) {
  return [
    jwt({
      jwks: { gracePeriod: retiredKeySeconds },
      jwt: {
        issuer: appUrl,
        audience: appUrl,
        expirationTime: `${accessTokenSeconds}s`,
        definePayload: ({ session }) => ({ sid: session.id }),
      },
      disableSettingJwtHeader: true,
    }),
    passkey({
      origin: appUrl,
      rpID: new URL(appUrl).hostname,
      rpName: "Blue Dot",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      registration: {
        requireSession: true,
        afterVerification: async ({ verification }) =>
          assertOwnerWasAsked(verification.registrationInfo?.userVerified),
      },
      authentication: {
        afterVerification: async ({ ctx, clientData, verification: { authenticationInfo } }) => {
          assertOwnerWasAsked(authenticationInfo.userVerified);
          const { credentialID } = authenticationInfo;
          const handle = clientData.response.userHandle;
          await assertOwnersHandle(db, { ctx, credentialID, handle });
          await db.write
            .updateTable("passkeys")
            .set({ lastUsedAt: new Date() })
            .where("credentialId", "=", credentialID)
            .execute();
        },
      },
      schema: { passkey: { modelName: "passkeys", fields: { credentialID: "credentialId" } } },
    }),
  ];
}
