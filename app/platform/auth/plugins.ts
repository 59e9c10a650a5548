import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import { jwt } from "better-auth/plugins";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";

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
        afterVerification: async ({ verification: { authenticationInfo } }) => {
          assertOwnerWasAsked(authenticationInfo.userVerified);
          await db.write
            .updateTable("passkeys")
            .set({ lastUsedAt: new Date() })
            .where("credentialId", "=", authenticationInfo.credentialID)
            .execute();
        },
      },
      schema: { passkey: { modelName: "passkeys", fields: { credentialID: "credentialId" } } },
    }),
  ];
}
