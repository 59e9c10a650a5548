import { beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { recordSent } from "~/platform/email/sent.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { writeIssue } from "../../support/issue-sending.ts";
import { collectLog } from "../../support/log-lines.ts";
import { createImport, createSubscriber } from "../../support/newsletter.ts";
import { patient } from "../../support/patient.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile } from "../../support/site.ts";

/** What the student wrote, and the question of then, which has changed since. */
const planted = ["planted-journal-word", "planted-draft-word", "planted-question-of-then"];

const site = siteOfFile({ LOG_LEVEL: "debug" });
let admin: Person;
let student: Person;
let course: TestCourse;
let enrollmentId = "";
let paymentId = "";
let newsletter: Record<string, string> = {};
const releaseId = newId();
let logged: string[] = [];

beforeAll(async () => {
  const { services } = site;
  logged = collectLog(services.log);
  admin = await createPerson(services, { role: "admin", name: "Nora" });
  student = await createPerson(services, { name: "Grace" });
  const prompts = [{ question: "Question of today", placeholder: "" }];
  course = await createCourse(services, [[{ prompts }, { prompts }], [{ prompts, dripDay: 7 }]]);
  const { id: userId } = student;
  await enroll(services, { userId, productId: course.id });
  const [first, second] = course.modules[0]?.lessons ?? [];
  if (!first || !second) throw new Error("the course has no lessons");
  const said = (answer: string) => [{ question: "planted-question-of-then", answer }];
  const sent = { answers: said("planted-journal-word"), drafts: [] };
  await completeLesson(services, { userId, lessonId: first.id, ...sent });
  const typed = { draftId: newId(), revision: 1, answers: said("planted-draft-word") };
  await saveDraft(services, { userId, lessonId: second.id, ...typed });
  const now = services.clock.now();
  const former = { id: newId(), userId, productId: course.id, createdAt: now, removedAt: now };
  await services.db.write
    .insertInto("formerEnrollments")
    .values({ ...former, removedBy: admin.id })
    .execute();
  const message = { id: newId(), address: student.email, subject: "You finished", at: now };
  await recordSent(services.db.write, { kind: "learning.module-completed", userId: null }, [
    message,
  ]);
  const release = { id: releaseId, title: "Spring", state: "open", createdAt: now, updatedAt: now };
  await services.db.write.insertInto("releases").values(release).execute();
  newsletter = {
    issues: await writeIssue(services),
    subscribers: await createSubscriber(services, "reader@example.com"),
    import: await createImport(services),
  };
  const paid = { userId, productId: course.id, attention: "already_enrolled" };
  paymentId = await recordPayment(services, paid);
  const enrollment = services.db.read.selectFrom("enrollments").select("id");
  enrollmentId = (await enrollment.executeTakeFirstOrThrow()).id;
});

/** The addresses that a pattern stands for, about the student and the course. */
function addressesOf(pattern: string): string[] {
  const lists = ["courses", "modules", "lessons", "enrollments", "students", "payments"];
  if (pattern === "/admin/export/:list") return lists.map((list) => `/admin/export/${list}`);
  const ids: Record<string, string | undefined> = {
    courses: course.id,
    modules: course.modules[0]?.id,
    lessons: course.modules[0]?.lessons[0]?.id,
    enrollments: enrollmentId,
    payments: paymentId,
    students: student.id,
    pages: `course:${course.id}`,
    redirects: "new",
    releases: releaseId,
    ...newsletter,
  };
  const noun = pattern.split("/:id")[0]?.split("/").at(-1) ?? "";
  const address = pattern.replace(":id", ids[noun] ?? ":id");
  return [address, `${address}?q=${student.name}`, `${address}?q=planted&delete=${ids.courses}`];
}

const patterns = routeTable.map(({ pattern }) => pattern).filter((p) => /^\/admin(\/|$)/.test(p));
test("the admin area has more than 20 addresses", () =>
  expect(patterns.length).toBeGreaterThan(20));

describe.each(patterns)("%s", (pattern) => {
  test("has no word of a journal in its page, its data, its file or the log", async () => {
    for (const address of addressesOf(pattern)) {
      // Anyone who adds an address says here what it is about.
      expect(address).not.toContain("/:");
      const [path = "", query = ""] = address.split("?");
      for (const asked of [address, `${path}.data?${query}`]) {
        logged.length = 0;
        const response = await site.ask(asked, { as: admin });
        const body = (await response.text()) + [...response.headers.values()].join("\n");
        expect(response.status).toBeLessThan(500);
        await vi.waitFor(
          () => expect(logged.length, "lines of the log").toBeGreaterThan(0),
          patient,
        );
        for (const word of planted) {
          expect(body).not.toContain(word);
          expect(logged.join("")).not.toContain(word);
        }
      }
    }
  });
});

test("nothing says whether a student wrote anything at all", async () => {
  const { db } = site.services;
  const about = [
    "enrollments",
    `enrollments/${enrollmentId}`,
    "students",
    `students/${student.id}`,
  ];
  const paths = [
    ...about.map((path) => `/admin/${path}.data`),
    "/admin/export/students",
    "/admin/export/enrollments",
  ];
  // Each is asked for in a session of its own, which says when it ends.
  const ends = /"expiresAt","[^"]+"/g;
  const answer = async (path: string) => (await site.ask(path, { as: admin })).text();
  const answers = async () =>
    (await Promise.all(paths.map(answer))).map((text) => text.replaceAll(ends, "expiresAt"));
  const before = await answers();
  expect(before[3]).toContain("You finished");
  await db.write.updateTable("progress").set({ journalAnswer: null }).execute();
  await db.write.deleteFrom("drafts").execute();
  expect(await answers()).toEqual(before);
});
