import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
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
