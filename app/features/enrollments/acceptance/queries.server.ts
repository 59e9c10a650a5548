import { findProfile } from "~/features/accounts/queries.server.ts";
import type { Services } from "~/platform/services.ts";
import { digestOf } from "../invitations/queries.server.ts";
import { stateOf } from "../invitations/rules.ts";
import type { FoundInvitation } from "./schema.ts";

/** What the link with this token is now. Looking changes nothing: mail programs look, too. */
export async function findInvitation(services: Services, token: string): Promise<FoundInvitation> {
  const { db, clock } = services;
  const row = await db.read
    .selectFrom("invitations")
    .innerJoin("products", "products.id", "invitations.productId")
    .select(["invitations.id", "invitations.email", "invitations.name", "invitations.productId"])
    .select(["invitations.acceptedAt", "invitations.withdrawnAt", "invitations.expiresAt"])
    .select(["products.title as course", "products.slug", "products.active", "products.deletedAt"])
    .where("invitations.tokenHash", "=", digestOf(token))
    .executeTakeFirst();
  if (!row) return { state: "unknown" };
  const { id, email, name, productId, course, slug } = row;
  const state = stateOf(row, clock.now());
  if (state === "used") return { state, email, slug };
  if (state !== "open") return { state };
  if (row.deletedAt) return { state: "gone" };
  if (!row.active) return { state: "closed" };
  const profile = await findProfile(services, email);
  const hasAccount = profile?.emailVerified ?? false;
  return { state, invitation: { id, email, name, productId, course, slug, hasAccount } };
}
