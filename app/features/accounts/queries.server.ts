import type { Role } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/services.ts";

export type Profile = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  role: Role;
};

/** The account with this address (addresses are kept in small letters), or null. */
export async function findProfile(
  { db }: Pick<Services, "db">,
  email: string,
): Promise<Profile | null> {
  const row = await db.read
    .selectFrom("profiles")
    .select(["id", "name", "email", "emailVerified", "role"])
    .where("email", "=", email.trim().toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the site has an administrator at all, suspended or not. */
export async function hasAdmin({ db }: Services): Promise<boolean> {
  const row = await db.read
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .executeTakeFirst();
  return row !== undefined;
}
