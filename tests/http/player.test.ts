import { describe, expect, test } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { site } from "../support/first-edition.ts";
import { journalForm, lessonOf, prompts } from "../support/journal.ts";
import { learningSite } from "../support/learning-site.ts";
import { emailTo } from "../support/mailbox.ts";
import { openedJournal } from "../support/opened-journal.ts";
import { boxes, hidden, readable, toastOf } from "../support/responses.ts";

const kit = learningSite([[{ prompts: prompts(2) }, { prompts: prompts(1) }], [{ dripDay: 7 }]]);
const progress = () =>
  kit.site.services.db.read
    .selectFrom("progress")
    .selectAll()
    .where("userId", "=", kit.student.id)
    .execute();

describe("GET /courses/:slug/learn", () => {
  test("signing in leads back to the lesson", async () => {
    const { response } = await kit.player("?lesson=lesson-1-2&x=a%26b", null);
    expect(response.status).toBe(302);
    const to = new URL(response.headers.get("location") ?? "", kit.site.url);
    expect(to.pathname).toBe("/auth");
    expect(to.searchParams.get("redirect")).toBe(kit.learn("?lesson=lesson-1-2&x=a%26b"));
  });

  test("a missing course, and one of others, redirect with the notices of the spec", async () => {
    const missing = await kit.site.ask("/courses/none/learn", { as: kit.student });
    expect(toastOf(missing)).toMatchObject({ title: "Course not found", tone: "destructive" });
    const other = await createCourse(kit.site.services, [[{}]]);
    const foreign = await kit.site.ask(`/courses/${other.slug}/learn`, { as: kit.student });
    expect(toastOf(foreign)).toEqual({
      title: "Not enrolled",
      description: "Please enroll in this course first",
      tone: "destructive",
    });
  });

  test("without a lesson in the address: the first open one that is not completed", async () => {
    for (const [title, place] of [
      ["Lesson 1.1", 0],
      ["Lesson 1.2", 1],
      ["Lesson 1.1", null],
    ] as const) {
      const { html } = await kit.player();
      expect(html).toContain(`>${title}</h1>`);
      if (place === null) expect(readable(html)).toContain("67% Complete");
      else await kit.complete({}, kit.lesson(0, place));
    }
  });

  test.each(["none", "%00", "..%2f..", "lesson-1-1~x", "'%22%3Cscript%3E", "a".repeat(3000)])(
    "an unknown lesson (%s) is 404 in the player's own frame",
    async (key) => {
      const { response, html } = await kit.player(`?lesson=${key}`);
      expect(response.status).toBe(404);
      expect(html).toContain("Select a lesson to begin");
      expect(html).toContain("Lesson 1.1");
    },
  );

  test("an empty id in the address of a lesson is no other lesson", async () => {
    expect((await kit.player("?lesson=lesson-1-1~")).response.status).toBe(200);
  });

  test.each(["%00", "%E0%A4%A", "..%2f..%2fetc", "%F0%9F%92%99", "a".repeat(3000)])(
    "a course address like %s is answered, not failed",
    async (slug) => {
      for (const path of [`/courses/${slug}`, `/courses/${slug}/learn`]) {
        const { status } = await kit.site.ask(path, { as: kit.student });
        expect([303, 400, 404]).toContain(status);
      }
    },
  );

  test("says in words where there is help, beside every lesson and in the drawer", async () => {
    for (const query of ["", "?lesson=lesson-2-1", "?lesson=none"]) {
      const { html } = await kit.player(query);
      expect(html.match(/<summary>Help now</g)).toHaveLength(2);
      expect(html).toContain("Call your local emergency number");
      const link = new RegExp(`<a href="${site.crisisAddress}"[^>]*>${site.crisisName}<`);
      expect(link.exec(html)?.[0]).toContain('rel="noopener noreferrer"');
    }
  });

  test("a course without lessons says so", async () => {
    const empty = await createCourse(kit.site.services, [[]]);
    await enroll(kit.site.services, { userId: kit.student.id, productId: empty.id });
    const response = await kit.site.ask(`/courses/${empty.slug}/learn`, { as: kit.student });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain("Select a lesson to begin");
    expect(html).toContain("Module 1");
  });

  test("lessons of one slug in two modules are told apart", async () => {
    const twins = await createCourse(kit.site.services, [
      [{ slug: "intro", content: "first-of-twins" }],
      [{ slug: "intro", content: "second-of-twins" }],
    ]);
    await enroll(kit.site.services, { userId: kit.student.id, productId: twins.id });
    const path = `/courses/${twins.slug}/learn`;
    const multipart = journalForm(lessonOf(twins, 0, 0).id);
    const response = await kit.site.ask(path, { as: kit.student, multipart });
    const to = response.headers.get("location") ?? "";
    expect(to).toBe(`${path}?lesson=intro~${lessonOf(twins, 1, 0).id}`);
    for (const [address, text] of [
      [to, "second-of-twins"],
      [`${path}?lesson=intro`, "first-of-twins"],
    ] as const)
      expect(await (await kit.site.ask(address, { as: kit.student })).text()).toContain(text);
  });
});

describe("POST /courses/:slug/learn", () => {
  const lastOfModule = (answers: string[] = []) =>
    kit.complete({ answers, lessonKey: "lesson-1-2" }, kit.lesson(0, 1));

  test("goes on to the next lesson and saves the answers", async () => {
    const response = await kit.complete({ answers: ["Tired.", " "] });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(kit.learn("?lesson=lesson-1-2"));
    expect(toastOf(response)?.title).toBe("Lesson completed!");
    expect(await openedJournal(kit.site.services, kit.student.id)).toMatchObject([
      { journalAnswer: "Question 1\nTired." },
    ]);
    const { html } = await kit.player("?lesson=lesson-1-1");
    expect(readable(html)).toContain("Tired.");
    expect(html).toContain("Nothing written here.");
    expect(boxes(html)).toEqual([]);
  });

  test("by a script's request, the toast and the way are in the answer", async () => {
    const response = await kit.site.ask(`/courses/${kit.course.slug}/learn.data`, {
      as: kit.student,
      multipart: journalForm(kit.lesson().id),
    });
    expect(response.status).toBe(202);
    expect(await response.text()).toContain("lesson=lesson-1-2");
    expect(toastOf(response)?.title).toBe("Lesson completed!");
  });

  test("the last of a module: its toast, and an email in an hour without the journal", async () => {
    const response = await lastOfModule(["only-for-me"]);
    expect(toastOf(response)).toMatchObject({
      title: "🎉 Module Complete!",
      description: "You'll receive a personalized email in about an hour",
    });
    // The next lesson is locked: the same one is shown, and what opens next.
    expect(response.headers.get("location")).toBe(kit.learn("?lesson=lesson-1-2#after-lesson"));
    expect((await kit.player("?lesson=lesson-1-2")).html).toContain("Module Complete!");
    kit.site.clock.forward(3600_000 + 1);
    kit.site.services.wakeWorker();
    // The first one was that of welcome.
    const message = await emailTo(kit.site.services.config, kit.student.email, 2);
    expect(message.subject).toBe("You finished “Module 1”");
    expect(message.source).not.toContain("only-for-me");
  });

  test("the last of a module promises an email only where one comes", async () => {
    const wants = (isWanted: boolean) =>
      saveEmailPreferences(kit.site.services, {
        userId: kit.student.id,
        asked: ["module-completed"],
        wanted: isWanted ? ["module-completed"] : [],
      });
    const quiet = { title: "🎉 Module Complete!", tone: "success" };
    await wants(false);
    expect(toastOf(await lastOfModule())).toEqual(quiet);
    await wants(true);
    expect(toastOf(await lastOfModule())).toMatchObject({ description: expect.any(String) });
    // By then it has gone out.
    kit.site.clock.forward(3600_000);
    expect(toastOf(await lastOfModule())).toEqual(quiet);
  });

  test("from ten connections at once, and once more, counts once", async () => {
    const attempts = await Promise.all(Array.from({ length: 10 }, () => lastOfModule(["Same."])));
    for (const { status } of [...attempts, await lastOfModule(["Same."])]) expect(status).toBe(303);
    expect(await progress()).toHaveLength(1);
    const emails = await kit.site.services.db.read
      .selectFrom("outbox")
      .select("payload")
      .where("kind", "=", "learning.module-completed")
      .execute();
    expect(JSON.stringify(emails).split(kit.student.id)).toHaveLength(2);
  });

  const deleted = async () => {
    const { id } = kit.lesson(0, 1);
    const set = { deletedAt: new Date() };
    await kit.site.services.db.write.updateTable("lessons").set(set).where("id", "=", id).execute();
    return id;
  };
  test.each<[string, number, () => string | Promise<string>]>([
    ["a locked lesson", 403, () => kit.lesson(1, 0).id],
    [
      "a lesson of another course",
      403,
      async () => lessonOf(await createCourse(kit.site.services, [[{}]]), 0, 0).id,
    ],
    ["a deleted lesson", 404, deleted],
    ...["", "x", "\0", newId(), "' or 1=1 --", "a".repeat(5000)].map(
      (id): [string, number, () => string] => [`the lesson ${id.slice(0, 20)}`, 404, () => id],
    ),
  ])("refuses %s with %i, and gives the answers back", async (_, status, lessonId) => {
    const response = await kit.complete({ answers: ["My answer"] }, { id: await lessonId() });
    expect(response.status).toBe(status);
    const html = await response.text();
    expect(readable(html)).toContain("Failed to mark lesson as complete");
    expect(boxes(html)[0]).toBe("My answer");
    expect(await progress()).toEqual([]);
  });

  test("refuses what is no form", async () => {
    const json = { lessonId: kit.lesson().id };
    const response = await kit.site.ask(kit.learn(), { as: kit.student, json });
    expect(response.status).toBeLessThan(500);
    expect(await progress()).toEqual([]);
  });

  test("signed out: gives the answers back, ready to be sent again after signing in", async () => {
    const draftId = newId();
    const answers = ["Line one\nline two", 'A "quote" & </textarea><b>'];
    const response = await kit.complete({ answers, draftId }, kit.lesson(), null);
    expect(response.status).toBe(401);
    const html = await response.text();
    expect(html).toContain("You have been signed out");
    const multipart = journalForm(hidden(html, "lessonId")[0] ?? "", {
      answers: boxes(html),
      questions: hidden(html, "question"),
      draftId: hidden(html, "drafts")[0]?.split(":")[0] ?? "",
    });
    expect(multipart).toEqual(journalForm(kit.lesson().id, { answers, draftId }));
    const again = await kit.site.ask(kit.learn(), { as: kit.student, multipart });
    expect(again.status).toBe(303);
  });
});
