import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";

type Own = { userId: string; sessionId: string | null };

/** Ends every session of somebody but the one she asks in, if she asks in one. */
export async function endOtherSessions(db: Query, { userId, sessionId }: Own): Promise<void> {
  const hers = db.deleteFrom("sessions").where("userId", "=", userId);
  await (sessionId === null ? hers : hers.where("id", "!=", sessionId)).execute();
}

/** Ends another of her own sessions; twice is once, and somebody else's is nobody's. */
export async function endSession(
  { db }: Services,
  { userId, sessionId }: Own,
  id: string,
): Promise<void> {
  if (id === sessionId) return;
  await db.write.deleteFrom("sessions").where("userId", "=", userId).where("id", "=", id).execute();
}
