import { beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { prompts } from "../../support/journal.ts";
import { collectLog } from "../../support/log-lines.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { mainOf, readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile({ LOG_LEVEL: "warn" });
let coach: Person;
let student: Person;
let course: TestCourse;
beforeAll(async () => {
  coach = await createPerson(site.services, { role: "admin" });
  student = await createPerson(site.services);
  course = await createCourse(site.services, [
    [{ prompts: prompts(2) }, { dripDay: 2, content: "second words" }],
    [{ dripDay: 5, content: "third words" }],
  ]);
  await enroll(site.services, { userId: student.id, productId: course.id });
});

test("a preview is not counted as an opened lesson", async () => {
  const lines = collectLog(site.services.log);
  const view = (as: Person) => site.ask(`/courses/${course.slug}/learn`, { as });
  await view(coach);
  await view(student);
  // They are written down after the answers, one after the other.
  const views = site.services.db.write.selectFrom("lessonViews").select("userId");
  await vi.waitFor(async () => expect(await views.execute()).toEqual([{ userId: student.id }]));
  expect(lines.join("")).not.toContain("opened");
});

async function see(query: string, as = coach) {
  const answer = await site.ask(`/courses/${course.slug}/learn${query}`, { as });
  return { status: answer.status, html: readable(await answer.text()) };
}
const locked = (html: string) => html.match(/\(locked\)/g)?.length ?? 0;

describe("GET /courses/:slug/learn as an admin who is not enrolled", () => {
  test("has the prompts and the buttons of a student, inert, and says so", async () => {
    const { html } = await see("");
    expect(html).toContain("Nothing is recorded.");
    expect(html).toContain("Journal Prompts for Reflection</h2>");
    expect(html.match(/<textarea[^>]* readOnly=""/gi)).toHaveLength(2);
    expect(html).toMatch(/<button[^>]* disabled=""[^>]*>Mark as Complete/);
    expect(html).toContain("the boxes and the button do nothing");
    expect(html).not.toContain('name="answer"');
    expect((await see("?lesson=lesson-1-2")).html).toMatch(
      /<button[^>]* disabled=""[^>]*>Complete Module/,
    );
  });

  test("without a day, every lesson is open, and a form without scripts offers the days", async () => {
    const { html } = await see("?view=student&lesson=lesson-1-2");
    expect(locked(html)).toBe(0);
    const form = /<form [^>]*method="get"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
    expect(form).toContain('<input type="hidden" name="view" value="student"/>');
    expect(form).toContain('<input type="hidden" name="lesson" value="lesson-1-2"/>');
    const options = [...form.matchAll(/<option value="(\d*)"[^>]*>/g)].map(([, day]) => day);
    expect(options).toEqual(["", "0", "2", "5"]);
    expect(form).toMatch(/<option value=""[^>]* selected=""/);
  });

  test("as on day N, lessons are locked as for a student, and links stay on that day", async () => {
    const { html } = await see("?day=2&lesson=lesson-1-2");
    expect(locked(html)).toBe(1);
    expect(html).toContain("second words");
    expect(html).toContain("“Lesson 2.1” opens on");
    expect(html).toContain('href="/courses/'.concat(course.slug, "/learn?day=2&lesson=lesson-1-1"));
    expect(html).toMatch(/<option value="2"[^>]* selected=""/);
    const third = await see("?day=2&lesson=lesson-2-1");
    expect(third.status).toBe(403);
    expect(third.html).toContain("This lesson opens on");
    expect(third.html).not.toContain("third words");
    expect(locked((await see("?day=0")).html)).toBe(2);
    expect(locked((await see("?day=5")).html)).toBe(0);
  });

  test("to print keeps the day as well, and leads back to it", async () => {
    const { html } = await see("?view=student&day=2&lesson=lesson-1-1");
    const to = `/courses/${course.slug}/learn`;
    const kept = "?view=student&day=2";
    expect(html).toContain(`href="${to}/worksheet${kept}&lesson=lesson-1-1"`);
    expect(html).toContain(`href="${to}/workbook${kept}"`);
    const workbook = await site.ask(`${to}/workbook${kept}`, { as: coach });
    expect(readable(await workbook.text())).toContain(`href="${to}${kept}"`);
    const worksheet = await site.ask(`${to}/worksheet${kept}&lesson=lesson-1-1`, { as: coach });
    expect(readable(await worksheet.text())).toContain(`href="${to}${kept}&lesson=lesson-1-1"`);
  });

  test("a day between two openings is offered too", async () => {
    const { html } = await see("?day=3");
    expect(html).toMatch(/<option value="3"[^>]* selected=""/);
    expect(locked(html)).toBe(1);
  });

  test.each(["x", "-1", "1.5", "1e3", "99999999", ""])("the day %j is none", async (day) => {
    expect(locked((await see(`?day=${day}`)).html)).toBe(0);
  });

  test("a student opens nothing by a day", async () => {
    const { status, html } = await see("?day=9&view=student&lesson=lesson-2-1", student);
    expect(status).toBe(403);
    expect(html).not.toContain("third words");
    expect(html).not.toContain('method="get"');
  });

  test("offers no days where all lessons are open from the start", async () => {
    const { slug } = await createCourse(site.services, [[{}, {}]]);
    const page = await site.ask(`/courses/${slug}/learn`, { as: coach });
    expect(await page.text()).not.toContain('method="get"');
  });
});

test("GET /courses/:slug: an inactive course says that only admins see it, an active one does not", async () => {
  const line = "This course is not active. Only you can see this page.";
  const page = async () =>
    mainOf(readable(await (await site.ask(`/courses/${course.slug}`, { as: coach })).text()));
  expect(await page()).not.toContain(line);
  const set = { active: false };
  await site.services.db.write
    .updateTable("products")
    .set(set)
    .where("id", "=", course.id)
    .execute();
  expect(await page()).toContain(line);
});
