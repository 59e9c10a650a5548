import { expect } from "@playwright/test";
import { emailField, signUpFields } from "~/features/auth/schema.ts";
import { saveCourse, saveModule } from "~/features/courses/course-forms.server.ts";
import { setActive } from "~/features/courses/courses.server.ts";
import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { invitationFields } from "~/features/enrollments/schema.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { saveLessonDraft } from "~/features/lesson-editor/drafts.server.ts";
import { saveLessonForm } from "~/features/lesson-editor/editor.server.ts";
import { deleteLesson } from "~/features/lesson-editor/lessons.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { lineAttacks } from "../../support/xss.ts";
import { createCoach } from "./lessons.ts";
import type { RunningSite } from "./site.ts";
import { plantMedia } from "./xss-media.ts";
import { type Plants, startPlanting } from "./xss-plants.ts";

type Services = RunningSite["services"];

/**
 * A site in which every text that a person can put there attacks anyone who reads it: by the
 * product's own forms and commands, which have to take it or refuse it; and straight into the
 * database what they refuse, as if an older version had taken it.
 */
export async function createAttackedWorld(site: RunningSite) {
  const { services } = site;
  const plants = startPlanting();
  const coach = await createCoach(services);
  const courses = await plantCourses(services, plants);
  const [course, former, other, deleted] = courses;
  const lessons = await plantLessons(services, plants, { userId: coach.id, ...course });
  const students = await plantStudents(services, plants, course.id);
  const [reader] = students;
  for (const { id: productId } of [former, other])
    await enroll(services, { userId: reader.id, productId });
  const media = await plantMedia(site, plants, { coach, lessons });
  await plantWriting(services, plants, { coach, reader, former, lessons });
  const invited = await plantInvitations(services, plants, { coach, courses });
  await plantNotes(services, plants, course.id);
  await plantDeleted(services, plants, { userId: coach.id, deleted, other });
  return { plants, coach, reader, students, course, other, courses, lessons, media, invited };
}

/** What the coach wrote to the students of a course. */
async function plantNotes({ db, clock }: Services, plants: Plants, productId: string) {
  for (const subject of plants.all("note subject"))
    await db.write
      .insertInto("courseEmails")
      .values({ id: newId(), productId, subject, body: subject, createdAt: clock.now() })
      .execute();
}

type Course = { id: string; slug: string };
type Several<One> = [One, One, One, One, ...One[]];

async function plantCourses(services: Services, plants: Plants): Promise<Several<Course>> {
  const made: Course[] = [];
  const descriptions = plants.all("course description");
  for (const [at, title] of plants.all("course title").entries()) {
    const [id, slug] = [newId(), `attacked-${at}`];
    const fields = { id, title, description: descriptions[at], price: "1" };
    const refused = await saveCourse(services, { ...fields, slug: plants.stranger(title) });
    expect("problem" in refused && refused.problem.fieldErrors).toHaveProperty("slug");
    expect(await saveCourse(services, { ...fields, slug })).toMatchObject({ id });
    await setActive(services, { id, active: true });
    made.push({ id, slug });
  }
  return made as Several<Course>;
}

export type Lesson = { id: string; moduleId: string; slug: string };
type Place = { userId: string; id: string };

/** A module an attack, with one lesson each. */
async function plantLessons(services: Services, plants: Plants, { userId, id: productId }: Place) {
  const made: Lesson[] = [];
  const [titles, texts] = [plants.all("lesson title"), plants.texts("lesson text")];
  const [questions, placeholders] = [plants.all("question"), plants.all("placeholder")];
  for (const [at, title] of plants.all("module title").entries()) {
    const moduleId = newId();
    const orderNum = String(at + 1);
    const module = await saveModule(services, { id: moduleId, productId, title, orderNum });
    expect(module).toMatchObject({ id: moduleId });
    const lesson = { id: newId(), moduleId, slug: `lesson-${at}` };
    const prompts = [{ question: questions[at], placeholder: placeholders[at] }];
    const saved = await saveLesson(services, userId, lesson, {
      title: titles[at] ?? "",
      content: texts[at] ?? "",
      prompts: JSON.stringify(prompts),
    });
    expect(saved).toMatchObject({ kind: "saved" });
    made.push(lesson);
  }
  return made as Several<Lesson>;
}

function saveLesson(
  services: Services,
  userId: string,
  { id: lessonId, moduleId, slug }: Lesson,
  fields: Record<string, string>,
) {
  const form = new FormData();
  const all = { moduleId, slug, orderNum: "1", dripDay: "0", revision: "0", ...fields };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return saveLessonForm(services, { userId, lessonId, form, timeZone: "UTC" });
}

async function plantStudents(services: Services, plants: Plants, productId: string) {
  const { write } = services.db;
  const made: Person[] = [];
  for (const attack of lineAttacks) {
    const name = plants.stranger(attack);
    expect(signUpFields.shape.name.safeParse(name).success, name).toBe(name.length <= 100);
    const address = `${plants.stranger(attack)}@example.com`;
    expect(emailField.safeParse({ email: address }).success, address).toBe(false);
    const student = await createPerson(services, { name: plants.one("student name", 100) });
    await enroll(services, { userId: student.id, productId });
    made.push(student);
  }
  // Half of them as if their addresses and payments had come from elsewhere.
  for (const { id } of made.filter((_, at) => at % 2 === 0)) {
    const email = plants.one("email");
    await write.updateTable("profiles").set({ email }).where("id", "=", id).execute();
    const stripePaymentId = plants.one("payment");
    const enrollment = write.updateTable("enrollments").where("userId", "=", id);
    await enrollment.set({ stripePaymentId }).execute();
  }
  return made as Several<Person>;
}

type Inviting = { coach: Person; courses: Course[] };

/** @returns an invited email address, to which an email was sent */
async function plantInvitations(services: Services, plants: Plants, { coach, courses }: Inviting) {
  const email = "ruth@example.com";
  for (const [at, { id: productId }] of courses.slice(1, 9).entries()) {
    const name = plants.one("invited name", 100);
    const asked = { productId, name, email: at === 0 ? email : `ruth-${at}@example.com` };
    const refused = invitationFields.safeParse({ ...asked, email: plants.stranger(name) });
    expect(refused.success).toBe(false);
    await inviteStudent(services, { ...invitationFields.parse(asked), invitedBy: coach.id });
  }
  const rows = services.db.write.updateTable("invitations");
  await rows
    .set({ email: plants.one("invited email") })
    .where("email", "=", "ruth-1@example.com")
    .execute();
  return { email };
}

type Deleting = { userId: string; deleted: Course; other: Course };

async function plantDeleted(services: Services, plants: Plants, of: Deleting) {
  const modules = [newId(), newId()];
  for (const [at, id] of modules.entries()) {
    const title = plants.one("deleted module");
    await saveModule(services, { id, productId: of.other.id, title, orderNum: String(at + 1) });
  }
  const [moduleId = "", gone = ""] = modules;
  const lesson = { id: newId(), moduleId, slug: "deleted" };
  const title = plants.one("deleted lesson");
  expect(await saveLesson(services, of.userId, lesson, { title })).toMatchObject({ kind: "saved" });
  await deleteLesson(services, lesson);
  await deleteModule(services, gone);
  await deleteCourse(services, of.deleted.id);
}

type Writing = { coach: Person; reader: Person; former: Course; lessons: Lesson[] };

/**
 * What the student has written and was sent: the journal of the first lesson with a draft beside
 * it, a draft of the third, emails, a former enrollment. And what the coach has not saved yet: of
 * the fourth lesson, and of a new one.
 */
async function plantWriting(
  services: Services,
  plants: Plants,
  { coach, reader, former, lessons }: Writing,
): Promise<void> {
  const userId = reader.id;
  const [first, , third, fourth] = lessons as [Lesson, Lesson, Lesson, Lesson];
  const answersAs = (field: string) => [
    { question: plants.one(`question of ${field}`), answer: plants.one(field) },
  ];
  const written = { userId, lessonId: first.id };
  await completeLesson(services, { ...written, answers: answersAs("journal"), drafts: [] });
  for (const [lessonId, field] of [
    [first.id, "kept draft"],
    [third.id, "draft"],
  ] as const)
    await saveDraft(services, {
      ...{ userId, lessonId, draftId: newId(), revision: 1, answers: answersAs(field) },
    });

  const { read, write } = services.db;
  const { email } = await read
    .selectFrom("profiles")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const at = services.clock.now();
  const message = { id: newId(), address: email, subject: plants.one("mail subject"), at };
  await recordSent(write, { kind: "learning.module-completed", userId: null }, [message]);
  const { id } = await read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", former.id)
    .executeTakeFirstOrThrow();
  await removeEnrollment(services, { id, removedBy: coach.id });

  for (const { id: lessonId, baseRevision } of [
    { id: fourth.id, baseRevision: 1 },
    { id: newId(), baseRevision: 0 },
  ]) {
    const prompts = [{ question: plants.one("unsaved question"), placeholder: "" }];
    const fields = {
      title: plants.one("unsaved title"),
      moduleId: fourth.moduleId,
      slug: plants.one("unsaved slug"),
      orderNum: "1",
      dripDay: "0",
      content: plants.one("unsaved text"),
      prompts: JSON.stringify(prompts),
    };
    const draft = { userId: coach.id, lessonId, baseRevision, revision: 1, absorbed: [], fields };
    await saveLessonDraft(services, { ...draft, draftId: newId() });
  }
}
