import { createHash } from "node:crypto";
import type { Query } from "~/platform/db/database.ts";
import { keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/services.ts";
import { sentAtOf } from "./rules.ts";
import type { WaitingInvitation } from "./schema.ts";

/** What stands in the database for a token of a letter. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Invitations that nobody has accepted yet, newest first; expired ones too, they can be sent again. */
export async function listWaiting(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
): Promise<ListPage<WaitingInvitation>> {
  const now = clock.now();
  const query = waiting(db.read)
    .select(["invitations.id", "invitations.email", "invitations.name"])
    .select(["invitations.expiresAt", "invitations.letterRefusedAt"])
    .select(["invitations.createdAt as sortValue", "products.title as course"]);
  const order = {
    column: "invitations.createdAt",
    id: "invitations.id",
    direction: "desc",
    kind: "time",
  } as const;
  const { rows, ...rest } = await keysetPage(query, order, page);
  return {
    ...rest,
    rows: rows.map(({ sortValue: _, letterRefusedAt, ...row }) => ({
      ...row,
      sentAt: sentAtOf(row.expiresAt),
      isExpired: row.expiresAt <= now,
      isRefused: letterRefusedAt !== null,
    })),
  };
}

/** Whether anybody has been asked and has not answered. */
export async function hasWaiting({ db }: Services): Promise<boolean> {
  const row = await waiting(db.read).select("invitations.id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Those of a deleted course open nothing, and wait for nothing. */
function waiting(db: Query) {
  return db
    .selectFrom("invitations")
    .innerJoin("products", "products.id", "invitations.productId")
    .where("invitations.acceptedAt", "is", null)
    .where("invitations.withdrawnAt", "is", null)
    .where("products.deletedAt", "is", null);
}
