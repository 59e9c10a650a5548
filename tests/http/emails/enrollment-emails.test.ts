import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import { enroll, enrollWithin } from "~/features/enrollments/enrollments.server.ts";
import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lessonOf } from "../../support/journal.ts";
import { emailsTo } from "../../support/mailbox.ts";
import { headerOf, settled } from "../../support/newsletter.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
let ada: Person;
let course: TestCourse;
const hourMs = 3600_000;

beforeAll(async () => {
  // Six in the morning UTC: no day ends meanwhile where these tests count days.
  const at = site.clock.now();
  at.setUTCHours(30, 0, 0, 0);
  site.clock.forward(at.getTime() - site.clock.now().getTime());
});
beforeEach(async () => {
  ada = await createPerson(site.services);
  course = await createCourse(site.services, [[{}, { dripDay: 1 }], [{ dripDay: 7 }]], {
    title: "Letters & unsent",
  });
});

const join = () => enroll(site.services, { userId: ada.id, productId: course.id });
/** The emails that have been sent after `ms`, each without line breaks. */
async function emailsAfter(ms: number) {
  site.clock.forward(ms);
  await settled(site);
  return emailsTo(site.services.config, ada.email).map((email) => ({
    ...email,
    text: email.text.replaceAll(/\s+/g, " "),
  }));
}
const live = (timeZone: string) =>
  site.services.db.write
    .updateTable("profiles")
    .set({ timeZone })
    .where("id", "=", ada.id)
    .execute();
const dayIn = (timeZone: string, days: number) =>
  new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, weekday: "long", month: "long", day: "numeric" },
  }).format(new Date(site.clock.now().getTime() + days * 24 * hourMs));
const deleteCourse = () =>
  site.services.db.write
    .updateTable("products")
    .set({ deletedAt: site.clock.now() })
    .where("id", "=", course.id)
    .execute();
async function leaveCourse() {
  const admin = await createPerson(site.services, { role: "admin" });
  const { id } = await site.services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", ada.id)
    .executeTakeFirstOrThrow();
  await removeEnrollment(site.services, { id, removedBy: admin.id });
}

describe("the welcome email", () => {
  test("says which course, what is open, when the rest opens, and how to get in", async () => {
    const zone = "Pacific/Auckland";
    await live(zone);
    const [next, last] = [dayIn(zone, 1), dayIn(zone, 7)];
    await join();
    const [email] = await emailsAfter(0);
    expect(email?.subject).toBe("Your place in “Letters & unsent”");
    expect(email?.text).toContain(
      `One lesson is open now. The next one opens on ${next}, the last on ${last}.`,
    );
    expect(email?.link).toBe(`${site.services.config.appUrl}/courses/${course.slug}/learn`);
    expect(email && headerOf(email, "List-Unsubscribe")).toBeNull();
  });

  test("is sent once, and again for a new enrollment", async () => {
    expect([await join(), await join()]).toEqual([true, false]);
    expect(await emailsAfter(0)).toHaveLength(1);
    await leaveCourse();
    await join();
    expect(await emailsAfter(0)).toHaveLength(2);
  });

  test.each([
    ["the enrollment has ended", leaveCourse],
    ["the course is deleted", deleteCourse],
  ])("is not sent if %s by then", async (_, happens) => {
    const now = site.clock.now();
    const dueAt = new Date(now.getTime() + 60_000);
    await site.services.db.transaction(async (trx) => {
      await enrollWithin(trx, { userId: ada.id, productId: course.id, now });
      await trx.updateTable("outbox").set({ dueAt }).where("userId", "=", ada.id).execute();
    });
    await happens();
    expect(await emailsAfter(61_000)).toEqual([]);
  });

  test("is not enqueued where the enrollment fails", async () => {
    await deleteCourse();
    await expect(join()).rejects.toThrow();
    const rows = site.services.db.read.selectFrom("outbox").select("id");
    expect(await rows.where("userId", "=", ada.id).execute()).toEqual([]);
  });
});

describe("the email about a completed module", () => {
  const complete = (module: number, place: number) =>
    completeLesson(site.services, {
      ...{ userId: ada.id, lessonId: lessonOf(course, module, place).id },
      ...{ answers: [], drafts: [] },
    });
  /** Completes the first module, a day after the enrollment; the email is due in an hour. */
  async function completeFirst() {
    await join();
    await settled(site);
    site.clock.forwardDays(1);
    await complete(0, 0);
    await complete(0, 1);
  }

  test("comes about an hour later, and says what is next and when", async () => {
    const zone = "America/New_York";
    await live(zone);
    const opens = dayIn(zone, 7);
    await completeFirst();
    expect(await emailsAfter(0.97 * hourMs)).toHaveLength(1);
    const [, email] = await emailsAfter(0.05 * hourMs);
    expect(email?.subject).toBe("You finished “Module 1”");
    expect(email?.text).toContain("Hello Ada, You finished “Module 1”.");
    expect(email?.text).toContain(`Next comes “Module 2”. Its first lesson opens on ${opens}.`);
    expect(email?.text).not.toMatch(/today|this morning|an hour/);
  });

  test("that waited for a week says what is true then; the last one says that it is the end", async () => {
    await completeFirst();
    const [, late] = await emailsAfter(7 * 24 * hourMs + 1000);
    expect(late?.text).toContain("Next comes “Module 2”. It is open");
    await complete(1, 0);
    const [, , last] = await emailsAfter(hourMs + 1000);
    expect(last?.text).toContain("That was the end of “Letters & unsent”.");
  });

  test.each([
    [
      "its student has switched it off",
      () =>
        saveEmailPreferences(site.services, {
          ...{ userId: ada.id, asked: ["module-completed"] as const, wanted: [] },
        }),
    ],
    ["the enrollment has ended", leaveCourse],
    ["the course is deleted", deleteCourse],
  ] as [string, () => Promise<unknown>][])("is not sent if %s by then", async (_, happens) => {
    await completeFirst();
    await happens();
    expect(await emailsAfter(hourMs + 1000)).toHaveLength(1);
  });
});
