import type { Insertable } from "kysely";
import { newId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";

/** What must never leave the server: a link that signs in, and the words of an email. */
export const secret = "http://localhost/auth/verify?token=secret-of-an-email";

type Written = Partial<Insertable<Tables["outbox"]>>;

/** A row of the outbox as it may stand; waiting for next year, so that no worker takes it. */
function rowOf({ clock }: Services, row: Written) {
  const now = clock.now();
  const isOver = row.finishedAt || row.failedAt;
  return {
    id: newId(),
    kind: "accounts.verify-email",
    payload: JSON.stringify({ to: { name: "Ada", address: "ada@kept.example" }, link: secret }),
    dueAt: isOver ? now : new Date(now.getTime() + 365 * 24 * 3600_000),
    attempts: 0,
    createdAt: now,
    ...row,
  };
}

/** One that failed permanently, just now. */
const failedRowOf = (services: Services, row: Written) =>
  rowOf(services, {
    failedAt: services.clock.now(),
    failure: "exhausted",
    attempts: 14,
    lastError: "452 4.2.2 the mailbox is full",
    ...row,
  });

async function write({ db }: Services, rows: Insertable<Tables["outbox"]>[]) {
  for (let from = 0; from < rows.length; from += 500)
    await db.write
      .insertInto("outbox")
      .values(rows.slice(from, from + 500))
      .execute();
}

export async function writeRow(services: Services, row: Written = {}): Promise<string> {
  const made = rowOf(services, row);
  await write(services, [made]);
  return made.id;
}

/** An email that failed permanently, just now. */
export async function writeFailed(services: Services, row: Written = {}): Promise<string> {
  const made = failedRowOf(services, row);
  await write(services, [made]);
  return made.id;
}

/** Many of them at once. */
export const writeAllFailed = (services: Services, rows: Written[]) =>
  write(
    services,
    rows.map((row) => failedRowOf(services, row)),
  );
