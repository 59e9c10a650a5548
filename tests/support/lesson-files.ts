import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { listFiles } from "~/features/lesson-media/files.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { documents } from "./documents.ts";
import { createPerson, type Person } from "./people.ts";
import type { Asking } from "./site.ts";
import { type Uploading, upload } from "./uploads.ts";

/** Uploads a small, real document, or other bytes under its name, as a lesson's file. */
export function uploadFile(to: Uploading, fileName = "Workbook.pdf", bytes?: Buffer) {
  const extension = fileName.split(".").at(-1)?.toLowerCase() ?? "";
  const own = documents[extension === "jpeg" ? "jpg" : extension];
  return upload(bytes ?? own ?? Buffer.from("?"), { ...to, kind: "file", fileName });
}

/** Records a file of a lesson whose bytes storage does not have. @returns the entry's id */
export async function listFile(
  { db, clock }: Services,
  lessonId: string,
  { title = "Workbook", key = `${newId()}/1-workbook.pdf`, size = 12_000 } = {},
): Promise<string> {
  const id = newId();
  const times = { createdAt: clock.now() };
  const about = { bucket: "course-files", key, fileName: "workbook.pdf", size };
  await db.write
    .insertInto("mediaFiles")
    .values({ id, ...about, contentType: "application/pdf", ...times })
    .execute();
  const orderNum = (await listFiles(db.write, lessonId)).length + 1;
  await db.write
    .insertInto("lessonFiles")
    .values({ id, lessonId, fileId: id, title, orderNum, ...times })
    .execute();
  return id;
}

type Site = { services: Services; ask(path: string, asking?: Asking): Promise<Response> };

/** A student of the course of a lesson, and what they get of its files. */
export async function readerOf({ services, ask }: Site, lessonId: string) {
  const place = await services.db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["lessons.slug as key", "products.slug", "products.id"])
    .where("lessons.id", "=", lessonId)
    .executeTakeFirstOrThrow();
  const student = await createPerson(services);
  await enroll(services, { userId: student.id, productId: place.id });
  const linkOf = (file: string, lesson = place.key) =>
    `/courses/${place.slug}/learn/file?${new URLSearchParams({ lesson, file })}`;
  return {
    student,
    linkOf,
    course: place,
    /** Presses a file's link. */
    press: (file: string, as: Person | null = student) => ask(linkOf(file), { as }),
    page: async () =>
      (await ask(`/courses/${place.slug}/learn?lesson=${place.key}`, { as: student })).text(),
  };
}
