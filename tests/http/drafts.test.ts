import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { boxes, hidden, readable, toastOf } from "../support/answers.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../support/journal.ts";
import { journalOf } from "../support/journal-page.ts";
import { createPerson, type Person } from "../support/people.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
let student: Person;
let other: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services);
  other = await createPerson(site.services, { role: "admin" });
  course = await createCourse(site.services, [[{ prompts: prompts(2) }, {}], [{ dripDay: 7 }]]);
  for (const { id } of [student, other])
    await enroll(site.services, { userId: id, productId: course.id });
});

const lessonId = () => lessonOf(course, 0, 0).id;
const draftPath = () => `/courses/${course.slug}/learn/draft`;
const keep = (
  draftId: string,
  answers: string[],
  more: { revision?: number; as?: Person | null } = {},
) =>
  keepDraft(site, more.as === undefined ? student : more.as, course, {
    draftId,
    lessonId: lessonId(),
    revision: more.revision ?? 1,
    answers,
  });
/** Presses 'Delete this draft', where the player shows one beside a completed lesson. */
const deleteShown = (html: string) => {
  const [draftId = ""] = hidden(html, "draftId");
  const [revision = ""] = hidden(html, "revision");
  const referer = `${site.url}/courses/${course.slug}/learn?lesson=lesson-1-1`;
  return site.ask(draftPath(), {
    as: student,
    form: { draftId, revision },
    headers: { referer },
  });
};
const page = async (query = "", as = student) =>
  (await site.ask(`/courses/${course.slug}/learn?lesson=lesson-1-1${query}`, { as })).text();
const put = (body: string, headers: Record<string, string> = {}) =>
  site.ask(draftPath(), {
    as: student,
    method: "PUT",
    body,
    headers: { "content-type": "application/json", ...headers },
  });

/** With a name under which the words go on. */
const gone = {
  gone: true,
  next: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
};

describe("a draft", () => {
  test("is kept, offered by a line, and laid into the boxes on request", async () => {
    const draftId = newId();
    const kept = await keep(draftId, ["one", "two"]);
    expect([kept.status, await kept.text()]).toEqual([204, ""]);
    const offered = await page();
    expect(readable(offered)).toMatch(/You have an unsent draft from .+\. *</);
    expect(offered).toContain(`draft=${draftId}`);
    expect(boxes(offered)).toEqual(["", ""]);
    const restored = await page(`&draft=${draftId}`);
    expect(boxes(restored)).toEqual(["one", "two"]);
    expect(restored).toContain(`name="draft" value="${draftId}:1"`);
  });

  test("of a page that is somebody else's by now is refused, and the words go back", async () => {
    const draft = { draftId: newId(), lessonId: lessonId(), revision: 1, answers: [] };
    const words = [{ question: "Q", answer: "for nobody but her" }];
    const body = JSON.stringify({ ...draft, userId: other.id, answers: words });
    expect((await put(body)).status).toBe(401);
    const sent = await site.ask(`/courses/${course.slug}/learn`, {
      as: student,
      multipart: [
        ["userId", other.id],
        ["lessonId", lessonId()],
        ["question", "Q"],
        ["answer", "for nobody but her"],
      ],
    });
    expect(sent.status).toBe(401);
    expect(boxes(await sent.text())).toEqual(["for nobody but her"]);
    expect(await page()).not.toContain("for nobody but her");
    expect(await page("", other)).not.toContain("for nobody but her");
  });

  test("is gone from the page once it was sent", async () => {
    const draftId = newId();
    await keep(draftId, ["one"]);
    await complete(site, student, course, { id: lessonId() }, { answers: ["one"], draftId });
    expect(await page()).not.toContain("unsent draft");
    expect(await (await keep(draftId, ["late"], { revision: 1 })).json()).toEqual(gone);
    expect(await page()).not.toContain("late");
  });

  test("other words, sent a second time, are offered beside the completed lesson, and can be deleted", async () => {
    const lesson = { id: lessonId() };
    await complete(site, student, course, lesson, { answers: ["first words"] });
    await complete(site, student, course, lesson, { answers: ["second words"] });
    const html = await page();
    expect(readable(html)).toContain("first words");
    expect(readable(html)).toContain("second words");
    const deleted = await deleteShown(html);
    expect(deleted.status).toBe(303);
    expect(deleted.headers.get("location")).toBe(`/courses/${course.slug}/learn?lesson=lesson-1-1`);
    expect(readable(await page())).not.toContain("second words");
  });

  test("beside a completed lesson, in which more was written since it was shown, is not deleted", async () => {
    await complete(site, student, course, { id: lessonId() }, { answers: ["sent"] });
    const draftId = newId();
    await keep(draftId, ["begun"]);
    const html = await page();
    await keep(draftId, ["begun, and more"], { revision: 2 });
    const refused = await deleteShown(html);
    expect(refused.headers.get("location")).toContain("lesson=lesson-1-1");
    expect(toastOf(refused)?.title).toBe("Something was written there meanwhile");
    // A form of before says nothing of what was seen.
    expect(toastOf(await site.ask(draftPath(), { as: student, form: { draftId } }))?.title).toBe(
      "Something was written there meanwhile",
    );
    expect(await page()).toContain("begun, and more");
    await deleteShown(await page());
    expect(await page()).not.toContain("begun");
  });

  test("deleting leads back to our own pages only", async () => {
    const deleted = await site.ask(draftPath(), {
      as: student,
      form: { draftId: newId() },
      headers: { referer: "https://evil.example/courses" },
    });
    expect(deleted.headers.get("location")).toBe(`/courses/${course.slug}/learn`);
  });
});

describe("a lesson that is closed while she writes in it", () => {
  const change = (set: { deletedAt?: Date; dripDay?: number }) =>
    site.services.db.write.updateTable("lessons").set(set).where("id", "=", lessonId()).execute();
  const now = () => site.services.clock.now();
  const closings: [string, number, () => Promise<unknown>][] = [
    ["deleted", 404, () => change({ deletedAt: now() })],
    [
      "deleted with its module",
      404,
      () => deleteModule(site.services, lessonOf(course, 0, 0).moduleId),
    ],
    ["deleted with its course", 404, () => deleteCourse(site.services, course.id)],
    ["given a later day", 403, () => change({ dripDay: 30 })],
  ];
  const sendAll = (draftId: string, answers: string[], as = student) =>
    complete(site, as, course, { id: lessonId() }, { answers, draftId });

  test.each(closings)(
    "%s, takes what she writes, and nothing of nobody else",
    async (_, status, close) => {
      const draftId = newId();
      await keep(draftId, ["begun"]);
      await close();
      const kept = await keep(draftId, ["begun, and more"], { revision: 2 });
      expect([kept.status, await kept.text()]).toEqual([204, ""]);
      expect((await keep(newId(), ["in a second tab"])).status).toBe(204);
      const journal = await journalOf(site, student);
      for (const words of ["begun, and more", "in a second tab"]) expect(journal).toContain(words);
      // Enrolled as well, and has never written there.
      expect((await keep(newId(), ["x"], { as: other })).status).toBe(status);
      const elsewhere = { draftId: newId(), lessonId: lessonOf(course, 1, 0).id, answers: ["x"] };
      expect((await keepDraft(site, student, course, elsewhere)).status).toBeGreaterThan(400);
    },
  );

  test.each(closings)(
    "%s, keeps what she sends, and is not completed by it",
    async (_what, _status, close) => {
      const draftId = newId();
      await keep(draftId, ["begun"]);
      await close();
      const sent = await sendAll(draftId, ["begun, and sent"]);
      expect([sent.status, toastOf(sent)?.title]).toEqual([303, "This lesson was closed"]);
      const page = sent.headers.get("location") ?? "";
      expect(page).toContain("/my-courses/journal?lesson=");
      const journal = await journalOf(site, student);
      expect(journal).toContain("begun, and sent");
      expect(journal).toContain("Not finished");
      const refused = await sendAll(newId(), ["hers"], other);
      expect(refused.headers.get("location") ?? "").not.toContain("journal");
      expect(await journalOf(site, other)).toContain("Nothing written yet");
    },
  );

  test("shows nothing of itself for that, and is closed to whoever was never in its course", async () => {
    await keep(newId(), ["begun"]);
    await change({ dripDay: 30 });
    await keep(newId(), ["more"]);
    expect(await page()).toContain("This lesson opens on");
    expect(boxes(await page())).toEqual([]);
    const stranger = await createPerson(site.services);
    expect((await keep(newId(), ["x"], { as: stranger })).status).toBe(403);
  });
});

describe("somebody else, even an administrator", () => {
  test("reads, restores, overwrites and deletes nothing", async () => {
    const draftId = newId();
    await keep(draftId, ["nobody-elses-words"]);
    expect(await page("", other)).not.toContain("nobody-elses-words");
    expect(await page(`&draft=${draftId}`, other)).not.toContain("nobody-elses-words");
    const overwritten = await keep(draftId, ["theirs"], { revision: 5, as: other });
    expect(await overwritten.json()).toEqual(gone);
    await site.ask(draftPath(), { as: other, form: { draftId, revision: "1" } });
    expect(boxes(await page(`&draft=${draftId}`))[0]).toBe("nobody-elses-words");
  });
});

describe("is refused", () => {
  test("signed out: 401", async () => {
    const response = await keep(newId(), ["x"], { as: null });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "unauthenticated" } });
  });

  test("not enrolled: 403", async () => {
    const response = await keep(newId(), ["x"], { as: await createPerson(site.services) });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "not_enrolled" } });
  });

  test("in a locked lesson: 403", async () => {
    const locked = { draftId: newId(), lessonId: lessonOf(course, 1, 0).id };
    const response = await keepDraft(site, student, course, locked);
    expect(await response.json()).toMatchObject({ error: { code: "locked" } });
  });

  test.each(["none", "\0", newId()])("in a lesson that is none (%j): 404", async (id) => {
    const none = { draftId: newId(), lessonId: id, answers: ["x"] };
    const response = await keepDraft(site, student, course, none);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
  });

  test("under the id of a draft of another lesson", async () => {
    const draftId = newId();
    await keep(draftId, ["x"]);
    const moved = { draftId, lessonId: lessonOf(course, 0, 1).id, revision: 2, answers: ["y"] };
    const response = await keepDraft(site, student, course, moved);
    expect(await response.json()).toEqual(gone);
  });

  const right = () => ({
    draftId: newId(),
    lessonId: lessonId(),
    revision: 1,
    answers: [] as unknown,
  });
  const malformed: [string, () => unknown][] = [
    ["a number", () => 7],
    ["nothing", () => null],
    ["a list", () => []],
    ["no id", () => ({ ...right(), draftId: undefined })],
    ["an id that is none", () => ({ ...right(), draftId: "x" })],
    ["a revision below zero", () => ({ ...right(), revision: -1 })],
    ["a revision above all", () => ({ ...right(), revision: 2_000_000_000 })],
    ["half a revision", () => ({ ...right(), revision: 1.5 })],
    ["answers that are no list", () => ({ ...right(), answers: "x" })],
    ["answers without a question", () => ({ ...right(), answers: [{ answer: "x" }] })],
    [
      "more answers than questions can be",
      () => ({ ...right(), answers: Array(101).fill({ question: "", answer: "" }) }),
    ],
    [
      "an endless question",
      () => ({ ...right(), answers: [{ question: "q".repeat(5001), answer: "" }] }),
    ],
  ];
  test.each(malformed)("%s: 400", async (_, body) => {
    const response = await put(JSON.stringify(body()));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { code: "invalid", message: "This is not a draft." },
    });
  });

  test.each(["", "{", "\0", "<xml/>", "[".repeat(2_000)])(
    "text that is no JSON: 400",
    async (body) => {
      expect((await put(body)).status).toBe(400);
    },
  );

  test("brackets without end: 413", async () => {
    expect((await put("[".repeat(2_001))).status).toBe(413);
  });

  test("from another site's page: 403", async () => {
    const response = await site.ask(draftPath(), {
      as: student,
      method: "PUT",
      json: right(),
      origin: "https://evil.example",
    });
    expect(response.status).toBe(403);
  });

  test("by another method: 405", async () => {
    for (const method of ["DELETE", "PATCH"]) {
      const response = await site.ask(draftPath(), { as: student, method, json: right() });
      expect(response.status).toBe(405);
      expect(await response.json()).toMatchObject({ error: { code: "method_not_allowed" } });
    }
  });
});
