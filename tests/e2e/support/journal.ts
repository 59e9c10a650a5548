import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import type { Services } from "~/platform/http/services.ts";

/** The student has completed the first lessons of a course, with these answers. */
export async function write(
  services: Services,
  userId: string,
  lessons: string[][],
  slug = "blue-dot-method",
) {
  const rows = await services.db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["lessons.id", "lessons.prompts"])
    .where("products.slug", "=", slug)
    .orderBy("modules.orderNum")
    .orderBy("lessons.orderNum")
    .execute();
  for (const [index, texts] of lessons.entries()) {
    const { id: lessonId, prompts } = rows[index] ?? { id: "", prompts: null };
    const answers = texts.map((answer, at) => ({
      question: prompts?.[at]?.question ?? `Question ${at + 1}`,
      answer,
    }));
    await completeLesson(services, { userId, lessonId, answers, drafts: [] });
  }
}
