import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { BetterAuthPlugin } from "better-auth";
import {
  APIError,
  createAuthEndpoint,
  type createAuthMiddleware,
  freshSessionMiddleware,
  getSessionFromCtx,
} from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const challengeSeconds = 5 * 60;

// COSE: Ed25519, ES256, RS256. The library's default adds one that Node calls experimental.
const supportedAlgorithmIDs = [-8, -7, -257];

const savedChallenge = z.object({
  ceremony: z.enum(["registration", "authentication"]),
  challenge: z.string(),
  /** The user who asked to add a passkey; null at sign-in. */
  userId: z.string().nullable(),
});

const answer = z.record(z.string(), z.unknown());
const registration = z.object({ response: answer, name: z.string() });
const authentication = z.object({ response: answer });

function refuse(status: "BAD_REQUEST" | "UNAUTHORIZED", code: string, message: string) {
  return new APIError(status, { code, message });
}

const notVerified = () =>
  refuse(
    "BAD_REQUEST",
    "USER_NOT_VERIFIED",
    "That device did not ask who you are. Please set a PIN or a finger on it first.",
  );

const failed = () =>
  refuse("BAD_REQUEST", "PASSKEY_FAILED", "That passkey could not be verified. Please try again.");

/** Passkeys by WebAuthn level 3. The protocol is `@simplewebauthn/server`'s; sessions, rate limits
 * and the rows of challenges are better-auth's. A challenge belongs to one browser (a signed
 * cookie) and one ceremony, is valid for five minutes and is used once. */
export function passkeys({ config, db }: { config: Config; db: Database }) {
  const { appUrl } = config;
  const rpID = new URL(appUrl).hostname;
  const handleOf = (userId: string) => Buffer.from(userId);

  const cookieOf = (c: Context) => c.context.createAuthCookie("passkey_challenge");

  async function saveChallenge(c: Context, saved: z.infer<typeof savedChallenge>): Promise<void> {
    const identifier = generateRandomString(32);
    const { name, attributes } = cookieOf(c);
    const maxAge = challengeSeconds;
    await c.setSignedCookie(name, identifier, c.context.secret, { ...attributes, maxAge });
    await c.context.internalAdapter.createVerificationValue({
      identifier,
      value: JSON.stringify(saved),
      expiresAt: new Date(Date.now() + challengeSeconds * 1000),
    });
  }

  async function takeChallenge(c: Context, ceremony: "registration" | "authentication") {
    const identifier = await c.getSignedCookie(cookieOf(c).name, c.context.secret);
    const row =
      identifier && (await c.context.internalAdapter.consumeVerificationValue(identifier));
    const saved = row ? savedChallenge.parse(JSON.parse(row.value)) : null;
    if (saved?.ceremony === ceremony) return saved;
    throw refuse("BAD_REQUEST", "CHALLENGE_NOT_FOUND", "That took too long. Please try again.");
  }

  async function listCredentials(userId: string) {
    const rows = await db.read
      .selectFrom("passkeys")
      .select(["credentialId", "transports"])
      .where("userId", "=", userId)
      .execute();
    return rows.map(({ credentialId: id, transports }) => ({
      id,
      transports: transports?.split(",").filter(Boolean) ?? [],
    }));
  }

  const generatePasskeyRegistrationOptions = createAuthEndpoint(
    "/passkey/generate-register-options",
    { method: "GET", use: [freshSessionMiddleware] },
    async (c) => {
      const { user } = c.context.session;
      const options = await generateRegistrationOptions({
        rpName: "Blue Dot",
        rpID,
        // Names the account to the device, and must come back from it at sign-in.
        userID: handleOf(user.id),
        userName: user.email,
        userDisplayName: user.name,
        excludeCredentials: await listCredentials(user.id),
        supportedAlgorithmIDs,
        // Without user verification (finger, face, PIN) a device proves only possession.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      const { challenge } = options;
      await saveChallenge(c, { ceremony: "registration", challenge, userId: user.id });
      return c.json(options);
    },
  );

  /** Called by a page of ours alone: it has no address. */
  const verifyPasskeyRegistration = createAuthEndpoint(
    "/passkey/verify-registration",
    {
      method: "POST",
      body: registration,
      use: [freshSessionMiddleware],
      metadata: { SERVER_ONLY: true },
    },
    async (c) => {
      const userId = c.context.session.user.id;
      const saved = await takeChallenge(c, "registration");
      if (saved.userId !== userId) throw failed();
      const response = c.body.response as unknown as RegistrationResponseJSON;
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: saved.challenge,
        expectedOrigin: appUrl,
        expectedRPID: rpID,
        supportedAlgorithmIDs,
        requireUserVerification: false,
      }).catch(() => {
        throw failed();
      });
      if (!registrationInfo) throw failed();
      if (!registrationInfo.userVerified) throw notVerified();
      const { credential } = registrationInfo;
      const added = await db.write
        .insertInto("passkeys")
        .values({
          id: newId(),
          userId,
          name: c.body.name,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey).toString("base64"),
          counter: credential.counter,
          deviceType: registrationInfo.credentialDeviceType,
          backedUp: registrationInfo.credentialBackedUp,
          transports: credential.transports?.join(",") ?? "",
          aaguid: registrationInfo.aaguid,
          createdAt: new Date(),
        })
        .onConflict((conflict) => conflict.column("credentialId").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!added)
        throw refuse("BAD_REQUEST", "PREVIOUSLY_REGISTERED", "That passkey is known already.");
      return { id: added.id };
    },
  );

  const generatePasskeyAuthenticationOptions = createAuthEndpoint(
    "/passkey/generate-authenticate-options",
    { method: "GET" },
    async (c) => {
      const session = await getSessionFromCtx(c);
      const options = await generateAuthenticationOptions({
        rpID,
        userVerification: "required",
        allowCredentials: session ? await listCredentials(session.user.id) : [],
      });
      const { challenge } = options;
      await saveChallenge(c, { ceremony: "authentication", challenge, userId: null });
      return c.json(options);
    },
  );

  const verifyPasskeyAuthentication = createAuthEndpoint(
    "/passkey/verify-authentication",
    { method: "POST", body: authentication },
    async (c) => {
      const { challenge } = await takeChallenge(c, "authentication");
      const response = c.body.response as unknown as AuthenticationResponseJSON;
      const passkey = await findPasskey(response.id);
      const { authenticationInfo: info, verified } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: appUrl,
        expectedRPID: rpID,
        credential: {
          id: passkey.credentialId,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64")),
          counter: passkey.counter,
        },
        requireUserVerification: false,
      }).catch(() => {
        throw failed();
      });
      if (!verified) throw failed();
      if (!info.userVerified) throw notVerified();
      await assertHandle(c, passkey.userId, response.response.userHandle);
      await db.write
        .updateTable("passkeys")
        .set({ counter: info.newCounter, backedUp: info.credentialBackedUp })
        .set({ lastUsedAt: new Date() })
        .where("id", "=", passkey.id)
        .execute();
      const { internalAdapter } = c.context;
      const user = await internalAdapter.findUserById(passkey.userId);
      const session = user && (await internalAdapter.createSession(user.id));
      if (!session) throw failed();
      await setSessionCookie(c, { session, user });
      return c.json({ session, user });
    },
  );

  async function findPasskey(credentialId: unknown) {
    const passkey =
      typeof credentialId === "string" &&
      (await db.read
        .selectFrom("passkeys")
        .select(["id", "userId", "credentialId", "publicKey", "counter"])
        .where("credentialId", "=", credentialId)
        .executeTakeFirst());
    if (passkey) return passkey;
    throw refuse("UNAUTHORIZED", "PASSKEY_NOT_FOUND", "That passkey is not known here.");
  }

  // The user handle must name the passkey's owner (WebAuthn level 3, 7.2, step 6). It may be absent
  // only if the user was identified before.
  async function assertHandle(c: Context, owner: string, handle: string | undefined) {
    const named = handle
      ? handleOf(owner).equals(Buffer.from(handle, "base64url"))
      : (await getSessionFromCtx(c))?.user.id === owner;
    if (named) return;
    const message = "That passkey belongs to another account.";
    throw refuse("UNAUTHORIZED", "HANDLE_DIFFERS", message);
  }

  return {
    id: "passkeys",
    endpoints: {
      generatePasskeyRegistrationOptions,
      verifyPasskeyRegistration,
      generatePasskeyAuthenticationOptions,
      verifyPasskeyAuthentication,
    },
  } satisfies BetterAuthPlugin;
}
