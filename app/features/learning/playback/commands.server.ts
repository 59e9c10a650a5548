import type { Query } from "~/platform/db/database.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { requireOpenLesson } from "../queries.server.ts";
import type { Position, PositionSave } from "./schema.ts";
import { messages } from "./texts.ts";

type OwnPosition = Omit<PositionSave, "userId"> & { userId: string };

/**
 * Remembers where a student is in a lesson's video or audio. The newest wins, by the server's
 * clock: one that waited on a device for a connection changes nothing that was saved after it was
 * measured, on whatever device. A position in a file that was replaced gives way to any in the new one.
 * @returns the position that stands now, hers or a newer one
 * @throws {Refused} not_found (also for a file that the lesson does not have), not_enrolled, locked
 */
export async function savePosition(services: Services, save: OwnPosition): Promise<Position> {
  const { userId, lessonId, kind, key, positionMs } = save;
  const now = services.clock.now();
  const measuredAt = new Date(now.getTime() - save.agoMs);
  return services.db.transaction(async (trx) => {
    await requireOpenLesson(trx, { userId, lessonId, now });
    await requireFile(trx, save);
    const state = { key, positionMs, updatedAt: measuredAt };
    await trx
      .insertInto("playbackPositions")
      .values({ userId, lessonId, kind, ...state })
      .onConflict((conflict) =>
        conflict
          .columns(["userId", "lessonId", "kind"])
          .doUpdateSet(state)
          .where((eb) =>
            eb.or([
              eb("playbackPositions.updatedAt", "<", measuredAt),
              eb("playbackPositions.key", "!=", key),
            ]),
          ),
      )
      .execute();
    const row = await trx
      .selectFrom("playbackPositions")
      .select(["positionMs", "updatedAt"])
      .where("userId", "=", userId)
      .where("lessonId", "=", lessonId)
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow();
    return { positionMs: row.positionMs, savedAt: row.updatedAt.toISOString() };
  });
}

async function requireFile(trx: Query, { lessonId, kind, key }: OwnPosition): Promise<void> {
  const column = kind === "video" ? "muxPlaybackId" : "audioKey";
  const lesson = await trx
    .selectFrom("lessons")
    .select("id")
    .where("id", "=", lessonId)
    .where(column, "=", key)
    .executeTakeFirst();
  if (!lesson) throw new Refused("not_found", messages.noFile);
}
