import { vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { planLessonEmails } from "~/features/lesson-emails/lesson-schedule.server.ts";
import { startWorker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { type ReceivedEmail, readEmail } from "./mailbox.ts";
import { partsOf } from "./mime-parts.ts";
import { createPerson, type Person } from "./people.ts";
import { freePort } from "./port.ts";
import { openTestServices } from "./services.ts";
import { startMailServer } from "./smtp.ts";

const hourMs = 3600_000;

/** `at` is when it was sent, by the site's clock. */
type Arrived = ReceivedEmail & { html: string; at: Date };

export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>;

/** The real services with a real mail server, at a time that a test chooses. */
export async function openPostOffice(start: string) {
  const port = await freePort();
  const kit = await openTestServices({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Blue Dot <hello@grief.example>",
  });
  const { services, clock } = kit;
  const server = await startMailServer(port);
  /** Emails about lessons; enrolling and completing have others. */
  const arrived: Arrived[] = [];
  let seen = 0;
  const moveTo = (time: string | Date) =>
    clock.forward(new Date(time).getTime() - clock.now().getTime());
  moveTo(start);

  async function dueRows() {
    const { n } = await services.db.write
      .selectFrom("outbox")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .where("dueAt", "<=", clock.now())
      .executeTakeFirstOrThrow();
    return n;
  }

  /** Does what is due now. */
  async function deliver(): Promise<Arrived[]> {
    const before = arrived.length;
    if ((await dueRows()) === 0) return [];
    const worker = startWorker(services, jobs);
    await vi.waitFor(
      async () => {
        if ((await dueRows()) > 0) throw new Error("something is still due");
      },
      { timeout: 20_000, interval: 10 },
    );
    await worker.stop();
    for (const { source } of server.messages.slice(seen)) {
      seen++;
      const html = partsOf(source).find((part) => /content-type: text\/html/i.test(part)) ?? "";
      const message = readEmail(source);
      if (message.text.includes("because a lesson opened"))
        arrived.push({ ...message, html, at: clock.now() });
    }
    return arrived.slice(before);
  }

  return {
    services,
    clock,
    server,
    arrived,
    moveTo,
    deliver,
    plan: () => planLessonEmails(services),
    /** The site runs until then: every hour, on the hour, it plans, and does what is due. */
    async liveUntil(time: string): Promise<Arrived[]> {
      const end = new Date(time);
      const before = arrived.length;
      for (;;) {
        await planLessonEmails(services);
        await deliver();
        const next = new Date(Math.floor(clock.now().getTime() / hourMs) * hourMs + hourMs);
        if (next > end) break;
        moveTo(next);
      }
      moveTo(end);
      return arrived.slice(before);
    },
    /** A student whose time zone is known, or not. */
    async student(timeZone: string | null, name = "Ada"): Promise<Person> {
      const person = await createPerson(services, { name });
      await services.db.write
        .updateTable("profiles")
        .set({ timeZone })
        .where("id", "=", person.id)
        .execute();
      return person;
    },
    enrolls: (person: Person, { id: productId }: { id: string }) =>
      enroll(services, { userId: person.id, productId }),
    /** What has arrived: '01-13T07 “Day 1” is open', its time in UTC. */
    received: () => arrived.map(({ at, subject }) => `${at.toISOString().slice(5, 13)} ${subject}`),
    /** A student of these courses, who enrolled just now. */
    async enrolled(timeZone: string | null, ...courses: { id: string }[]): Promise<Person> {
      const person = await this.student(timeZone);
      for (const course of courses) await this.enrolls(person, course);
      return person;
    },
    /** What a course sends when its lessons open. */
    async sends({ id }: { id: string }, lessonEmails: "off" | "notice" | "lesson") {
      await services.db.write
        .updateTable("products")
        .set({ lessonEmails })
        .where("id", "=", id)
        .execute();
    },
    /** Changes a lesson as its author would. */
    async change(
      id: string,
      fields: { dripDay?: number; deletedAt?: Date | null; title?: string },
    ) {
      await services.db.write.updateTable("lessons").set(fields).where("id", "=", id).execute();
    },
    async close() {
      await kit.close();
      await server.close();
    },
  };
}
