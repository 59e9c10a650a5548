import { describe, expect, test } from "vitest";
import { enrollmentMessages } from "./messages.ts";
import { afterEnroll, enrollLabel, openingOf, openingWords, saleOf } from "./rules.ts";

test.each([
  [19700, "Enroll Now - $197"],
  [4750, "Enroll Now - $47.50"],
  [null, "Enroll Now"],
  [0, "Enroll Now"],
])("the button of %j cents says %s", (cents, label) => {
  expect(enrollLabel(cents)).toBe(label);
});

test.each([
  [19700, true, "checkout"],
  [19700, false, "nowhere"],
  [0, true, "free"],
  [0, false, "free"],
  [null, true, "checkout"],
])("a course of %j cents, where money can be taken: %j, is sold by: %s", (cents, can, sale) => {
  expect(saleOf(cents, can)).toBe(sale);
});

describe("the button leads", () => {
  const slug = "letters";
  const page = "/courses/letters";
  const signIn = { to: `/auth?redirect=${page}`, toast: enrollmentMessages.signInFirst };
  const signInToBuy = { to: `/auth?redirect=${page}`, toast: enrollmentMessages.signInToBuy };
  const notice = { to: page, toast: enrollmentMessages.comingSoon };
  const lessons = { to: `${page}/learn`, toast: null };
  const back = { to: page, toast: null };
  const buy = null;
  const leads = (pressed: Omit<Parameters<typeof afterEnroll>[0], "slug">) =>
    expect(afterEnroll({ slug, ...pressed }));

  test.each([
    { isSignedIn: false, sale: "nowhere", to: signIn },
    { isSignedIn: false, sale: "checkout", to: signInToBuy },
    { isSignedIn: false, sale: "free", to: signIn },
    { isSignedIn: true, sale: "nowhere", to: notice },
    { isSignedIn: true, sale: "checkout", to: buy },
    { isSignedIn: true, sale: "free", to: buy },
  ] as const)("signed in: $isSignedIn, sold: $sale, to $to.to", ({ to, ...pressed }) => {
    leads({ ...pressed, isEnrolled: false, isComingSoon: false }).toEqual(to);
    leads({ ...pressed, isEnrolled: false, isComingSoon: true }).toEqual(back);
    leads({ ...pressed, isEnrolled: true, isComingSoon: false }).toEqual(lessons);
    leads({ ...pressed, isEnrolled: true, isComingSoon: true }).toEqual(lessons);
  });
});

const start = new Date("2026-11-22T03:00:00Z");
const day = (date: Date) => date.toISOString().slice(5, 10);
const said = (dripDays: number[], hoursLater = 0) =>
  openingWords(openingOf(dripDays, start, new Date(start.getTime() + hoursLater * 3600_000)), day);

test.each<[string, number[], number]>([
  ["Its lessons are not there yet. You will find them in your course as soon as they are.", [], 0],
  ["Its lesson is open now.", [0], 0],
  ["All of its lessons are open now.", [0, 0, 0], 0],
  ["One lesson is open now. The next one opens on 11-23, the last on 11-28.", [0, 1, 2, 6], 0],
  ["Two lessons are open now. The next one opens on 11-24, the last on 11-28.", [0, 1, 2, 6], 24],
  ["One lesson is open now. The next one opens on 11-23, the last on 11-28.", [0, 1, 2, 6], 23.9],
  ["Three lessons are open now. The last one opens on 11-28.", [6, 1, 2, 0], 48],
  ["All of its lessons are open now.", [0, 1, 2, 6], 6 * 24],
  ["One lesson is open now. The others open on 11-29.", [0, 7, 7], 0],
  ["The first one opens on 11-29, the last on 12-06.", [7, 14], 0],
  ["Its lessons open on 11-29.", [7, 7], 0],
  ["Its lesson opens on 11-29.", [7], 0],
  ["12 lessons are open now. The last one opens on 11-23.", [...Array(12).fill(0), 1], 0],
])("%s (%#)", (words, dripDays, hours) => expect(said(dripDays, hours)).toBe(words));
