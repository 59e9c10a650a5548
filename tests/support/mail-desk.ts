import type { Insertable } from "kysely";
import { newId } from "~/platform/db/ids.ts";
import type { OutboxTable } from "~/platform/db/outbox-table.ts";
import type { Services } from "~/platform/services.ts";

/** What must never leave the server: a link that signs in, and the words of a letter. */
export const secret = "http://localhost/auth/verify?token=secret-of-a-letter";

type Written = Partial<Insertable<OutboxTable>>;

/** Rows of the outbox as they may stand; waiting for next year, so that no worker takes them. */
export async function writeRow(services: Services, row: Written = {}): Promise<string> {
  const now = services.clock.now();
  const id = newId();
  const isOver = row.finishedAt || row.failedAt;
  await services.db.write
    .insertInto("outbox")
    .values({
      id,
      kind: "accounts.verify-email",
      payload: JSON.stringify({ to: { name: "Ada", address: "ada@kept.example" }, link: secret }),
      dueAt: isOver ? now : new Date(now.getTime() + 365 * 24 * 3600_000),
      attempts: 0,
      createdAt: now,
      ...row,
    })
    .execute();
  return id;
}

/** A letter that failed for good, just now. */
export const writeFailed = (services: Services, row: Written = {}) =>
  writeRow(services, {
    failedAt: services.clock.now(),
    failure: "exhausted",
    attempts: 14,
    lastError: "452 4.2.2 the mailbox is full",
    ...row,
  });
