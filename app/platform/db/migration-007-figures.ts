import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";
import { createTallies, type TallySource, tally } from "./tally-triggers.ts";

const enrolled = { kind: "enrolled", at: "row.created_at", columns: ["created_at"] };
const money = {
  subject: "coalesce((select currency from payments where payments.id = row.payment_id), '')",
};

const sources: readonly TallySource[] = [
  {
    ...{ name: "profiles", table: "profiles", kind: "signed-up", at: "row.created_at" },
    counts: "row.email_verified and row.role = 'student'",
    columns: ["email_verified", "role", "created_at"],
  },
  { name: "enrollments", table: "enrollments", ...enrolled },
  { name: "former_enrollments", table: "former_enrollments", ...enrolled },
  {
    ...{ name: "students", table: "enrollments", kind: "students", subject: "row.product_id" },
    columns: ["product_id"],
  },
  {
    ...{ name: "payments", table: "payments", kind: "paid", at: "row.paid_at" },
    ...{ subject: "row.currency", cents: "row.amount_cents", counts: "row.paid_at is not null" },
    columns: ["currency", "amount_cents", "paid_at"],
  },
  {
    ...{ name: "refunds", table: "payment_refunds", kind: "refunded", at: "row.created_at" },
    ...{ ...money, cents: "row.cents", columns: ["cents", "created_at"] },
  },
  {
    ...{ name: "confirmed", table: "subscribers", kind: "confirmed", at: "row.confirmed_at" },
    ...{ counts: "row.confirmed_at is not null", columns: ["confirmed_at"] },
  },
  {
    ...{ name: "gone", table: "subscribers", kind: "gone", at: "row.unsubscribed_at" },
    counts: "row.unsubscribed_at > row.confirmed_at",
    columns: ["confirmed_at", "unsubscribed_at"],
  },
];

/** The sums of the overview, and each refund with its time: a payment has only their total. */
export async function figures(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table payment_refunds (
      id text primary key,
      payment_id text not null references payments,
      cents integer not null,
      created_at ${time} not null)`,
    "create index invitations_expiring on invitations (expires_at) where accepted_at is null and withdrawn_at is null",
    "create index payment_refunds_payment on payment_refunds (payment_id, created_at)",
    // Of those from before it is only known when the payment ended, or was last heard of.
    `insert into payment_refunds (id, payment_id, cents, created_at)
      select id, id, refunded_cents, coalesce(ended_at, updated_at) from payments
      where refunded_cents > 0`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await createTallies(db, engine);
  for (const source of sources) await tally(db, engine, source);
}
