import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";

/** More active courses are not looked at. */
const mostCourses = 200;

const lessonsWith = (condition: ReturnType<typeof sql<boolean>>) =>
  sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;

/** Every active course, with how many of its lessons have what its page can promise. */
export async function listCourseFacts(db: Query) {
  const rows = await db
    .selectFrom("products")
    .leftJoin("modules", (join) =>
      join.onRef("modules.productId", "=", "products.id").on("modules.deletedAt", "is", null),
    )
    .leftJoin("lessons", (join) =>
      join.onRef("lessons.moduleId", "=", "modules.id").on("lessons.deletedAt", "is", null),
    )
    .select(["products.id", "products.slug", "products.title", "priceCents", "comingSoon"])
    .select("products.coverId")
    .select(({ fn }) => fn.count<number>("lessons.id").as("lessons"))
    .select([
      lessonsWith(sql`lessons.prompts is not null and lessons.prompts <> '[]'`).as("promptCount"),
      lessonsWith(sql`lessons.audio_key is not null`).as("audioCount"),
      lessonsWith(
        sql`exists (select 1 from lesson_files where lesson_files.lesson_id = lessons.id)`,
      ).as("fileCount"),
      lessonsWith(
        sql`lessons.audio_key like 'samples/%' or lessons.mux_playback_id like 'samples/%'`,
      ).as("sampleCount"),
    ])
    .where("products.active", "=", true)
    .where("products.deletedAt", "is", null)
    .groupBy("products.id")
    .orderBy("products.title")
    .orderBy("products.id")
    .limit(mostCourses)
    .execute();
  return rows.map(({ promptCount, audioCount, fileCount, sampleCount, lessons, ...course }) => ({
    ...course,
    lessons: Number(lessons),
    parts: { prompts: Number(promptCount), files: Number(fileCount), audio: Number(audioCount) },
    samples: Number(sampleCount),
  }));
}
