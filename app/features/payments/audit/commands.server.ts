import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { AuditAction } from "~/features/accounts/audit/texts.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";

type Done = { action: AuditAction; paymentId: string; details?: Record<string, number> };

/** Puts what was done about a payment on the audit list: under its course, with whose it is. */
export async function auditPayment(
  trx: Query,
  services: Pick<Services, "actor" | "clock">,
  { action, paymentId, details }: Done,
): Promise<void> {
  const payment = await trx
    .selectFrom("payments")
    .leftJoin("products", "products.id", "payments.productId")
    .select(["payments.userId", "products.title"])
    .where("payments.id", "=", paymentId)
    .executeTakeFirst();
  if (!payment) return;
  const of = { id: paymentId, label: payment.title ?? "", personId: payment.userId };
  await audit(trx, services, { action, ...of, details });
}
