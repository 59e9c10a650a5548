import { sessionCookie } from "~/platform/auth/constants.ts";
import { readCookie } from "~/platform/auth/cookies.ts";
import type { SessionReading } from "~/platform/auth/session.ts";
import type { Services } from "~/platform/services.ts";
import { countApps } from "../factors/queries.server.ts";
import { messages } from "../factors/texts.ts";
import { listPasskeys } from "../passkeys/queries.server.ts";

/** What the second step needs to know. */
type Step = { email: string; hasApps: boolean; hasPasskeys: boolean };

/**
 * The second step of whoever has given her password. `over`: there is nobody; a word is due to her
 * who was there before, and none to her who only came by.
 */
export async function pendingStep(
  services: Services,
  { pending }: SessionReading,
  headers: Headers,
): Promise<Step | { over: typeof messages.pendingOver | null }> {
  const { db } = services;
  if (!pending) {
    const wasThere = readCookie(headers, sessionCookie) !== null;
    return { over: wasThere ? messages.pendingOver : null };
  }
  const [apps, passkeys] = await Promise.all([
    countApps(db.write, pending.id),
    listPasskeys(services, pending.id),
  ]);
  return { email: pending.email, hasApps: apps > 0, hasPasskeys: passkeys.length > 0 };
}
