import { RouterContextProvider } from "react-router";
import { describe, expect, test } from "vitest";
import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { endEnrollmentWithin } from "~/features/enrollments/enrollments.server.ts";
import { runningReadings } from "~/features/journal/journal-page.server.ts";
import { noSession } from "~/platform/auth/session.ts";
import { restoredFormContext, servicesContext, sessionContext } from "~/platform/http/context.ts";
import { loader } from "~/routes/learn/journal.tsx";
import { prompts } from "../../support/journal.ts";
import { journalPath, said } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { createPerson } from "../../support/people.ts";

const two = { prompts: prompts(2) };
const kit = learningSite(
  [
    [two, two],
    [two, two],
  ],
  { title: "The course" },
);
const { lesson } = kit;

describe("GET /my-courses/journal", () => {
  test("says that nothing is written yet, and is linked from My Courses and completed lessons", async () => {
    expect(await kit.journal()).toContain("Nothing written yet");
    const courses = await (await kit.site.ask("/my-courses", { as: kit.student })).text();
    expect(courses).toContain(`href="${journalPath}"`);
    await kit.write([lesson(), said("one")]);
    const { html } = await kit.player("?lesson=lesson-1-1");
    expect(html).toContain(`${journalPath}?lesson=${lesson().id}#lesson-`);
  });

  test("shows everything in the course's order, whatever was written first", async () => {
    await kit.write(
      [lesson(1, 0), said("written in the second module")],
      [lesson(0, 1), said("one answer", "two answers")],
    );
    await kit.leave(said("not sent"));
    const text = await kit.journal();
    const parts = ["The course", "not sent", "one answer", "two answers", "written in the second"];
    const places = parts.map((each) => text.indexOf(each));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(text).toMatch(/A draft from \w+ \d+, \d{4} UTC, not sent yet/);
    for (const each of ["2 lessons and 1 draft", "Question 2"]) expect(text).toContain(each);
    expect(text).not.toContain("Nothing written here");
  });

  test("tells days in the student's time zone", async () => {
    await kit.write([lesson(), said("late")]);
    await kit.site.services.db.write
      .updateTable("progress")
      .set({ createdAt: new Date("2026-03-01T02:00:00Z") })
      .where("userId", "=", kit.student.id)
      .execute();
    for (const [zone, day] of [
      ["America/New_York", "February 28, 2026"],
      ["Asia/Tokyo", "March 1, 2026"],
    ] as const) {
      const cookie = `tz=${encodeURIComponent(zone)}; ${await kit.site.cookieOf(kit.student)}`;
      const response = await kit.site.ask(journalPath, { headers: { cookie } });
      expect(await response.text()).toContain(day);
    }
  });

  test("is cut into pages when it is long, each entry on one of them", {
    timeout: 60_000,
  }, async () => {
    const names = ["first", "second", "third"];
    const long = (name: string) => said(`${name} ${"day after day ".repeat(4_000)}`);
    await kit.write(
      [lesson(0, 0), long("first")],
      [lesson(0, 1), long("second")],
      [lesson(1, 0), long("third")],
    );
    const pages = await Promise.all([1, 2, 3].map((number) => kit.journal(`?page=${number}`)));
    for (const [at, name] of names.entries())
      expect(pages.map((text) => text.includes(`${name} day after`))).toEqual(
        pages.map((_, index) => index === at),
      );
    expect(pages[0]).toContain("Page 1 of 3");
    expect(pages[0]).toContain(`${journalPath}?page=3#lesson-${lesson(1, 0).id}`);
    for (const [query, page] of [
      ["?page=99", 3],
      [`?lesson=${lesson(0, 1).id}`, 2],
      ["?page=nothing&edit=x&delete=%00&lesson=..", 1],
    ] as const)
      expect(await kit.journal(query)).toContain(`Page ${page} of 3`);
  });

  test("without room for another reading: 503, but a page with refused text is shown", async () => {
    const { id, email } = kit.student;
    const viewer = { id, email, name: "Reader", role: "student" as const };
    const held = Array.from({ length: 12 }, () => runningReadings.begin(id));
    expect(held).not.toContain(null);
    const read = (restored: "within" | null) => {
      const context = new RouterContextProvider();
      context.set(servicesContext, kit.site.services);
      context.set(sessionContext, { ...noSession, viewer });
      context.set(restoredFormContext, restored);
      return loader({ context, url: new URL(`http://localhost${journalPath}`) } as never);
    };
    await expect(read(null)).rejects.toMatchObject({ init: { status: 503 } });
    expect(await read("within")).toMatchObject({ userId: id, journalPage: { page: 1 } });
    for (const end of held) end?.();
  });
});

describe("what is closed stays readable and can be changed", () => {
  const deactivate = () =>
    kit.site.services.db.write
      .updateTable("products")
      .set({ active: false })
      .where("id", "=", kit.course.id)
      .execute();
  /** The enrollment ends, by hand or by a refund. */
  async function end(reason: "refunded" | null) {
    const { db, clock } = kit.site.services;
    const { id } = await db.read
      .selectFrom("enrollments")
      .select("id")
      .where("userId", "=", kit.student.id)
      .executeTakeFirstOrThrow();
    const ending = { removedBy: reason ? "stripe" : kit.student.id, reason, now: clock.now() };
    await db.transaction((trx) => endEnrollmentWithin(trx, id, ending));
  }

  test.each<[string, () => Promise<unknown>, string]>([
    [
      "a deleted course",
      () => deleteCourse(kit.site.services, kit.course.id),
      "This course is no longer here.",
    ],
    ["a course without enrollment", () => end(null), "You are no longer enrolled in this course."],
    ["a refunded course", () => end("refunded"), "You are no longer enrolled in this course."],
    ["a deleted module", () => deleteModule(kit.site.services, lesson().moduleId), ""],
    ["an inactive course", deactivate, ""],
  ])("%s", async (what, close, message) => {
    await kit.write([lesson(), said("before it was closed")]);
    await kit.leave(said("a draft of then"), lesson(0, 1));
    await close();
    const text = await kit.journal();
    for (const each of ["before it was closed", "a draft of then", message])
      expect(text).toContain(each);
    expect(text.includes("Open the lesson")).toBe(what === "an inactive course");
    expect((await (await kit.answer()).save("changed afterwards")).status).toBe(303);
    expect((await kit.draft(["typed while it was closed"])).status).toBe(204);
    const after = await kit.journal();
    for (const each of ["changed afterwards", "typed while it was closed"])
      expect(after).toContain(each);
  });
});

describe("only for its student", () => {
  test("no page, book or file of another user has a word of it, not the admin's", async () => {
    await kit.write([lesson(), said("for-nobody-else")]);
    await kit.leave(said("for-nobody-else"), lesson(0, 1));
    const { id } = lesson();
    for (const role of ["student", "admin"] as const) {
      const as = await createPerson(kit.site.services, { role });
      for (const address of [
        ...["", "/book", ".md", ".data"],
        ...[`?lesson=${id}`, `?edit=${id}.0`, `?delete=${id}`],
      ]) {
        const response = await kit.site.ask(journalPath + address, { as });
        expect(response.status, address).toBeLessThan(400);
        expect(await response.text()).not.toContain("for-nobody-else");
      }
    }
  });

  test("signed out: sign-in leads back; no cache stores it", async () => {
    const response = await kit.site.ask(`${journalPath}?page=2`);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/auth?redirect=/my-courses/journal%3Fpage%3D2");
    for (const address of ["", "/book", ".md"]) {
      const page = await kit.site.ask(journalPath + address, { as: kit.student });
      expect(page.headers.get("cache-control")).toBe("private, no-store");
    }
  });
});
