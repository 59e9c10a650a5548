import { createHash } from "node:crypto";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";

/** The captions of a lesson's video as WebVTT; null when it has none. Who may have them, the caller knows. */
export async function getCaptions({ db }: Services, lessonId: string): Promise<string | null> {
  if (!isId(lessonId)) return null;
  const row = await db.read
    .selectFrom("lessons")
    .select("videoCaptions")
    .where("id", "=", lessonId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return row?.videoCaptions ?? null;
}

/** Names a text: whoever changes it says which one she started from. */
export function versionOf(text: string | null): string {
  return createHash("sha256")
    .update(text ?? "")
    .digest("base64url")
    .slice(0, 16);
}
