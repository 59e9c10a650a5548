import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";
import type { Person } from "../../support/people.ts";

let office: PostOffice;
afterEach(() => office.close());

/** A course of one module with a lesson for each day: 'Day 0', 'Day 1' and so on. */
const dailyCourse = (days: number) =>
  createCourse(office.services, [
    Array.from({ length: days }, (_, day) => ({ title: `Day ${day}`, dripDay: day })),
  ]);
const dueRows = () =>
  office.services.db.read
    .selectFrom("outbox")
    .select(["userId", "dueAt"])
    .where("kind", "=", "learning.lesson-opened")
    .execute();

describe("lesson emails come at eight, over the nights in which clocks change", () => {
  test.each([
    ["Europe/Berlin", "2027-03-26T14:30:00Z", ["2027-03-28", "2027-03-29", "2027-03-30"]],
    // Enrolled at 07:30; when clocks are back an hour, lessons open at 06:30.
    ["Europe/Berlin", "2027-10-29T05:30:00Z", ["2027-10-30", "2027-10-31", "2027-11-01"]],
    // Enrolled at 07:30; when clocks are an hour ahead, lessons open at 08:30: after the morning.
    ["America/New_York", "2027-03-12T12:30:00Z", ["2027-03-13", "2027-03-15", "2027-03-16"]],
    ["Australia/Lord_Howe", "2027-10-01T02:00:00Z", ["2027-10-03", "2027-10-04", "2027-10-05"]],
    ["Asia/Kolkata", "2027-10-30T02:29:00Z", ["2027-10-31", "2027-11-01", "2027-11-02"]],
  ])("in %s, enrolled at %s", async (timeZone, enrolled, days) => {
    office = await openPostOffice(enrolled);
    await office.enrolled(timeZone, await dailyCourse(4));
    const end = new Date(Date.parse(enrolled) + 5 * 24 * 3600_000);
    const emails = await office.liveUntil(end.toISOString());
    const wall = new Intl.DateTimeFormat("sv-SE", {
      ...{ timeZone, dateStyle: "short", timeStyle: "short" },
    });
    // The half hours of some places lie between two looks of the test, never between two of the worker.
    const half = /Lord_Howe|Kolkata/.test(timeZone);
    const shown = emails.map(({ at, subject }) => `${wall.format(at)} ${subject}`);
    expect(half ? shown.map((line) => line.replace(" 08:30", " 08:00")) : shown).toEqual(
      days.map((day, index) => `${day} 08:00 “Day ${index + 1}” is open`),
    );
    const country = { Asia: "#in", Australia: "#au", America: "#us", Europe: "#de" };
    const anchor = country[timeZone.split("/")[0] as keyof typeof country];
    for (const { html } of emails) expect(html).toContain(`/help${anchor}"`);
    const due = (await dueRows()).map(({ dueAt }) => wall.format(dueAt));
    expect(due).toEqual(days.map((day) => `${day} 08:00`));
  });
});

describe("a lesson email", () => {
  beforeEach(async () => {
    office = await openPostOffice("2027-01-10T07:30:00Z");
  });

  test("comes not a minute earlier, and once, however often it is planned", async () => {
    await office.enrolled("UTC", await dailyCourse(2));
    for (const [time, emails] of [
      ["2027-01-11T06:00:00Z", 0],
      ["2027-01-11T07:59:30Z", 0],
      ["2027-01-11T08:00:00Z", 1],
    ] as const) {
      office.moveTo(time);
      await office.plan();
      expect(await office.deliver()).toHaveLength(emails);
    }
    await office.plan();
    await office.liveUntil("2027-01-20T00:00:00Z");
    expect(office.arrived).toHaveLength(1);
  });

  test("has what opened a minute before it; what opens a minute after it is in the next", async () => {
    const course = await dailyCourse(2);
    office.moveTo("2027-01-10T07:59:00Z");
    const early = await office.enrolled("UTC", course);
    office.moveTo("2027-01-10T08:01:00Z");
    await office.enrolled("UTC", course);
    await office.liveUntil("2027-01-13T00:00:00Z");
    expect(office.received()).toEqual(["01-11T08 “Day 1” is open", "01-12T08 “Day 1” is open"]);
    expect(office.arrived[0]?.to).toContain(early.email);
  });

  test("is one a day, of whatever number of courses and lessons, in their order", async () => {
    const blue = await createCourse(
      office.services,
      [
        [{ title: "One", dripDay: 1 }],
        [
          { title: "Two", dripDay: 1 },
          { title: "Later", dripDay: 2 },
        ],
      ],
      { title: "The blue course" },
    );
    const calm = await createCourse(office.services, [[{ title: "Three", dripDay: 1 }]], {
      title: "The calm course",
    });
    const ada = await office.enrolled("Europe/Berlin", blue);
    office.moveTo("2027-01-10T18:00:00Z");
    await office.enrolls(ada, calm);
    // Both open on the 11th after eight in Berlin; "Later" does so on the 12th.
    const emails = await office.liveUntil("2027-01-12T08:00:00Z");
    expect(emails.map(({ subject }) => subject)).toEqual(["“One” and two more lessons are open"]);
    const [{ to, text, html } = { to: "", text: "", html: "" }] = emails;
    expect(to).toContain(ada.email);
    // Of a single lesson a sentence tells, and which course it belongs to.
    const places = ["The blue course", "One", "Two", "Three", "The calm course"].map((part) =>
      text.lastIndexOf(part),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text + html).not.toContain("Later");
    for (const link of [
      `${blue.slug}/learn?lesson=lesson-1-1`,
      `${blue.slug}/learn?lesson=lesson-2-1`,
      `${calm.slug}/learn?lesson=lesson-1-1`,
    ])
      expect(text).toContain(`/courses/${link}`);
  });

  test("comes in each student's own morning; where no zone is known, in the site's", async () => {
    const course = await dailyCourse(2);
    const zones = ["Pacific/Auckland", "Asia/Kolkata", "Europe/Berlin", null, "Mars/Olympus"];
    const students: Person[] = [];
    for (const zone of zones) students.push(await office.enrolled(zone, course));
    await office.liveUntil("2027-01-13T00:00:00Z");
    const due = await dueRows();
    expect(
      students.map(({ id }) => due.find(({ userId }) => userId === id)?.dueAt.toISOString()),
    ).toEqual([
      "2027-01-11T19:00:00.000Z",
      "2027-01-12T02:30:00.000Z",
      "2027-01-12T07:00:00.000Z",
      "2027-01-11T13:00:00.000Z",
      "2027-01-11T13:00:00.000Z",
    ]);
    expect(office.arrived).toHaveLength(5);
  });
});

// Enrolled on January 10 at noon, in Berlin; a lesson opens each day at noon.
describe("a student whose site was down, or who travels, has one email in the morning", () => {
  let ada: Person;
  beforeEach(async () => {
    office = await openPostOffice("2027-01-10T11:00:00Z");
    await office.plan();
    ada = await office.enrolled("Europe/Berlin", await dailyCourse(6));
  });
  const open = (lessons: string) => `${lessons} ${/and/.test(lessons) ? "are" : "is"} open`;
  const until = (time: string) => office.liveUntil(`2027-01-${time}:00Z`);
  const enqueued = "12T06:30";
  const three = "“Day 1” and two more lessons";

  test.each<[string, string | null, string, string, string[]]>([
    [
      "days, until an evening",
      enqueued,
      "13T20:10",
      "15T12:00",
      [`14T07 ${three}`, "15T07 “Day 4”"],
    ],
    ["days, until a night", enqueued, "14T02:10", "15T12:00", [`14T07 ${three}`, "15T07 “Day 4”"]],
    [
      "a day, until a morning: at once",
      ...([enqueued, "13T09:10", "14T12:00"] as const),
      ["13T09 “Day 1” and “Day 2”", "14T07 “Day 3”"],
    ],
    ["an hour of the morning: then", enqueued, "12T08:20", "12T20:00", ["12T08 “Day 1”"]],
    ["since before anything was enqueued", null, "13T20:10", "14T12:00", [`14T07 ${three}`]],
  ])("down for %s", async (_, downAt, back, end, expected) => {
    if (downAt) await until(downAt);
    office.moveTo(`2027-01-${back}:00Z`);
    await until(end);
    expect(office.received()).toEqual(expected.map((line) => open(`01-${line}`)));
  });

  const [newYork, auckland] = ["America/New_York", "Pacific/Auckland"];
  test.each<[string, string, string, string[]]>([
    ["west", "12T06:00", newYork, ["12T13 “Day 1” and “Day 2”", "13T13 “Day 3”"]],
    ["east", "12T06:00", auckland, ["12T19 “Day 1” and “Day 2”", "13T19 “Day 3”"]],
    // Day 2 opens at six in the morning of the 12th in New York, when the 12th has had its email.
    [
      "west after the email of that date",
      ...(["12T08:00", newYork] as const),
      ["12T07 “Day 1”", "13T13 “Day 2” and “Day 3”"],
    ],
  ])("travels %s", async (_, time, timeZone, expected) => {
    await until(time);
    await office.services.db.write
      .updateTable("profiles")
      .set({ timeZone })
      .where("id", "=", ada.id)
      .execute();
    await until("13T20:00");
    expect(office.received()).toEqual(expected.map((line) => open(`01-${line}`)));
  });
});
