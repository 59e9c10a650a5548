import type { Services } from "~/platform/services.ts";
import { lockFactors } from "../factors/queries.server.ts";
import { tellOwner } from "../notices/commands.server.ts";

/**
 * For somebody who has lost her device and her recovery codes: takes away her apps, her codes and
 * her passkeys, which may lie on the same device, ends her sessions, and writes to her. She signs in
 * with her password, or chooses a new one.
 */
export async function resetFactors(services: Services, userId: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    for (const table of ["factors", "recoveryCodes", "passkeys", "sessions"] as const)
      await trx.deleteFrom(table).where("userId", "=", userId).execute();
    await tellOwner(services, trx, { userId, change: "reset" });
  });
  services.wakeWorker();
}
