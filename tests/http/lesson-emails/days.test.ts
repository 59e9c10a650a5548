import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";

// Weeks of mornings are lived through.
vi.setConfig({ testTimeout: 120_000 });

let office: PostOffice;
beforeEach(async () => {
  office = await openPostOffice("2027-01-01T12:00:00Z");
});
afterEach(() => office.close());

const told = () =>
  office.arrived.map(({ at, to, subject }) => `${at.toISOString().slice(5, 13)} ${to} ${subject}`);

test("a lesson that came with the enrollment and gets a day is told to those for whom it opens then", async () => {
  const course = await createCourse(office.services, [[{ title: "One" }]]);
  const lesson = course.modules[0]?.lessons[0]?.id ?? "";
  const [early, late] = [await office.student("UTC", "Early"), await office.student("UTC", "Late")];
  await office.enrolls(early, course);
  await office.liveUntil("2027-01-10T12:00:00Z");
  await office.enrolls(late, course);
  await office.liveUntil("2027-01-11T12:00:00Z");
  await office.change(lesson, { dripDay: 3 });
  await office.liveUntil("2027-01-20T00:00:00Z");
  // For Early it has been open for days, and stays so.
  expect(told()).toEqual([`01-14T08 ${office.arrived[0]?.to} “One” is open`]);
  expect(office.arrived[0]?.to).toContain(late.email);
});

test("a lesson added to day 0 after her enrollment, that gets a day which is past for her, is not told", async () => {
  const course = await createCourse(office.services, [[{ title: "One" }]]);
  const ada = await office.student("UTC");
  await office.enrolls(ada, course);
  await office.liveUntil("2027-01-02T12:00:00Z");
  const other = await createCourse(office.services, [[{ title: "Added" }]]);
  const lesson = other.modules[0]?.lessons[0];
  await office.services.db.write
    .updateTable("modules")
    .set({ productId: course.id, orderNum: 9 })
    .where("id", "=", lesson?.moduleId ?? "")
    .execute();
  await office.liveUntil("2027-01-12T12:00:00Z");
  await office.change(lesson?.id ?? "", { dripDay: 4 });
  await office.liveUntil("2027-01-20T00:00:00Z");
  expect(told()).toEqual([]);
});

test("a lesson that is put months later on the eve of its day is told then", async () => {
  const course = await createCourse(office.services, [[{ title: "One", dripDay: 2 }]]);
  const lesson = course.modules[0]?.lessons[0]?.id ?? "";
  const ada = await office.student("UTC");
  await office.enrolls(ada, course);
  await office.liveUntil("2027-01-04T07:30:00Z");
  await office.change(lesson, { dripDay: 60 });
  await office.liveUntil("2027-03-05T00:00:00Z");
  expect(told()).toEqual([`03-03T08 ${office.arrived[0]?.to} “One” is open`]);
});

test("lessons whose letters cannot be written down hold no other's back", async () => {
  // No calendar reaches as far: times beyond it cannot be reckoned with.
  const beyond = { title: "Never", dripDay: 200_000_000 };
  const one = { title: "One", dripDay: 1 };
  const courses = [
    await createCourse(office.services, [[one]]),
    await createCourse(office.services, [[beyond]]),
    await createCourse(office.services, [[one]]),
  ];
  for (const course of courses) await office.enrolls(await office.student("UTC"), course);
  await office.liveUntil("2027-01-05T00:00:00Z");
  expect(office.arrived.map(({ subject }) => subject)).toEqual(["“One” is open", "“One” is open"]);
});
