import type { Kysely } from "kysely";

/** Which address somebody has at a provider that she signs in with. */
export async function providerAccounts(db: Kysely<unknown>) {
  await db.schema.alterTable("accounts").addColumn("provider_email", "text").execute();
}
