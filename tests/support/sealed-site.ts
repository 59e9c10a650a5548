import { enroll } from "~/features/enrollments/commands.server.ts";
import { completeLesson } from "~/features/learning/commands.server.ts";
import { saveDraft } from "~/features/learning/drafts/commands.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { createCourse } from "./courses.ts";
import { lessonOf, prompts } from "./journal.ts";
import { createPerson } from "./people.ts";

export const said = (answer: string) => [{ question: "Question 1", answer }];

/** A student with a completed lesson, and a draft in the next one. */
export async function writingStudent(services: Services, sent: string, typed: string) {
  const course = await createCourse(services, [[{ prompts: prompts(1) }, { prompts: prompts(1) }]]);
  const student = await createPerson(services);
  const userId = student.id;
  await enroll(services, { userId, productId: course.id });
  const [first, second] = [lessonOf(course, 0, 0).id, lessonOf(course, 0, 1).id];
  await completeLesson(services, { userId, lessonId: first, answers: said(sent), drafts: [] });
  const draft = { draftId: newId(), lessonId: second, revision: 1, answers: said(typed) };
  await saveDraft(services, { userId, ...draft });
  return { student, course, first, second, draftId: draft.draftId };
}

/** As a version of before migration 013 would have written her words. */
export async function unseal(services: Services, userId: string, sent: string, typed: string) {
  const { write } = services.db;
  await write
    .updateTable("progress")
    .set({ journalAnswer: `Question 1\n${sent}`, answers: JSON.stringify(said(sent)) })
    .where("userId", "=", userId)
    .execute();
  await write
    .updateTable("lessonDrafts")
    .set({ sealedAnswers: null, answers: JSON.stringify(said(typed)) })
    .where("userId", "=", userId)
    .execute();
  await write.deleteFrom("journalKeys").where("userId", "=", userId).execute();
}
