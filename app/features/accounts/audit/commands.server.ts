import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import type { AuditAction } from "./texts.ts";

type Done = {
  action: AuditAction;
  /** Of what it was done to; of an account, `personId` alone: that one goes with it. */
  id?: string | null;
  /** A title or a number; never a student's name or address, nor anything she wrote. */
  label?: string;
  /** Whose account it concerns. */
  personId?: string | null;
  details?: Record<string, string | number>;
};

const longestLabel = 120;

/**
 * Puts what an administrator did on the audit list, on the transaction of its change: what was
 * done is written, what is written was done. Only what changed something is done. Nothing is
 * written where nobody acts as an administrator.
 */
export async function audit(
  trx: Query,
  { actor, clock }: Pick<Services, "actor" | "clock">,
  { action, id = null, label = "", personId = null, details = {} }: Done,
): Promise<void> {
  if (!actor) return;
  await trx
    .insertInto("auditEntries")
    .values({
      id: newId(),
      actorId: actor.id,
      actorName: actor.name,
      action,
      subjectKind: action.slice(0, action.indexOf(".")),
      subjectId: id,
      label: label.slice(0, longestLabel).toWellFormed(),
      personId,
      details: JSON.stringify(details),
      createdAt: clock.now(),
    })
    .execute();
}
