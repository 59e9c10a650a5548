import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { saveLessonDraft } from "~/features/lesson-editor/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import type { Person } from "../../support/people.ts";
import type { RunningSite } from "./site.ts";
import type { Plants } from "./xss-plants.ts";
import type { Course, Lesson } from "./xss-world.ts";

type Planting = { coach: Person; reader: Person; former: Course; lessons: Lesson[] };

/**
 * What the student has written and was sent: the journal of the first lesson with a draft beside
 * it, a draft of the third, letters, a former enrollment. And what the coach has not saved yet: of
 * the fourth lesson, and of a new one.
 */
export async function plantWriting(
  services: RunningSite["services"],
  plants: Plants,
  { coach, reader, former, lessons }: Planting,
): Promise<void> {
  const userId = reader.id;
  const [first, , third, fourth] = lessons as [Lesson, Lesson, Lesson, Lesson];
  const answersAs = (field: string) => [
    { question: plants.one(`question of ${field}`), answer: plants.one(field) },
  ];
  const written = { userId, lessonId: first.id };
  await completeLesson(services, { ...written, answers: answersAs("journal"), drafts: [] });
  for (const [lessonId, field] of [
    [first.id, "kept draft"],
    [third.id, "draft"],
  ] as const)
    await saveDraft(services, {
      ...{ userId, lessonId, draftId: newId(), revision: 1, answers: answersAs(field) },
    });

  const { read, write } = services.db;
  const { email } = await read
    .selectFrom("profiles")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const at = services.clock.now();
  const letter = { id: newId(), address: email, subject: plants.one("mail subject"), at };
  await recordSent(write, { kind: "learning.module-completed", userId: null }, [letter]);
  const { id } = await read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", former.id)
    .executeTakeFirstOrThrow();
  await removeEnrollment(services, { id, removedBy: coach.id });

  for (const { id: lessonId, baseRevision } of [
    { id: fourth.id, baseRevision: 1 },
    { id: newId(), baseRevision: 0 },
  ]) {
    const prompts = [{ question: plants.one("unsaved question"), placeholder: "" }];
    const fields = {
      title: plants.one("unsaved title"),
      moduleId: fourth.moduleId,
      slug: plants.one("unsaved slug"),
      orderNum: "1",
      dripDay: "0",
      content: plants.one("unsaved text"),
      prompts: JSON.stringify(prompts),
    };
    const draft = { userId: coach.id, lessonId, baseRevision, revision: 1, absorbed: [], fields };
    await saveLessonDraft(services, { ...draft, draftId: newId() });
  }
}
