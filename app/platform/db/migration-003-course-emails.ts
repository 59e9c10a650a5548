import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Emails of the coach to the students of one course, and the batch that a row of the outbox is of. */
export async function courseEmails(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table course_emails (
      id text primary key,
      product_id text not null references products,
      subject text not null,
      body text not null,
      created_at ${time} not null,
      position_at ${time},
      position_id text,
      enqueued_at ${time}, stopped_at ${time},
      recipients integer not null default 0,
      sent integer not null default 0)`,
    "create index course_emails_newest on course_emails (created_at, id)",
    "create index course_emails_product on course_emails (product_id, created_at)",
    "alter table outbox add column batch_id text",
    "create index outbox_batch on outbox (batch_id, failed_at) where batch_id is not null and finished_at is null",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
