import { describe, expect, test } from "vitest";
import { afterEnroll, enrollLabel } from "./rules.ts";
import { messages } from "./texts.ts";

test.each([
  [19700, "Enroll Now - $197"],
  [4750, "Enroll Now - $47.50"],
  [null, "Enroll Now"],
])("the button of %j cents says %s", (cents, label) => {
  expect(enrollLabel(cents)).toBe(label);
});

describe("the button leads", () => {
  const slug = "letters";
  const page = "/courses/letters";
  const signIn = { to: `/auth?redirect=${page}`, toast: messages.signInFirst };
  const notice = { to: page, toast: messages.comingSoon };
  const lessons = { to: `${page}/learn`, toast: null };
  const back = { to: page, toast: null };

  test.each([
    { isSignedIn: false, isEnrolled: false, isComingSoon: false, leads: signIn },
    { isSignedIn: true, isEnrolled: false, isComingSoon: false, leads: notice },
    { isSignedIn: true, isEnrolled: true, isComingSoon: false, leads: lessons },
    { isSignedIn: false, isEnrolled: false, isComingSoon: true, leads: back },
    { isSignedIn: true, isEnrolled: false, isComingSoon: true, leads: back },
    { isSignedIn: true, isEnrolled: true, isComingSoon: true, leads: lessons },
  ])("$isSignedIn, $isEnrolled, $isComingSoon: to $leads.to", ({ leads, ...pressed }) => {
    expect(afterEnroll({ slug, ...pressed })).toEqual(leads);
  });

  test("as if it were sold where nothing is said of a switch", () => {
    expect(afterEnroll({ slug, isSignedIn: true, isEnrolled: false })).toEqual(notice);
  });
});
