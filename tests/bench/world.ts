import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { newId } from "~/platform/db/ids.ts";
import { projectRoot } from "~/platform/root.ts";
import type { Services } from "~/platform/services.ts";
import { closeServices, openServices } from "~/services.ts";
import { testConfig } from "../support/config.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { cookieOf, createPerson } from "../support/people.ts";

const dayMs = 24 * 3600_000;
const paragraph =
  "Grief does not keep to a calendar. Sit where you are, put both feet on the floor, and name *one* thing you can see. That is enough for **today**, and tomorrow it may be enough again.\n\n";
const lesson = {
  content: `## Where you are\n\n${paragraph.repeat(12)}`,
  prompts: [1, 2, 3].map((n) => ({ question: `What is true today? (${n})`, placeholder: "Write" })),
};

export type Student = { id: string; cookie: string };
export type World = {
  services: Services;
  dataDir: string;
  /** 10 modules of 10 lessons; a module opens every seven days. */
  course: TestCourse;
  /** Enrolled a month ago: half of the course is open; a quarter is completed. */
  students: Student[];
  close(): Promise<void>;
};

/** A folder on the project's own disk: where temporary folders are memory, fsync costs nothing. */
export function benchFolder(): string {
  const parent = path.join(projectRoot, "build", "bench");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, "data-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A site's data for the figures about lessons, on SQLite. */
export async function openWorld(): Promise<World> {
  const dataDir = benchFolder();
  const services = await openServices(await testConfig(undefined, { DATA_DIR: dataDir }));
  const course = await createCourse(
    services,
    Array.from({ length: 10 }, (_, module) =>
      Array.from({ length: 10 }, () => ({ ...lesson, dripDay: module * 7 })),
    ),
    { slug: "bench" },
  );
  const students: Student[] = [];
  for (let n = 0; n < 50; n++) students.push(await enrolledStudent(services, course, 30));
  const done = course.modules.flatMap(({ lessons }) => lessons).slice(0, 25);
  await services.db.write
    .insertInto("progress")
    .values(
      students.flatMap(({ id: userId }) =>
        done.map(({ id: lessonId }) => ({
          userId,
          lessonId,
          journalAnswer: null,
          answers: "[]",
          createdAt: new Date(),
        })),
      ),
    )
    .execute();
  return { services, dataDir, course, students, close: () => closeServices(services) };
}

/** Somebody new, enrolled some days ago, with a session. */
export async function enrolledStudent(
  services: Services,
  course: TestCourse,
  days: number,
): Promise<Student> {
  const { id } = await createPerson(services);
  const createdAt = new Date(Date.now() - days * dayMs);
  await services.db.write
    .insertInto("enrollments")
    .values({ id: newId(), userId: id, productId: course.id, createdAt })
    .execute();
  return { id, cookie: await cookieOf(services, id) };
}
