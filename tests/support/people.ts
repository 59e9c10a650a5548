import { createHmac } from "node:crypto";
import { sessionCookie } from "~/platform/auth/constants.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Role } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";

export type Person = {
  id: string;
  name: string;
  email: string;
  /** What her browser sends, where it is to be this and no new session's. */
  cookie?: string;
};

/** A confirmed account without a password: tests that do not sign in need no hashing. */
export async function createPerson(
  { db, clock }: Services,
  { role = "student", name = "Ada" }: { role?: Role; name?: string } = {},
): Promise<Person> {
  const id = newId();
  const person = { id, name, email: `person-${id.replaceAll("-", "")}@example.com` };
  const now = clock.now();
  await db.write
    .insertInto("profiles")
    .values({ ...person, emailVerified: true, role, createdAt: now, updatedAt: now })
    .execute();
  return person;
}

/** A new session of this person, as the Cookie header that a browser would send. */
export async function cookieOf(services: Services, userId: string): Promise<string> {
  const { internalAdapter } = await services.auth.$context;
  const { token } = await internalAdapter.createSession(userId);
  const signature = createHmac("sha256", services.config.authSecret).update(token).digest("base64");
  return `${sessionCookie}=${encodeURIComponent(`${token}.${signature}`)}`;
}
