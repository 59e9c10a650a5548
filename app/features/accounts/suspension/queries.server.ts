import type { Services } from "~/platform/services.ts";

/** Whether an account may be signed in to by nobody. */
export async function isSuspended({ db }: Pick<Services, "db">, userId: string): Promise<boolean> {
  // Of the writer: a moment ago counts.
  const row = await db.write
    .selectFrom("profiles")
    .select("id")
    .where("id", "=", userId)
    .where("suspendedAt", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}
