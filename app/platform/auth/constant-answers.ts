import { randomUUID } from "node:crypto";
import { APIError, type createAuthMiddleware } from "better-auth/api";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { AuthHooks } from "./hooks.ts";
import { rememberSignUpBrowser } from "./sign-up-browser.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type Parts = { db: Database; config: Config; hooks: AuthHooks };

/** Replaces answers that reveal whether an account exists; null for every other outcome. */
export async function constantAnswer(parts: Parts, context: Context): Promise<Response | null> {
  if (context.path === "/sign-in/email") return refusedSignIn(context);
  if (context.path === "/sign-up/email") return signedUp(parts, context);
  return null;
}

const refusals = new Set(["INVALID_EMAIL_OR_PASSWORD", "EMAIL_NOT_VERIFIED"]);

function refusedSignIn({ context: { returned } }: Context): Response | null {
  const code = returned instanceof APIError ? returned.body?.code : undefined;
  if (!code || !refusals.has(code)) return null;
  const message = "Invalid email or password, or the email has not been confirmed yet.";
  return Response.json({ code: "INVALID_EMAIL_OR_PASSWORD", message }, { status: 401 });
}

type Account = { id: string; name: string; email: string; emailVerified: boolean };

// The same answer for a new account, an existing one, and the second of two concurrent sign-ups.
async function signedUp(parts: Parts, context: Context): Promise<Response | null> {
  const { returned } = context.context;
  const { name = "", email = "" } = (context.body ?? {}) as { name?: string; email?: string };
  let id: string;
  if (returned instanceof APIError) {
    // Of two concurrent sign-ups both found the address free; the unique index refused this one.
    const account =
      returned.body?.code === "FAILED_TO_CREATE_USER" && (await accountOf(parts, email));
    if (!account) return null;
    await parts.hooks.alreadyRegistered(account);
    id = randomUUID();
  } else id = (returned as { user: { id: string } }).user.id;
  await rememberSignUpBrowser(parts, context, id, email);
  const now = new Date();
  // Built from the input in every case: a row from the database would look different.
  const user = {
    id: randomUUID(),
    name,
    email: email.toLowerCase(),
    emailVerified: false,
    image: null,
    createdAt: now,
    updatedAt: now,
    role: "student",
  };
  return Response.json({ token: null, user });
}

async function accountOf({ db }: Parts, email: string): Promise<Account | undefined> {
  return db.write
    .selectFrom("profiles")
    .select(["id", "name", "email", "emailVerified"])
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
}
