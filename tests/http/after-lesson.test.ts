import { beforeEach, describe, expect, test } from "vitest";
import { saveEmailPreferences, wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../support/journal.ts";
import { learningSite } from "../support/learning-site.ts";
import { hidden, mainOf, readable, toastOf } from "../support/responses.ts";

const dayMs = 24 * 3600_000;
const waits = [[{ prompts: prompts(1) }, {}], [{ dripDay: 7, title: "Later words" }]];
const kit = learningSite(waits);

/** Puts the clock at ten in the morning (UTC), and the opening of day 7 that many hours later. */
async function opensIn(hours: number): Promise<void> {
  const { clock, services } = kit.site;
  const tomorrow = Math.ceil(clock.now().getTime() / dayMs) * dayMs + 10 * 3600_000;
  clock.forward(tomorrow - clock.now().getTime());
  await services.db.write
    .updateTable("enrollments")
    .set({ createdAt: new Date(tomorrow + hours * 3600_000 - 7 * dayMs) })
    .where("userId", "=", kit.student.id)
    .execute();
}

async function reads(query: string, zone = "UTC"): Promise<string> {
  const cookie = `tz=${encodeURIComponent(zone)}; ${await kit.site.cookieOf(kit.student)}`;
  const answer = await kit.site.ask(kit.learn(query), { as: { ...kit.student, cookie } });
  return mainOf(readable(await answer.text()));
}
const lastOpen = "?lesson=lesson-1-2";
const completeOpen = async () => {
  await kit.complete();
  return kit.complete({ lessonKey: "lesson-1-2" }, kit.lesson(0, 1));
};
const changeLesson = (place: [number, number], set: { dripDay: number }) =>
  kit.site.services.db.write
    .updateTable("lessons")
    .set(set)
    .where("id", "=", kit.lesson(...place).id)
    .execute();
const wants = (isWanted: boolean) =>
  saveEmailPreferences(kit.site.services, {
    userId: kit.student.id,
    asked: ["lesson-opened"],
    wanted: isWanted ? ["lesson-opened"] : [],
  });

describe("GET /courses/:slug/learn: the last open lesson", () => {
  test.each([
    [8.9, "UTC", "today at 6:54 PM UTC"],
    [8.9, "Asia/Tokyo", "tomorrow at 3:54 AM"],
    [30, "UTC", "tomorrow at 4:00 PM UTC"],
  ])("says when the next one opens, %d hours on, in %s", async (hours, zone, words) => {
    await opensIn(hours);
    const html = await reads(lastOpen, zone);
    expect(html).toContain(`“Later words” opens ${words}.`);
    const locked = await reads("?lesson=lesson-2-1", zone);
    expect(locked).toContain(`This lesson opens ${words}`);
  });

  test("names the day of one that opens later, and nothing before the last open one", async () => {
    await opensIn(72);
    expect(await reads(lastOpen)).toMatch(
      /“Later words” opens on \w+day, \w+ \d+(, \d{4})?, at 10:00 AM UTC\./,
    );
    expect(await reads("")).not.toContain("Later words” opens");
  });

  test("offers the email and ways out only when it is completed, with nothing half written", async () => {
    await opensIn(8.9);
    expect(await reads(lastOpen)).not.toContain("An email will tell you");
    const done = await completeOpen();
    expect(done.headers.get("location")).toBe(kit.learn(`${lastOpen}#after-lesson`));
    const html = await reads(lastOpen);
    expect(html).toContain('id="after-lesson"');
    // It opens in the evening; emails come at eight, in the zone of the student.
    expect(html).toContain("An email will tell you tomorrow morning.");
    for (const href of ["/my-courses", "/my-courses/journal", "/mail-preferences"])
      expect(html).toContain(`href="${href}"`);
  });

  test("promises no email about a lesson that one has named, before its day was moved", async () => {
    await opensIn(8.9);
    await completeOpen();
    const { read, write } = kit.site.services.db;
    const { id: enrollmentId } = await read
      .selectFrom("enrollments")
      .select("id")
      .where("userId", "=", kit.student.id)
      .executeTakeFirstOrThrow();
    const { id: lessonId } = kit.lesson(1, 0);
    await write
      .insertInto("announcedLessons")
      .values({ enrollmentId, lessonId, emailId: newId(), day: "2026-11-21" })
      .execute();
    const html = await reads(lastOpen);
    expect(html).toContain("“Later words” opens today");
    expect(html).not.toContain("An email will tell you");
  });

  test("without an address: the first lesson says at its top that the rest is not open yet", async () => {
    await opensIn(8.9);
    await completeOpen();
    const html = await reads("");
    expect(html).toContain(">Lesson 1.1</h1>");
    expect(html.indexOf("“Later words” opens today")).toBeLessThan(html.indexOf("Some <em>"));
    expect(html).toContain("“Later words” opens today");
    expect(await reads("?lesson=lesson-1-1")).not.toContain("Later words” opens");
  });

  test("says nothing of emails in a course that sends none", async () => {
    await opensIn(8.9);
    await completeOpen();
    await kit.site.services.db.write
      .updateTable("products")
      .set({ lessonEmails: "off" })
      .where("id", "=", kit.course.id)
      .execute();
    const html = await reads(lastOpen);
    expect(html).toContain("“Later words” opens today");
    expect(html).not.toContain("mail-preferences");
  });

  test("leads to an open lesson that is not completed", async () => {
    await opensIn(8.9);
    await kit.complete({ lessonKey: "lesson-1-2" }, kit.lesson(0, 1));
    expect(await reads(lastOpen)).toMatch(/href="[^"]*lesson=lesson-1-1"[^>]*>Lesson 1.1<\/a> is/);
  });
});

describe("the email offered after the last open lesson", () => {
  const offer = async () => {
    const html = await reads(lastOpen);
    expect(html).toContain('action="/mail-preferences"');
    const fields = ["kind-shown", "kind", "back"].map((name): [string, string] => [
      name,
      hidden(html, name)[0] ?? "",
    ]);
    return { html, fields };
  };
  const isOn = (userId: string) =>
    wantsEmail(kit.site.services.db.read, { userId, kind: "lesson-opened" });

  beforeEach(async () => {
    await opensIn(8.9);
    await completeOpen();
    await wants(false);
  });

  test("is turned on there, by a form that comes back to the lesson", async () => {
    const { html, fields } = await offer();
    expect(html).not.toContain("An email will tell you");
    const answer = await kit.site.ask("/mail-preferences", { as: kit.student, form: fields });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(kit.learn(`${lastOpen}#after-lesson`));
    expect(toastOf(answer)?.title).toBe("Email preferences saved");
    expect(await isOn(kit.student.id)).toBe(true);
    expect(await reads(lastOpen)).toContain("An email will tell you tomorrow morning.");
  });

  test("comes back to the course where no lesson is named", async () => {
    expect(hidden(await reads(""), "back")).toEqual([kit.learn("#after-lesson")]);
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "learn", ""])(
    "comes back to nothing but a path of this site, and not to %j",
    async (back) => {
      const form = { "kind-shown": "lesson-opened", back };
      const answer = await kit.site.ask("/mail-preferences", { as: kit.student, form });
      expect(answer.headers.get("location")).toBe("/mail-preferences");
    },
  );
});

describe("a locked lesson before an open one", () => {
  beforeEach(async () => {
    await opensIn(8.9);
    await changeLesson([0, 1], { dripDay: 7 });
    await changeLesson([1, 0], { dripDay: 0 });
  });
  const notOpen = "“Lesson 1.2” opens today at 6:54 PM UTC.";
  const button = (html: string, name: string) =>
    new RegExp(`href="[^"]*lesson=([\\w-]+)"[^>]*>(?:<svg(?:(?!</a>).)*)?${name}`, "s").exec(
      html,
    )?.[1];

  test("'Next Lesson' and 'Previous' pass over it, and it is named with its opening", async () => {
    const html = await reads("?lesson=lesson-1-1");
    expect(button(html, "Next Lesson")).toBe("lesson-2-1");
    expect(html).toContain(notOpen);
    expect(html).not.toContain("What opens next");
    expect(button(await reads("?lesson=lesson-2-1"), "Previous")).toBe("lesson-1-1");
  });

  test("it leads to the later one itself", async () => {
    const html = await reads("?lesson=lesson-1-2");
    expect(html).toContain("This lesson opens today at 6:54 PM UTC");
    expect(button(html, "Next Lesson")).toBe("lesson-2-1");
  });

  test("completing goes on to the later one", async () => {
    const answer = await kit.complete();
    expect(answer.headers.get("location")).toBe(kit.learn("?lesson=lesson-2-1"));
    expect(await reads("")).toContain(">Later words</h1>");
  });
});

describe("the end of a course", () => {
  const completeAll = async (answers: string[]) => {
    kit.site.clock.forwardDays(8);
    await completeOpen();
    return kit.complete({ answers }, kit.lesson(1, 0));
  };

  test("closes with the chapter of the journal book, in the last lesson and without an address", async () => {
    const done = await completeAll(["Still here."]);
    expect(done.headers.get("location")).toBe(kit.learn("?lesson=lesson-2-1#after-lesson"));
    for (const [query, heading] of [
      ["?lesson=lesson-2-1", "The end of this course"],
      ["", "You have been through this course"],
    ] as const) {
      const html = await reads(query);
      expect(html).toContain(`>${heading}</h2>`);
      expect(html).toContain(`href="/my-courses/journal/book#course-${kit.course.id}"`);
      expect(html).not.toContain("An email will tell you");
    }
    const book = await kit.site.ask("/my-courses/journal/book", { as: kit.student });
    expect(await book.text()).toContain(`id="course-${kit.course.id}"`);
  });

  test("names no book where nothing was written", async () => {
    await completeAll([]);
    const html = await reads("?lesson=lesson-2-1");
    expect(html).toContain("The end of this course");
    expect(html).not.toContain("/journal/book");
  });
});
