import { authMessages } from "~/features/auth/messages.ts";
import { newPasswordError } from "~/features/auth/passwords.server.ts";
import { signIn } from "~/features/auth/sign-in.server.ts";
import { createUserForMailbox, findProfile } from "~/features/auth/users.server.ts";
import type { Caller } from "~/platform/auth/call.ts";
import { HashQueueFull, inHashQueue } from "~/platform/auth/hash-queue.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { withinPlace } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { enrollWithin } from "./enrollments.server.ts";
import { findInvitation, invitationDigest, isWaiting } from "./invitations.server.ts";
import { acceptanceFields, type OpenInvitation } from "./schema.ts";

type Fields = { name?: string | undefined; password?: string | undefined };

type Problem = {
  title: string;
  message: string;
  field: string;
  code: "invalid" | "rate_limited" | "unavailable";
};

type Acceptance =
  /** Enrolled, and signed in if there are cookies or they were before. */
  | { done: { slug: string; isSignedIn: boolean; setCookies: string[] } }
  | { problem: Problem }
  /** Nothing was done; the page says why when it is read again. */
  | null;

/** Accepts an invitation. Its token proves access to the mailbox, so it creates the account (or takes
 * over an unconfirmed one) with this name and password, and signs in. A confirmed account is
 * enrolled and keeps its password. Another user's session cannot accept. Idempotent. */
export async function acceptInvitation(
  services: Services,
  caller: Caller,
  { token, viewer, fields }: { token: string; viewer: CurrentUser | null; fields: Fields },
): Promise<Acceptance> {
  const limit = { what: "invitation", max: 10, windowSeconds: 60 };
  if (!(await withinPlace(services, limit, caller.address))) return { problem: tooMany };
  const found = await findInvitation(services, token);
  if (found.state !== "open") return null;
  const { invitation } = found;
  const { email, slug, accountId } = invitation;
  const claimFor = (userId: string) => claim(services, { invitation, token, userId });
  const done = (isSignedIn: boolean, setCookies: string[] = []) => ({
    done: { slug, isSignedIn, setCookies },
  });
  if (viewer) return viewer.email === email && (await claimFor(viewer.id)) ? done(true) : null;
  if (accountId) return (await claimFor(accountId)) ? done(false) : null;

  const parsed = acceptanceFields.safeParse(fields);
  const fieldError = await newPasswordError(services, parsed, { email });
  if (!parsed.success || fieldError) {
    const { field = "", message = "" } = fieldError ?? {};
    return { problem: { title: authMessages.validation, message, field, code: "invalid" } };
  }
  const person = { email, ...parsed.data };
  const opened = await inHashQueue(() => createUserForMailbox(services, person)).catch(unlessBusy);
  if (opened instanceof HashQueueFull) return { problem: { ...busy, message: opened.message } };
  const userId = opened ?? (await findProfile(services, email))?.id;
  if (!userId) return null;
  const isMine = await claimFor(userId);
  // The form was sent twice at once: the second request signs in as well.
  if (!isMine && (await findInvitation(services, token)).state !== "used") return null;
  const { password } = parsed.data;
  const entered = await signIn(services, caller, { email, password, destination: "/" });
  if (!isMine && !entered.ok) return null;
  return entered.ok ? done(true, entered.setCookies) : done(false);
}

const tooMany: Problem = {
  title: authMessages.signUpFailed,
  message: authMessages.tooMany,
  field: "",
  code: "rate_limited",
};

const busy = { title: authMessages.signUpFailed, field: "", code: "unavailable" } as const;

/** @throws every other error */
function unlessBusy(error: unknown): HashQueueFull {
  if (error instanceof HashQueueFull) return error;
  throw error;
}

/** Marks the invitation as accepted and enrolls, in one transaction. @returns false if it is no longer open */
async function claim(
  { db, clock }: Services,
  { invitation, token, userId }: { invitation: OpenInvitation; token: string; userId: string },
): Promise<boolean> {
  const now = clock.now();
  const { id, productId } = invitation;
  try {
    return await db.transaction(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("invitations")
        .set({ acceptedAt: now })
        .where("id", "=", id)
        .where("tokenHash", "=", invitationDigest(token))
        .where(isWaiting)
        .where("expiresAt", ">", now)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await enrollWithin(trx, { userId, productId, onlyActive: true, way: "invitation", now });
      return true;
    });
  } catch (error) {
    // The course was closed a moment ago: nothing was written.
    if (error instanceof Refused) return false;
    throw error;
  }
}
