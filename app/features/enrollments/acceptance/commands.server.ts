import { signIn } from "~/features/accounts/access/commands.server.ts";
import { openAccount } from "~/features/accounts/commands.server.ts";
import { findProfile } from "~/features/accounts/queries.server.ts";
import { newPasswordComplaint } from "~/features/accounts/strength/queries.server.ts";
import { messages as accountMessages } from "~/features/accounts/texts.ts";
import type { Caller } from "~/platform/auth/call.ts";
import { inPlace, PasswordsBusy } from "~/platform/auth/passwords/places.ts";
import type { Viewer } from "~/platform/auth/session.ts";
import { Refused } from "~/platform/http/errors.ts";
import { withinPlace } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { enrollWithin } from "../commands.server.ts";
import { digestOf } from "../invitations/queries.server.ts";
import { findInvitation } from "./queries.server.ts";
import { acceptanceFields, type OpenInvitation } from "./schema.ts";

type Fields = { name?: string | undefined; password?: string | undefined };

/** The first thing wrong with the form, as a toast says it. */
type Problem = {
  title: string;
  message: string;
  field: string;
  code: "invalid" | "rate_limited" | "unavailable";
};

type Acceptance =
  /** Enrolled, and signed in if there are cookies or she was before. */
  | { done: { slug: string; isSignedIn: boolean; setCookies: string[] } }
  | { problem: Problem }
  /** Nothing was done; the page says why when it is read again. */
  | null;

/**
 * Accepts an invitation. Its token proves that whoever has it reads the mailbox, so it makes the
 * account (or takes over one that was never confirmed) with the name and password given here, and
 * signs in. A confirmed account is enrolled as it is; its password stays, and is asked for.
 * Somebody else's session accepts nothing. Twice, or twice at once, is once.
 */
export async function accept(
  services: Services,
  caller: Caller,
  { token, viewer, fields }: { token: string; viewer: Viewer | null; fields: Fields },
): Promise<Acceptance> {
  const limit = { what: "invitation", max: 10, windowSeconds: 60 };
  if (!(await withinPlace(services, limit, caller.address))) return { problem: tooMany };
  const found = await findInvitation(services, token);
  if (found.state !== "open") return null;
  const { invitation } = found;
  const { email, slug } = invitation;
  if (viewer) {
    if (viewer.email !== email) return null;
    const done = { slug, isSignedIn: true, setCookies: [] };
    return (await claim(services, { invitation, token, userId: viewer.id })) ? { done } : null;
  }
  if (invitation.hasAccount) return acceptKnown(services, { invitation, token });

  const parsed = acceptanceFields.safeParse(fields);
  const complaint = await newPasswordComplaint(parsed, { email });
  if (!parsed.success || complaint) {
    const { field = "", message = "" } = complaint ?? {};
    return { problem: { title: accountMessages.validation, message, field, code: "invalid" } };
  }
  const person = { email, ...parsed.data };
  const opened = await inPlace(() => openAccount(services, person)).catch(unlessBusy);
  if (opened instanceof PasswordsBusy) return { problem: { ...busy, message: opened.message } };
  const userId = opened ?? (await findProfile(services, email))?.id;
  if (!userId) return null;
  const isMine = await claim(services, { invitation, token, userId });
  // The same form sent twice at once: the second one finds the work done, and is let in as well.
  if (!isMine && (await findInvitation(services, token)).state !== "used") return null;
  const { password } = parsed.data;
  const entered = await signIn(services, caller, { email, password, destination: "/" });
  if (!isMine && !entered.ok) return null;
  const setCookies = entered.ok ? entered.setCookies : [];
  return { done: { slug, isSignedIn: entered.ok, setCookies } };
}

const tooMany: Problem = {
  title: accountMessages.signUpFailed,
  message: accountMessages.tooMany,
  field: "",
  code: "rate_limited",
};

const busy = { title: accountMessages.signUpFailed, field: "", code: "unavailable" } as const;

/** @throws every other error */
function unlessBusy(error: unknown): PasswordsBusy {
  if (error instanceof PasswordsBusy) return error;
  throw error;
}

async function acceptKnown(
  services: Services,
  { invitation, token }: { invitation: OpenInvitation; token: string },
): Promise<Acceptance> {
  const profile = await findProfile(services, invitation.email);
  if (!profile) return null;
  const isMine = await claim(services, { invitation, token, userId: profile.id });
  if (!isMine) return null;
  return { done: { slug: invitation.slug, isSignedIn: false, setCookies: [] } };
}

/** Uses the invitation up and enrolls, both or neither. @returns false when it is not open any more */
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
        .where("tokenHash", "=", digestOf(token))
        .where("acceptedAt", "is", null)
        .where("withdrawnAt", "is", null)
        .where("expiresAt", ">", now)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await enrollWithin(trx, { userId, productId, onlyActive: true, now });
      return true;
    });
  } catch (error) {
    // The course was closed a moment ago: nothing was written.
    if (error instanceof Refused) return false;
    throw error;
  }
}
