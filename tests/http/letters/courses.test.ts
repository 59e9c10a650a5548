import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import { enroll, enrollWithin } from "~/features/enrollments/enrollments.server.ts";
import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lettersTo } from "../../support/mailbox.ts";
import { headerOf, settled } from "../../support/newsletter.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let ada: Person;
let course: TestCourse;
beforeAll(async () => {
  site = await startSite();
  // Six in the morning UTC: no day ends meanwhile where these tests count days.
  const at = site.clock.now();
  at.setUTCHours(30, 0, 0, 0);
  site.clock.forward(at.getTime() - site.clock.now().getTime());
});
afterAll(() => site.close());
beforeEach(async () => {
  ada = await createPerson(site.services);
  course = await createCourse(site.services, [[{}, { dripDay: 1 }], [{ dripDay: 7 }]], {
    title: "Letters & unsent",
  });
});

const letters = () => lettersTo(site.services.config, ada.email);
const join = () => enroll(site.services, { userId: ada.id, productId: course.id });
const words = (text = "") => text.replaceAll(/\s+/g, " ");
const inZone = (timeZone: string) =>
  site.services.db.write
    .updateTable("profiles")
    .set({ timeZone })
    .where("id", "=", ada.id)
    .execute();
const dayIn = (timeZone: string, days: number) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "long",
    month: "long",
    day: "numeric",
  }).format(new Date(site.clock.now().getTime() + days * 24 * 3600_000));
const place = async () => {
  const { id } = await site.services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", ada.id)
    .executeTakeFirstOrThrow();
  return id;
};
const deleteCourse = () =>
  site.services.db.write
    .updateTable("products")
    .set({ deletedAt: site.clock.now() })
    .where("id", "=", course.id)
    .execute();

describe("the letter of welcome", () => {
  test("says which course, what is open, when the rest opens in her days, and how to get in", async () => {
    await inZone("Pacific/Auckland");
    const [next, last] = [dayIn("Pacific/Auckland", 1), dayIn("Pacific/Auckland", 7)];
    await join();
    await settled(site);
    const [letter] = letters();
    expect(letter?.subject).toBe("Your place in “Letters & unsent”");
    expect(words(letter?.text)).toContain(
      `One lesson is open now. The next one opens on ${next}, the last on ${last}.`,
    );
    expect(letter?.link).toBe(`${site.services.config.appUrl}/courses/${course.slug}/learn`);
    expect(letter && headerOf(letter, "List-Unsubscribe")).toBeNull();
  });

  test("comes once, however often she is enrolled, and again for a new place", async () => {
    expect(await join()).toBe(true);
    expect(await join()).toBe(false);
    await settled(site);
    expect(letters()).toHaveLength(1);
    const admin = await createPerson(site.services, { role: "admin" });
    await removeEnrollment(site.services, { id: await place(), removedBy: admin.id });
    await join();
    await settled(site);
    expect(letters()).toHaveLength(2);
  });

  test.each(["the place is gone", "the course is deleted"])(
    "is not written if %s by then",
    async (what) => {
      const now = site.clock.now();
      const dueAt = new Date(now.getTime() + 60_000);
      await site.services.db.transaction(async (trx) => {
        await enrollWithin(trx, { userId: ada.id, productId: course.id, now });
        await trx.updateTable("outbox").set({ dueAt }).where("userId", "=", ada.id).execute();
      });
      const admin = await createPerson(site.services, { role: "admin" });
      if (what === "the course is deleted") await deleteCourse();
      else await removeEnrollment(site.services, { id: await place(), removedBy: admin.id });
      site.clock.forward(61_000);
      await settled(site);
      expect(letters()).toEqual([]);
    },
  );

  test("and the enrollment are both there or neither", async () => {
    const rows = () =>
      site.services.db.read
        .selectFrom("outbox")
        .select("id")
        .where("userId", "=", ada.id)
        .execute();
    await deleteCourse();
    await expect(join()).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });
});

describe("the letter about a module", () => {
  async function complete(module: number, lesson: number) {
    const lessonId = course.modules[module]?.lessons[lesson]?.id ?? "";
    const asked = { userId: ada.id, lessonId, answers: [], drafts: [] };
    await completeLesson(site.services, asked);
  }
  /** Both lessons of the first module, a day after she came; the letter is due in an hour. */
  async function firstModule() {
    await join();
    await settled(site);
    site.clock.forwardDays(1);
    await complete(0, 0);
    await complete(0, 1);
  }
  async function anHourLater() {
    site.clock.forward(3600_000 + 1000);
    await settled(site);
    return letters()[1];
  }

  test("comes about an hour later, and says what is next and when, in her days", async () => {
    await inZone("America/New_York");
    const opens = dayIn("America/New_York", 7);
    await firstModule();
    site.clock.forward(3500_000);
    await settled(site);
    expect(letters()).toHaveLength(1);
    const letter = await anHourLater();
    expect(letter?.subject).toBe("You finished “Module 1”");
    expect(words(letter?.text)).toContain("Hello Ada, You finished “Module 1”.");
    expect(words(letter?.text)).toContain(
      `Next comes “Module 2”. Its first lesson opens on ${opens}.`,
    );
    expect(words(letter?.text)).not.toMatch(/today|this morning|an hour/);
  });

  test("that waited for a week, because the mail server was away, says what is so then", async () => {
    await firstModule();
    site.clock.forwardDays(7);
    const letter = await anHourLater();
    expect(words(letter?.text)).toContain("Next comes “Module 2”. It is open");
  });

  test("at the end of the course says so", async () => {
    await firstModule();
    await anHourLater();
    site.clock.forwardDays(7);
    await complete(1, 0);
    await anHourLater();
    expect(words(letters()[2]?.text)).toContain("That was the end of “Letters & unsent”.");
  });

  test("is not written for whoever does not want it when it is due, however late she says so", async () => {
    await firstModule();
    const choice = { userId: ada.id, asked: ["module-completed"], wanted: [] } as const;
    await saveEmailPreferences(site.services, choice);
    await anHourLater();
    expect(letters()).toHaveLength(1);
  });

  test("nor when her place is gone, or the course", async () => {
    await firstModule();
    await site.services.db.write.deleteFrom("enrollments").where("userId", "=", ada.id).execute();
    await anHourLater();
    expect(letters()).toHaveLength(1);
    ada = await createPerson(site.services);
    await firstModule();
    await deleteCourse();
    await anHourLater();
    expect(letters()).toHaveLength(1);
  });
});
