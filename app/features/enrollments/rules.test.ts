import { describe, expect, test } from "vitest";
import { afterEnroll, enrollLabel, saleOf } from "./rules.ts";
import { messages } from "./texts.ts";

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
])("a course of %j cents, where money can be taken: %j, is to be had: %s", (cents, can, sale) => {
  expect(saleOf({ priceCents: cents }, can)).toBe(sale);
});

describe("the button leads", () => {
  const slug = "letters";
  const page = "/courses/letters";
  const signIn = { to: `/auth?redirect=${page}`, toast: messages.signInFirst };
  const signInToBuy = { to: `/auth?redirect=${page}`, toast: messages.signInToBuy };
  const notice = { to: page, toast: messages.comingSoon };
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
    leads({ ...pressed, isEnrolled: false }).toEqual(to);
    leads({ ...pressed, isEnrolled: false, isComingSoon: true }).toEqual(back);
    leads({ ...pressed, isEnrolled: true }).toEqual(lessons);
    leads({ ...pressed, isEnrolled: true, isComingSoon: true }).toEqual(lessons);
  });
});
