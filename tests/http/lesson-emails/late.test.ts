import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";
import type { Person } from "../../support/people.ts";

let office: PostOffice;
let ada: Person;

/** Enrolled on January 10 at noon, in Berlin; a lesson opens each day at noon. */
beforeEach(async () => {
  office = await openPostOffice("2027-01-10T11:00:00Z");
  await office.plan();
  const days = Array.from({ length: 6 }, (_, day) => ({ title: `Day ${day}`, dripDay: day }));
  const course = await createCourse(office.services, [days]);
  ada = await office.student("Europe/Berlin");
  await office.enrolls(ada, course);
});
afterEach(() => office.close());

const told = () =>
  office.arrived.map(({ at, subject }) => `${at.toISOString().slice(5, 13)} ${subject}`);
const moves = (timeZone: string) =>
  office.services.db.write
    .updateTable("profiles")
    .set({ timeZone })
    .where("id", "=", ada.id)
    .execute();

describe("after the site was down", () => {
  test.each([
    ["in the evening", "2027-01-13T20:10:00Z"],
    ["at night", "2027-01-14T02:10:00Z"],
  ])("for days and came back %s: one letter, in the morning that follows", async (_, back) => {
    // The letter of the 12th was written down, and the site goes down before it is sent.
    await office.liveUntil("2027-01-12T06:30:00Z");
    expect(told()).toEqual([]);
    office.moveTo(back);
    await office.liveUntil("2027-01-14T12:00:00Z");
    expect(told()).toEqual(["01-14T07 “Day 1” and two more lessons are open"]);
    await office.liveUntil("2027-01-15T12:00:00Z");
    expect(told().slice(1)).toEqual(["01-15T07 “Day 4” is open"]);
  });

  test("for a day and came back in the morning: one email at once", async () => {
    await office.liveUntil("2027-01-12T06:30:00Z");
    office.moveTo("2027-01-13T09:10:00Z");
    await office.liveUntil("2027-01-14T12:00:00Z");
    expect(told()).toEqual(["01-13T09 “Day 1” and “Day 2” are open", "01-14T07 “Day 3” is open"]);
  });

  test("for an hour of the morning: the letter comes when it is back", async () => {
    await office.liveUntil("2027-01-12T06:30:00Z");
    office.moveTo("2027-01-12T08:20:00Z");
    await office.liveUntil("2027-01-12T20:00:00Z");
    expect(told()).toEqual(["01-12T08 “Day 1” is open"]);
  });

  test("before anything was written down: nothing is left out", async () => {
    office.moveTo("2027-01-13T20:10:00Z");
    await office.liveUntil("2027-01-14T12:00:00Z");
    expect(told()).toEqual(["01-14T07 “Day 1” and two more lessons are open"]);
  });
});

describe("whoever travels", () => {
  test("west has her letter in the morning there, not in the night", async () => {
    await office.liveUntil("2027-01-12T06:00:00Z");
    await moves("America/New_York");
    await office.liveUntil("2027-01-13T20:00:00Z");
    expect(told()).toEqual(["01-12T13 “Day 1” and “Day 2” are open", "01-13T13 “Day 3” is open"]);
  });

  test("east has it the next morning there", async () => {
    await office.liveUntil("2027-01-12T06:00:00Z");
    await moves("Pacific/Auckland");
    await office.liveUntil("2027-01-13T20:00:00Z");
    expect(told()).toEqual(["01-12T19 “Day 1” and “Day 2” are open", "01-13T19 “Day 3” is open"]);
  });

  test("west after a letter has no second one on the same date", async () => {
    await office.liveUntil("2027-01-12T08:00:00Z");
    await moves("America/New_York");
    // Opens on the 12th at noon in Berlin: it is six in the morning in New York, where the 12th had its letter.
    await office.liveUntil("2027-01-13T20:00:00Z");
    expect(told()).toEqual(["01-12T07 “Day 1” is open", "01-13T13 “Day 2” and “Day 3” are open"]);
  });
});
