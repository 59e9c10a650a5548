import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { diskFolder, testConfig } from "../support/config.ts";
import { createCourse } from "../support/courses.ts";
import { journalForm } from "../support/journal.ts";
import { openedJournal } from "../support/opened-journal.ts";
import { cookieOf, createPerson } from "../support/people.ts";
import { startServing } from "../support/process.ts";
import { seededRandom } from "../support/random.ts";

const kills = 20;
const lessonsPerStudent = 100;
/** Of one start of the site; the last request comes after them. */
const mostAnswers = 25;

/** The site's DATA_DIR with one course, and so many students to complete its lessons. */
async function prepare(students: number) {
  const config = await testConfig(undefined, { DATA_DIR: diskFolder() });
  const services = await openServices(config);
  const course = await createCourse(services, [Array(lessonsPerStudent).fill({})]);
  const lessonIds = course.modules.flatMap(({ lessons }) => lessons.map(({ id }) => id));
  const cookies = new Map<string, string>();
  for (let n = 0; n < students; n += 1) {
    const { id } = await createPerson(services);
    await enroll(services, { userId: id, productId: course.id });
    cookies.set(id, await cookieOf(services, id));
  }
  await closeServices(services);
  const work = [...cookies].flatMap(([userId, cookie]) =>
    lessonIds.map((lessonId) => ({ userId, cookie, lessonId })),
  );
  return { config, slug: course.slug, work };
}

async function completions(config: Awaited<ReturnType<typeof testConfig>>) {
  const services = await openServices(config);
  const students = await services.db.read
    .selectFrom("progress")
    .select("userId")
    .distinct()
    .execute();
  const journals = students.map(({ userId }) => openedJournal(services, userId));
  const rows = (await Promise.all(journals)).flat();
  const [check] = await services.db.read
    .selectFrom("progress")
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .execute();
  expect(check?.n).toBe(rows.length);
  await closeServices(services);
  return new Map(rows.map((row) => [`${row.userId} ${row.lessonId}`, row.journalAnswer]));
}

// The lock, the log and the fsyncs of one machine; PostgreSQL has its own tests for that.
describe.runIf(!process.env.TEST_DATABASE_URL)(
  "a site that is killed while lessons are completed (SQLite)",
  () => {
    test(`loses nothing that it answered with success, at ${kills} random moments`, {
      timeout: 300_000,
    }, async () => {
      const random = seededRandom(20261121);
      const { config, slug, work } = await prepare(
        Math.ceil((kills * (mostAnswers + 1)) / lessonsPerStudent),
      );
      const answered = new Map<string, string>();
      for (let round = 0; round < kills; round += 1) {
        const site = await startServing({ DATA_DIR: config.dataDir });
        // The moment is a number of answers, and then a part of the time that one takes.
        const answers = 1 + Math.floor(random() * mostAnswers);
        const spins = Math.floor(random() * 40);
        let unanswered = "";
        for (let n = 0; ; n += 1) {
          const next = work.shift();
          if (!next) throw new Error("not enough lessons");
          const key = `${next.userId} ${next.lessonId}`;
          const words = `round ${round}, answer ${n}`;
          const body = new FormData();
          for (const [name, value] of journalForm(next.lessonId, {
            answers: [words],
            questions: ["Q"],
          }))
            body.append(name, value);
          const asked = fetch(`http://127.0.0.1:${site.port}/courses/${slug}/learn`, {
            method: "POST",
            headers: { cookie: next.cookie, origin: site.url },
            body,
            redirect: "manual",
          }).then(
            ({ status }) => status,
            () => 0,
          );
          if (n === answers) {
            for (let turn = 0; turn < spins; turn += 1) await new Promise(setImmediate);
            site.child.kill("SIGKILL");
          }
          const status = await asked;
          if (status === 303) answered.set(key, `Q\n${words}`);
          else {
            expect(status).toBe(0);
            unanswered = key;
          }
          if (n >= answers) break;
        }
        await site.ended;
        const kept = await completions(config);
        const lost = [...answered].filter(([key, words]) => kept.get(key) !== words);
        expect({ round, lost }).toEqual({ round, lost: [] });
        const extra = [...kept.keys()].filter((key) => !answered.has(key));
        expect(extra.every((key) => key === unanswered)).toBe(true);
        for (const key of extra) answered.set(key, kept.get(key) ?? "");
      }
      expect(answered.size).toBeGreaterThan(kills);
      rmSync(config.dataDir, { recursive: true, force: true });
    });
  },
);
