import { passkey } from "@better-auth/passkey";
import { APIError, type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { jwt } from "better-auth/plugins";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

export const accessTokenSeconds = 10 * 60;
export const retiredKeySeconds = 24 * 3600;

// Without user verification (finger, face, PIN) a device proves only possession.
function assertOwnerWasAsked(userVerified: boolean | undefined) {
  if (userVerified) return;
  throw new APIError("BAD_REQUEST", {
    code: "USER_NOT_VERIFIED",
    message: "That device did not ask who you are. Please set a PIN or a finger on it first.",
  });
}

const handleOf = (userId: string) => Buffer.from(userId).toString("base64url");

/** Gives registration options a handle of the account: the library's is random and not stored. */
export async function withOwnHandle(context: Context) {
  if (context.path !== "/passkey/generate-register-options") return undefined;
  const options = context.context.returned as { user?: object } | undefined;
  const session = await getSessionFromCtx(context);
  if (!options?.user || !session) return undefined;
  return context.json({ ...options, user: { ...options.user, id: handleOf(session.user.id) } });
}

type Shown = { ctx: Context; credentialID: string; handle: string | undefined };

// The user handle must belong to the passkey's owner (WebAuthn level 3, 7.2, step 6). It may be
// absent only if the user was identified before.
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
