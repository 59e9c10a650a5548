import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resendEmail } from "~/features/email-log/email-log.server.ts";
import { lessonsOpenedEmail } from "~/features/lesson-emails/jobs.server.ts";
import { startWorker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";
import { patient } from "../../support/patient.ts";
import type { Person } from "../../support/people.ts";

// Weeks of mornings are lived through.
vi.setConfig({ testTimeout: 120_000 });

let office: PostOffice;
let ada: Person;

/** Enrolled on January 10 at noon, in Berlin; a lesson opens each day at noon. */
beforeEach(async () => {
  office = await openPostOffice("2027-01-10T11:00:00Z");
  await office.plan();
  const days = Array.from({ length: 5 }, (_, day) => ({ title: `Day ${day}`, dripDay: day }));
  const course = await createCourse(office.services, [days]);
  ada = await office.enrolled("Europe/Berlin", course);
  await office.liveUntil("2027-01-12T06:00:00Z");
});
afterEach(() => office.close());

const rows = () =>
  office.services.db.read
    .selectFrom("outbox")
    .selectAll()
    .where("kind", "=", "learning.lesson-opened")
    .orderBy("createdAt")
    .execute();
const row = async (id: string) => (await rows()).find((one) => one.id === id);
/** Runs the job of the first email once. */
const sendEmail = (id: string) =>
  lessonsOpenedEmail.perform(
    office.services,
    { userId: ada.id, day: "2027-01-12" },
    { id, signal: new AbortController().signal },
  );
async function firstEmail() {
  const [first] = await rows();
  return first?.id ?? "";
}

test("an email that no morning delivers holds back no other, fails after 14, and can be sent again", async () => {
  const id = await firstEmail();
  const refusing = office.server.always(
    { at: "after data", answer: 451 },
    (_, message) => message === id,
  );
  await office.liveUntil("2027-01-13T07:00:00Z");
  expect(await row(id)).toMatchObject({ attempts: 5, failedAt: null });
  await office.liveUntil("2027-01-24T00:00:00Z");
  expect(await row(id)).toMatchObject({ attempts: 14, failure: "exhausted" });
  const others = [
    "01-13T07 “Day 2” is open",
    "01-14T07 “Day 3” is open",
    "01-15T07 “Day 4” is open",
  ];
  expect(office.received()).toEqual(others);
  refusing.lift();
  // The coach sends it again, in an afternoon: it is the next morning's, and what it was.
  office.moveTo("2027-01-25T15:00:00Z");
  await resendEmail(office.services, id);
  await office.liveUntil("2027-01-27T00:00:00Z");
  expect(office.received()).toEqual([...others, "01-26T07 “Day 1” is open"]);
  expect(office.server.ids().at(-1)).toBe(id);
});

test("a mailbox that refuses for days gets everything on the first morning that it accepts", async () => {
  const full = office.server.always({ at: "rcpt", answer: 452, text: "4.2.2 mailbox full" });
  await office.liveUntil("2027-01-15T20:00:00Z");
  expect(office.received()).toEqual([]);
  full.lift();
  await office.liveUntil("2027-01-18T00:00:00Z");
  expect(office.received().sort()).toEqual(
    [1, 2, 3, 4].map((day) => `01-16T07 “Day ${day}” is open`),
  );
  expect(office.server.duplicates()).toBe(0);
});

test("an email that may have arrived is sent again as itself, beside that morning's own", async () => {
  const id = await firstEmail();
  office.moveTo("2027-01-12T10:40:00Z");
  office.server.next({ at: "after data", drop: true });
  await office.plan();
  await office.deliver();
  await office.liveUntil("2027-01-16T00:00:00Z");
  expect(office.received().sort()).toEqual([
    "01-12T10 “Day 1” is open",
    "01-13T07 “Day 1” is open",
    "01-13T07 “Day 2” is open",
    "01-14T07 “Day 3” is open",
    "01-15T07 “Day 4” is open",
  ]);
  expect(office.server.ids().filter((one) => one === id)).toHaveLength(2);
  expect(office.server.duplicates()).toBe(1);
});

test("an email that our own mail server refused is one email with what opened since", async () => {
  const away = office.server.always({ at: "mail", answer: 451 });
  office.moveTo("2027-01-12T10:40:00Z");
  await office.plan();
  const worker = startWorker(office.services, jobs);
  await vi.waitFor(async () => {
    const outage = office.services.db.read.selectFrom("settings").select("name");
    expect(await outage.where("name", "like", "%outage%").execute()).toHaveLength(1);
  }, patient);
  await worker.stop();
  away.lift();
  office.moveTo("2027-01-12T11:10:00Z");
  await office.liveUntil("2027-01-13T12:00:00Z");
  expect(office.received()).toEqual(["01-13T07 “Day 1” and “Day 2” are open"]);
});

test("a machine that dies just after it has postponed an email: one email", async () => {
  const id = await firstEmail();
  // In New York it is still the night before the email's day.
  await office.services.db.write
    .updateTable("profiles")
    .set({ timeZone: "America/New_York" })
    .where("id", "=", ada.id)
    .execute();
  office.moveTo("2027-01-12T07:00:00Z");
  await sendEmail(id);
  await office.liveUntil("2027-01-12T20:00:00Z");
  expect(office.received()).toEqual(["01-12T13 “Day 1” and “Day 2” are open"]);
});

test("an email that was tried is postponed once, also by two workers", async () => {
  const id = await firstEmail();
  office.moveTo("2027-01-12T07:00:00Z");
  office.server.next({ at: "after data", answer: 451 });
  await office.deliver();
  office.moveTo("2027-01-12T11:00:00Z");
  await office.services.db.write
    .updateTable("outbox")
    .set({ leaseOwner: "one" })
    .where("id", "=", id)
    .execute();
  const put = { attempts: 1, leaseOwner: null, dueAt: new Date("2027-01-13T07:00:00Z") };
  for (let time = 0; time < 2; time++) {
    await sendEmail(id);
    expect(await row(id)).toMatchObject(put);
  }
  await office.liveUntil("2027-01-14T12:00:00Z");
  expect(office.received().sort()).toEqual([
    "01-13T07 “Day 1” is open",
    "01-13T07 “Day 2” is open",
    "01-14T07 “Day 3” is open",
  ]);
});

test.each([
  ["cannot be read", [null]],
  ["cannot be shown", [{ question: { not: "a text" } }]],
])("a lesson that %s is named, and holds back no lesson of another course", async (_, prompts) => {
  const bad = await createCourse(
    office.services,
    [
      [
        { title: "Broken", dripDay: 1, content: "Lost words." },
        { title: "Whole", dripDay: 1, content: "Kept words." },
      ],
    ],
    { title: "The calm course" },
  );
  await office.services.db.write
    .updateTable("lessons")
    .set({ prompts: JSON.stringify(prompts) })
    .where("id", "=", bad.modules[0]?.lessons[0]?.id ?? "")
    .execute();
  await office.sends(bad, "lesson");
  const good = await createCourse(office.services, [[{ title: "Another", dripDay: 1 }]]);
  const grace = await office.enrolled("Europe/Berlin", bad, good);
  await office.liveUntil("2027-01-14T12:00:00Z");
  const hers = office.arrived.filter(({ to }) => to.includes(grace.email));
  expect(hers.map(({ subject }) => subject)).toEqual(["“Broken” and two more lessons are open"]);
  const [{ text } = { text: "" }] = hers;
  expect(text).toContain("Kept words.");
  expect(text).not.toContain("Lost words.");
  expect(text).toContain("“Broken” is open to you now. It is a lesson of The calm course.");
  expect(text).toContain("“Another” is open to you now.");
});
