import { createVerifiedUser } from "~/features/auth/users.server.ts";
import { hashPassword } from "~/platform/auth/password-hash.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";

export const goodPassword = "Correct-horse-9";

/** Of {@link goodPassword}. Hashing fills a core for a tenth of a second: a worker does it once. */
let goodHash: Promise<string> | undefined;

/** An email address that is not used yet. */
export function newAddress(): string {
  return `${newId()}@example.com`;
}

/** A confirmed account that can sign in with {@link goodPassword}. */
export async function createAccount(
  services: Services,
  {
    role = "student",
    password = goodPassword,
  }: { role?: "student" | "admin"; password?: string } = {},
) {
  const email = newAddress();
  const person = { name: "Ada", email, role };
  const id =
    password === goodPassword
      ? await createWithGoodPassword(services, person)
      : await createVerifiedUser(services, { ...person, password });
  return { id, email, password };
}

async function createWithGoodPassword(
  { auth }: Services,
  person: { name: string; email: string; role: "student" | "admin" },
): Promise<string> {
  goodHash ??= hashPassword(goodPassword);
  const { internalAdapter } = await auth.$context;
  const { id } = await internalAdapter.createUser(
    { ...person, emailVerified: true },
    { method: "email-password" },
  );
  await internalAdapter.linkAccount({
    userId: id,
    providerId: "credential",
    accountId: id,
    password: await goodHash,
  });
  return id;
}
