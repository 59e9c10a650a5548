import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../../support/courses.ts";
import { createPerson, type Person } from "../../../support/people.ts";
import { announce, sampleFile, type Uploading, upload } from "../../../support/uploads.ts";
import type { Given } from "../row.ts";

/** Things that one row alone asks about, so that it can do to them whatever it likes. */

export const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nThe sound of water.";

/** A course of two modules with two lessons each, the first with captions; and its parts. */
export async function aCourse({ services }: Given) {
  const course = await createCourse(services, [
    [{ title: "First", muxPlaybackId: "none/film.mp4" }, { title: "Second" }],
    [{ title: "Third" }, { title: "Fourth" }],
  ]);
  const [module, otherModule] = course.modules;
  const [lesson, nextLesson] = module?.lessons ?? [];
  if (!module || !otherModule || !lesson || !nextLesson) throw new Error("a course without parts");
  await services.db.write
    .updateTable("lessons")
    .set({ videoCaptions: vtt })
    .where("id", "=", lesson.id)
    .execute();
  return { id: course.id, slug: course.slug, module, otherModule, lesson, nextLesson };
}

export async function anInactiveCourse(given: Given) {
  const course = await aCourse(given);
  await given.services.db.write
    .updateTable("products")
    .set({ active: false })
    .where("id", "=", course.id)
    .execute();
  return course;
}

/** Deleted just now, so that it can be restored. @returns what the form says of it */
export async function deleted(given: Given, kind: "course" | "module" | "lesson") {
  const { services } = given;
  const course = await aCourse(given);
  if (kind === "course") {
    await deleteCourse(services, course.id);
    return { kind, id: course.id };
  }
  if (kind === "module") {
    await deleteModule(services, course.module.id);
    return { kind, id: course.module.id };
  }
  await services.db.write
    .updateTable("lessons")
    .set({ deletedAt: services.clock.now() })
    .where("id", "=", course.lesson.id)
    .execute();
  return { kind, id: course.lesson.id };
}

export async function anEnrollment(given: Given): Promise<string> {
  const { services } = given;
  const { id: userId } = await createPerson(services);
  const { id: productId } = await aCourse(given);
  await enroll(services, { userId, productId });
  const { id } = await services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return id;
}

/** Someone who was sent an email. @returns the invitation's id */
export async function anInvitation(given: Given): Promise<string> {
  const { services, world } = given;
  const { id: productId } = await aCourse(given);
  const email = `${newId()}@example.com`;
  await inviteStudent(services, { productId, email, name: null, invitedBy: world.other.id });
  const { id } = await services.db.read
    .selectFrom("invitations")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  return id;
}

/** Anyone who asks, if she may upload; someone who may otherwise. */
async function uploader({ as, world, services }: Given): Promise<Person> {
  const { role } = await services.db.read
    .selectFrom("profiles")
    .select("role")
    .where("id", "=", as?.id ?? "")
    .where("suspendedAt", "is", null)
    .executeTakeFirst()
    .then((row) => row ?? { role: "student" });
  const administrator = role === "admin" ? as : await world.person("administrator");
  if (!administrator) throw new Error("there is always an administrator");
  return administrator;
}

async function uploadingTo(given: Given): Promise<Uploading & { lessonId: string }> {
  const { services, site } = given;
  const { lesson } = await aCourse(given);
  return {
    url: site.url,
    cookie: await site.cookieOf(await uploader(given)),
    origin: services.config.appUrl,
    moduleId: lesson.moduleId,
    lessonId: lesson.id,
  };
}

/** A lesson with a video that an administrator uploaded. @returns its id */
export async function anUploadedFilm(given: Given): Promise<string> {
  const to = await uploadingTo(given);
  await upload(sampleFile("film.mp4"), to);
  return to.lessonId;
}

/** An upload of a film that an administrator began and of which nothing has arrived. */
export async function aBegunUpload(given: Given): Promise<string> {
  return announce(await uploadingTo(given), sampleFile("film.mp4").length);
}
