import { beforeAll, expect, test } from "vitest";
import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { deleteLesson } from "~/features/lesson-editor/lessons.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { listMyCourses } from "~/features/player/player.server.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { linesOf } from "../../support/page-text.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const coach = adminOfFile(site, "Nora");
let letters: TestCourse;
let calm: TestCourse;
let ada: Person;
let ben: Person;

const lessonOf = (course: TestCourse, module: number, lesson: number) =>
  course.modules[module]?.lessons[lesson]?.id ?? "";

async function complete({ id: userId }: Person, day: number, lessonId: string) {
  await completeLesson(site.services, { userId, lessonId, answers: [], drafts: [] });
  await site.services.db.write
    .updateTable("progress")
    .set({ createdAt: new Date(Date.UTC(2026, 2, day, 18)) })
    .where("lessonId", "=", lessonId)
    .execute();
}

/** Each student's cells of the list: name, email, progress, last completed, joined. */
async function shown(query = "") {
  const page = await site.ask(`/admin/students?sort=name${query}`, { as: coach });
  const html = await page.text();
  const rows = [...html.matchAll(/<tr role="row">.*?<\/tr>/gs)].map(([row]) => linesOf(row));
  return rows.slice(1).map(([name = "", , ...rest]) => [/\w+/.exec(name)?.[0], ...rest]);
}

async function exported(query = "") {
  const file = await site.ask(`/admin/export/students?sort=name${query}`, { as: coach });
  const [, ...lines] = (await file.text()).trim().split("\r\n");
  return lines.map((line) => {
    const [name, , , , , , ...progress] = line.split(",");
    return [name, ...progress];
  });
}

beforeAll(async () => {
  const { services } = site;
  letters = await createCourse(
    services,
    [
      [{}, {}],
      [{}, {}],
    ],
    { title: "Letters" },
  );
  calm = await createCourse(services, [[{}, {}, {}]], { title: "Calm" });
  ada = await createPerson(services, { name: "Ada" });
  ben = await createPerson(services, { name: "Ben" });
  await createPerson(services, { name: "Cleo" });
  for (const [{ id: userId }, course] of [
    [ada, letters],
    [ada, calm],
    [ben, letters],
  ] as const)
    await enroll(services, { userId, productId: course.id });
  await complete(ada, 2, lessonOf(letters, 1, 0));
  await complete(ada, 1, lessonOf(letters, 0, 0));
  await complete(ada, 4, lessonOf(calm, 0, 0));
  await services.db.write
    .updateTable("profiles")
    .set({ createdAt: new Date("2026-02-01T18:00:00Z") })
    .execute();
});

const joined = "Feb 1, 2026";

test("GET /admin/students: says what each has completed in the chosen course", async () => {
  expect(await shown(`&course=${letters.id}`)).toEqual([
    ["Ada", "2 of 4 lessons", "Mar 2, 2026", joined],
    ["Ben", "0 of 4 lessons", joined],
  ]);
  expect(await exported(`&course=${letters.id}`)).toEqual([
    ["Ada", "2", "4", "2026-03-02T18:00:00.000Z"],
    ["Ben", "0", "4", ""],
  ]);
});

test("GET /admin/students: without a course, counts the lessons of all of a student's courses", async () => {
  const rows = [
    ["Ada", "3 of 7 lessons", "Mar 4, 2026", joined],
    ["Ben", "0 of 4 lessons", joined],
    ["Cleo", "Not enrolled", joined],
  ];
  expect(await shown()).toEqual(expect.arrayContaining(rows));
  expect(await exported()).toEqual(
    expect.arrayContaining([
      ["Ada", "3", "7", "2026-03-04T18:00:00.000Z"],
      ["Cleo", "", "", ""],
    ]),
  );
});

test("GET /admin/students: counts nothing that is deleted, as My Courses does", async () => {
  const { services } = site;
  const percents = async () => (await listMyCourses(services, ada.id)).map((one) => one.percent);
  const of = async (course: TestCourse | null) =>
    (await shown(course ? `&course=${course.id}` : ""))[0]?.[1];
  await deleteLesson(services, { id: lessonOf(letters, 0, 0) });
  expect([await of(letters), await of(null)]).toEqual(["1 of 3 lessons", "2 of 6 lessons"]);
  expect(await percents()).toEqual(expect.arrayContaining([33]));
  await deleteModule(services, letters.modules[1]?.id ?? "");
  expect([await of(letters), await of(null)]).toEqual(["0 of 1 lesson", "1 of 4 lessons"]);
  await deleteModule(services, letters.modules[0]?.id ?? "");
  expect([await of(letters), await of(null)]).toEqual(["No lessons", "1 of 3 lessons"]);
  await deleteCourse(services, calm.id);
  expect(await of(null)).toBe("No lessons");
  expect(await percents()).toEqual([0]);
});

test("GET /admin/students: a former enrollment does not count", async () => {
  const { services } = site;
  const { id } = await services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", ben.id)
    .executeTakeFirstOrThrow();
  await removeEnrollment(services, { id, removedBy: coach.id });
  expect((await shown())[1]).toEqual(["Ben", "Not enrolled", joined]);
});
