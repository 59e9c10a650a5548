import { expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { patient } from "../../support/patient.ts";
import { createPerson } from "../../support/people.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile({ LOG_LEVEL: "silent" });

test("GET /courses/:slug/learn: stores when a student first opens an open lesson, and of no one else", async () => {
  const { services } = site;
  const { db } = services;
  const course = await createCourse(services, [[{ slug: "open" }, { slug: "later", dripDay: 9 }]]);
  const [open, later] = course.modules[0]?.lessons ?? [];
  const [ada, admin] = [
    await createPerson(services),
    await createPerson(services, { role: "admin" }),
  ];
  const enrollment = { id: newId(), userId: ada.id, productId: course.id };
  const row = { ...enrollment, createdAt: services.clock.now() };
  await db.write.insertInto("enrollments").values(row).execute();
  const read = (lesson: string, as: { id: string }) =>
    site.ask(`/courses/${course.slug}/learn?lesson=${lesson}`, { as });
  expect((await read("later", ada)).status).toBe(403);
  expect((await read("open", admin)).status).toBe(200);
  expect((await read("open", ada)).status).toBe(200);
  const views = () => db.read.selectFrom("lessonViews").selectAll().execute();
  await expect.poll(views, patient).toHaveLength(1);
  const [first] = await views();
  expect(first).toMatchObject({ userId: ada.id, lessonId: open?.id });
  site.clock.forwardDays(10);
  await read("open", ada);
  await read("later", ada);
  await expect.poll(views, patient).toHaveLength(2);
  expect(await views()).toContainEqual(first);
  expect(await views()).toContainEqual(expect.objectContaining({ lessonId: later?.id }));

  const page = await site.ask(`/admin/courses/${course.id}/progress`, { as: admin });
  const text = readable(await page.text());
  expect(text).toMatch(/One student is in this course now/);
  expect(text).not.toContain(ada.id);
  const csv = await site.ask(`/admin/export/course-progress?course=${course.id}`, { as: admin });
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines[1]).toBe("A course,Module 1,Lesson 1.1,1,0,1");
  expect(lines).toHaveLength(3);
});
