import { beforeEach, describe, expect, test } from "vitest";
import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../support/journal.ts";
import { learningSite } from "../support/learning-site.ts";
import { createPerson, type Person } from "../support/people.ts";
import { boxes, hidden, readable, toastOf } from "../support/responses.ts";

const kit = learningSite([[{ prompts: prompts(2) }, {}], [{ dripDay: 7 }]]);
/** An admin who is enrolled as well. */
let other: Person;
beforeEach(async () => {
  other = await createPerson(kit.site.services, { role: "admin" });
  await enroll(kit.site.services, { userId: other.id, productId: kit.course.id });
});

const path = () => kit.learn("/draft");
const page = async (query = "", as = kit.student) =>
  (await kit.player(`?lesson=lesson-1-1${query}`, as)).html;
const put = (body: string) =>
  kit.site.ask(path(), {
    as: kit.student,
    method: "PUT",
    body,
    headers: { "content-type": "application/json" },
  });
/** Presses 'Delete this draft', where the player shows one beside a completed lesson. */
const deleteShown = (html: string) => {
  const [draft = ""] = hidden(html, "draft");
  const referer = `${kit.site.url}${kit.learn("?lesson=lesson-1-1")}`;
  return kit.site.ask(path(), { as: kit.student, form: { draft }, headers: { referer } });
};
/** As if the draft had been typed so long ago. */
const putBack = (id: string, ms: number) =>
  kit.site.services.db.write
    .updateTable("drafts")
    .set({ updatedAt: new Date(kit.site.services.clock.now().getTime() - ms) })
    .where("id", "=", id)
    .execute();
/** With an id under which the text continues. */
const gone = {
  gone: true,
  next: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
};

describe("a draft", () => {
  test("is saved, and the newest stands in the boxes again; others are listed and can be opened", async () => {
    const [older, newer] = [newId(), newId()];
    const saved = await kit.draft(["one", "two"], { draftId: older });
    expect([saved.status, await saved.text()]).toEqual([204, ""]);
    await kit.draft(["three"], { draftId: newer });
    await putBack(older, 3_600_000);
    const html = await page();
    expect(boxes(html)).toEqual(["three", ""]);
    expect(hidden(html, "drafts")[0]).toMatch(new RegExp(`^[\\da-f-]{36}:0 ${newer}:1$`));
    expect(readable(html)).toContain("Your words from a minute ago are here again.");
    expect(readable(html)).toMatch(/(today|yesterday) at \d+:\d\d [AP]M( UTC)?<\/span><[^>]*>one</);
    expect(html).not.toContain(`draft=${newer}`);
    expect(html).toContain(`draft=${older}`);
    const opened = await page(`&draft=${older}`);
    expect(boxes(opened)).toEqual(["one", "two"]);
    expect(hidden(opened, "drafts")[0]).toContain(` ${older}:1`);
    expect(opened).toContain(`draft=${newer}`);
  });

  test("that waited on a device has the time at which it was typed", async () => {
    const later = newId();
    await kit.draft(["typed now"]);
    await kit.draft(["typed on the train"], { draftId: later, agoMs: 3_600_000 });
    const html = await page();
    expect(boxes(html)).toEqual(["typed now", ""]);
    expect(html).toContain(`draft=${later}`);
  });

  test("is discarded by its button without scripts, in the boxes and in the list", async () => {
    const [older, newer] = [newId(), newId()];
    await kit.draft(["one"], { draftId: older });
    await kit.draft(["two"], { draftId: newer });
    await putBack(older, 3_600_000);
    const html = await page();
    expect(html).toContain(`<form id="discard-draft" action="${path()}" method="post">`);
    for (const id of [newer, older]) {
      expect(html).toContain(`form="discard-draft" value="${id}:1" name="draft"`);
      await kit.site.ask(path(), { as: kit.student, form: { draft: `${id}:1` } });
      expect(boxes(await page())).toEqual([id === newer ? "one" : "", ""]);
    }
    expect(await page()).not.toContain("here again");
  });

  test("that was changed meanwhile is kept, and a script is told in its answer", async () => {
    const draftId = newId();
    await kit.draft(["one"], { draftId, revision: 1 });
    await kit.draft(["one, and more"], { draftId, revision: 2 });
    const form = { draft: `${draftId}:1` };
    const accept = "application/json";
    const answer = await kit.site.ask(path(), { as: kit.student, form, headers: { accept } });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
    expect(await answer.json()).toEqual({
      changed: expect.objectContaining({ title: "Something was written there meanwhile" }),
    });
    expect(boxes(await page())).toEqual(["one, and more", ""]);
  });

  test("of a lesson that asks nothing any more is neither in its form nor gone with it", async () => {
    const draftId = newId();
    await kit.draft(["one"], { draftId });
    await kit.site.services.db.write
      .updateTable("lessons")
      .set({ prompts: null })
      .where("id", "=", kit.lesson().id)
      .execute();
    expect(hidden(await page(), "drafts")[0]).not.toContain(draftId);
    await kit.complete({});
    expect(await kit.journal()).toContain("one");
  });

  test("newer than a refused form is not named by it: only what its text has goes with it", async () => {
    const [own, older] = [newId(), newId()];
    await kit.draft(["one"], { draftId: older });
    const drafts = `${own}:0 ${older}:1`;
    const newer = await kit.leave([{ question: "Question 1", answer: "of another device" }]);
    const refused = await kit.site.ask(kit.learn("?lesson=lesson-1-1"), {
      as: kit.student,
      multipart: [
        ["lessonId", newId()],
        ["drafts", drafts],
        ["question", "Question 1"],
        ["answer", "one, and more"],
      ],
    });
    expect(refused.status).toBe(404);
    const html = await refused.text();
    expect(boxes(html)).toEqual(["one, and more", ""]);
    expect(hidden(html, "drafts")[0]).toMatch(new RegExp(`^[\\da-f-]{36}:0 ${drafts}$`));
    expect(html).toContain(`draft=${newer}`);
    expect(html).not.toContain(`draft=${older}`);
  });

  test("from a page of another user is refused, and the answers go back", async () => {
    const answers = [{ question: "Q", answer: "for nobody else" }];
    const draft = { draftId: newId(), lessonId: kit.lesson().id, revision: 1, answers };
    expect((await put(JSON.stringify({ ...draft, userId: other.id }))).status).toBe(401);
    const sent = await kit.site.ask(kit.learn(), {
      as: kit.student,
      multipart: [
        ["userId", other.id],
        ["lessonId", kit.lesson().id],
        ["question", "Q"],
        ["answer", "for nobody else"],
      ],
    });
    expect(sent.status).toBe(401);
    expect(boxes(await sent.text())).toEqual(["for nobody else"]);
    for (const as of [kit.student, other])
      expect(await page("", as)).not.toContain("for nobody else");
  });

  test("is gone from the page once it was sent", async () => {
    const draftId = newId();
    await kit.draft(["one"], { draftId });
    await kit.complete({ answers: ["one"], draftId });
    expect(await page()).not.toContain("unsent draft");
    expect(await kit.journal()).not.toContain("draft");
    expect(await (await kit.draft(["late"], { draftId })).json()).toEqual(gone);
    expect(await page()).not.toContain("late");
  });

  test("with other text, sent a second time, stands beside the completed lesson until it is deleted", async () => {
    await kit.complete({ answers: ["first text"] });
    const sent = await kit.complete({ answers: ["second text"] });
    expect([sent.status, toastOf(sent)]).toEqual([303, null]);
    const to = sent.headers.get("location") ?? "";
    const [, draftId = ""] = /lesson=lesson-1-1&draft=([\da-f-]{36})#saved-draft$/.exec(to) ?? [];
    const html = readable(await (await kit.site.ask(to, { as: kit.student })).text());
    expect(html).toContain(
      "This lesson was already completed a minute ago, perhaps on another device. What you wrote is saved as a draft.",
    );
    expect(html).toContain("second text");
    const link = `/my-courses/journal?lesson=draft.${draftId}#draft-${draftId}`;
    expect(html).toContain(`href="${link}"`);
    const journal = await kit.journal(`?lesson=draft.${draftId}`);
    expect(journal).toMatch(new RegExp(`id="draft-${draftId}"[\\s\\S]*second text`));
    expect(readable(await page())).not.toContain("already completed");
    expect(html).toContain("first text");
    expect(html).toContain("second text");
    const deleted = await deleteShown(html);
    expect(deleted.headers.get("location")).toBe(kit.learn("?lesson=lesson-1-1"));
    expect(readable(await page())).not.toContain("second text");
  });

  test("that has changed since it was shown is not deleted", async () => {
    await kit.complete({ answers: ["sent"] });
    const draftId = newId();
    await kit.draft(["begun"], { draftId });
    const html = await page();
    await kit.draft(["begun, and more"], { draftId, revision: 2 });
    const refused = await deleteShown(html);
    expect(refused.headers.get("location")).toContain("lesson=lesson-1-1");
    expect(toastOf(refused)?.title).toBe("Something was written there meanwhile");
    expect(await page()).toContain("begun, and more");
    await deleteShown(await page());
    expect(await page()).not.toContain("begun");
  });

  test("is deleted with a way back to our own pages only", async () => {
    const deleted = await kit.site.ask(path(), {
      as: kit.student,
      form: { draft: `${newId()}:1` },
      headers: { referer: "https://evil.example/courses" },
    });
    expect(deleted.headers.get("location")).toBe(kit.learn());
  });

  test("of another user cannot be read, restored, overwritten or deleted, even by an admin", async () => {
    const draftId = newId();
    await kit.draft(["nobody-elses"], { draftId });
    for (const query of ["", `&draft=${draftId}`])
      expect(await page(query, other)).not.toContain("nobody-elses");
    const overwritten = await kit.draft(["theirs"], { draftId, revision: 5, as: other });
    expect(await overwritten.json()).toEqual(gone);
    await kit.site.ask(path(), { as: other, form: { draft: `${draftId}:1` } });
    expect(boxes(await page(`&draft=${draftId}`))[0]).toBe("nobody-elses");
  });
});

describe("a lesson that is closed while its student is writing", () => {
  const change = (set: { deletedAt?: Date; dripDay?: number }) =>
    kit.site.services.db.write
      .updateTable("lessons")
      .set(set)
      .where("id", "=", kit.lesson().id)
      .execute();

  test.each<[string, number, () => Promise<unknown>]>([
    ["deleted", 404, () => change({ deletedAt: kit.site.services.clock.now() })],
    ["deleted with its module", 404, () => deleteModule(kit.site.services, kit.lesson().moduleId)],
    ["deleted with its course", 404, () => deleteCourse(kit.site.services, kit.course.id)],
    ["moved to a later day", 403, () => change({ dripDay: 30 })],
  ])(
    "%s, saves their drafts and what they send, and nothing of anybody else",
    async (_, status, close) => {
      const draftId = newId();
      await kit.draft(["begun"], { draftId });
      await close();
      const saved = await kit.draft(["begun, and more"], { draftId, revision: 2 });
      expect([saved.status, await saved.text()]).toEqual([204, ""]);
      expect((await kit.draft(["in a second tab"])).status).toBe(204);
      const sent = await kit.complete({ answers: ["begun, and sent"], draftId });
      expect([sent.status, toastOf(sent)?.title]).toEqual([303, "This lesson was closed"]);
      expect(sent.headers.get("location")).toContain("/my-courses/journal?lesson=");
      const journal = await kit.journal();
      for (const text of ["begun, and sent", "in a second tab", "Not finished"])
        expect(journal).toContain(text);
      // The other user has never written there.
      expect((await kit.draft(["x"], { as: other })).status).toBe(status);
      const refused = await kit.complete({ answers: ["theirs"] }, kit.lesson(), other);
      expect(refused.headers.get("location") ?? "").not.toContain("journal");
      expect(await kit.journal("", other)).toContain("Nothing written yet");
      expect((await kit.draft(["x"], { lesson: kit.lesson(1, 0) })).status).toBeGreaterThan(400);
    },
  );

  test("shows nothing of itself, and is closed to whom it never was open", async () => {
    await kit.draft(["begun"]);
    await change({ dripDay: 30 });
    await kit.draft(["more"]);
    expect(await page()).toContain("This lesson opens on");
    expect(boxes(await page())).toEqual([]);
    const stranger = await createPerson(kit.site.services);
    expect((await kit.draft(["x"], { as: stranger })).status).toBe(403);
  });
});

describe("PUT /courses/:slug/learn/draft", () => {
  test.each<[string, number, string, () => Promise<Response>]>([
    ["signed out", 401, "unauthenticated", () => kit.draft(["x"], { as: null })],
    [
      "without an enrollment",
      403,
      "not_enrolled",
      async () => kit.draft(["x"], { as: await createPerson(kit.site.services) }),
    ],
    ["in a locked lesson", 403, "locked", () => kit.draft(["x"], { lesson: kit.lesson(1, 0) })],
    ["in the lesson 'none'", 404, "not_found", () => kit.draft(["x"], { lesson: { id: "none" } })],
    ["in the lesson NUL", 404, "not_found", () => kit.draft(["x"], { lesson: { id: "\0" } })],
    [
      "in a lesson that does not exist",
      404,
      "not_found",
      () => kit.draft(["x"], { lesson: { id: newId() } }),
    ],
    ...["DELETE", "PATCH"].map((method): [string, number, string, () => Promise<Response>] => [
      `by ${method}`,
      405,
      "method_not_allowed",
      () => kit.site.ask(path(), { as: kit.student, method, json: {} }),
    ]),
  ])("is refused %s: %i", async (_, status, code, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  test("is refused from another site's page with 403, and with 2,001 brackets with 413", async () => {
    expect((await put("[".repeat(2_001))).status).toBe(413);
    const asked = { as: kit.student, method: "PUT", json: {}, origin: "https://evil.example" };
    expect((await kit.site.ask(path(), asked)).status).toBe(403);
  });

  test("under the id of a draft of another lesson continues under another id", async () => {
    const draftId = newId();
    await kit.draft(["x"], { draftId });
    const moved = await kit.draft(["y"], { draftId, revision: 2, lesson: kit.lesson(0, 1) });
    expect(await moved.json()).toEqual(gone);
  });

  const right = () => ({ draftId: newId(), lessonId: kit.lesson().id, revision: 1, answers: [] });
  test.each<[string, () => unknown]>([
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
    ["101 answers", () => ({ ...right(), answers: Array(101).fill({ question: "", answer: "" }) })],
    [
      "an endless question",
      () => ({ ...right(), answers: [{ question: "q".repeat(5001), answer: "" }] }),
    ],
    ...["", "{", "\0", "<xml/>", "[".repeat(2_000)].map((text): [string, () => string] => [
      `the text ${JSON.stringify(text).slice(0, 10)}`,
      () => text,
    ]),
  ])("is refused with %s: 400", async (_, body) => {
    const sent = body();
    const response = await put(typeof sent === "string" ? sent : JSON.stringify(sent));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { code: "invalid", message: "This is not a draft." },
    });
  });
});
