import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import type { Asking } from "../support/site.ts";
import { marks, type Role, type World } from "../support/world.ts";

export type Expected = {
  status: number;
  location?: string | RegExp;
  /** Title of the toast that a redirect takes along. */
  toast?: string;
  has?: string[];
  hasNot?: string[];
};
type Asked = Omit<Asking, "as" | "method"> & { path: string };
type Given = { world: World; services: Services };
export type Row = {
  /** As app/routes.ts or app/server.ts has it. */
  pattern: string;
  what: string;
  method?: "POST" | "PUT" | "DELETE";
  /** Answered by the router, which also answers its address with `.data`. */
  page?: boolean;
  ask(given: Given): Asked;
  /** One expectation a role, or the status that all of them get. */
  expect: Record<Role, Expected> | number;
};

const same = (expected: Expected) => ({
  anonymous: expected,
  student: expected,
  enrolled: expected,
  administrator: expected,
});
const byRole = (
  anonymous: Expected,
  student: Expected,
  enrolled: Expected,
  administrator = student,
) => ({
  anonymous,
  student,
  enrolled,
  administrator,
});
const at = (path: string) => () => ({ path });
const learn = (slug: string, query = "") => `/courses/${slug}/learn${query}`;
const signInToLearn = /^\/auth\?redirect=\/courses\/course-[\w-]+\/learn/;
const coursePage = /^\/courses\/course-[\w-]+$/;
const notEnrolled = { status: 303, location: coursePage, toast: "Not enrolled" };
const noCourse = { status: 303, location: "/courses", toast: "Course not found" };
const signedOutJson = { status: 401, has: ['"unauthenticated"'] };

function completing(course: "active" | "inactive" | "deleted", lesson: 0 | 1, via = course) {
  return ({ world }: Given): Asked => ({
    path: learn(world[via].slug),
    multipart: [
      ["lessonId", world[course].modules[0]?.lessons[lesson]?.id ?? ""],
      ["question", "How was it?"],
      ["answer", "It was."],
    ],
  });
}

function drafting(course: "active" | "inactive" | "deleted", lesson: 0 | 1) {
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

const courseRows: Row[] = [
  {
    pattern: "/courses",
    what: "active courses only",
    page: true,
    ask: at("/courses"),
    expect: 200,
  },
  {
    pattern: "/courses/:slug",
    what: "an active course",
    page: true,
    ask: ({ world }) => ({ path: `/courses/${world.active.slug}` }),
    expect: byRole(
      { status: 200, has: ["Enroll Now"] },
      { status: 200, has: ["Enroll Now"] },
      { status: 200, has: ["Continue Learning"] },
    ),
  },
  {
    pattern: "/courses/:slug",
    what: "an inactive course",
    page: true,
    ask: ({ world }) => ({ path: `/courses/${world.inactive.slug}` }),
    expect: byRole({ status: 404 }, { status: 404 }, { status: 404 }, { status: 200 }),
  },
  {
    pattern: "/courses/:slug",
    what: "a deleted course",
    page: true,
    ask: ({ world }) => ({ path: `/courses/${world.deleted.slug}` }),
    expect: 404,
  },
  {
    pattern: "/courses/:slug",
    what: "no course",
    page: true,
    ask: at("/courses/none"),
    expect: 404,
  },
  {
    pattern: "/courses/:slug",
    what: "the button",
    method: "POST",
    ask: ({ world }) => ({ path: `/courses/${world.active.slug}`, form: {} }),
    expect: byRole(
      {
        status: 303,
        location: /^\/auth\?redirect=\/courses\/course-[\w-]+$/,
        toast: "Please sign in to enroll in this course",
      },
      { status: 303, location: coursePage, toast: "Enrollment" },
      { status: 303, location: /^\/courses\/course-[\w-]+\/learn$/ },
    ),
  },
  {
    pattern: "/courses/:slug",
    what: "the button of an inactive course",
    method: "POST",
    ask: ({ world }) => ({ path: `/courses/${world.inactive.slug}`, form: {} }),
    expect: byRole(
      { status: 404 },
      { status: 404 },
      { status: 404 },
      {
        status: 303,
        location: coursePage,
        toast: "Enrollment",
      },
    ),
  },
];

const playerRows: Row[] = [
  {
    pattern: "/courses/:slug/learn",
    what: "an active course",
    page: true,
    ask: ({ world }) => ({ path: learn(world.active.slug) }),
    expect: byRole({ status: 302, location: signInToLearn }, notEnrolled, {
      status: 200,
      has: [marks.openText, "/media/course-audio/open/sound.mp3?expires=", "The locked lesson"],
    }),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "its locked lesson",
    page: true,
    ask: ({ world }) => ({ path: learn(world.active.slug, "?lesson=locked") }),
    expect: byRole({ status: 302, location: signInToLearn }, notEnrolled, {
      status: 403,
      has: ["This lesson opens on"],
      hasNot: ["/media/", "<textarea"],
    }),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "an inactive course",
    page: true,
    ask: ({ world }) => ({ path: learn(world.inactive.slug) }),
    expect: byRole({ status: 302, location: signInToLearn }, notEnrolled, {
      status: 200,
      has: [marks.openText],
    }),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "a deleted course",
    page: true,
    ask: ({ world }) => ({ path: learn(world.deleted.slug) }),
    expect: byRole({ status: 302, location: signInToLearn }, noCourse, noCourse),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "no course",
    page: true,
    ask: at("/courses/none/learn"),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/courses/none/learn" },
      noCourse,
      noCourse,
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing an open lesson",
    method: "POST",
    ask: completing("active", 0),
    expect: byRole({ status: 401, has: ["It was."] }, notEnrolled, {
      status: 303,
      location: /^\/courses\/course-[\w-]+\/learn\?lesson=open$/,
      toast: "Lesson completed!",
    }),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing a locked lesson",
    method: "POST",
    ask: completing("active", 1),
    expect: byRole({ status: 401 }, notEnrolled, {
      status: 403,
      has: ["This lesson is not open yet.", "It was."],
    }),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing in an inactive course",
    method: "POST",
    ask: completing("inactive", 0),
    expect: byRole({ status: 401 }, notEnrolled, {
      status: 303,
      location: /^\/courses\/course-[\w-]+\/learn\?lesson=open$/,
      toast: "Lesson completed!",
    }),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing in a deleted course",
    method: "POST",
    ask: completing("deleted", 0),
    expect: byRole({ status: 401 }, noCourse, noCourse),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing a deleted course's lesson from another course's page",
    method: "POST",
    ask: completing("deleted", 0, "active"),
    expect: byRole({ status: 401 }, notEnrolled, { status: 404, has: ["It was."] }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "reading is no use",
    ask: ({ world }) => ({ path: `${learn(world.active.slug)}/draft` }),
    expect: 405,
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft",
    method: "PUT",
    ask: drafting("active", 0),
    expect: byRole(signedOutJson, { status: 403, has: ['"not_enrolled"'] }, { status: 204 }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft in a locked lesson",
    method: "PUT",
    ask: drafting("active", 1),
    expect: byRole(
      signedOutJson,
      { status: 403, has: ['"not_enrolled"'] },
      {
        status: 403,
        has: ['"locked"'],
      },
    ),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft in an inactive course",
    method: "PUT",
    ask: drafting("inactive", 0),
    expect: byRole(signedOutJson, { status: 403 }, { status: 204 }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft in a deleted course",
    method: "PUT",
    ask: drafting("deleted", 0),
    expect: byRole(signedOutJson, { status: 404 }, { status: 404 }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "deleting a draft",
    method: "POST",
    ask: ({ world }) => ({ path: `${learn(world.active.slug)}/draft`, form: { draftId: newId() } }),
    expect: byRole(
      signedOutJson,
      { status: 303, location: /^\/courses\/course-[\w-]+\/learn$/ },
      { status: 303, location: /^\/courses\/course-[\w-]+\/learn$/ },
    ),
  },
];

const toMyCourses = { status: 302, location: "/my-courses" };

const accountRows: Row[] = [
  {
    pattern: "/auth",
    what: "goes on when signed in",
    page: true,
    ask: at("/auth"),
    expect: byRole({ status: 200, has: ["Welcome Back"] }, toMyCourses, toMyCourses),
  },
  {
    pattern: "/auth",
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: "/auth", form: {} }),
    // Somebody who is signed in is sent on before she could be told what was wrong.
    expect: byRole({ status: 400, has: ["Invalid email format"] }, toMyCourses, toMyCourses),
  },
  { pattern: "/auth/forgot", what: "the form", page: true, ask: at("/auth/forgot"), expect: 200 },
  {
    pattern: "/auth/forgot",
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: "/auth/forgot", form: {} }),
    expect: 400,
  },
  { pattern: "/auth/reset", what: "the form", page: true, ask: at("/auth/reset"), expect: 200 },
  {
    pattern: "/auth/reset",
    what: "a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/auth/reset?token=x", form: { password: "Abcdefg1" } }),
    expect: 400,
  },
  { pattern: "/auth/verify", what: "the button", page: true, ask: at("/auth/verify"), expect: 200 },
  {
    pattern: "/auth/verify",
    what: "a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/auth/verify?token=x", form: {} }),
    expect: 400,
  },
  {
    pattern: "/auth/sign-out",
    what: "the bare address leads home",
    page: true,
    ask: at("/auth/sign-out"),
    expect: same({ status: 302, location: "/" }),
  },
  {
    pattern: "/auth/sign-out",
    what: "signing out",
    method: "POST",
    ask: () => ({ path: "/auth/sign-out", form: {} }),
    expect: same({ status: 303, location: "/", toast: "You are signed out." }),
  },
  {
    pattern: "/my-courses",
    what: "own courses, inactive ones too",
    page: true,
    ask: at("/my-courses"),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/my-courses" },
      {
        status: 200,
        has: ["haven&#x27;t enrolled in any courses yet"],
        hasNot: ["A course of the world"],
      },
      { status: 200, has: ["A course of the world", "Start Course"] },
    ),
  },
  { pattern: "/setup", what: "without its token", page: true, ask: at("/setup"), expect: 404 },
  {
    pattern: "/setup",
    what: "a form without its token",
    method: "POST",
    ask: () => ({
      path: "/setup?token=x",
      form: { name: "Eve", email: "eve@example.com", password: "Abcdefg1" },
    }),
    expect: 404,
  },
];

const siteRows: Row[] = [
  { pattern: "/", what: "the first page", page: true, ask: at("/"), expect: 200 },
  {
    pattern: "/*",
    what: "any other path",
    page: true,
    ask: at("/no/such/page"),
    expect: same({ status: 404, has: ["Page Not Found"] }),
  },
  { pattern: "/healthz", what: "asked", ask: at("/healthz"), expect: 200 },
  {
    pattern: "/healthz",
    what: "told",
    method: "POST",
    ask: () => ({ path: "/healthz", form: {} }),
    expect: 405,
  },
  {
    pattern: "/media/*",
    what: "an unsigned address",
    ask: at("/media/course-audio/open/sound.mp3"),
    expect: 403,
  },
  {
    pattern: "/media/*",
    what: "a signed address is good for whoever has it",
    ask: ({ services }) => ({
      path: services.storage.signedUrl("course-audio", "open/sound.mp3", services.clock.now()),
    }),
    expect: 200,
  },
  {
    pattern: "/api/auth/*",
    what: "one's own session",
    ask: at("/api/auth/get-session"),
    expect: byRole(
      { status: 200, has: ["null"] },
      { status: 200, has: ['"role":"student"'] },
      { status: 200, has: ['"role":"student"'] },
      { status: 200, has: ['"role":"admin"'] },
    ),
  },
  {
    pattern: "/api/verify-admin",
    what: "is this an administrator",
    method: "POST",
    ask: () => ({ path: "/api/verify-admin", json: {} }),
    expect: byRole(
      { status: 200, has: ['{"isAdmin":false}'] },
      { status: 200, has: ['{"isAdmin":false}'] },
      { status: 200, has: ['{"isAdmin":false}'] },
      { status: 200, has: ['{"isAdmin":true}'] },
    ),
  },
  { pattern: "/api/verify-admin", what: "by GET", ask: at("/api/verify-admin"), expect: 405 },
  {
    pattern: "/api/*",
    what: "no such operation",
    ask: at("/api/none"),
    expect: same({ status: 404, has: ['"not_found"'] }),
  },
];

/** Every address x what is asked there x what each role gets. */
export const rows: Row[] = [...siteRows, ...courseRows, ...playerRows, ...accountRows];
