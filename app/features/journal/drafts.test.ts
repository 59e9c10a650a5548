import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../../tests/support/courses.ts";
import { lessonOf } from "../../../tests/support/journal.ts";
import { said } from "../../../tests/support/journal-page.ts";
import { openedDrafts } from "../../../tests/support/opened-journal.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { deleteDraft, saveDraft } from "./drafts.server.ts";

let kit: Awaited<ReturnType<typeof openTestServices>>;
let userId: string;
let lessonId: string;
let otherLessonId: string;
let productId: string;

beforeAll(async () => {
  kit = await openTestServices();
});
afterAll(() => kit.close());
beforeEach(async () => {
  const course = await createCourse(kit.services, [[{}, {}]]);
  productId = course.id;
  [lessonId, otherLessonId] = [lessonOf(course, 0, 0).id, lessonOf(course, 0, 1).id];
  userId = await createStudent();
});

async function createStudent() {
  const { id } = await createPerson(kit.services);
  await enroll(kit.services, { userId: id, productId });
  return id;
}
type Seen = { id: string; revision: number };
const draft = (draftId: string, revision: number, text: string, absorbed: Seen[] = []) =>
  saveDraft(kit.services, {
    ...{ userId, lessonId, draftId, revision, absorbed },
    answers: said(text),
  });
const texts = async () =>
  (await openedDrafts(kit.services, userId)).map(({ answers }) => answers[0]?.answer).toSorted();
const complete = (text: string, drafts: Seen[]) =>
  completeLesson(kit.services, { userId, lessonId, answers: said(text), drafts });
const remove = (id: string, revision = 5) =>
  deleteDraft(kit.services, { userId, draft: { id, revision } });

test("the newest revision stands, whatever arrives when; an older one counts as saved", async () => {
  const id = newId();
  for (const [revision, text] of [
    [1, "a"],
    [3, "abc"],
    [3, "abc"],
    [2, "ab"],
  ] as const)
    expect(await draft(id, revision, text)).toBe(true);
  await draft(newId(), 1, "of another tab");
  expect(await texts()).toEqual(["abc", "of another tab"]);
});

test("emptied, deleted or sent, it is gone, and late saves of it are dropped", async () => {
  const ids = [newId(), newId(), newId()] as const;
  for (const id of ids) await draft(id, 5, "text");
  await draft(ids[0], 6, "  ");
  expect(await remove(ids[1], 4)).toBe("changed");
  expect(await remove(ids[1])).toBe("deleted");
  expect(await remove(ids[1])).toBe("gone");
  await complete("text", [{ id: ids[2], revision: 5 }]);
  for (const id of ids) expect(await draft(id, 4, "late")).toBe(false);
  expect(await texts()).toEqual([]);
});

test("what its own page typed later outlives the sending of a restored copy", async () => {
  const id = newId();
  await draft(id, 5, "text");
  await draft(id, 9, "text and more");
  await complete("text", [{ id, revision: 5 }]);
  expect(await texts()).toEqual(["text and more"]);
});

const ends = ["sent", "deleted", "a copy of what was sent"];
test.each(ends.flatMap((how) => [6, 9].map((revision) => [how, revision] as const)))(
  "what was typed after it was %s, and arrives much later as change %i, is active again",
  async (how, revision) => {
    const id = newId();
    await draft(id, 5, "text");
    const end = () =>
      how === "deleted"
        ? remove(id)
        : complete("text", how === "sent" ? [{ id, revision: 5 }] : []);
    await end();
    expect(await texts()).toEqual([]);
    expect(await draft(id, 5, "text")).toBe(false);
    expect(await draft(id, revision, "text, and more of it in the tunnel")).toBe(true);
    if (how !== "deleted") await end();
    expect(await draft(id, 5, "text")).toBe(true);
    expect(await texts()).toEqual(["text, and more of it in the tunnel"]);
  },
);

test("drafts that were restored into it go with the save, but for what was typed since", async () => {
  const [older, changed, own] = [newId(), newId(), newId()];
  await draft(older, 5, "older");
  await draft(changed, 5, "begun");
  await draft(changed, 6, "begun, and more");
  const absorbed = [older, changed, own].map((id) => ({ id, revision: 5 }));
  expect(await draft(own, 1, "older, begun", absorbed)).toBe(true);
  expect(await texts()).toEqual(["begun, and more", "older, begun"]);
  expect(await draft(older, 5, "late")).toBe(false);
});

test("a save that comes too late takes no older drafts with it", async () => {
  const [older, own] = [newId(), newId()];
  await draft(older, 5, "older");
  await draft(own, 3, "sent");
  await complete("sent", [{ id: own, revision: 3 }]);
  expect(await draft(own, 2, "late", [{ id: older, revision: 5 }])).toBe(false);
  expect(await texts()).toEqual(["older"]);
});

test("a save takes no draft of another user, or of another lesson, with it", async () => {
  const id = newId();
  await draft(id, 1, "mine");
  const save = (of: { userId: string; lessonId: string }) =>
    saveDraft(kit.services, {
      ...{ ...of, draftId: newId(), revision: 1 },
      ...{ answers: said("theirs"), absorbed: [{ id, revision: 9 }] },
    });
  expect(await save({ userId: await createStudent(), lessonId })).toBe(true);
  expect(await save({ userId, lessonId: otherLessonId })).toBe(true);
  expect(await texts()).toContain("mine");
});
