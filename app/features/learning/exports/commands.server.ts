import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { Services } from "~/platform/services.ts";

/** Writes down that a list is taken along as a file: before its first line is sent. */
export async function auditExport(services: Services, list: string): Promise<void> {
  await services.db.transaction((trx) =>
    audit(trx, services, { action: "list.exported", label: list }),
  );
}
