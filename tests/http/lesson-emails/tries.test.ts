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
  ada = await office.student("Europe/Berlin");
  await office.enrolls(ada, course);
  await office.liveUntil("2027-01-12T06:00:00Z");
});
afterEach(() => office.close());

const told = () =>
  office.arrived.map(({ at, subject }) => `${at.toISOString().slice(5, 13)} ${subject}`);
const rows = () =>
  office.services.db.read
    .selectFrom("outbox")
    .selectAll()
    .where("kind", "=", "learning.lesson-opened")
    .orderBy("createdAt")
    .execute();
const row = async (id: string) => (await rows()).find((one) => one.id === id);
async function firstLetter() {
  const [first] = await rows();
  return first?.id ?? "";
}

test("a letter that no morning gets through holds back no other, and fails where the coach sees it", async () => {
  const id = await firstLetter();
  const refusing = office.server.always(
    { at: "after data", answer: 451 },
    (_, letter) => letter === id,
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
  expect(told()).toEqual(others);
  refusing.lift();
  // The coach sends it again, in an afternoon: it is the next morning's, and what it was.
  office.moveTo("2027-01-25T15:00:00Z");
  await resendEmail(office.services, id);
  await office.liveUntil("2027-01-27T00:00:00Z");
  expect(told()).toEqual([...others, "01-26T07 “Day 1” is open"]);
  expect(office.server.ids().at(-1)).toBe(id);
});

test("a mailbox that takes nothing for days gets all of it on the first morning that it does", async () => {
  const full = office.server.always({ at: "rcpt", answer: 452, text: "4.2.2 mailbox full" });
  await office.liveUntil("2027-01-15T20:00:00Z");
  expect(told()).toEqual([]);
  full.lift();
  await office.liveUntil("2027-01-18T00:00:00Z");
  expect(told().sort()).toEqual([1, 2, 3, 4].map((day) => `01-16T07 “Day ${day}” is open`));
  expect(office.server.duplicates()).toBe(0);
});

test("a letter that may have arrived goes again as itself, beside that morning's own", async () => {
  const id = await firstLetter();
  office.moveTo("2027-01-12T10:40:00Z");
  office.server.next({ at: "after data", drop: true });
  await office.plan();
  await office.deliver();
  await office.liveUntil("2027-01-16T00:00:00Z");
  expect(told().sort()).toEqual([
    "01-12T10 “Day 1” is open",
    "01-13T07 “Day 1” is open",
    "01-13T07 “Day 2” is open",
    "01-14T07 “Day 3” is open",
    "01-15T07 “Day 4” is open",
  ]);
  expect(office.server.ids().filter((one) => one === id)).toHaveLength(2);
  expect(office.server.duplicates()).toBe(1);
});

test("what our own mail server did not take was not tried: it is one letter with what opened since", async () => {
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
  expect(told()).toEqual(["01-13T07 “Day 1” and “Day 2” are open"]);
});

test("a machine that dies when it has put a letter off, before that is known: one letter", async () => {
  const id = await firstLetter();
  // In New York it is still the night before the letter's day.
  await office.services.db.write
    .updateTable("profiles")
    .set({ timeZone: "America/New_York" })
    .where("id", "=", ada.id)
    .execute();
  office.moveTo("2027-01-12T07:00:00Z");
  const payload = { userId: ada.id, day: "2027-01-12" };
  const signal = new AbortController().signal;
  await lessonsOpenedEmail.perform(office.services, payload, { id, signal });
  await office.liveUntil("2027-01-12T20:00:00Z");
  expect(told()).toEqual(["01-12T13 “Day 1” and “Day 2” are open"]);
});

test("a letter that was tried is put off once, whoever does it twice", async () => {
  const id = await firstLetter();
  office.moveTo("2027-01-12T07:00:00Z");
  office.server.refuseNext(451, "try again later");
  await office.deliver();
  office.moveTo("2027-01-12T11:00:00Z");
  const payload = { userId: ada.id, day: "2027-01-12" };
  const { signal } = new AbortController();
  await office.services.db.write
    .updateTable("outbox")
    .set({ leaseOwner: "one" })
    .where("id", "=", id)
    .execute();
  const put = { attempts: 1, leaseOwner: null, dueAt: new Date("2027-01-13T07:00:00Z") };
  for (let time = 0; time < 2; time++) {
    await lessonsOpenedEmail.perform(office.services, payload, { id, signal });
    expect(await row(id)).toMatchObject(put);
  }
  await office.liveUntil("2027-01-14T12:00:00Z");
  expect(told().sort()).toEqual([
    "01-13T07 “Day 1” is open",
    "01-13T07 “Day 2” is open",
    "01-14T07 “Day 3” is open",
  ]);
});

test.each([
  ["cannot be read", [null]],
  ["cannot be shown", [{ question: { not: "a text" } }]],
])(
  "a lesson that %s is told by its name, and does not hold back another course's",
  async (_, prompts) => {
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
    const grace = await office.student("Europe/Berlin", "Grace");
    await office.enrolls(grace, bad);
    const good = await createCourse(office.services, [[{ title: "Another", dripDay: 1 }]]);
    await office.enrolls(grace, good);
    await office.liveUntil("2027-01-14T12:00:00Z");
    const hers = office.arrived.filter(({ to }) => to.includes(grace.email));
    expect(hers.map(({ subject }) => subject)).toEqual(["“Broken” and two more lessons are open"]);
    const [{ text } = { text: "" }] = hers;
    expect(text).toContain("Kept words.");
    expect(text).not.toContain("Lost words.");
    expect(text).toContain("“Broken” is open to you now. It is a lesson of The calm course.");
    expect(text).toContain("“Another” is open to you now.");
  },
);
