import { expect, test } from "vitest";
import { duplicateCourse } from "~/features/courses/create-course.server.ts";
import { namedIn } from "~/platform/backup/named-media.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../../tests/support/courses.ts";
import { listFile } from "../../../tests/support/lesson-files.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { changeFile, listFiles } from "./files.server.ts";

test("duplicateCourse: a copied lesson lists the same files, and changes only its own list", async () => {
  const { services, close } = await openTestServices();
  const { db } = services;
  const course = await createCourse(services, [[{}]]);
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  const key = `${newId()}/1-workbook.pdf`;
  await listFile(services, lessonId, { key });
  await listFile(services, lessonId, { title: "Pictures" });
  const copyId = await duplicateCourse(services, { id: course.id, copyId: newId() });
  const copy = await db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .select("lessons.id")
    .where("modules.productId", "=", copyId)
    .executeTakeFirstOrThrow();
  const titles = async (id: string) => (await listFiles(db.write, id)).map(({ title }) => title);
  expect(await titles(copy.id)).toEqual(["Workbook", "Pictures"]);
  const [first] = await listFiles(db.write, copy.id);
  await changeFile(services, { lessonId: copy.id, intent: "remove", file: first?.id ?? "" });
  expect(await titles(copy.id)).toEqual(["Pictures"]);
  expect(await titles(lessonId)).toEqual(["Workbook", "Pictures"]);
  expect(await namedIn(db.read)).toContainEqual({ bucket: "course-files", key });
  await close();
});
