import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";

let office: PostOffice;
afterEach(() => office.close());

const daily = (days: number) => [
  Array.from({ length: days }, (_, day) => ({ title: `Day ${day}`, dripDay: day })),
];

/** When they were sent, by the clock on the wall there. */
function sentAt(timeZone: string, letters: { at: Date; subject: string }[]) {
  const shown = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return letters.map(({ at, subject }) => `${shown.format(at)} ${subject}`);
}

describe("whole weeks, hour by hour, over the nights in which clocks change", () => {
  test.each([
    [
      "Europe/Berlin",
      "2027-03-26T14:30:00Z",
      [
        "2027-03-28 08:00 “Day 1” is open",
        "2027-03-29 08:00 “Day 2” is open",
        "2027-03-30 08:00 “Day 3” is open",
      ],
    ],
    [
      // She enrolled at 07:30; when clocks are back an hour, lessons open at 06:30.
      "Europe/Berlin",
      "2027-10-29T05:30:00Z",
      [
        "2027-10-30 08:00 “Day 1” is open",
        "2027-10-31 08:00 “Day 2” is open",
        "2027-11-01 08:00 “Day 3” is open",
      ],
    ],
    [
      // Enrolled at 07:30; when clocks are an hour ahead, lessons open at 08:30: after the morning.
      "America/New_York",
      "2027-03-12T12:30:00Z",
      [
        "2027-03-13 08:00 “Day 1” is open",
        "2027-03-15 08:00 “Day 2” is open",
        "2027-03-16 08:00 “Day 3” is open",
      ],
    ],
    [
      "Australia/Lord_Howe",
      "2027-10-01T02:00:00Z",
      [
        "2027-10-03 08:00 “Day 1” is open",
        "2027-10-04 08:00 “Day 2” is open",
        "2027-10-05 08:00 “Day 3” is open",
      ],
    ],
    [
      "Asia/Kolkata",
      "2027-10-30T02:29:00Z",
      [
        "2027-10-31 08:00 “Day 1” is open",
        "2027-11-01 08:00 “Day 2” is open",
        "2027-11-02 08:00 “Day 3” is open",
      ],
    ],
  ])("in %s, enrolled at %s", async (zone, enrolled, expected) => {
    office = await openPostOffice(enrolled);
    const course = await createCourse(office.services, daily(4));
    const ada = await office.student(zone);
    await office.enrolls(ada, course);
    const days = 5 * 24 * 3600_000;
    const letters = await office.liveUntil(
      new Date(new Date(enrolled).getTime() + days).toISOString(),
    );
    // The half hours of some places lie between two looks of the test, never between two of the worker.
    const half = /Lord_Howe|Kolkata/.test(zone);
    const shown = sentAt(zone, letters).map((line) =>
      half ? line.replace(/ 08:30/, " 08:00") : line,
    );
    expect(shown).toEqual(expected);
    const rows = await office.services.db.read
      .selectFrom("outbox")
      .select("dueAt")
      .where("kind", "=", "learning.lesson-opened")
      .execute();
    expect(
      sentAt(
        zone,
        rows.map(({ dueAt }) => ({ at: dueAt, subject: "" })),
      ),
    ).toEqual(expected.map((line) => line.slice(0, 17)));
  });
});

describe("at eight", () => {
  beforeEach(async () => {
    office = await openPostOffice("2027-01-10T07:30:00Z");
  });

  test("not a minute earlier, and once, however often it is looked", async () => {
    const course = await createCourse(office.services, daily(2));
    await office.enrolls(await office.student("UTC"), course);
    office.moveTo("2027-01-11T06:00:00Z");
    await office.plan();
    office.moveTo("2027-01-11T07:59:30Z");
    await office.plan();
    expect(await office.deliver()).toEqual([]);
    office.moveTo("2027-01-11T08:00:00Z");
    await office.plan();
    expect(await office.deliver()).toHaveLength(1);
    await office.plan();
    await office.liveUntil("2027-01-20T00:00:00Z");
    expect(office.arrived).toHaveLength(1);
  });

  test("what opens a minute before it is in the letter, what opens a minute after it in the next", async () => {
    const course = await createCourse(office.services, daily(2));
    const [early, late] = [
      await office.student("UTC", "Early"),
      await office.student("UTC", "Late"),
    ];
    office.moveTo("2027-01-10T07:59:00Z");
    await office.enrolls(early, course);
    office.moveTo("2027-01-10T08:01:00Z");
    await office.enrolls(late, course);
    await office.liveUntil("2027-01-13T00:00:00Z");
    expect(
      office.arrived.map(({ to, at }) => [to.includes(early.email), at.toISOString().slice(0, 13)]),
    ).toEqual([
      [true, "2027-01-11T08"],
      [false, "2027-01-12T08"],
    ]);
  });

  test("one letter a day, of whatever number of courses and lessons, in their order", async () => {
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
    const ada = await office.student("Europe/Berlin");
    await office.enrolls(ada, blue);
    office.moveTo("2027-01-10T18:00:00Z");
    await office.enrolls(ada, calm);
    // Both open on the 11th after eight in Berlin; "Later" does so on the 12th.
    const letters = await office.liveUntil("2027-01-12T08:00:00Z");
    expect(letters.map(({ subject }) => subject)).toEqual(["“One” and two more lessons are open"]);
    const [letter] = letters;
    expect(letter?.to).toContain(ada.email);
    const order = ["The blue course", "One", "Two", "The calm course", "Three"].map((word) =>
      letter?.text.lastIndexOf(word),
    );
    expect(order).not.toContain(-1);
    expect(`${letter?.text}${letter?.html}`).not.toContain("Later");
    for (const link of ["lesson-1-1", "lesson-2-1"])
      expect(letter?.text).toContain(`/courses/${blue.slug}/learn?lesson=${link}`);
    expect(letter?.text).toContain(`/courses/${calm.slug}/learn?lesson=lesson-1-1`);
  });

  test("students of many zones each have their own morning; where none is known it is the site's", async () => {
    const course = await createCourse(office.services, daily(2));
    const zones = ["Pacific/Auckland", "Asia/Kolkata", "Europe/Berlin", null, "Mars/Olympus"];
    const people = await Promise.all(zones.map((zone) => office.student(zone)));
    for (const person of people) await office.enrolls(person, course);
    await office.liveUntil("2027-01-13T00:00:00Z");
    const due = await office.services.db.read
      .selectFrom("outbox")
      .select(["userId", "dueAt"])
      .where("kind", "=", "learning.lesson-opened")
      .execute();
    const dueOf = (id?: string) => due.find(({ userId }) => userId === id)?.dueAt.toISOString();
    expect(people.map(({ id }) => dueOf(id))).toEqual([
      "2027-01-11T19:00:00.000Z",
      "2027-01-12T02:30:00.000Z",
      "2027-01-12T07:00:00.000Z",
      "2027-01-11T13:00:00.000Z",
      "2027-01-11T13:00:00.000Z",
    ]);
    expect(office.arrived).toHaveLength(5);
  });
});
