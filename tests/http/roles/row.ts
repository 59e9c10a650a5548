import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Person } from "../../support/people.ts";
import type { Asking, TestSite } from "../../support/site.ts";
import { marks, type Role, type World } from "../../support/world.ts";

export type Expected = {
  status: number;
  location?: string | RegExp;
  /** Title of the toast that a redirect takes along. */
  toast?: string;
  has?: string[];
  hasNot?: string[];
};
export type Asked = Omit<Asking, "as" | "method"> & { path: string };
export type Given = {
  world: World;
  services: Services;
  site: TestSite;
  /** Whose own things it is about: whoever is going to ask, but where `other` does. */
  as: Person | null;
};
export type Row = {
  /** As app/routes.ts or app/server/app.ts has it. */
  pattern: string;
  what: string;
  method?: "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Answered by the router, which also answers its address with `.data`. */
  page?: boolean;
  /** Changes somebody's things for whoever has the link of her letter. */
  byLink?: boolean;
  ask(given: Given): Asked | Promise<Asked>;
  /** One expectation a role, or the status that all of them get. */
  expect: Record<Role, Expected> | number;
};

export const same = (expected: Expected) => byRole(expected, expected, expected);

/**
 * What each role gets. Whoever is suspended is nobody, and somebody else's things are asked for
 * like one's own, unless `more` says otherwise.
 */
export const byRole = (
  anonymous: Expected,
  student: Expected,
  enrolled: Expected,
  administrator = student,
  more: { other?: Expected; suspended?: Expected } = {},
): Record<Role, Expected> => ({
  anonymous,
  student,
  enrolled,
  other: enrolled,
  administrator,
  suspended: anonymous,
  ...more,
});
export const at = (path: string) => () => ({ path });
export const learn = (slug: string, query = "") => `/courses/${slug}/learn${query}`;
export const signInToLearn = /^\/auth\?redirect=\/courses\/course-[\w-]+\/learn/;
export const coursePage = /^\/courses\/course-[\w-]+$/;
export const notEnrolled = { status: 303, location: coursePage, toast: "Not enrolled" };
export const noCourse = { status: 303, location: "/courses", toast: "Course not found" };
/** An administrator who is not enrolled reads, and nothing is recorded. */
export const previewed = { status: 200, has: [marks.openText, "Nothing is recorded."] };
export const signedOutJson = { status: 401, has: ['"unauthenticated"'] };

export function completing(course: "active" | "inactive" | "deleted", lesson: 0 | 1, via = course) {
  return ({ world }: Given): Asked => ({
    path: learn(world[via].slug),
    multipart: [
      ["lessonId", world[course].modules[0]?.lessons[lesson]?.id ?? ""],
      ["question", "How was it?"],
      ["answer", "It was."],
    ],
  });
}

export function drafting(course: "active" | "inactive" | "deleted", lesson: 0 | 1) {
  return ({ world }: Given): Asked => ({
    path: `${learn(world[course].slug)}/draft`,
    json: {
      draftId: newId(),
      lessonId: world[course].modules[0]?.lessons[lesson]?.id,
      revision: 1,
      answers: [{ question: "How was it?", answer: "It" }],
    },
  });
}

/** Where whoever is not an administrator is sent from the coach's side (spec 2, Admin dashboard). */
export const adminOnly = (administrator: Expected) =>
  byRole(
    { status: 302, location: /^\/auth\?redirect=\/admin/ },
    { status: 302, location: "/" },
    { status: 302, location: "/" },
    administrator,
  );
