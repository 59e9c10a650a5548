import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { freshDatabase } from "../support/database.ts";
import { cookieOf, createPerson } from "../support/people.ts";
import type { Figure } from "./figure.ts";

const dayMs = 24 * 3600_000;
const paragraph =
  "Grief does not keep to a calendar. Sit where you are, put both feet on the floor, and name *one* thing you can see. That is enough for **today**, and tomorrow it may be enough again.\n\n";
const lesson = {
  content: `## Where you are\n\n${paragraph.repeat(12)}`,
  prompts: [1, 2, 3].map((n) => ({ question: `What is true today? (${n})`, placeholder: "Write" })),
};

/** A second course, of 6 modules with 4 lessons: as long as a real one. */
export const usualSlug = "usual";

export type Student = { id: string; cookie: string };
export type World = {
  services: Services;
  dataDir: string;
  /** 10 modules of 10 lessons; a module opens every seven days. */
  course: TestCourse;
  /** Enrolled a month ago in this course and in a smaller one; half is open, a quarter completed. */
  students: Student[];
  close(): Promise<void>;
};

export type Place = () => Promise<{ url: string | undefined; drop?(): Promise<void> }>;

/** Measures on SQLite, and on PostgreSQL too where TEST_DATABASE_URL names a server. */
export async function onEachEngine(
  measure: (engine: string, place: Place) => Promise<Figure[]>,
): Promise<Figure[]> {
  const figures = await measure("SQLite", () => Promise.resolve({ url: undefined }));
  if (!process.env.TEST_DATABASE_URL) return figures;
  return [...figures, ...(await measure("PostgreSQL", freshDatabase))];
}

/** A folder on the project's own disk: where temporary folders are memory, fsync costs nothing. */
export function benchFolder(): string {
  const parent = path.join(projectRoot, "build", "bench");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, "data-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A site's data for the figures about lessons, on SQLite unless another database is named. */
export async function openWorld(databaseUrl?: string): Promise<World> {
  const dataDir = benchFolder();
  const services = await openServices(await testConfig(databaseUrl, { DATA_DIR: dataDir }));
  const course = await createCourse(
    services,
    Array.from({ length: 10 }, (_, module) =>
      Array.from({ length: 10 }, () => ({ ...lesson, dripDay: module * 7 })),
    ),
    { slug: "bench" },
  );
  const usual = await createCourse(
    services,
    Array.from({ length: 6 }, (_, module) =>
      Array.from({ length: 4 }, () => ({ ...lesson, dripDay: module * 7 })),
    ),
    { slug: usualSlug },
  );
  const students: Student[] = [];
  for (let n = 0; n < 50; n++) {
    const student = await enrolledStudent(services, course, 30);
    await enrollFrom(services, usual, student.id, 30);
    students.push(student);
  }
  const done = course.modules.flatMap(({ lessons }) => lessons).slice(0, 25);
  await services.db.write
    .insertInto("progress")
    .values(
      students.flatMap(({ id: userId }) =>
        done.map(({ id: lessonId }) => ({
          userId,
          lessonId,
          journalAnswer: null,
          createdAt: new Date(),
        })),
      ),
    )
    .execute();
  return { services, dataDir, course, students, close: () => closeServices(services) };
}

/** Someone new, enrolled some days ago, with a session. */
export async function enrolledStudent(
  services: Services,
  course: TestCourse,
  days: number,
): Promise<Student> {
  const { id } = await createPerson(services);
  await enrollFrom(services, course, id, days);
  return { id, cookie: await cookieOf(services, id) };
}

async function enrollFrom({ db }: Services, course: TestCourse, userId: string, days: number) {
  const createdAt = new Date(Date.now() - days * dayMs);
  await db.write
    .insertInto("enrollments")
    .values({ id: newId(), userId, productId: course.id, createdAt })
    .execute();
}
