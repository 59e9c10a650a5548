import { afterAll, beforeAll, beforeEach } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse, type TestLesson } from "./courses.ts";
import { complete, keepDraft, lessonOf } from "./journal.ts";
import { journalOf, leave, openAnswer, openQuestion, type Said, write } from "./journal-page.ts";
import { createPerson, type Person } from "./people.ts";
import { startSite, type TestSite } from "./site.ts";

type Sketch = Parameters<typeof createCourse>[1];
type Sending = Parameters<typeof complete>[4];
type DraftSending = {
  draftId?: string;
  revision?: number;
  lesson?: Pick<TestLesson, "id">;
  as?: Person | null;
  absorbed?: { id: string; revision: number }[];
  agoMs?: number;
};

/** A site for the tests of a file, each with a new student who is enrolled in a new course. */
export function learningSite(modules: Sketch, options: { title?: string } = {}) {
  const now = {} as { site: TestSite; student: Person; course: TestCourse };
  const lesson = (module = 0, place = 0) => lessonOf(now.course, module, place);
  const learn = (query = "") => `/courses/${now.course.slug}/learn${query}`;
  const enterAll = (...entries: [Pick<TestLesson, "id">, Said[]][]) =>
    write(now.site.services, now.student, now.course, entries);
  beforeAll(async () => {
    now.site = await startSite();
  });
  afterAll(() => now.site.close());
  beforeEach(async () => {
    now.student = await createPerson(now.site.services);
    now.course = await createCourse(now.site.services, modules, options);
    await enterAll();
  });
  return Object.assign(now, {
    lesson,
    learn,
    /** A page of the player. */
    async player(query = "", as: Person | null = now.student) {
      const response = await now.site.ask(learn(query), { as });
      return { response, html: await response.text() };
    },
    /** The journal page as its reader sees it. */
    journal: (query = "", as: Person = now.student) => journalOf(now.site, as, query),
    /** Sends the player's form. */
    complete: (
      sending: Sending = {},
      of: Pick<TestLesson, "id"> = lesson(),
      as: Person | null = now.student,
    ) => complete(now.site, as, now.course, of, sending),
    /** Autosaves a draft, as the page does while someone types. */
    draft(
      answers: string[],
      { draftId = newId(), revision = 1, absorbed = [], agoMs = 0, ...more }: DraftSending = {},
    ) {
      const { id: lessonId } = more.lesson ?? lesson();
      const as = more.as === undefined ? now.student : more.as;
      const draft = { draftId, lessonId, revision, answers, absorbed, agoMs };
      return keepDraft(now.site, as, now.course, draft);
    },
    /** The student completes lessons with these answers. */
    write: enterAll,
    /** A draft that the student left. @returns its id */
    leave: (answers: Said[], of: Pick<TestLesson, "id"> = lesson()) =>
      leave(now.site.services, now.student, of, answers),
    /** The form of an answer of the journal page. */
    answer: (at = 0, of: Pick<TestLesson, "id"> = lesson()) =>
      openAnswer(now.site, now.student, of, at),
    /** The question before a deletion. */
    question: (target: string) => openQuestion(now.site, now.student, target),
  });
}
