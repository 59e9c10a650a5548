import { at, byRole, coursePage, type Row, same } from "./row.ts";

export const courseRows: Row[] = [
  {
    pattern: "/courses",
    what: "active courses only",
    page: true,
    ask: at("/courses"),
    expect: 200,
  },
  {
    pattern: "/courses/blue-dot-method",
    what: "the page",
    page: true,
    ask: at("/courses/blue-dot-method"),
    expect: 200,
  },
  {
    pattern: "/courses/seven-days-of-calm",
    what: "the page",
    page: true,
    ask: at("/courses/seven-days-of-calm"),
    expect: 200,
  },
  ...["blue-dot-method", "seven-days-of-calm"].map(
    (slug): Row => ({
      pattern: `/courses/${slug}`,
      what: "the button, while nothing is sold",
      method: "POST",
      ask: () => ({ path: `/courses/${slug}`, form: {} }),
      expect: same({ status: 303, location: `/courses/${slug}` }),
    }),
  ),
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
