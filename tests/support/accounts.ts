import { createConfirmed } from "~/features/accounts/commands.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";

export const goodPassword = "Correct-horse-9";

/** An e-mail address that nobody has used yet. */
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
  const id = await createConfirmed(services, { name: "Ada", email, password, role });
  return { id, email, password };
}
