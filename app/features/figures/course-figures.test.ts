import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../../tests/support/courses.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { readCourseFigures } from "./course-figures.server.ts";
import { stoppedAt } from "./rules.ts";

let site: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  site = await openTestServices();
});
afterAll(() => site.close());

const dayMs = 24 * 3600_000;
const now = new Date("2026-11-28T12:00:00Z");
const ago = (days: number) => new Date(now.getTime() - days * dayMs);

test.each([
  ["was never here, and enrolled long ago", 40, [], 40, [0, 0], 0],
  ["completed one, three weeks ago", 40, [0], 21, [0, 0, 0], 1],
  ["completed one, less than three weeks ago", 40, [0], 20.9, [0, 0, 0], null],
  ["has finished", 80, [0, 1], 60, [0, 0], null],
  ["left one out and went on", 80, [0, 2], 60, [0, 0, 0, 0], 3],
  ["waits for a lesson that is not open yet", 40, [0], 39, [0, 60], null],
  ["got the next lesson less than three weeks ago", 40, [0], 39, [0, 20], null],
  ["got the next lesson three weeks ago", 40, [0], 39, [0, 19], 1],
])("stoppedAt: who %s", (_, enrolled, completed, last, days, place) => {
  const studied = { fromAt: ago(enrolled), completed, lastAt: ago(last) };
  expect(stoppedAt(studied, days, now)).toBe(place);
});

test("readCourseFigures: sums by lesson, no median of fewer than five, and where people stop", async () => {
  const { services, clock } = site;
  const { write } = services.db;
  const course = await createCourse(services, [[{ title: "First" }, { title: "Second" }]]);
  const [first, second] = course.modules[0]?.lessons ?? [];
  const study = async (hours: number, done: boolean) => {
    const { id: userId } = await createPerson(services);
    const now = clock.now().getTime();
    const at = (ms: number) => new Date(now - 30 * dayMs + ms);
    const row = { id: newId(), userId, productId: course.id, createdAt: at(0) };
    await write.insertInto("enrollments").values(row).execute();
    const one = { userId, lessonId: first?.id ?? "", createdAt: at(hours * 3600_000) };
    await write.insertInto("lessonViews").values(one).execute();
    if (done) await write.insertInto("progress").values(one).execute();
    return userId;
  };
  for (const hours of [1, 2, 3]) await study(hours, true);
  const leaving = await study(4, false);
  const few = await readCourseFigures(services, course.id);
  expect(few?.students).toBe(4);
  expect(few?.first).toBe(
    "Of the last 4 students, 4 have opened a lesson. How long it took is said from five on.",
  );
  await study(90, false);
  const figures = await readCourseFigures(services, course.id);
  expect(figures?.lessons).toMatchObject([
    { title: "First", opened: 5, completed: 3, bars: { opened: 100, completed: 60 } },
    { title: "Second", opened: 0, completed: 0 },
  ]);
  expect(figures?.first).toContain("5 have opened a lesson. Half of them did within 3 hours");
  expect(figures?.stops).toEqual([
    { id: second?.id, title: "Second", words: "3 students have stopped before it" },
    { id: first?.id, title: "First", words: "2 students have stopped before it" },
  ]);
  // Nothing in it leads to a person; of a deleted account nothing is left in it.
  expect(JSON.stringify(figures)).not.toContain(leaving);
  await write.deleteFrom("profiles").where("id", "=", leaving).execute();
  expect((await readCourseFigures(services, course.id))?.lessons[0]).toMatchObject({ opened: 4 });
  expect(await readCourseFigures(services, newId())).toBeNull();
  expect(await readCourseFigures(services, "no id")).toBeNull();
});
