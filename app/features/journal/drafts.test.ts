import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../../tests/support/courses.ts";
import { openedDrafts } from "../../../tests/support/opened.ts";
import { createPerson, type Person } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { deleteDraft, saveDraft } from "./drafts.server.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());
beforeEach(async () => {
  student = await createPerson(test$.services);
  course = await createCourse(test$.services, [
    [{}, {}],
    [{ dripDay: 7 }, {}],
  ]);
  await enroll(test$.services, { userId: student.id, productId: course.id });
});

function lessonId(module: number, lesson: number): string {
  const found = course.modules[module]?.lessons[lesson];
  if (!found) throw new Error("no such lesson");
  return found.id;
}
const said = (answer: string, question = "How are you?") => ({ question, answer });

describe("drafts", () => {
  const draft = (
    draftId: string,
    revision: number,
    words: string,
    absorbed: { id: string; revision: number }[] = [],
  ) =>
    saveDraft(test$.services, {
      ...{ userId: student.id, lessonId: lessonId(0, 0), draftId, revision, absorbed },
      answers: [said(words)],
    });
  const words = async () => {
    const found = await openedDrafts(test$.services, student.id);
    return found.map(({ answers }) => answers[0]?.answer);
  };

  test("the newest revision stands, whatever arrives when", async () => {
    const id = newId();
    await draft(id, 1, "a");
    await draft(id, 3, "abc");
    await draft(id, 2, "ab");
    expect(await words()).toEqual(["abc"]);
  });

  test("the same save twice, or an older one, is as good as kept", async () => {
    const id = newId();
    for (const revision of [5, 5, 4]) await draft(id, revision, "words");
    expect(await words()).toEqual(["words"]);
  });

  test("two tabs write two drafts", async () => {
    await draft(newId(), 1, "one");
    await draft(newId(), 1, "two");
    expect((await words()).sort()).toEqual(["one", "two"]);
  });

  const complete = (answer: string, drafts: { id: string; revision: number }[]) =>
    completeLesson(test$.services, {
      userId: student.id,
      lessonId: lessonId(0, 0),
      answers: [said(answer)],
      drafts,
    });
  const remove = (id: string, revision = 5) =>
    deleteDraft(test$.services, { userId: student.id, draft: { id, revision } });

  test("emptied, deleted or sent, it is gone, and late saves of it are dropped", async () => {
    const ids = [newId(), newId(), newId()] as const;
    for (const id of ids) await draft(id, 5, "words");
    await draft(ids[0], 6, "  ");
    expect(await remove(ids[1], 4)).toBe("changed");
    expect(await remove(ids[1])).toBe("deleted");
    expect(await remove(ids[1])).toBe("gone");
    await complete("words", [{ id: ids[2], revision: 5 }]);
    for (const id of ids) expect(await draft(id, 4, "late")).toBe(false);
    expect(await words()).toEqual([]);
  });

  test("what its own page typed later outlives the sending of a restored copy", async () => {
    const id = newId();
    await draft(id, 5, "words");
    await draft(id, 9, "words and more");
    await complete("words", [{ id, revision: 5 }]);
    expect(await words()).toEqual(["words and more"]);
  });

  const ends = ["sent", "deleted", "a copy of what was sent"];
  test.each(ends.flatMap((how) => [6, 9].map((revision) => [how, revision] as const)))(
    "what was typed after it was %s, and arrives much later as change %i, comes alive",
    async (how, revision) => {
      const id = newId();
      await draft(id, 5, "words");
      const end = () =>
        how === "deleted"
          ? remove(id)
          : complete("words", how === "sent" ? [{ id, revision: 5 }] : []);
      await end();
      expect(await words()).toEqual([]);
      expect(await draft(id, 5, "words")).toBe(false);
      expect(await draft(id, revision, "words, and more of them in the tunnel")).toBe(true);
      if (how !== "deleted") await end();
      expect(await draft(id, 5, "words")).toBe(true);
      expect(await words()).toEqual(["words, and more of them in the tunnel"]);
    },
  );

  test("older ones that were restored into it go with the save, but for what was typed since", async () => {
    const [older, changed, own] = [newId(), newId(), newId()];
    await draft(older, 5, "older");
    await draft(changed, 5, "begun");
    await draft(changed, 6, "begun, and more");
    const absorbed = [older, changed, own].map((id) => ({ id, revision: 5 }));
    expect(await draft(own, 1, "older, begun", absorbed)).toBe(true);
    expect((await words()).toSorted()).toEqual(["begun, and more", "older, begun"]);
    expect(await draft(older, 5, "late")).toBe(false);
  });

  test("a save that comes too late takes no older ones with it", async () => {
    const [older, own] = [newId(), newId()];
    await draft(older, 5, "older");
    await draft(own, 3, "sent");
    await complete("sent", [{ id: own, revision: 3 }]);
    expect(await draft(own, 2, "late", [{ id: older, revision: 5 }])).toBe(false);
    expect(await words()).toEqual(["older"]);
  });

  test("nobody takes one of somebody else's, or of another lesson, with a save", async () => {
    const id = newId();
    await draft(id, 1, "mine");
    const other = await createPerson(test$.services);
    await enroll(test$.services, { userId: other.id, productId: course.id });
    const save = (userId: string, lesson: string) =>
      saveDraft(test$.services, {
        ...{ userId, lessonId: lesson, draftId: newId(), revision: 1 },
        ...{ answers: [said("theirs")], absorbed: [{ id, revision: 9 }] },
      });
    expect(await save(other.id, lessonId(0, 0))).toBe(true);
    expect(await save(student.id, lessonId(0, 1))).toBe(true);
    expect(await words()).toContain("mine");
  });

  test("somebody else's draft can be neither overwritten nor deleted", async () => {
    const id = newId();
    await draft(id, 1, "mine");
    const other = await createPerson(test$.services);
    await enroll(test$.services, { userId: other.id, productId: course.id });
    const attack = { userId: other.id, lessonId: lessonId(0, 0), draftId: id, revision: 9 };
    expect(await saveDraft(test$.services, { ...attack, answers: [said("theirs")] })).toBe(false);
    await deleteDraft(test$.services, { userId: other.id, draft: { id, revision: 1 } });
    expect(await words()).toEqual(["mine"]);
  });

  test("a locked lesson takes none", async () => {
    const attempt = saveDraft(test$.services, {
      userId: student.id,
      lessonId: lessonId(1, 0),
      draftId: newId(),
      revision: 1,
      answers: [said("x")],
    });
    await expect(attempt).rejects.toMatchObject({ code: "locked" });
  });
});
