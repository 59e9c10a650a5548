import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { lessonsOf } from "../queries.server.ts";

export type OutlineLesson = {
  id: string;
  title: string;
  slug: string;
  dripDay: number;
  hasVideo: boolean;
  hasAudio: boolean;
};
export type OutlineModule = { id: string; title: string; lessons: OutlineLesson[] };

/** A course's modules and lessons in order, as their author arranges them. */
export function getArrangedCourse({ db }: Services, productId: string): Promise<OutlineModule[]> {
  return readOutline(db.write, productId);
}

/** The same on a handle, for commands inside their transaction. */
export async function readOutline(db: Query, productId: string): Promise<OutlineModule[]> {
  const modules = await db
    .selectFrom("modules")
    .select(["id", "title"])
    .where("productId", "=", productId)
    .where("deletedAt", "is", null)
    .orderBy("orderNum")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const lessons = await lessonsOf(db, productId)
    .select(["lessons.id", "lessons.moduleId", "lessons.title", "lessons.slug", "lessons.dripDay"])
    .select(["lessons.muxPlaybackId", "lessons.audioKey"])
    .execute();
  const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId);
  return modules.map((module) => ({
    ...module,
    lessons: (byModule.get(module.id) ?? []).map(
      ({ moduleId: _, muxPlaybackId, audioKey, ...lesson }) => ({
        ...lesson,
        hasVideo: muxPlaybackId !== null,
        hasAudio: audioKey !== null,
      }),
    ),
  }));
}
