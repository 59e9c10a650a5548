import { expect } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { createCourse } from "./courses.ts";
import { lessonOf, prompts } from "./journal.ts";
import type { Place } from "./media-stores.ts";
import { openedDrafts, openedJournal } from "./opened-journal.ts";
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

export const servicesAt = ({ env }: Pick<Place, "env">, more: Record<string, string> = {}) =>
  openServices(loadConfig({ ...env, ...more, LOG_LEVEL: "silent" }));

/** A stopped site in which someone has written. @returns the id of the student */
export async function written(place: Place, sent = "sent words", typed = "typed words") {
  const services = await servicesAt(place);
  const { student } = await writingStudent(services, sent, typed);
  await closeServices(services);
  return student.id;
}

/** That a site which starts with these settings can read what {@link written} wrote. */
export async function expectReadable(
  place: Place,
  userId: string,
  { sent = "sent words", typed = "typed words", env = {} as Record<string, string> } = {},
) {
  const services = await servicesAt(place, env);
  expect(await openedJournal(services, userId)).toMatchObject([{ answers: said(sent) }]);
  expect(await openedDrafts(services, userId)).toMatchObject([{ answers: said(typed) }]);
  await closeServices(services);
}
