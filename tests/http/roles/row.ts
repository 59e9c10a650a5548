import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Person } from "../../support/people.ts";
import type { Asking as SiteAsking, TestSite } from "../../support/site.ts";
import { marks, type Role, type World } from "../../support/world.ts";

export type Expected = {
  status: number;
  location?: string | RegExp;
  /** Title of the toast that a redirect takes along. */
  toast?: string;
  has?: string[];
  hasNot?: string[];
};
/** `id` stands in the pattern's place for it. */
export type Asked = Omit<SiteAsking, "as" | "method"> & { path: string; id?: string };
export type Given = {
  world: World;
  services: Services;
  site: TestSite;
  /** Whose own things it is about: anyone who is going to ask, but where `other` does. */
  as: Person | null;
};
type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type Asking = string | Partial<Asked>;
/** What to ask; its path is the pattern where it has none. */
type Ask = Asking | ((given: Given) => Asking | Promise<Asking>);
export type Row = {
  /** As app/routes.ts or app/server/app.ts has it. */
  pattern: string;
  what: string;
  method: Method;
  /** Answered by the router, which also answers its address with `.data`. */
  page: boolean;
  /** Changes someone's things for anyone who has the link of her email. */
  byLink?: boolean;
  ask(given: Given): Promise<Asked>;
  /** What each role gets, or all of them. */
  expect: Record<Role, Expected | number> | Expected | number;
};

const rowOf =
  (method: Method, page = false) =>
  (pattern: string, what: string, expect: Row["expect"], ask: Ask = pattern): Row => ({
    ...{ pattern, what, method, page, expect },
    async ask(given) {
      const asked = typeof ask === "function" ? await ask(given) : ask;
      if (typeof asked === "string") return { path: asked };
      return { path: pattern.replace(":id", asked.id ?? ":id"), ...asked };
    },
  });
export const page = rowOf("GET", true);
export const get = rowOf("GET");
export const head = rowOf("HEAD");
export const post = rowOf("POST");
export const put = rowOf("PUT");
export const patch = rowOf("PATCH");
export const del = rowOf("DELETE");
export const options = rowOf("OPTIONS");

export const ok = (...has: string[]): Expected => ({ status: 200, has });
export const found = (location: string | RegExp): Expected => ({ status: 302, location });
export const seeOther = (location: string | RegExp, toast?: string): Expected => ({
  ...{ status: 303, location },
  ...(toast && { toast }),
});

/**
 * What each role gets. Anyone who is suspended is no one, and someone else's things are asked for
 * like one's own, unless `more` says otherwise.
 */
export const byRole = (
  anonymous: Expected | number,
  student: Expected | number,
  enrolled = student,
  administrator = student,
  more: { suspended?: Expected; other?: Expected } = {},
): Record<Role, Expected | number> => ({
  anonymous,
  student,
  enrolled,
  other: enrolled,
  administrator,
  suspended: anonymous,
  ...more,
});
export const learn = (slug: string, query = "") => `/courses/${slug}/learn${query}`;
export const signInToLearn = /^\/auth\?redirect=\/courses\/course-[\w-]+\/learn/;
export const coursePage = /^\/courses\/course-[\w-]+$/;
export const notEnrolled = seeOther(coursePage, "Not enrolled");
export const noCourse = seeOther("/courses", "Course not found");
/** An administrator who is not enrolled reads, and nothing is recorded. */
export const previewed = ok(marks.openText, "Nothing is recorded.");
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

/** Where anyone who is not an administrator is sent from the coach's side (spec 2, Admin dashboard). */
export const adminOnly = (administrator: Expected | number) =>
  byRole(found(/^\/auth\?redirect=\/admin/), found("/"), found("/"), administrator);

/** Rows of one address; `expect` says of what somebody gets there what each role gets. */
export function rowsAt<T>(pattern: string, expect: (somebody: T) => Row["expect"]) {
  const by = (row: typeof page) => (what: string, somebody: T, ask?: Ask) =>
    row(pattern, what, expect(somebody), ask);
  return {
    ...{ page: by(page), get: by(get), head: by(head), post: by(post), put: by(put) },
    ...{ patch: by(patch), del: by(del), options: by(options) },
  };
}

/** Rows of an address of the coach's side, by what an administrator gets there. */
export const adminAt = (pattern: string) => rowsAt(pattern, adminOnly);

/** Rows of an address by what a student gets there, someone enrolled, and an administrator. */
export const signedInAt = (pattern: string, anonymous: Expected | number) =>
  rowsAt(pattern, (signedIn: (Expected | number)[]) => {
    const [student = anonymous, ...others] = signedIn;
    return byRole(anonymous, student, ...others);
  });
